#pragma once

#include "io/temporary_folder.h"

#include <filesystem>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

namespace perslay::test {

inline void without_seconds(nlohmann::ordered_json& json) {
  if (json.is_object()) json.erase("seconds");
  if (json.is_structured())
    for (auto& part : json) without_seconds(part);
}

/// Everything that an evaluation wrote, file by file, without what measures time.
inline std::map<std::string, std::string> evaluation_content(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_directory()) continue;
    auto bytes = read_bytes(entry.path());
    if (entry.path().extension() == ".json") {
      auto json = nlohmann::ordered_json::parse(bytes);
      json.erase("checksum");  // of the seconds, too
      without_seconds(json);
      bytes = json.dump(2);
    }
    files[std::filesystem::relative(entry.path(), folder).string()] = bytes;
  }
  return files;
}

}  // namespace perslay::test
