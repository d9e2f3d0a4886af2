#pragma once

#include "text.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include <perslay/base/context.h>

namespace perslay::io {

/// Whether the ending of `path` is that of an archive: .zip, .7z, .tar and compressed .tar in their spellings.
[[nodiscard]] bool has_archive_ending(const std::filesystem::path& path);

/// How many bytes the members of an archive of this size may unpack to, unless somebody allows more: 256 MiB, or
/// 200 times the archive. Text compresses to a tenth or a fiftieth; zeros to a thousandth.
[[nodiscard]] std::uint64_t default_unpack_limit(std::uint64_t archive_bytes);

/// The members of an archive whose path is wanted, in their order; `Text::name` is the path inside. They are unpacked
/// in memory, to at most `limit` bytes in all (by default as above). The archive is read to its end and all that its
/// format can check is checked: checksums, the directory of a zip file against its members, the end of a tar file.
/// A wanted member that occurs twice, or is not a plain file, is the user's error, as is any damage.
[[nodiscard]] std::vector<Text> read_members(const std::filesystem::path& path,
                                             const std::function<bool(std::string_view)>& wanted,
                                             std::optional<std::uint64_t> limit,
                                             const base::Context& context = {});

/// The same for a zip file in memory.
[[nodiscard]] std::vector<Text> read_zip_members(const Text& zip,
                                                 const std::function<bool(std::string_view)>& wanted,
                                                 std::optional<std::uint64_t> limit,
                                                 const base::Context& context = {});

}  // namespace perslay::io
