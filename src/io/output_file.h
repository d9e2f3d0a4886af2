#pragma once

#include "text.h"

#include <cstdio>
#include <memory>

#include <perslay/io/atomic_file.h>

namespace perslay::io {

/// The partial file of an AtomicFile, written from its beginning. A write that fails is an error.
class OutputFile {
 public:
  explicit OutputFile(const AtomicFile& file)
      : target_(file.target()), file_(std::fopen(file.partial().c_str(), "wb"), &std::fclose) {
    if (!file_) refuse("{} cannot be created.", target_.string());
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
    throw base::internal_error(fmt::format("{} cannot be written; is the disk full?", target_.string()));
  }
  const std::filesystem::path& target_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

}  // namespace perslay::io
