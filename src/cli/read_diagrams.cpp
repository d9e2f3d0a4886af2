#include "read_diagrams.h"

#include "options.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <strings.h>

#include <perslay/base/error.h>
#include <perslay/filtration/filtration.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/matrix_file.h>
#include <perslay/io/path_type.h>

namespace perslay::cli {
namespace {

using diagram::DiagramBatch;
using diagram::DiagramGroup;
using diagram::DiagramSet;
using Groups = std::vector<DiagramGroup>;

DiagramSet read(const std::string& path, const Session& session) {
  if (!io::is_there(path)) throw base::user_error(fmt::format("{}: There is no such file.", path));
  if (!io::is_diagram_file(path))
    throw base::user_error(fmt::format(
        "{0}: This is not a diagram file; 'perslay diagrams {0} -o diagrams.h5' makes one of graphs "
        "or point clouds.",
        path));
  auto set = io::read_diagrams(path);
  if (set.groups.empty()) throw base::user_error(fmt::format("{}: There are no diagrams in the file.", path));
  for (const auto& note : io::diagram_file_notes(path)) session.note(note);
  return set;
}

bool is_csv(const std::string& path) {
  return strcasecmp(std::filesystem::path(path).extension().c_str(), ".csv") == 0;
}

/// Keeps the groups whose name is wanted; each of these must be there.
void keep(Groups& groups, const std::string& where, const std::vector<std::string>& wanted,
          std::string_view what, std::string (*name_of)(const DiagramGroup&)) {
  if (wanted.empty()) return;
  for (const auto& name : wanted)
    if (std::ranges::find(groups, name, name_of) == groups.end())
      throw base::user_error(fmt::format("{}: There are no diagrams of the {} '{}'; there are {}.", where,
                                         what, name, diagram::titles(groups)));
  std::erase_if(groups,
                [&](const auto& group) { return std::ranges::find(wanted, name_of(group)) == wanted.end(); });
}

void choose(Groups& groups, const std::string& where, const GroupChoice& choice) {
  keep(groups, where, filtration::expand_times(split_lists(choice.filtrations)), "filtration",
       [](const auto& group) { return group.filtration; });
  keep(groups, where, split_lists(choice.kinds), "kind",
       [](const auto& group) { return std::string(diagram::kind_name(group.kind)); });
}

auto find(Groups& groups, const DiagramGroup& like) {
  return std::ranges::find_if(groups, [&](const DiagramGroup& group) {
    return group.kind == like.kind && group.filtration == like.filtration;
  });
}

bool is_in(DiagramSet& set, const DiagramGroup& like) { return find(set.groups, like) != set.groups.end(); }

/// The groups that one of the two has, without their diagrams.
Groups titles_of(const Groups& a, const Groups& b) {
  Groups titles;
  for (const auto* const groups : {&a, &b})
    for (const auto& group : *groups)
      if (find(titles, group) == titles.end()) titles.push_back({group.filtration, group.kind, {}, {}});
  return titles;
}

/// Leaves the groups with these titles, in this order.
void arrange(DiagramSet& set, const Groups& titles, const std::string& path, const std::string& other) {
  const DiagramBatch nothing({}, std::vector<std::int64_t>(set.item_count() + 1, 0));
  Groups arranged;
  for (const auto& title : titles) {
    if (const auto found = find(set.groups, title); found != set.groups.end()) {
      arranged.push_back(std::move(*found));
      continue;
    }
    if (!is_csv(path))
      throw base::user_error(fmt::format(
          "{} has diagrams of {}, but {} has none; choose what both have with --filtration and --kind.",
          other, title.title(), path));
    arranged.push_back({title.filtration, title.kind, nothing, {}});
  }
  set.groups = std::move(arranged);
}

}  // namespace

void add_group_options(CLI::App& command, GroupChoice& choice) {
  add_list_option(command, "--filtration", choice.filtrations, "Only the diagrams of these filtrations");
  add_list_option(command, "--kinds,--kind", choice.kinds, "Only these kinds of diagrams", "KIND");
}

DiagramSet read_diagrams(const std::string& path, const GroupChoice& choice, const Session& session) {
  auto set = read(path, session);
  choose(set.groups, path, choice);
  return set;
}

TwoSets read_diagrams(const std::string& path_a, const std::string& path_b, const GroupChoice& choice,
                      const Session& session) {
  if (path_b.empty()) return {read_diagrams(path_a, choice, session), std::nullopt};
  auto a = read(path_a, session), b = read(path_b, session);
  auto titles = titles_of(a.groups, b.groups);
  choose(titles, fmt::format("{} and {}", path_a, path_b), choice);
  if (std::ranges::none_of(titles, [&](const auto& title) { return is_in(a, title) && is_in(b, title); }))
    throw base::user_error(fmt::format("{} has diagrams of {}, {} of {}: there is nothing to compare.",
                                       path_a, diagram::titles(a.groups), path_b, diagram::titles(b.groups)));
  arrange(a, titles, path_a, path_b);
  arrange(b, titles, path_b, path_a);
  return {std::move(a), std::move(b)};
}

void write_rows(const std::string& path, const DiagramSet& set, std::span<const std::string> columns,
                std::span<const double> values) {
  io::write_matrix(path, {.rows = set.item_count(),
                          .columns = columns,
                          .values = values,
                          .labels = set.labels,
                          .classes = set.classes});
}

void write_pairs(const std::string& path, const DiagramSet& set, std::size_t columns,
                 std::span<const double> values) {
  std::vector<std::string> numbers;
  for (std::size_t item = 0; item < columns; ++item) numbers.push_back(std::to_string(item));
  write_rows(path, set, numbers, values);
}

}  // namespace perslay::cli
