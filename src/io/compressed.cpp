#include "compressed.h"

#include "archive.h"
#include "stream.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

namespace perslay::io {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 4> endings{".gz", ".bz2", ".xz", ".zst"};

/// The bytes of a text in memory: one block.
class TextStream final : public Stream {
 public:
  explicit TextStream(std::string_view text) : text_(text) {}
  std::string_view next() override { return std::exchange(text_, {}); }

 private:
  std::string_view text_;
};

/// Without a buffer, as there may be many files.
std::string first_bytes(const fs::path& path, std::size_t bytes) {
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (!file) refuse("{} cannot be read: {}.", path.string(), std::strerror(errno));
  std::setvbuf(file.get(), nullptr, _IONBF, 0);
  std::string content(bytes, '\0');
  content.resize(std::fread(content.data(), 1, bytes, file.get()));
  if (std::ferror(file.get()) != 0) refuse("{} cannot be read: {}.", path.string(), std::strerror(errno));
  return content;
}

std::string first_unpacked_bytes(const fs::path& path, std::size_t bytes) {
  const auto stream = unpacked_stream(std::make_unique<PeekedStream>(file_stream(path)), path);
  std::string content;
  for (auto block = stream->next(); !block.empty() && content.size() < bytes; block = stream->next())
    content += block;
  content.resize(std::min(content.size(), bytes));
  return content;
}

}  // namespace

std::string without_compression(const std::string& name) {
  const std::string small = lower_case(name);
  for (const std::string_view ending : endings)
    if (small.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  return name;
}

bool is_compressed_name(const std::string& name) { return without_compression(name).size() < name.size(); }

Text unpacked(Text text, std::optional<std::uint64_t> limit, const base::Context& context) {
  if (!is_compressed_name(text.name)) return text;
  const std::uint64_t most = limit.value_or(default_unpack_limit(text.content.size()));
  const auto stream =
      unpacked_stream(std::make_unique<PeekedStream>(std::make_unique<TextStream>(text.content)), text.name);
  Text whole{text.name, {}};
  for (auto bytes = stream->next(); !bytes.empty(); bytes = stream->next()) {
    context.stop_if_cancelled();
    if (bytes.size() > most - whole.content.size())
      refuse("{} unpacks to more than {} bytes, which are allowed; --unpack-limit allows more.", text.name,
             most);
    whole.content += bytes;
  }
  return whole;
}

Text beginning_of(const fs::path& path, std::size_t bytes) {
  Text text{path.string(), {}};
  text.content = is_compressed_name(text.name) ? first_unpacked_bytes(path, bytes) : first_bytes(path, bytes);
  if (text.content.size() < bytes) return text;
  const auto last = text.content.rfind('\n');
  if (last != std::string::npos) text.content.resize(last + 1);
  return text;
}

}  // namespace perslay::io
