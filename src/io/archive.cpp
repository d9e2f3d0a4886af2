#include "archive.h"

#include "archive_reader.h"
#include "stream.h"
#include "zip_directory.h"

#include <algorithm>
#include <array>
#include <memory>
#include <system_error>
#include <utility>

namespace perslay::io {

namespace fs = std::filesystem;

namespace {

/// What is read of an archive.
struct Request {
  const fs::path& path;
  const std::function<bool(std::string_view)>& wanted;
  std::uint64_t limit;
  const base::Context& context;
};

/// Takes the wanted members from an opened archive.
class MemberReader {
 public:
  MemberReader(const Request& request, archive* reader, const ArchiveSource* source = nullptr)
      : request_(request), reader_(reader), source_(source) {}

  std::vector<Text> run() {
    std::vector<Text> members;
    bool first = true;
    while (archive_entry* entry = next_entry(std::exchange(first, false))) {
      request_.context.stop_if_cancelled();
      const std::string name = path_of(entry);
      if (!request_.wanted(name)) continue;
      if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != nullptr)
        refuse("{}:{} is not a plain file.", request_.path.string(), name);
      if (std::ranges::find(members, name, &Text::name) != members.end())
        refuse("{} holds two files {}.", request_.path.string(), name);
      members.push_back({name, content_of(entry, name)});
    }
    return members;
  }

 private:
  /// Throws "WHERE is damaged or WHAT: ..."
  [[noreturn]] void fail(const std::string& where, const char* what) const {
    if (source_ != nullptr) source_->rethrow();
    if (archive_read_has_encrypted_entries(reader_) > 0) refuse_encrypted(where);
    refuse("{} is damaged or {}{}.", where, what, reason(reader_));
  }
  [[noreturn]] static void refuse_encrypted(const std::string& where) {
    refuse("{} is encrypted, and archives are read without a password; unpack it first.", where);
  }

  /// Null at the end of the archive.
  archive_entry* next_entry(bool first) const {
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(reader_, &entry);
    if (result == ARCHIVE_EOF) return nullptr;
    if (result == ARCHIVE_OK || result == ARCHIVE_WARN) return entry;  // warnings are about times and owners
    fail(request_.path.string(), first ? "not an archive" : "cut short");
  }

  /// Without the slash at the end of a folder's.
  std::string path_of(archive_entry* entry) const {
    for (const char* found : {archive_entry_pathname(entry), archive_entry_pathname_utf8(entry)}) {
      if (found == nullptr) continue;
      std::string path = found;
      return path.erase(path.find_last_not_of('/') + 1);
    }
    refuse("{} has a member whose name cannot be read in this locale.", request_.path.string());
  }

  std::string content_of(archive_entry* entry, const std::string& name) {
    constexpr std::uint64_t trusted = std::uint64_t{1} << 28;  // a damaged header may claim any size
    const std::string where = fmt::format("{}:{}", request_.path.string(), name);
    if (archive_entry_is_data_encrypted(entry) != 0) refuse_encrypted(where);
    const auto claimed = static_cast<std::uint64_t>(std::max<la_int64_t>(archive_entry_size(entry), 0));
    require_room(claimed);
    std::string content;
    content.reserve(std::min(claimed, trusted));
    for (;;) {
      request_.context.stop_if_cancelled();
      const void* data = nullptr;
      std::size_t size = 0;
      la_int64_t offset = 0;
      const int result = archive_read_data_block(reader_, &data, &size, &offset);
      if (result == ARCHIVE_EOF) break;
      if (result != ARCHIVE_OK) fail(where, "cut short");
      if (offset != static_cast<la_int64_t>(content.size()))
        refuse("{} has a hole at byte {}; text has none.", where, content.size());
      require_room(content.size() + size);
      content.append(static_cast<const char*>(data), size);
    }
    unpacked_ += content.size();
    return content;
  }

  void require_room(std::uint64_t more) const {
    if (more > request_.limit - unpacked_)
      refuse("{} unpacks to {} bytes or more, and at most {} are allowed; --unpack-limit allows more.",
             request_.path.string(), unpacked_ + more, request_.limit);
  }

  const Request& request_;
  archive* reader_;
  const ArchiveSource* source_;
  std::uint64_t unpacked_ = 0;
};

// ---- formats. Only those that libarchive reads itself are enabled: `mtree` would open files named in the archive.

/// Formats that are read here and there in the file.
template <class Enable>
std::vector<Text> read_seekable(const Request& request, Enable enable) {
  constexpr std::size_t block = std::size_t{1} << 18;
  const ArchiveReader reader = new_reader();
  enable(reader.get());
  if (archive_read_open_filename(reader.get(), request.path.c_str(), block) != ARCHIVE_OK)
    refuse("{} cannot be read{}.", request.path.string(), reason(reader.get()));
  return MemberReader(request, reader.get()).run();
}

/// Knows where the last byte was that is not zero.
class TailStream final : public Stream {
 public:
  explicit TailStream(std::unique_ptr<Stream> inner) : inner_(std::move(inner)) {}
  std::string_view next() override {
    const std::string_view bytes = inner_->next();
    if (const auto last = bytes.find_last_not_of('\0'); last != std::string_view::npos)
      zeros_from_ = bytes_ + static_cast<std::int64_t>(last) + 1;
    bytes_ += static_cast<std::int64_t>(bytes.size());
    return bytes;
  }
  /// Where the zeros begin that the stream has ended with so far.
  [[nodiscard]] std::int64_t zeros_from() const noexcept { return zeros_from_; }

 private:
  std::unique_ptr<Stream> inner_;
  std::int64_t bytes_ = 0;
  std::int64_t zeros_from_ = 0;
};

std::vector<Text> read_in_memory(const Request& request, const std::string& bytes) {
  const ArchiveReader reader = new_reader();
  archive_read_support_format_zip_seekable(reader.get());
  if (archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK)
    refuse("{} cannot be read{}.", request.path.string(), reason(reader.get()));
  return MemberReader(request, reader.get()).run();
}

/// A tar file ends with a block of zeros, and with nothing else; libarchive does not insist.
std::vector<Text> read_tar(const Request& request, std::unique_ptr<PeekedStream> packed) {
  constexpr std::int64_t block = 512;
  auto tail = std::make_unique<TailStream>(unpacked_stream(std::move(packed), request.path));
  const TailStream& watched = *tail;
  ArchiveSource source(std::move(tail));
  const ArchiveReader reader = new_reader();
  archive_read_support_format_tar(reader.get());
  if (source.open(reader.get()) != ARCHIVE_OK) {
    source.rethrow();
    refuse("{} cannot be read{}.", request.path.string(), reason(reader.get()));
  }
  auto members = MemberReader(request, reader.get(), &source).run();
  const std::int64_t end = archive_read_header_position(reader.get());
  const std::int64_t bytes = source.drain();
  if (watched.zeros_from() > end)
    refuse("{} is damaged: its last member ends at byte {}, but something follows.", request.path.string(),
           end);
  if (bytes < end + block)
    refuse(
        "{} is cut short: its last member ends at byte {}, and the block of zeros is missing that ends a tar "
        "file.",
        request.path.string(), end);
  return members;
}

/// A member comes first, or, if there is none, the end of the directory. A tar file may begin with a name in "PK".
bool is_zip(std::string_view first) {
  return first.starts_with("PK\x03\x04") || first.starts_with("PK\x05\x06");
}

}  // namespace

bool has_archive_ending(const fs::path& path) {
  static constexpr std::array endings{".zip",     ".7z",     ".tar",      ".tgz",     ".taz",     ".tbz",
                                      ".tbz2",    ".tb2",    ".txz",      ".tlz",     ".tzst",    ".tar.gz",
                                      ".tar.bz2", ".tar.xz", ".tar.lzma", ".tar.zst", ".tar.lz4", ".tar.z"};
  const std::string name = lower_case(path.filename().string());
  return std::ranges::any_of(endings, [&](const char* ending) { return name.ends_with(ending); });
}

std::uint64_t default_unpack_limit(std::uint64_t archive_bytes) {
  constexpr std::uint64_t least = std::uint64_t{1} << 28, factor = 200;
  return std::max(least, factor * archive_bytes);
}

std::vector<Text> read_members(const fs::path& path, const std::function<bool(std::string_view)>& wanted,
                               std::optional<std::uint64_t> limit, const base::Context& context) {
  auto file = std::make_unique<PeekedStream>(file_stream(path));
  const std::string_view first = file->first();
  std::error_code unknown;
  const auto size = fs::file_size(path, unknown);
  const Request request{path, wanted, limit.value_or(default_unpack_limit(unknown ? 0 : size)), context};

  if (first.empty()) refuse("{} is empty, so it is no archive.", path.string());
  if (is_zip(first)) {
    check_zip_directory(path);
    return read_seekable(request, archive_read_support_format_zip_seekable);
  }
  if (first.starts_with("7z\xbc\xaf\x27\x1c"))
    return read_seekable(request, archive_read_support_format_7zip);
  return read_tar(request, std::move(file));
}

std::vector<Text> read_zip_members(const Text& zip, const std::function<bool(std::string_view)>& wanted,
                                   std::optional<std::uint64_t> limit, const base::Context& context) {
  check_zip_directory(zip);
  const fs::path path = zip.name;
  return read_in_memory({path, wanted, limit.value_or(default_unpack_limit(zip.content.size())), context},
                        zip.content);
}

}  // namespace perslay::io
