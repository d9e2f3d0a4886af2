#pragma once

#include "io/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include <perslay/base/error.h>

/// What fuzz targets share. A target is one function, LLVMFuzzerTestOneInput, in a file of its own: libFuzzer calls it
/// with inputs that it invents, and the test `test_fuzz` with those that were found to matter. Any exception that
/// leaves it is a finding, as are crashes, sanitizers' complaints, leaks, and inputs that take too much time or memory.
namespace perslay::test {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// The next part of an input: the text up to a zero byte, which is taken away with it.
inline std::string_view take_part(std::string_view& rest) {
  const auto end = rest.find('\0');
  const auto part = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return part;
}

inline void require(bool holds, const char* property) {
  if (!holds) throw std::logic_error(property);
}

/// The property of every reader: it returns something, or it throws the user's error with a sentence. Returns whether
/// it returned.
template <class Read>
bool reads_or_refuses(const Read& read) {
  try {
    read();
    return true;
  } catch (const base::Error& error) {
    if (error.fault() != base::Fault::user) throw;
    const std::string_view sentence = error.what();
    require(sentence.ends_with('.') && sentence.find('\n') == std::string_view::npos,
            "A refusal is a sentence.");
    return false;
  }
}

/// What `read` returns; a refusal is a finding.
template <class Read>
auto reads(const Read& read) {
  try {
    return read();
  } catch (const base::Error& error) {
    throw std::logic_error(std::string("It must be read: ") + error.what());
  }
}

/// A folder of this process for files to read, in TMPDIR: preferably in memory, such as in /dev/shm.
inline const TemporaryFolder& input_folder() {
  static const TemporaryFolder folder;
  return folder;
}

/// A file that holds one input after the other. It stays open and is overwritten, which is faster than a new one.
class InputFile {
 public:
  explicit InputFile(const std::string& name)
      : path_(input_folder() / name), file_(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (file_ < 0) throw std::runtime_error("A file for inputs cannot be made.");
  }
  ~InputFile() { ::close(file_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  /// The path of the file, which now holds these bytes.
  [[nodiscard]] const std::filesystem::path& with(std::string_view bytes) const {
    if (::pwrite(file_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()) ||
        ::ftruncate(file_, static_cast<off_t>(bytes.size())) != 0)
      throw std::runtime_error("An input cannot be written.");
    return path_;
  }

 private:
  std::filesystem::path path_;
  int file_;
};

}  // namespace perslay::test
