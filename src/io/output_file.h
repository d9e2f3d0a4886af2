#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::io {

/// A file that is written from its beginning; what does not reach it is an error.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path)
      : path_(path), file_(std::fopen(path.c_str(), "wb"), &std::fclose) {
    if (!file_) throw base::user_error(fmt::format("{} cannot be created.", path.string()));
  }
  void write(std::string_view text) {
    if (text.empty()) return;  // fwrite does not take the null pointer of an empty span
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail();
  }
  void close() {
    if (std::fclose(file_.release()) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw base::internal_error(fmt::format("{} cannot be written; is the disk full?", path_.string()));
  }
  const std::filesystem::path& path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

}  // namespace perslay::io
