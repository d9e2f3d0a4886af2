#pragma once

#include <filesystem>
#include <string_view>

namespace perslay::io {

/// Throws the user's error if the file is of a format that is known and not read: it says which one, and what to do.
/// `beginning` is how its content begins, as far as it is known.
void refuse_unsupported(const std::filesystem::path& path, std::string_view beginning);

}  // namespace perslay::io
