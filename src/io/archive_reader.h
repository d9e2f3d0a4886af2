#pragma once

#include "stream.h"

#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include <archive.h>
#include <archive_entry.h>

/// libarchive, with what it leaves to its users: freeing, reasons, bytes from a Stream.
namespace perslay::io {

struct CloseArchive {
  void operator()(archive* opened) const { archive_read_free(opened); }
};
using ArchiveReader = std::unique_ptr<archive, CloseArchive>;

[[nodiscard]] ArchiveReader new_reader();

/// ": " and why the last call failed; nothing if libarchive does not say.
[[nodiscard]] std::string reason(archive* reader);

/// Gives libarchive the bytes of a stream. It must outlive the reader that was opened with it.
class ArchiveSource {
 public:
  explicit ArchiveSource(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}
  ArchiveSource(const ArchiveSource&) = delete;
  ArchiveSource& operator=(const ArchiveSource&) = delete;
  ~ArchiveSource() = default;

  /// What archive_read_open says.
  [[nodiscard]] int open(archive* reader);
  /// If the stream failed, so did libarchive: throws the stream's error.
  void rethrow() const;
  /// Reads what libarchive left. Returns the number of all bytes that the stream had.
  std::int64_t drain();

 private:
  std::string_view next();

  std::unique_ptr<Stream> stream_;
  std::int64_t bytes_ = 0;
  std::exception_ptr failure_;
};

}  // namespace perslay::io
