#include "utf8.h"

#include <nlohmann/json.hpp>

namespace perslay::learn {

std::string valid_utf8(const std::string& text) {
  using nlohmann::json;
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

}  // namespace perslay::learn
