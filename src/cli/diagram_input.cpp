#include "diagram_input.h"

#include "options.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/io/diagram_file.h>

namespace perslay::cli {
namespace {

/// Keeps the groups whose name is in the lists; each of these must be there.
template <class NameOf>
void keep(diagram::DiagramSet& set, const std::string& where, const std::vector<std::string>& lists,
          std::string_view what, NameOf&& name_of) {
  const auto wanted = split_lists(lists);
  if (wanted.empty()) return;
  for (const auto& name : wanted) {
    if (std::ranges::any_of(set.groups, [&](const auto& group) { return name_of(group) == name; })) continue;
    std::vector<std::string> titles;
    for (const auto& group : set.groups) titles.push_back(group.title());
    throw base::user_error(fmt::format("{}: There are no diagrams of the {} '{}'; there are {}.", where, what,
                                       name, fmt::join(titles, ", ")));
  }
  std::erase_if(set.groups,
                [&](const auto& group) { return std::ranges::find(wanted, name_of(group)) == wanted.end(); });
}

}  // namespace

diagram::DiagramSet read_diagram_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    throw base::user_error(fmt::format("{}: There is no such file.", path));
  if (!io::is_diagram_file(path))
    throw base::user_error(
        fmt::format("{0}: This is no diagram file; 'perslay diagrams {0} -o diagrams.h5' makes one of graphs "
                    "or point clouds.",
                    path));
  auto set = io::read_diagrams(path);
  if (set.groups.empty()) throw base::user_error(fmt::format("{}: There are no diagrams in the file.", path));
  return set;
}

void choose_groups(diagram::DiagramSet& set, const std::string& where,
                   const std::vector<std::string>& filtrations, const std::vector<std::string>& kinds) {
  keep(set, where, filtrations, "filtration",
       [](const auto& group) { return std::string_view(group.filtration); });
  keep(set, where, kinds, "kind", [](const auto& group) { return diagram::kind_name(group.kind); });
}

}  // namespace perslay::cli
