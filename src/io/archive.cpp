#include "archive.h"

#include "text.h"

#include <algorithm>
#include <array>
#include <memory>

#include <archive.h>
#include <archive_entry.h>

namespace perslay::io {

namespace fs = std::filesystem;

namespace {

struct Close {
  void operator()(archive* opened) const { archive_read_free(opened); }
};
using Reader = std::unique_ptr<archive, Close>;

std::string reason(archive* reader) {
  const char* text = archive_error_string(reader);
  return text != nullptr ? text : "unknown reason";
}

/// Enables only formats and compressions that libarchive reads itself: `mtree` would open files named in the archive,
/// and some filters start programs.
Reader open(const fs::path& path) {
  Reader reader(archive_read_new());
  if (!reader) throw base::internal_error("No memory to read an archive.");
  for (const auto support :
       {archive_read_support_format_zip, archive_read_support_format_tar, archive_read_support_format_7zip,
        archive_read_support_filter_gzip, archive_read_support_filter_bzip2, archive_read_support_filter_xz,
        archive_read_support_filter_lzma, archive_read_support_filter_zstd, archive_read_support_filter_lz4,
        archive_read_support_filter_compress})
    support(reader.get());
  constexpr std::size_t block = std::size_t{1} << 18;
  if (archive_read_open_filename(reader.get(), path.c_str(), block) != ARCHIVE_OK)
    refuse("{} cannot be read: {}.", path.string(), reason(reader.get()));
  return reader;
}

/// The next entry; null at the end of the archive.
archive_entry* next_entry(archive* reader, const fs::path& path, bool first) {
  archive_entry* entry = nullptr;
  const int result = archive_read_next_header(reader, &entry);
  if (result == ARCHIVE_EOF) return nullptr;
  if (result == ARCHIVE_OK || result == ARCHIVE_WARN) return entry;  // warnings are about times and owners
  refuse("{} is damaged or {}: {}.", path.string(), first ? "not an archive" : "cut short", reason(reader));
}

std::string path_of(archive_entry* entry, const fs::path& archive) {
  if (const char* local = archive_entry_pathname(entry)) return local;
  if (const char* utf8 = archive_entry_pathname_utf8(entry)) return utf8;
  refuse("{} has a member whose name cannot be read in this locale.", archive.string());
}

std::string content_of(archive* reader, archive_entry* entry, const std::string& name,
                       const base::Context& context) {
  constexpr std::int64_t trusted = std::int64_t{1} << 28;  // a damaged header may claim any size
  std::string content;
  if (archive_entry_size_is_set(entry) != 0)
    content.reserve(
        static_cast<std::size_t>(std::clamp<std::int64_t>(archive_entry_size(entry), 0, trusted)));
  for (;;) {
    context.stop_if_cancelled();
    const void* data = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    const int result = archive_read_data_block(reader, &data, &size, &offset);
    if (result == ARCHIVE_EOF) return content;
    if (result != ARCHIVE_OK) refuse("{} is damaged or cut short: {}.", name, reason(reader));
    if (offset != static_cast<la_int64_t>(content.size()))
      refuse("{} has a hole at byte {}; text has none.", name, content.size());
    content.append(static_cast<const char*>(data), size);
  }
}

}  // namespace

bool has_archive_ending(const fs::path& path) {
  static constexpr std::array endings{".zip",     ".7z",     ".tar",      ".tgz",     ".taz",     ".tbz",
                                      ".tbz2",    ".tb2",    ".txz",      ".tlz",     ".tzst",    ".tar.gz",
                                      ".tar.bz2", ".tar.xz", ".tar.lzma", ".tar.zst", ".tar.lz4", ".tar.z"};
  const std::string name = lower_case(path.filename().string());
  return std::ranges::any_of(endings, [&](const char* ending) { return name.ends_with(ending); });
}

std::vector<ArchiveMember> read_archive(const fs::path& path,
                                        const std::function<bool(std::string_view)>& wanted,
                                        const base::Context& context) {
  const Reader reader = open(path);
  std::vector<ArchiveMember> members;
  bool first = true;
  while (archive_entry* entry = next_entry(reader.get(), path, first)) {
    context.stop_if_cancelled();
    first = false;
    std::string member = path_of(entry, path);
    if (archive_entry_filetype(entry) != AE_IFREG || !wanted(member)) continue;
    std::string content =
        content_of(reader.get(), entry, fmt::format("{}:{}", path.string(), member), context);
    members.push_back({std::move(member), std::move(content)});
  }
  return members;
}

}  // namespace perslay::io
