#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace perslay::cli {

/// Writes `text` to stdout. A reader that has gone away (`| head`) is not an error; a full disk is.
void print(const std::string& text);

/// Writes one JSON object to stdout. Bytes that are not UTF-8 (in file names, say) are replaced.
void print(const nlohmann::ordered_json& json);

/// "40 s", "12 min" or "1.5 h".
[[nodiscard]] std::string duration(double seconds);

/// A table. The first `text_columns` columns are aligned to the left, the others (numbers) to the right.
class Table {
 public:
  Table(std::vector<std::string> header, std::size_t text_columns);
  void add(std::vector<std::string> row);
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::size_t text_columns_;
};

}  // namespace perslay::cli
