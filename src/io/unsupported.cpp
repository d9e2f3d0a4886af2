#include "unsupported.h"

#include "text.h"

#include <algorithm>
#include <array>
#include <span>

namespace perslay::io {
namespace {

/// A format that is known and not read.
struct Unsupported {
  std::string_view name;  ///< "an SDF file"
  std::string_view what_to_do;
  std::array<std::string_view, 6> endings{};  ///< In small letters; empty ones are none.
  bool (*recognises)(std::string_view beginning) = nullptr;
};

constexpr auto by_networkx = "NetworkX reads it, and perslay.Graphs takes its graphs in Python";

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](auto beginning) { return text.starts_with(beginning); });
}

/// "p edge 5 4", perhaps below lines of comments that start with a c.
bool is_dimacs(std::string_view text) {
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    if (starts_with_any(line, {"p edge ", "p col ", "p sp ", "p max ", "p cnf "})) return true;
    if (!line.empty() && line != "c" && !line.starts_with("c ")) return false;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return false;
}

std::span<const Unsupported> unsupported_formats() {
  static const std::array formats{
      Unsupported{"a pickle",
                  "pickles can run code and are not read; save arrays with numpy.savez or graphs as GraphML",
                  {".pkl", ".pickle", ".gpickle"},
                  [](std::string_view text) {
                    return text.size() > 2 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5;
                  }},
      Unsupported{
          "a file of PyTorch",
          "such files can run code and are not read; load it in Python and hand the graphs to perslay.Graphs",
          {".pt", ".pth"}},
      Unsupported{"a Parquet file",
                  "read it in Python, for example with pandas, and hand the graphs to perslay.Graphs",
                  {".parquet"},
                  [](std::string_view text) { return text.starts_with("PAR1"); }},
      Unsupported{"an SDF file",
                  "molecules are not read; RDKit reads them, and perslay.Graphs takes their bonds in Python",
                  {".sdf", ".mol", ".mol2", ".sd"},
                  [](std::string_view text) {
                    const auto line = text.find("V2000");
                    return line != std::string_view::npos &&
                           std::ranges::count(text.substr(0, line), '\n') == 3;
                  }},
      Unsupported{"a DOT file of Graphviz",
                  by_networkx,
                  {".dot", ".gv"},
                  [](std::string_view text) {
                    return starts_with_any(text,
                                           {"graph {", "digraph {", "strict graph", "strict digraph"}) ||
                           (starts_with_any(text, {"graph ", "digraph "}) &&
                            text.substr(0, text.find('\n')).find('{') != std::string_view::npos);
                  }},
      Unsupported{"a GEXF file",
                  by_networkx,
                  {".gexf"},
                  [](std::string_view text) { return text.find("<gexf") != std::string_view::npos; }},
      Unsupported{
          "a file of Pajek",
          by_networkx,
          {".paj"},
          [](std::string_view text) {
            return starts_with_any(lower_case(std::string(text.substr(0, 10))), {"*vertices", "*network"});
          }},
      Unsupported{"graph6 or sparse6",
                  by_networkx,
                  {".g6", ".s6", ".graph6", ".sparse6"},
                  [](std::string_view text) {
                    return starts_with_any(text, {">>graph6<<", ">>sparse6<<"});
                  }},
      Unsupported{"a DIMACS file", by_networkx, {".dimacs"}, is_dimacs},
      Unsupported{"a METIS file", "its lines are lists of neighbours; write one edge per line", {".metis"}},
      Unsupported{"an Excel file", "save the sheet as CSV", {".xlsx", ".xls", ".ods"}},
      Unsupported{"a MATLAB file",
                  "scipy.io.loadmat reads it, and perslay.Graphs takes its matrices in Python",
                  {".mat"},
                  [](std::string_view text) { return text.starts_with("MATLAB 5.0"); }},
      Unsupported{"a PDF file",
                  "it holds pages, neither graphs nor points",
                  {".pdf"},
                  [](std::string_view text) { return text.starts_with("%PDF-"); }},
      Unsupported{"an HTML page",
                  "it holds neither graphs nor points",
                  {},
                  [](std::string_view text) {
                    const auto begin = lower_case(std::string(text.substr(0, 15)));
                    return starts_with_any(begin, {"<!doctype html", "<html"});
                  }},
      Unsupported{"an image",
                  "images are not read",
                  {".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff"},
                  [](std::string_view text) {
                    return starts_with_any(text, {"\x89PNG", "\xff\xd8\xff", "GIF8", "II*", "MM\0*"});
                  }},
  };
  return formats;
}

}  // namespace

void refuse_unsupported(const std::filesystem::path& path, std::string_view beginning) {
  const std::string ending = lower_case(path.extension().string());
  for (const Unsupported& format : unsupported_formats()) {
    const bool named = !ending.empty() && std::ranges::find(format.endings, ending) != format.endings.end();
    if (named || (format.recognises != nullptr && format.recognises(beginning)))
      refuse("{} is {}; {}.", path.string(), format.name, format.what_to_do);
  }
}

}  // namespace perslay::io
