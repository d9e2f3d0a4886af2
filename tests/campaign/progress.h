#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <perslay/io/atomic_file.h>

namespace perslay::campaign {

/// How far each family has come, kept in a file of lines `FAMILY CASES WRONG`, so that the next run goes on behind.
class Progress {
 public:
  struct Count {
    std::uint64_t cases = 0;
    std::uint64_t wrong = 0;
  };

  explicit Progress(std::filesystem::path file) : file_(std::move(file)) {
    std::ifstream lines(file_);
    Count count;
    for (std::string name; lines >> name >> count.cases >> count.wrong;) counts_[name] = count;
  }

  [[nodiscard]] Count& operator[](const std::string& family) { return counts_[family]; }

  void save() const {
    std::string text;
    for (const auto& [name, count] : counts_)
      text += name + ' ' + std::to_string(count.cases) + ' ' + std::to_string(count.wrong) + '\n';
    io::write_file(file_, text);
  }

 private:
  std::filesystem::path file_;
  std::map<std::string, Count> counts_;
};

}  // namespace perslay::campaign
