#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/features/items.h>
#include <perslay/features/load_items.h>

/// Items that took long to compute are kept in files named after all that they depend on.
namespace perslay::features {

/// $XDG_CACHE_HOME/perslay, otherwise ~/.cache/perslay; empty if neither variable is set.
[[nodiscard]] std::filesystem::path default_cache_folder();

/// The hash (base::Hasher) of the bytes behind `data` (of a folder: all its files, with their names), the
/// files that the request names, the request itself and the version of the cache, in 32 hexadecimal digits.
/// Empty if the data cannot be read or have more than a gigabyte, which takes longer to read than it saves.
[[nodiscard]] std::string cache_key(const std::filesystem::path& data, const LoadRequest& request,
                                    const LoadOptions& options = {}, const base::Context& context = {});

/// What is kept: the items, bit for bit, and the remarks that were made while they were loaded.
struct CachedItems {
  Items items;
  std::vector<std::string> remarks;
};

/// Nothing if there is no such file, or if it is damaged or of another program, version or byte order.
[[nodiscard]] std::optional<CachedItems> read_cached_items(const std::filesystem::path& file);

/// Writes the file aside and renames it; its folder must exist. The same items give the same bytes.
void write_cached_items(const std::filesystem::path& file, const CachedItems& cached);

}  // namespace perslay::features
