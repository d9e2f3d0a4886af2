#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/features/items.h>
#include <perslay/features/load_items.h>

/// Items that took long to compute are kept in files named after everything that they depend on.
namespace perslay::features {

/// $XDG_CACHE_HOME/perslay, otherwise ~/.cache/perslay; empty if neither variable is set.
[[nodiscard]] std::filesystem::path default_cache_folder();

/// The hash (base::Hasher) of the bytes of `data` (of a folder: of all its files, with their names), of the
/// files that the request names, of the request and of the cache's version, in 32 hexadecimal digits. Empty if
/// the data cannot be read or exceed a gigabyte: reading them would take longer than the cache saves.
[[nodiscard]] std::string cache_key(const std::filesystem::path& data, const LoadRequest& request,
                                    const LoadOptions& options = {}, const base::Context& context = {});

/// The content of a cached file: the items, bit for bit, and the notes about loading them.
struct CachedItems {
  Items items;
  std::vector<std::string> remarks;
};

/// Reads a cached file; nothing if it is missing, damaged, or of another program, version or byte order.
[[nodiscard]] std::optional<CachedItems> read_cached_items(const std::filesystem::path& file);

/// Writes the file aside and renames it; its folder must exist. The same items give the same bytes.
void write_cached_items(const std::filesystem::path& file, const CachedItems& cached);

}  // namespace perslay::features
