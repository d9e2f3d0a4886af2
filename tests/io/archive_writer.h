#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

namespace perslay::test {

/// Writes `files` (path to content) as an archive whose format and compression the ending of `target` says.
inline void write_archive(const std::filesystem::path& target,
                          const std::map<std::string, std::string>& files) {
  const auto check = [](bool good) {
    if (!good) throw std::runtime_error("An archive for a test cannot be written.");
  };
  const std::unique_ptr<archive, int (*)(archive*)> writer(archive_write_new(), archive_write_free);
  if (target.extension() == ".zst")  // of which libarchive does not know the ending
    check(archive_write_set_format_pax_restricted(writer.get()) == ARCHIVE_OK &&
          archive_write_add_filter_zstd(writer.get()) == ARCHIVE_OK);
  else
    check(archive_write_set_format_filter_by_ext(writer.get(), target.c_str()) == ARCHIVE_OK);
  check(archive_write_open_filename(writer.get(), target.c_str()) == ARCHIVE_OK);
  for (const auto& [path, content] : files) {
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                         archive_entry_free);
    archive_entry_set_pathname(entry.get(), path.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(content.size()));
    check(archive_write_header(writer.get(), entry.get()) == ARCHIVE_OK);
    check(archive_write_data(writer.get(), content.data(), content.size()) ==
          static_cast<la_ssize_t>(content.size()));
  }
  check(archive_write_close(writer.get()) == ARCHIVE_OK);
}

/// Writes `content` as a gzip file.
inline void write_gzip(const std::filesystem::path& target, const std::string& content) {
  gzFile_s* const file = gzopen(target.c_str(), "wb");
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
}

/// A member of a zip file that is made by hand.
struct ZipMember {
  std::string name;
  std::string content;
  std::string listed_name = name;        ///< Its name in the directory.
  std::size_t claimed = content.size();  ///< Its size, according to both headers.
};

/// The bytes of a zip file whose members are stored as they are, with all sizes in their headers.
inline std::string stored_zip(const std::vector<ZipMember>& members) {
  const auto number = [](std::size_t value, int width) {
    std::string bytes;
    for (int i = 0; i < width; ++i, value >>= 8) bytes += static_cast<char>(value & 0xff);
    return bytes;
  };
  std::string zip, directory;
  for (const auto& [name, content, listed_name, claimed] : members) {
    const auto checksum =
        crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
    // Flags, method, time, date; checksum and sizes.
    const std::string common = number(0, 8) + number(checksum, 4) + number(claimed, 4) + number(claimed, 4);
    directory += "PK\x01\x02" + number(20, 2) + number(20, 2) + common + number(listed_name.size(), 2) +
                 number(0, 12) + number(zip.size(), 4) + listed_name;
    zip += "PK\x03\x04" + number(20, 2) + common + number(name.size(), 2) + number(0, 2) + name + content;
  }
  return zip + directory + "PK\x05\x06" + number(0, 4) + number(members.size(), 2) +
         number(members.size(), 2) + number(directory.size(), 4) + number(zip.size(), 4) + number(0, 2);
}

}  // namespace perslay::test
