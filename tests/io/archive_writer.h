#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include <archive.h>
#include <archive_entry.h>

namespace perslay::test {

/// Writes `files` (path to content) as an archive whose format and compression the ending of `target` says.
inline void write_archive(const std::filesystem::path& target,
                          const std::map<std::string, std::string>& files) {
  const auto check = [](bool good) {
    if (!good) throw std::runtime_error("An archive for a test cannot be written.");
  };
  const std::unique_ptr<archive, int (*)(archive*)> writer(archive_write_new(), archive_write_free);
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

}  // namespace perslay::test
