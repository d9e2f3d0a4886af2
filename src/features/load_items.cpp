#include <algorithm>
#include <exception>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>
#include <perslay/base/stopwatch.h>
#include <perslay/features/cache.h>
#include <perslay/features/item_features.h>
#include <perslay/features/load_items.h>
#include <perslay/features/reading.h>
#include <perslay/io/path_type.h>

namespace perslay::features {
namespace {

namespace fs = std::filesystem;

Items compute_items(const fs::path& data, const InputKind& kind, const LoadRequest& request,
                    const base::Context& context, const LoadOptions& options) {
  const auto dataset = kind.read(data, options.reading, context);
  if (options.remark) {
    options.remark(reading_sentence(kind, data, *dataset));
    std::ranges::for_each(dataset->notes(), options.remark);
  }
  try {
    return dataset->items(request, context);
  } catch (const base::Error& error) {
    if (error.fault() != base::Fault::user || dataset->stored() == nullptr) throw;
    throw base::user_error(fmt::format("{}: {}", data.string(), error.what()));
  }
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

/// From the cache, if they are there.
Items cached_or_computed(const fs::path& data, const InputKind& kind, const LoadRequest& request,
                         const base::Context& context, const LoadOptions& options) {
  const auto key = options.cache.empty() ? "" : cache_key(data, request, options, context);
  if (key.empty()) return compute_items(data, kind, request, context, options);

  const fs::path file = options.cache / (key + ".items");
  if (auto cached = read_cached_items(file)) {
    auto& items = cached->items;
    items.kind = &kind;
    items.reading.cached = true;
    if (options.remark) {
      options.remark(reading_sentence(data, items));
      std::ranges::for_each(cached->remarks, options.remark);
    }
    return std::move(items);
  }
  std::error_code ignored;
  if (options.remark && fs::exists(file, ignored))
    options.remark(fmt::format("{} is damaged; what it held is computed again.", file.string()));
  CachedItems made;
  auto noting = options;
  noting.remark = [&, first = true](const std::string& remark) mutable {
    if (!std::exchange(first, false)) made.remarks.push_back(remark);  // the first is made anew
    if (options.remark) options.remark(remark);
  };
  const base::Stopwatch watch;
  made.items = compute_items(data, kind, request, context, noting);
  if (watch.seconds() >= options.cache_seconds && bytes_of(made.items) <= largest_cached)
    keep(file, made, options);
  return std::move(made.items);
}

}  // namespace

const InputKind& kind_of(const fs::path& data, const LoadRequest& request, const LoadOptions& options) {
  return options.as != nullptr
             ? *options.as
             : input_kind_of(data, {.filtrations = request.filtrations, .kinds = request.kinds});
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
  io::require_path(data);
  const auto& kind = kind_of(data, request, options);
  std::shared_ptr<const ItemGraphs> graphs;
  if (request.keep_graphs) {
    graphs = kind.read(data, options.reading, context)->graphs();
    if (graphs == nullptr)
      throw base::user_error(
          fmt::format("{} holds no graphs, and a filtration can only be trained on graphs.", data.string()));
  }
  auto rest = request;
  rest.keep_graphs = false;
  auto items = cached_or_computed(data, kind, rest, context, options);
  items.kind = &kind;
  items.graphs = std::move(graphs);
  return items;
}

}  // namespace perslay::features
