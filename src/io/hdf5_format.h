#pragma once

#include <cstdint>
#include <string_view>

#include <perslay/data/point_cloud.h>
#include <perslay/diagram/diagram.h>

/// What writing and reading HDF5 diagram files agree on.
namespace perslay::io {

inline constexpr std::string_view format_name = "perslay diagrams";
inline constexpr int format_version = 1;

// Packed points, also those of clouds, and vertex pairs are stored as rows of two numbers.
static_assert(sizeof(diagram::Point) == 2 * sizeof(double));
static_assert(sizeof(data::PlanePoint) == 2 * sizeof(double));
static_assert(sizeof(diagram::VertexPair) == 2 * sizeof(std::int32_t));

}  // namespace perslay::io
