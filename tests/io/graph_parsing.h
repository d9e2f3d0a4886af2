#pragma once

#include "graph_files.h"
#include "io/graph_parsers.h"

#include <ostream>
#include <string>
#include <utility>
#include <vector>

/// What the tests of the parsers of graph formats share.
namespace perslay::test {

using Parse = std::vector<io::ParsedGraph> (*)(const io::Text&, const io::GraphReadOptions&,
                                               const base::Context&);
using Arcs = std::vector<std::pair<int, int>>;

inline std::vector<io::ParsedGraph> parsed(Parse parse, const std::string& content) {
  return parse({"graph.txt", content}, {}, {});
}

/// The only graph of a file.
inline io::ParsedGraph only_graph(Parse parse, const std::string& content) {
  auto graphs = parsed(parse, content);
  EXPECT_EQ(graphs.size(), 1U);
  return std::move(graphs.at(0));
}

inline Arcs arcs_of(const io::ParsedGraph& graph) {
  Arcs arcs;
  for (const auto& [from, to] : graph.arcs) arcs.emplace_back(from, to);
  return arcs;
}

/// The columns as text, such as "age: 31 42" or "town: 'Paris'".
inline std::vector<std::string> columns_of(const io::ParsedGraph& graph) {
  std::vector<std::string> all;
  for (const auto& [name, numbers, words] : graph.columns) {
    std::string text = name + ":";
    for (const double number : numbers) text += fmt::format(" {}", number);
    for (const auto& word : words) text += fmt::format(" '{}'", word);
    all.push_back(text);
  }
  return all;
}

struct BadText {
  std::string content;
  std::string sentence;  ///< Without the name of the file.
};

inline void expect_refusals(Parse parse, const std::vector<BadText>& cases) {
  for (const auto& [content, sentence] : cases)
    EXPECT_EQ(user_error_of([&] { (void)parsed(parse, content); }), "graph.txt" + sentence) << content;
}

}  // namespace perslay::test
