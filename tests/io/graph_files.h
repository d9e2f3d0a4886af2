#pragma once

#include "temporary_folder.h"

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/data/graph.h>

/// What the tests of the graph readers share.
namespace perslay::test {

/// Much faster than overwriting: some file systems write a file that was cut to length 0 to the disk at once.
inline void replace_file(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::remove(path);
  write_bytes(path, bytes);
}

/// The sentence of the user's error that `action` must throw.
template <class Action>
std::string user_error_of(const Action& action) {
  try {
    action();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::user) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "No error was thrown.";
  return {};
}

/// Every part must occur in the sentence.
inline void expect_parts(const std::string& sentence, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(sentence.find(part), std::string::npos) << "'" << part << "' is missing in: " << sentence;
  EXPECT_TRUE(sentence.ends_with(".")) << sentence;
}

/// The edges of a graph, smaller vertex first; also checks what Graph promises about its lists.
inline std::set<std::pair<int, int>> edge_set(const data::Graph& graph) {
  std::set<std::pair<int, int>> arcs;
  for (data::Vertex v = 0; v < graph.vertex_count(); ++v) {
    data::Vertex previous = -1;
    for (const data::Vertex u : graph.neighbours(v)) {
      EXPECT_LT(previous, u) << "neighbours of " << v;
      EXPECT_NE(u, v);
      EXPECT_LT(u, graph.vertex_count());
      arcs.emplace(v, u);
      previous = u;
    }
  }
  std::set<std::pair<int, int>> edges;
  for (const auto& [v, u] : arcs) {
    EXPECT_TRUE(arcs.contains({u, v}));
    if (v < u) edges.emplace(v, u);
  }
  EXPECT_EQ(static_cast<std::int64_t>(edges.size()), graph.edge_count());
  return edges;
}

}  // namespace perslay::test
