#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::base {
namespace {

std::string without_control_characters(const std::string& sentence) {
  std::string shown;
  for (const char c : sentence) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F)
      shown += fmt::format("\\x{:02x}", byte);
    else
      shown += c;
  }
  return shown;
}

}  // namespace

Error::Error(Fault fault, const std::string& sentence)
    : std::runtime_error(without_control_characters(sentence)), fault_(fault) {}

}  // namespace perslay::base
