#include "fuzz/parse_graphs.h"
#include "io/archive_writer.h"

/// The arrays of an .npz file: each a name, a zero byte, the length of an .npy file in two bytes, and that file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  std::string_view rest = test::text_of(data, size);
  std::vector<test::ZipMember> members;
  while (!rest.empty()) {
    const auto name = test::take_part(rest);
    const auto byte = [&](std::size_t i) {
      return i < rest.size() ? static_cast<std::size_t>(static_cast<unsigned char>(rest[i])) : 0;
    };
    const std::size_t length = byte(0) + 256 * byte(1);
    rest.remove_prefix(std::min<std::size_t>(2, rest.size()));
    members.push_back({std::string(name) + ".npy", std::string(rest.substr(0, length))});
    rest.remove_prefix(std::min(length, rest.size()));
  }
  const std::string zip = test::stored_zip(members);
  return test::parse_graphs(io::parse_npz, reinterpret_cast<const std::uint8_t*>(zip.data()), zip.size());
}
