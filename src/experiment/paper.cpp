#include <algorithm>
#include <array>
#include <cctype>

#include <perslay/experiment/paper.h>

namespace perslay::experiment {

std::span<const GraphRow> graph_rows() {
  static constexpr auto rows = std::to_array<GraphRow>({
      {"REDDIT5K", "REDDIT-MULTI-5K", {55.6, 0.3}, 56.5, {49.7, 0.3}, 55.0, 52.5, {}, 56.1, 47.8, 52.9, 57.0},
      {"REDDIT12K", "REDDIT-MULTI-12K", {47.7, 0.2}, 49.1, {39.7, 0.1}, 44.2, 40.1, {}, 48.7, {}, 46.6, {}},
      {"COLLAB", "COLLAB", {76.4, 0.4}, 78.0, {67.8, 0.2}, 71.6, 69.2, {}, 81.0, 80.0, 79.6, 80.1},
      {"IMDB-B", "IMDB-BINARY", {71.2, 0.7}, 72.6, {67.6, 0.6}, 68.8, 64.7, 72.9, 71.9, 73.6, 73.1, 74.3},
      {"IMDB-M", "IMDB-MULTI", {48.8, 0.6}, 52.2, {44.5, 0.4}, 48.2, 42.0, 50.3, 47.7, 52.4, 50.3, 52.1},
      {"COX2", "COX2", {80.9, 1.0}, 81.6, {78.2, 1.3}, 81.5, 79.0, 78.4, 80.1, {}, {}, {}},
      {"DHFR", "DHFR", {80.3, 0.8}, 80.9, {69.5, 1.0}, 78.2, 71.8, 78.4, 81.5, {}, {}, {}},
      {"MUTAG", "MUTAG", {89.8, 0.9}, 91.5, {85.8, 1.3}, 85.1, 70.2, 88.3, 90.3, 92.1, 86.7, 89.0},
      {"PROTEINS", "PROTEINS", {74.8, 0.3}, 75.9, {73.5, 0.3}, 72.2, 69.7, 72.6, 75.8, 73.4, 76.3, 75.9},
      {"NCI1", "NCI1", {73.5, 0.3}, 74.0, {65.3, 0.2}, 72.3, 68.9, 71.6, 84.5, 79.8, 78.4, 82.7},
      {"NCI109", "NCI109", {69.5, 0.3}, 70.1, {64.9, 0.2}, 67.0, 66.2, 70.5, {}, 78.8, {}, {}},
  });
  return rows;
}

std::span<const OrbitRow> orbit_rows() {
  static constexpr auto rows = std::to_array<OrbitRow>({
      {"ORBIT5K", 1000, {87.7, 1.0}, {{72.38, 2.4}}, {{76.63, 0.7}}, {{83.6, 0.9}}, {{85.9, 0.8}}},
      {"ORBIT100K", 20000, {89.2, 0.3}, {}, {}, {}, {}},
  });
  return rows;
}

std::span<const HyperparameterColumn> hyperparameter_columns() {
  using enum HyperparameterColumn::Group;
  static constexpr auto columns = std::to_array<HyperparameterColumn>({
      {grid, "none", {92.3, 88.9, 2.30}, {76.5, 75.3, 26.0}},
      {grid, "2x2", {91.1, 88.8, 2.77}, {78.6, 75.8, 40.4}},
      {grid, "5x5", {91.7, 89.6, 2.79}, {79.0, 76.2, 43.5}},
      {grid, "10x10", {92.3, 89.9, 2.77}, {80.0, 76.5, 43.8}},
      {grid, "20x20", {93.7, 88.3, 2.77}, {83.5, 73.9, 44.1}},
      {grid, "50x50", {94.1, 87.7, 2.78}, {94.0, 71.3, 45.6}},
      {phi, "gaussian", {92.5, 89.7, 2.80}, {79.7, 75.3, 45.8}},
      {phi, "line", {89.2, 84.2, 5.91}, {79.9, 76.1, 54.0}},
      {phi, "triangle", {91.5, 85.0, 4.42}, {79.4, 74.7, 61.4}},
      {op, "sum", {92.3, 89.5, 2.75}, {80.0, 76.4, 44.3}},
      {op, "max", {91.9, 87.4, 2.82}, {78.8, 75.0, 48.1}},
  });
  return columns;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

}  // namespace perslay::experiment
