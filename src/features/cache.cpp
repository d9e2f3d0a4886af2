#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/hasher.h>
#include <perslay/features/cache.h>
#include <perslay/io/atomic_file.h>

namespace perslay::features {
namespace {

namespace fs = std::filesystem;

/// Raise it when the format changes, and when the same data give other numbers.
constexpr std::uint64_t version = 6;
constexpr std::string_view magic = "perslay items\n";
/// A number that differs when read in another byte order.
constexpr std::uint64_t byte_order = 0x0123456789abcdef;

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

// ---- keys

void add(base::Hasher& hash, const std::vector<std::string>& texts) {
  hash.add(texts.size());
  for (const auto& text : texts) hash.add(text);
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
  return files;
}

std::string key_of(const fs::path& data, const LoadRequest& request, const LoadOptions& options,
                   const base::Context& context) {
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
  hash.add(request.drop_diagonal).add(request.keep_diagrams).add(options.reading.one_based);
  hash.add(options.as == nullptr ? std::string_view() : options.as->name);
  hash.add(fs::is_directory(data));
  for (const auto& file : files) {
    const auto name = fs::is_directory(data) ? file.lexically_relative(data) : file.filename();
    hash.add(name.string());
    if (!add_file(hash, file, context)) return {};
  }
  for (const auto& file : files_named(request))
    if (!add_file(hash, file, context)) return {};
  return hash.hexadecimal();
}

// ---- files

class Writer {
 public:
  explicit Writer(const fs::path& path) : file_(path, std::ios::binary) {}

  template <class T>
  void put(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    put_number(values.size());
    put_bytes(std::as_bytes(values));
  }
  void put(std::string_view text) { put(std::span(text)); }
  void put(const std::vector<std::string>& texts) {
    put_number(texts.size());
    for (const auto& text : texts) put(std::string_view(text));
  }
  void put_number(std::uint64_t number) { put_bytes(std::as_bytes(std::span(&number, 1))); }
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

  template <class T>
  std::vector<T> get() {
    const std::uint64_t count = get_number();
    if (count > left_ / sizeof(T)) throw Useless{};
    std::vector<T> values(count);
    get_bytes(std::as_writable_bytes(std::span(values)));
    return values;
  }
  std::string get_text() {
    const auto text = get<char>();
    return {text.begin(), text.end()};
  }
  std::vector<std::string> get_texts() {
    std::vector<std::string> texts(get_count());
    for (auto& text : texts) text = get_text();
    return texts;
  }
  std::uint64_t get_number() {
    std::uint64_t number = 0;
    get_bytes(std::as_writable_bytes(std::span(&number, 1)));
    return number;
  }
  /// Of things that take at least a byte each.
  std::uint64_t get_count() {
    const std::uint64_t count = get_number();
    if (count > left_) throw Useless{};
    return count;
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

/// A group as it is read; a batch is made of it once the checksum is known to be right.
struct PackedGroup {
  std::string filtration;
  std::string kind;
  std::vector<diagram::Point> points;
  std::vector<std::int64_t> offsets;
};

CachedItems read_items(Reader& reader) {
  std::string start(magic.size(), '\0');
  reader.get_bytes(std::as_writable_bytes(std::span(start)));
  if (start != magic || reader.get_number() != byte_order || reader.get_number() != version) throw Useless{};
  CachedItems cached;
  std::vector<PackedGroup> packed(reader.get_count());
  for (auto& group : packed) {
    group.filtration = reader.get_text();
    group.kind = reader.get_text();
    group.points = reader.get<diagram::Point>();
    group.offsets = reader.get<std::int64_t>();
  }
  cached.items.blocks.resize(reader.get_count());
  for (auto& block : cached.items.blocks) {
    block.name = reader.get_text();
    block.values = reader.get<float>();
    block.offsets = reader.get<std::int64_t>();
  }
  cached.items.keyed.resize(reader.get_count());
  for (auto& block : cached.items.keyed) {
    block.name = reader.get_text();
    block.width = reader.get_number();
    block.keys = reader.get<std::uint64_t>();
    block.values = reader.get<float>();
    block.offsets = reader.get<std::int64_t>();
  }
  cached.items.sizes = reader.get<ItemSize>();
  cached.items.labels = reader.get<int>();
  cached.items.classes = reader.get_texts();
  cached.remarks = reader.get_texts();
  reader.finish();
  for (auto& group : packed)
    cached.items.groups.push_back({std::move(group.filtration),
                                   diagram::parse_kind(group.kind),
                                   diagram::DiagramBatch(std::move(group.points), std::move(group.offsets)),
                                   {}});
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
                      const base::Context& context) {
  try {
    return key_of(data, request, options, context);
  } catch (const fs::filesystem_error&) {
    return {};
  }
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
  Writer writer(target.partial());
  writer.put_bytes(bytes_of(magic));
  writer.put_number(byte_order);
  writer.put_number(version);
  writer.put_number(cached.items.groups.size());
  for (const auto& group : cached.items.groups) {
    writer.put(std::string_view(group.filtration));
    writer.put(diagram::kind_name(group.kind));
    writer.put(group.diagrams.points());
    writer.put(group.diagrams.offsets());
  }
  writer.put_number(cached.items.blocks.size());
  for (const auto& block : cached.items.blocks) {
    writer.put(std::string_view(block.name));
    writer.put(std::span(block.values));
    writer.put(std::span(block.offsets));
  }
  writer.put_number(cached.items.keyed.size());
  for (const auto& block : cached.items.keyed) {
    writer.put(std::string_view(block.name));
    writer.put_number(block.width);
    writer.put(std::span(block.keys));
    writer.put(std::span(block.values));
    writer.put(std::span(block.offsets));
  }
  writer.put(std::span(cached.items.sizes));
  writer.put(std::span(cached.items.labels));
  writer.put(cached.items.classes);
  writer.put(cached.remarks);
  writer.finish();
  target.commit();
}

}  // namespace perslay::features
