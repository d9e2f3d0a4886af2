#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace perslay::data {

/// A point of the plane.
struct PlanePoint {
  double x = 0;
  double y = 0;

  friend bool operator==(const PlanePoint&, const PlanePoint&) = default;
};

/// Point clouds with class labels, packed one cloud after the other: cloud i's points are
/// `points[offsets[i]] ... points[offsets[i+1]-1]`.
struct PointCloudDataset {
  std::string name;
  std::vector<PlanePoint> points;
  std::vector<std::int64_t> offsets{0};

  /// One per cloud, 0 ... classes-1; empty if the source has no labels.
  std::vector<int> labels;
  /// The classes' names in the source.
  std::vector<std::string> classes;
  /// Where the labels stood, such as "labels.csv"; empty if there are none, or if nobody says.
  std::string labels_from;

  /// Sentences about how the source was read that a person should see once.
  std::vector<std::string> notes;

  [[nodiscard]] std::size_t size() const noexcept { return offsets.size() - 1; }
  [[nodiscard]] std::span<const PlanePoint> operator[](std::size_t cloud) const noexcept {
    const auto begin = static_cast<std::size_t>(offsets[cloud]);
    return std::span(points).subspan(begin, static_cast<std::size_t>(offsets[cloud + 1]) - begin);
  }
};

}  // namespace perslay::data
