#pragma once

#include "text.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <perslay/base/context.h>

/// Single files that are compressed, such as edges.csv.gz.
namespace perslay::io {

/// The name without the ending of a compressed file, if it has one: edges.csv.
[[nodiscard]] std::string without_compression(const std::string& name);

/// Whether the name ends as that of a compressed file.
[[nodiscard]] bool is_compressed_name(const std::string& name);

/// What the text was compressed from, to at most so many bytes (see default_unpack_limit); the text itself if its name
/// is not that of a compressed file.
[[nodiscard]] Text unpacked(Text text, std::optional<std::uint64_t> limit, const base::Context& context);

/// The first bytes of a plain file, unpacked if need be, up to the end of a line if more follow.
[[nodiscard]] Text beginning_of(const std::filesystem::path& path, std::size_t bytes);

}  // namespace perslay::io
