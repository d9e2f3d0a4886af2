#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

/// Checksums within the bytes that they protect. A checksum is the digest of 128 bits (base::Hasher) of all bytes, its
/// own 32 hexadecimal digits taken as zeros. It tells damage, not malice: anybody can compute it.
namespace perslay::io {

/// Holds the place of a checksum until it is known.
inline constexpr std::string_view open_checksum = "00000000000000000000000000000000";

/// Replaces the digits at `place` by the checksum of `bytes`.
void put_checksum(std::string& bytes, std::size_t place);

/// Whether `bytes` have a checksum, that is, `mark` at `place` and digits after it. One that is wrong, or cut off, is
/// the user's error: the file is damaged.
[[nodiscard]] bool has_checksum(const std::filesystem::path& file, std::string_view bytes, std::size_t place,
                                std::string_view mark);

/// Throws the user's error that the content of the file does not match its checksum.
[[noreturn]] void refuse_damaged(const std::filesystem::path& file);

/// What to say of a file without checksums: one of an earlier version, or of another program.
[[nodiscard]] std::string no_checksum_remark(const std::filesystem::path& file);

}  // namespace perslay::io
