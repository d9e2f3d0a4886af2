#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <ranges>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include <perslay/base/error.h>
#include <perslay/base/hasher.h>
#include <perslay/base/registry.h>
#include <perslay/features/cache.h>
#include <perslay/features/item_features.h>
#include <perslay/io/atomic_file.h>
#include <perslay/io/point_clouds.h>

namespace perslay::features {
namespace {

namespace fs = std::filesystem;

/// Raise it when the format changes, and when the same data give other numbers.
constexpr std::uint64_t version = 8;
constexpr std::string_view magic = "perslay items\n";
/// A number that differs when read in another byte order.
constexpr std::uint64_t byte_order = 0x0123456789abcdef;

// ---- keys

void add(base::Hasher& hash, const std::vector<std::string>& texts) {
  hash.add(texts.size());
  for (const auto& text : texts) hash.add(text);
}

/// Whether a node label that no item has is a function that is 0 everywhere, not a mistake.
bool absent_labels_are_zero(const LoadRequest& request) {
  const auto is_label = [](std::string_view name) { return base::split_name(name).head == "label"; };
  return request.to_predict &&
         (std::ranges::any_of(request.filtrations, is_label) ||
          std::ranges::any_of(parse_item_features(request.features),
                              [](const ItemFeature& feature) { return !feature.function.label.empty(); }));
}

/// Whether the file could be read.
bool add_file(base::Hasher& hash, const fs::path& path, const base::Context& context) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> buffer(1 << 20);
  std::uint64_t total = 0;
  while (file) {
    context.stop_if_cancelled();
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    const auto count = static_cast<std::size_t>(file.gcount());
    hash.update(std::as_bytes(std::span(buffer).first(count)));
    total += count;
  }
  hash.add(total);
  return file.eof();
}

/// The files behind a path, in the order of their names.
std::vector<fs::path> files_behind(const fs::path& data) {
  if (!fs::is_directory(data)) return {data};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(data))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  for (auto& file : io::labelled_files(data)) files.push_back(std::move(file));  // perhaps from elsewhere
  return files;
}

// ---- files

class Writer {
 public:
  explicit Writer(const fs::path& path) : file_(path, std::ios::binary) {}

  template <class... Parts>
  void operator()(const Parts&... parts) {
    (put(parts), ...);
  }
  template <class List, class Pass>
  void each(const List& list, Pass&& pass) {
    put(list.size());
    for (const auto& entry : list) pass(entry);
  }
  void put_bytes(std::span<const std::byte> bytes) {
    hash_.update(bytes);
    write(bytes);
  }

  void finish() {
    const auto digest = hash_.digest();
    write(std::as_bytes(std::span(digest)));
    file_.close();
    if (!file_) throw base::internal_error("The file cannot be written; is the disk full?");
  }

 private:
  void put(std::uint64_t number) { put_bytes(std::as_bytes(std::span(&number, 1))); }
  void put(std::int64_t number) { put_bytes(std::as_bytes(std::span(&number, 1))); }
  void put(const std::vector<std::string>& texts) {
    each(texts, [this](const std::string& text) { put(text); });
  }
  /// A text, or numbers.
  template <std::ranges::contiguous_range Values>
  void put(const Values& values) {
    static_assert(std::is_trivially_copyable_v<std::ranges::range_value_t<Values>>);
    put(values.size());
    put_bytes(std::as_bytes(std::span(values)));
  }
  void write(std::span<const std::byte> bytes) {
    file_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  std::ofstream file_;
  base::Hasher hash_;
};

/// Why a cached file cannot be used; never leaves this source file.
struct Useless {};

class Reader {
 public:
  explicit Reader(const fs::path& path) : file_(path, std::ios::binary | std::ios::ate) {
    if (!file_) throw Useless{};
    left_ = static_cast<std::uint64_t>(file_.tellg());
    file_.seekg(0);
  }

  template <class... Parts>
  void operator()(Parts&... parts) {
    (get(parts), ...);
  }
  template <class List, class Pass>
  void each(List& list, Pass&& pass) {
    resize(list, 1);
    for (auto& entry : list) pass(entry);
  }
  void get_bytes(std::span<std::byte> bytes) {
    read(bytes);
    hash_.update(bytes);
  }

  void finish() {
    base::Hasher::Digest stored{};
    const auto digest = hash_.digest();
    read(std::as_writable_bytes(std::span(stored)));
    if (stored != digest || left_ != 0) throw Useless{};
  }

 private:
  void get(std::uint64_t& number) { get_bytes(std::as_writable_bytes(std::span(&number, 1))); }
  void get(std::int64_t& number) { get_bytes(std::as_writable_bytes(std::span(&number, 1))); }
  void get(std::vector<std::string>& texts) {
    each(texts, [this](std::string& text) { get(text); });
  }
  template <std::ranges::contiguous_range Values>
  void get(Values& values) {
    resize(values, sizeof(values[0]));
    get_bytes(std::as_writable_bytes(std::span(values)));
  }
  /// Reads how many entries there are, which take at least so many bytes each.
  void resize(auto& list, std::size_t bytes) {
    std::uint64_t count = 0;
    get(count);
    if (count > left_ / bytes) throw Useless{};
    list.resize(count);
  }
  void read(std::span<std::byte> bytes) {
    if (bytes.size() > left_) throw Useless{};
    left_ -= bytes.size();
    file_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file_) throw Useless{};
  }
  std::ifstream file_;
  std::uint64_t left_ = 0;
  base::Hasher hash_;
};

/// What follows the groups, for a Reader or a Writer.
template <class File, class Cached>
void transfer(File& file, Cached& cached) {
  auto& items = cached.items;
  file.each(items.blocks, [&](auto& block) { file(block.name, block.values, block.offsets); });
  file.each(items.keyed,
            [&](auto& block) { file(block.name, block.width, block.keys, block.values, block.offsets); });
  file(items.sizes, items.labels, items.classes, cached.remarks);
  file(items.reading.labels_from, items.reading.self_loops_dropped, items.reading.duplicate_edges_merged);
  file.finish();
}

/// A group as it is read; a batch is made of it once the checksum is known to be right.
struct PackedGroup {
  std::string filtration, kind;
  std::vector<diagram::Point> points;
  std::vector<std::int64_t> offsets;
};

CachedItems read_items(Reader& file) {
  std::string start(magic.size(), '\0');
  file.get_bytes(std::as_writable_bytes(std::span(start)));
  std::uint64_t order = 0, of_file = 0;
  file(order, of_file);
  if (start != magic || order != byte_order || of_file != version) throw Useless{};
  std::vector<PackedGroup> packed;
  file.each(packed, [&](auto& group) { file(group.filtration, group.kind, group.points, group.offsets); });
  CachedItems cached;
  transfer(file, cached);
  for (auto& [filtration, kind, points, offsets] : packed)
    cached.items.groups.push_back(
        {std::move(filtration), diagram::parse_kind(kind), {std::move(points), std::move(offsets)}, {}});
  return cached;
}

}  // namespace

fs::path default_cache_folder() {
  if (const char* const cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0')
    return fs::path(cache) / "perslay";
  if (const char* const home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return fs::path(home) / ".cache" / "perslay";
  return {};
}

std::string cache_key(const fs::path& data, const LoadRequest& request, const LoadOptions& options,
                      const base::Context& context) try {
  constexpr std::uintmax_t most = 1'000'000'000;
  const auto files = files_behind(data);
  std::uintmax_t total = 0;
  for (const auto& file : files) total += fs::file_size(file);
  if (total > most) return {};

  base::Hasher hash;
  hash.add(magic).add(version);
  add(hash, request.filtrations);
  hash.add(request.kinds.size());
  for (const auto kind : request.kinds) hash.add(diagram::kind_name(kind));
  add(hash, request.transforms);
  add(hash, request.features);
  add(hash, options.reading.columns);
  hash.add(request.essential)
      .add(request.drop_diagonal)
      .add(request.keep_diagrams)
      .add(options.reading.one_based);
  hash.add(options.as == nullptr ? std::string_view() : options.as->name);
  if (absent_labels_are_zero(request)) hash.add(true);
  hash.add(fs::is_directory(data));
  for (const auto& file : files) {
    const auto name = fs::is_directory(data) ? file.lexically_relative(data) : file.filename();
    hash.add(name.string());
    if (!add_file(hash, file, context)) return {};
  }
  for (const auto& file : files_named(request))
    if (!add_file(hash, file, context)) return {};
  return hash.hexadecimal();
} catch (const fs::filesystem_error&) {
  return {};
}

std::optional<CachedItems> read_cached_items(const fs::path& file) {
  try {
    Reader reader(file);
    return read_items(reader);
  } catch (const Useless&) {
  } catch (const base::Error&) {
  }
  return std::nullopt;
}

void write_cached_items(const fs::path& file, const CachedItems& cached) {
  io::AtomicFile target(file);
  Writer out(target.partial());
  out.put_bytes(std::as_bytes(std::span(magic)));
  out(byte_order, version);
  out.each(cached.items.groups, [&](const auto& group) {
    out(group.filtration, diagram::kind_name(group.kind), group.diagrams.points(), group.diagrams.offsets());
  });
  transfer(out, cached);
  target.commit();
}

}  // namespace perslay::features
