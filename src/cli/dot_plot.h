#pragma once

#include <span>
#include <string>
#include <vector>

#include <perslay/data/point_cloud.h>

namespace perslay::cli {

/// A framed picture of points of the unit square, y upwards, with a title in its upper edge, as lines of
/// text. Each character is a Braille pattern of 2 x 4 dots. All lines are `columns` + 2 characters wide.
[[nodiscard]] std::vector<std::string> dot_plot(std::span<const data::PlanePoint> points,
                                                const std::string& title, std::size_t columns,
                                                std::size_t rows);

/// Blocks of lines beside each other, `across` in a row.
[[nodiscard]] std::string side_by_side(std::span<const std::vector<std::string>> blocks, std::size_t across);

}  // namespace perslay::cli
