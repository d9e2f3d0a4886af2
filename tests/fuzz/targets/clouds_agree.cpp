#include "fuzz/fuzz.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include <perslay/io/matrix_file.h>
#include <perslay/io/point_clouds.h>

namespace {

using perslay::data::PlanePoint;

std::vector<PlanePoint> finite_points(std::string_view bytes) {
  std::vector<PlanePoint> points(bytes.size() / sizeof(PlanePoint));
  if (!points.empty()) std::memcpy(points.data(), bytes.data(), points.size() * sizeof(PlanePoint));
  std::erase_if(points, [](const PlanePoint& p) { return !std::isfinite(p.x) || !std::isfinite(p.y); });
  return points;
}

bool same_bits(const std::vector<PlanePoint>& a, const std::vector<PlanePoint>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(PlanePoint)) == 0;
}

}  // namespace

/// One cloud as text and as an array: both read back bit for bit. The input is the bytes of the coordinates.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  static const test::InputFile text_file("points.txt"), array_file("points.npy");
  const auto points = finite_points(test::text_of(data, size));
  if (points.empty()) return 0;
  std::string text;
  for (const auto& [x, y] : points) text += fmt::format("{} {}\n", x, y);
  const auto header =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, 2), }}\n", points.size());
  std::string array("\x93NUMPY\x01\x00", 8);
  array += static_cast<char>(header.size() % 256);
  array += static_cast<char>(header.size() / 256);
  array += header;
  array.append(reinterpret_cast<const char*>(points.data()), points.size() * sizeof(PlanePoint));
  const auto cloud_in = [](const auto& path) {
    return test::reads([&] { return io::read_point_clouds(path).points; });
  };
  test::require(same_bits(cloud_in(text_file.with(text)), points), "Text reads back bit for bit.");
  test::require(same_bits(cloud_in(array_file.with(array)), points), "An array reads back bit for bit.");
  return 0;
}
