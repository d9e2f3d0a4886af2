#include "archive_reader.h"

#include <cerrno>

#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::io {

ArchiveReader new_reader() {
  ArchiveReader reader(archive_read_new());
  if (!reader) throw base::internal_error("No memory to read an archive.");
  return reader;
}

std::string reason(archive* reader) {
  const char* text = archive_error_string(reader);
  if (text == nullptr) return "";
  std::string words = fmt::format(": {}", text);
  return words.erase(words.find_last_not_of(" .\n") + 1);  // some end with a period, some with a line
}

std::string_view ArchiveSource::next() {
  const std::string_view bytes = stream_->next();
  bytes_ += static_cast<std::int64_t>(bytes.size());
  return bytes;
}

int ArchiveSource::open(archive* reader) {
  const auto read = [](archive* asking, void* source, const void** data) -> la_ssize_t {
    auto& self = *static_cast<ArchiveSource*>(source);
    try {
      const std::string_view bytes = self.next();
      *data = bytes.data();
      return static_cast<la_ssize_t>(bytes.size());
    } catch (...) {  // an exception must not pass through C
      self.failure_ = std::current_exception();
      archive_set_error(asking, EIO, "The bytes cannot be had");
      return -1;
    }
  };
  return archive_read_open2(reader, this, nullptr, read, nullptr, nullptr);
}

void ArchiveSource::rethrow() const {
  if (failure_) std::rethrow_exception(failure_);
}

std::int64_t ArchiveSource::drain() {
  while (!next().empty()) {
  }
  return bytes_;
}

}  // namespace perslay::io
