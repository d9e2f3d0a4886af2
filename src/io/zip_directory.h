#pragma once

#include "text.h"

#include <filesystem>

namespace perslay::io {

/// Compares what a zip file says twice: the directory at its end with the header before each member. Throws the
/// user's error if the directory is not whole, if it counts other members than it has, or if a member's name, method,
/// checksum or size differ. Costs a look at each member's header.
void check_zip_directory(const std::filesystem::path& path);

/// The same for a zip file in memory.
void check_zip_directory(const Text& zip);

}  // namespace perslay::io
