#include "diagrams_request.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>
#include <perslay/features/load_items.h>
#include <perslay/filtration/filtration.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/point_clouds.h>

namespace perslay::cli {
namespace {

using diagram::Kind;
using persistence::EssentialPolicy;

/// What the names stand for, each once.
template <class Parse>
auto parse_filtrations(const std::vector<std::string>& names, std::string_view otherwise, Parse&& parse) {
  std::vector<decltype(parse(otherwise))> chosen;
  for (const auto& name : names.empty() ? std::vector{std::string(otherwise)} : split_lists(names)) {
    auto filtration = parse(name);
    const auto same = [&](const auto& other) { return other.name == filtration.name; };
    if (std::ranges::none_of(chosen, same)) chosen.push_back(std::move(filtration));
  }
  return chosen;
}

std::vector<Kind> parse_kinds(const std::vector<std::string>& lists) {
  std::vector<Kind> kinds;
  for (const auto& name : split_lists(lists)) {
    const Kind kind = diagram::parse_kind(name);
    if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
  }
  return kinds;
}

bool is_of_clouds(Kind kind) { return kind == Kind::h0 || kind == Kind::h1; }

// ---- graphs

std::vector<Kind> graph_kinds(const DiagramsOptions& options) {
  if (options.ordinary && !options.kinds.empty())
    throw base::user_error("--ordinary stands for --kinds sub0,sup0,sub1; give one of the two, not both.");
  if (options.ordinary) return {diagram::ordinary_kinds.begin(), diagram::ordinary_kinds.end()};
  if (options.kinds.empty()) return {diagram::extended_kinds.begin(), diagram::extended_kinds.end()};
  auto kinds = parse_kinds(options.kinds);
  for (const Kind kind : kinds)
    if (is_of_clouds(kind))
      throw base::user_error(
          fmt::format("The kind {} belongs to point clouds, not to graphs.", diagram::kind_name(kind)));
  return kinds;
}

bool is_ordinary(Kind kind) {
  return std::ranges::find(diagram::ordinary_kinds, kind) != diagram::ordinary_kinds.end();
}

EssentialPolicy chosen_policy(const DiagramsOptions& options, const std::vector<Kind>& kinds) {
  if (options.essential.empty()) return {};
  if (std::ranges::none_of(kinds, is_ordinary))
    throw base::user_error(
        "--essential is about the ordinary kinds sub0, sup0 and sub1, and none of them is asked for.");
  return persistence::parse_essential(options.essential);
}

features::GraphDiagramOptions graph_options(const DiagramsOptions& options) {
  features::GraphDiagramOptions chosen;
  chosen.kinds = graph_kinds(options);
  chosen.essential = chosen_policy(options, chosen.kinds);
  chosen.keep_diagonal = options.keep_diagonal;
  chosen.cycles = options.cycles;
  if (chosen.cycles && std::ranges::find(chosen.kinds, Kind::ext1) == chosen.kinds.end())
    throw base::user_error(
        "--cycles finds the loops behind ext1 points, and the kind ext1 is not asked for.");
  return chosen;
}

// ---- point clouds

void refuse_graph_options(const DiagramsOptions& options) {
  const auto refuse = [&](bool given, const char* name) {
    if (given)
      throw base::user_error(
          fmt::format("{} is about graphs, but {} is read as point clouds.", name, options.data));
  };
  refuse(options.ordinary, "--ordinary");
  refuse(options.keep_diagonal, "--keep-diagonal");
  refuse(options.cycles, "--cycles");
  refuse(options.one_based, "--one-based");
}

std::vector<Kind> cloud_kinds(const DiagramsOptions& options) {
  if (options.kinds.empty()) return {Kind::h0, Kind::h1};
  auto kinds = parse_kinds(options.kinds);
  for (const Kind kind : kinds)
    if (!is_of_clouds(kind))
      throw base::user_error(
          fmt::format("The kind {} belongs to graphs; the kinds of point clouds are h0 and h1.",
                      diagram::kind_name(kind)));
  return kinds;
}

}  // namespace

GraphRequest::GraphRequest(const DiagramsOptions& asked)
    : filtrations(
          parse_filtrations(asked.filtrations, default_graph_filtration, filtration::parse_filtration)),
      options(graph_options(asked)) {}

CloudRequest::CloudRequest(const DiagramsOptions& asked) {
  refuse_graph_options(asked);
  const auto kinds = cloud_kinds(asked);
  const auto death =
      asked.essential.empty() ? std::nullopt : persistence::parse_essential_death(asked.essential);
  for (const auto& filtration :
       parse_filtrations(asked.filtrations, default_cloud_filtration, features::parse_cloud_filtration))
    options.push_back({.filtration = filtration, .kinds = kinds, .prominent = {}, .essential_death = death});
}

bool wants_file_drawn(const DiagramsOptions& options) {
  if (options.plot.empty() || !options.output.empty() || !io::is_diagram_file(options.data) ||
      io::has_clouds(options.data))
    return false;
  const auto refuse = [&](bool given, const char* name) {
    if (given)
      throw base::user_error(fmt::format(
          "{} is about computing diagrams, but those of {} are drawn as they are.", name, options.data));
  };
  refuse(options.ordinary, "--ordinary");
  refuse(!options.essential.empty(), "--essential");
  refuse(options.keep_diagonal, "--keep-diagonal");
  refuse(options.cycles, "--cycles");
  refuse(options.one_based, "--one-based");
  return true;
}

diagram::DiagramSet chosen_groups(const DiagramsOptions& options, diagram::DiagramSet set) {
  const auto filtrations = split_lists(options.filtrations);
  const auto kinds = parse_kinds(options.kinds);
  std::vector<std::string> titles;
  for (const auto& group : set.groups) titles.push_back(group.title());
  std::erase_if(set.groups, [&](const diagram::DiagramGroup& group) {
    const auto is_wanted = [](const auto& names, const auto& name) {
      return names.empty() || std::ranges::find(names, name) != names.end();
    };
    return !is_wanted(filtrations, group.filtration) || !is_wanted(kinds, group.kind);
  });
  if (set.groups.empty())
    throw base::user_error(
        fmt::format("{}: There are no such diagrams; there are {}.", options.data, fmt::join(titles, ", ")));
  return set;
}

bool wants_clouds(const DiagramsOptions& options) {
  return features::is_read_as_clouds(options.data, split_lists(options.filtrations));
}

std::vector<diagram::Transform> chosen_transforms(const DiagramsOptions& options) {
  std::vector<diagram::Transform> chosen;
  for (const auto& name : split_lists(options.transforms)) chosen.push_back(diagram::parse_transform(name));
  if (!chosen.empty() && options.cycles)
    throw base::user_error(
        "--cycles keeps a loop beside each point as it is computed; it does not go with --transform.");
  return chosen;
}

}  // namespace perslay::cli
