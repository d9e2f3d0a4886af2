#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/base/context.h>

namespace perslay::io {

/// Whether the ending of `path` is that of an archive: .zip, .7z, .tar and compressed .tar in their
/// spellings.
[[nodiscard]] bool has_archive_ending(const std::filesystem::path& path);

struct ArchiveMember {
  std::string path;  ///< Inside the archive.
  std::string content;
};

/// The regular files of an archive whose path is `wanted`, decompressed in memory; nothing is written to
/// disk. The archive is read to its end, so that damage anywhere is noticed: an error naming the archive and
/// the member.
[[nodiscard]] std::vector<ArchiveMember> read_archive(const std::filesystem::path& path,
                                                      const std::function<bool(std::string_view)>& wanted,
                                                      const base::Context& context = {});

}  // namespace perslay::io
