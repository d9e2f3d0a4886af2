#include "text.h"

#include <span>

#include <perslay/base/hasher.h>
#include <perslay/io/checksum.h>

namespace perslay::io {
namespace {

std::string checksum_of(std::string_view bytes, std::size_t place) {
  base::Hasher hash;
  for (const auto part : {bytes.substr(0, place), open_checksum, bytes.substr(place + open_checksum.size())})
    hash.update(std::as_bytes(std::span(part)));
  return hash.hexadecimal();
}

}  // namespace

void put_checksum(std::string& bytes, std::size_t place) {
  bytes.replace(place, open_checksum.size(), checksum_of(bytes, place));
}

bool has_checksum(const std::filesystem::path& file, std::string_view bytes, std::size_t place,
                  std::string_view mark) {
  if (bytes.size() < place || !bytes.substr(place).starts_with(mark)) return false;
  const std::size_t digits = place + mark.size();
  if (bytes.size() < digits + open_checksum.size() ||
      bytes.substr(digits, open_checksum.size()) != checksum_of(bytes, digits))
    refuse_damaged(file);
  return true;
}

void refuse_damaged(const std::filesystem::path& file) {
  refuse("{}: The file is damaged: its content does not match its checksum.", file.string());
}

std::string no_checksum_remark(const std::filesystem::path& file) {
  return fmt::format("{} has no checksum, so damage to it would go unnoticed.", file.string());
}

}  // namespace perslay::io
