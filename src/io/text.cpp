#include "text.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include <perslay/io/path_type.h>

namespace perslay::io {

Text load_text(const std::filesystem::path& path, const base::Context& context,
               const std::function<void(const std::string&)>& check_beginning) {
  constexpr std::size_t smallest_block = std::size_t{1} << 12, largest_block = std::size_t{1} << 22;
  const auto fail = [&] { refuse("{} cannot be read: {}.", path.string(), std::strerror(errno)); };
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (!file) fail();

  Text text{path.string(), {}};
  std::error_code size_unknown;
  const auto size = std::filesystem::file_size(path, size_unknown);
  if (!size_unknown) text.content.reserve(size + 1);

  const std::size_t block =
      size_unknown
          ? largest_block
          : static_cast<std::size_t>(std::clamp<std::uintmax_t>(size + 1, smallest_block, largest_block));
  const auto buffer = std::make_unique_for_overwrite<char[]>(block);
  while (const std::size_t got = std::fread(buffer.get(), 1, block, file.get())) {
    const bool first = text.content.empty();
    text.content.append(buffer.get(), got);
    if (first && check_beginning) check_beginning(text.content);
    context.stop_if_cancelled();
  }
  if (std::ferror(file.get()) != 0) fail();
  return text;
}

Text load_found_text(const std::filesystem::path& path, const base::Context& context) {
  if (path_type(path) == PathType::other) refuse("{}: This is not a regular file.", path.string());
  return load_text(path, context);
}

std::size_t line_bound(const Text& text) {
  return static_cast<std::size_t>(std::count(text.content.begin(), text.content.end(), '\n')) + 1;
}

std::string quoted(std::string_view bytes) {
  constexpr std::size_t longest = 40;
  std::string shown = "'";
  for (const char c : bytes.substr(0, longest)) {
    if (c >= ' ' && c <= '~')
      shown += c;
    else
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return shown + (bytes.size() > longest ? "...'" : "'");
}

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return text;
}

NumberReader::NumberReader(const Text& text, const base::Context& context, Between between)
    : name_(text.name),
      context_(context),
      between_(between),
      at_(text.content.data()),
      end_(at_ + text.content.size()) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.content.starts_with(byte_order_mark)) at_ += byte_order_mark.size();
}

double NumberReader::real() {
  const char* const first = at_ != end_ && *at_ == '+' && at_ + 1 != end_ && at_[1] != '-' ? at_ + 1 : at_;
  double value = 0;
  const auto [stop, error] = std::from_chars(first, end_, value);
  if (error == std::errc::invalid_argument || !ends_number(stop)) fail_real("is not a number");
  if (error == std::errc::result_out_of_range) fail_real("is outside the range of double precision");
  if (!std::isfinite(value)) fail_real("is not a finite number");
  at_ = stop;
  return value;
}

void NumberReader::require_nothing_more() const {
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  if (rest.find_first_not_of(" \t\r\n") != std::string_view::npos)
    fail("The line is empty, but lines with numbers follow it.");
}

std::string_view NumberReader::token() const noexcept {
  const char* const stop =
      std::find_if(at_, end_, [](char c) { return c == '\n' || c == ',' || is_blank(c); });
  return {at_, static_cast<std::size_t>(stop - at_)};
}

void NumberReader::fail_integer() const {
  if (token().empty()) fail("A number is missing.");
  const std::string_view digits = token().substr(token().front() == '-' ? 1 : 0);
  const bool only_digits =
      !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  fail("{} is {}.", io::quoted(token()), only_digits ? "too large an integer" : "not an integer");
}

void NumberReader::fail_vertex_number() const {
  if (token().empty()) fail("A number is missing.");
  fail("{} is not an integer; vertices with other names need a header such as source,target.",
       io::quoted(token()));
}

void NumberReader::fail_real(const char* reason) const {
  if (token().empty()) fail("A number is missing.");
  fail("{} {}.", io::quoted(token()), reason);
}

void NumberReader::fail_surplus() const {
  const std::string_view found = *at_ == ',' ? std::string_view(",") : token();
  fail("{} stands where the line should end.", io::quoted(found));
}

}  // namespace perslay::io
