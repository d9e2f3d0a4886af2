#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>
#include <perslay/features/cache.h>
#include <perslay/features/cloud_diagrams.h>
#include <perslay/features/item_features.h>
#include <perslay/features/load_items.h>
#include <perslay/filtration/filtration.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/point_clouds.h>

namespace perslay::features {
namespace {

namespace fs = std::filesystem;

/// Whether clouds have to be read because the file lacks the diagrams.
bool wants_clouds(const fs::path& file, const diagram::DiagramSet& set,
                  const std::vector<std::string>& names) {
  const auto missing = [&](const std::string& name) {
    return is_cloud_filtration(name) &&
           std::ranges::find(set.groups, name, &diagram::DiagramGroup::filtration) == set.groups.end();
  };
  return (set.groups.empty() || std::ranges::any_of(names, missing)) && io::has_clouds(file);
}

Items load_clouds(const fs::path& data, const LoadRequest& request, const base::Context& context,
                  const LoadOptions& options) {
  const auto clouds = io::read_point_clouds(data, context);
  if (options.remark)
    for (const auto& note : clouds.notes) options.remark(note);
  return make_items(clouds, request, context);
}

Items load_graphs(const fs::path& data, const LoadRequest& request, const base::Context& context,
                  const LoadOptions& options) {
  const auto graphs = io::read_graph_dataset(data, context, options.reading);
  if (options.remark) {
    for (const auto& note : graphs.notes) options.remark(note);
    if (graphs.cleaning.self_loops_dropped > 0)
      options.remark(fmt::format("{} self loops dropped.", graphs.cleaning.self_loops_dropped));
  }
  return make_items(graphs, request, context);
}

Items load_diagrams(const fs::path& data, const LoadRequest& request, const base::Context& context,
                    const LoadOptions& options) {
  auto set = io::read_diagrams(data);
  if (wants_clouds(data, set, request.filtrations)) {
    set = {};
    return load_clouds(data, request, context, options);
  }
  try {
    return make_items(std::move(set), request, context);
  } catch (const base::Error& error) {
    if (error.fault() != base::Fault::user) throw;
    throw base::user_error(fmt::format("{}: {}", data.string(), error.what()));
  }
}

Items compute_items(const fs::path& data, const LoadRequest& request, const base::Context& context,
                    const LoadOptions& options) {
  switch (content_of(data, request.filtrations)) {
    case Content::graphs:
      return load_graphs(data, request, context, options);
    case Content::clouds:
      return load_clouds(data, request, context, options);
    case Content::diagrams:
      break;
  }
  return load_diagrams(data, request, context, options);
}

// ---- graphs that are kept

/// Everything else is loaded, or taken from the cache, as if graphs were not asked for.
Items load_with_graphs(const fs::path& data, const LoadRequest& request, const base::Context& context,
                       const LoadOptions& options) {
  if (content_of(data, request.filtrations) != Content::graphs)
    throw base::user_error(
        fmt::format("{} holds no graphs, and a filtration can only be trained on graphs.", data.string()));
  auto rest = request;
  rest.keep_graphs = false;
  auto items = load_items(data, rest, context, options);
  auto graphs = io::read_graph_dataset(data, context, options.reading);
  items.graphs = std::make_shared<const ItemGraphs>(ItemGraphs{std::move(graphs.graphs)});
  return items;
}

// ---- the cache

constexpr std::size_t largest_cached = 1'000'000'000;

std::size_t bytes_of(const Items& items) {
  std::size_t bytes = items.count() * (sizeof(double) + sizeof(int));
  for (const auto& group : items.groups)
    bytes += group.diagrams.points().size_bytes() + group.diagrams.offsets().size_bytes();
  for (const auto& block : items.blocks)
    bytes += std::span(block.values).size_bytes() + std::span(block.offsets).size_bytes();
  for (const auto& block : items.keyed)
    bytes += std::span(block.keys).size_bytes() + std::span(block.values).size_bytes() +
             std::span(block.offsets).size_bytes();
  return bytes;
}

void keep(const fs::path& file, const CachedItems& made, const LoadOptions& options) {
  try {
    fs::create_directories(file.parent_path());
    write_cached_items(file, made);
  } catch (const std::exception& error) {
    if (options.remark)
      options.remark(fmt::format("What was computed is not kept for the next time: {}", error.what()));
  }
}

}  // namespace

bool is_read_as_clouds(const fs::path& data, const std::vector<std::string>& filtrations) {
  const auto content = io::cloud_content(data);
  const auto of_clouds = std::ranges::find_if(filtrations, is_cloud_filtration);
  const auto of_graphs = std::ranges::find_if_not(filtrations, is_cloud_filtration);
  if (of_clouds == filtrations.end()) {
    if (content != io::CloudContent::certainly) return false;
    if (of_graphs != filtrations.end())
      throw base::user_error(fmt::format(
          "{} is read as point clouds, and {} is a filtration of graphs; that of clouds is alpha.",
          data.string(), *of_graphs));
    return true;
  }
  if (of_graphs != filtrations.end())
    throw base::user_error(
        fmt::format("{} is a filtration of point clouds and {} one of graphs; ask for one of the two.",
                    *of_clouds, *of_graphs));
  if (content == io::CloudContent::never)
    throw base::user_error(
        fmt::format("{} is a filtration of point clouds, but {} holds graphs.", *of_clouds, data.string()));
  return true;
}

Content content_of(const fs::path& data, const std::vector<std::string>& filtrations) {
  if (io::is_diagram_file(data)) return Content::diagrams;
  return is_read_as_clouds(data, filtrations) ? Content::clouds : Content::graphs;
}

std::vector<fs::path> files_named(const LoadRequest& request) {
  std::vector<fs::path> files;
  for (const auto& name : request.filtrations)
    if (const auto parts = base::split_name(name); parts.head == "file") files.emplace_back(parts.arguments);
  for (const auto& feature : parse_item_features(request.features))
    if (!feature.function.path.empty()) files.emplace_back(feature.function.path);
  return files;
}

Items load_items(const fs::path& data, const LoadRequest& request, const base::Context& context,
                 const LoadOptions& options) {
  std::error_code ignored;
  if (!fs::exists(data, ignored)) throw base::user_error(fmt::format("{} does not exist.", data.string()));
  if (request.keep_graphs) return load_with_graphs(data, request, context, options);
  const auto key = options.cache.empty() ? "" : cache_key(data, request, options.reading, context);
  if (key.empty()) return compute_items(data, request, context, options);

  const fs::path file = options.cache / (key + ".items");
  if (auto cached = read_cached_items(file)) {
    if (options.remark) std::ranges::for_each(cached->remarks, options.remark);
    return std::move(cached->items);
  }
  CachedItems made;
  auto noting = options;
  noting.remark = [&](const std::string& remark) {
    made.remarks.push_back(remark);
    if (options.remark) options.remark(remark);
  };
  const auto start = std::chrono::steady_clock::now();
  made.items = compute_items(data, request, context, noting);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (seconds.count() >= options.cache_seconds && bytes_of(made.items) <= largest_cached)
    keep(file, made, options);
  return std::move(made.items);
}

}  // namespace perslay::features
