#include "zip_directory.h"

#include "text.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <istream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace perslay::io {

namespace fs = std::filesystem;

namespace {

/// A number of `width` bytes, the lowest first. The caller has looked that they are there.
std::uint64_t number(std::string_view bytes, std::size_t at, int width) {
  std::uint64_t value = 0;
  for (int i = width - 1; i >= 0; --i)
    value = value << 8U | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  return value;
}

constexpr std::uint64_t elsewhere = 0xffffffff;  ///< The number is among the extra fields: it is large.

/// What a member's header and the directory both say.
struct Member {
  std::string name;
  std::uint64_t flags = 0, method = 0, checksum = 0, packed = 0, unpacked = 0;
};

/// Where the directory is, and how many members it has.
struct Place {
  std::uint64_t offset = 0, size = 0, members = 0;
  std::uint64_t end = 0;  ///< Where the record begins that says so.
};

class ZipFile {
 public:
  ZipFile(std::string name, std::istream& file) : name_(std::move(name)), file_(file) {
    file_.seekg(0, std::ios::end);
    if (!file_) refuse("{} cannot be read.", name_);
    size_ = static_cast<std::uint64_t>(file_.tellg());
  }

  void check() {
    const Place place = find_directory();
    if (place.offset > place.end || place.end - place.offset != place.size)
      fail("its directory is said to have {} bytes at byte {}, but ends at byte {}", place.size, place.offset,
           place.end);
    const std::string directory = bytes(place.offset, place.size);
    std::string_view rest = directory;
    std::uint64_t members = 0;
    for (; !rest.empty(); ++members) check_next(rest);
    if (members != place.members)
      fail("its directory is said to have {} members, but has {}", place.members, members);
  }

 private:
  template <class... Values>
  [[noreturn]] void fail(fmt::format_string<Values...> what, Values&&... values) const {
    refuse("{} is damaged or cut short: {}.", name_, fmt::format(what, std::forward<Values>(values)...));
  }

  std::string bytes(std::uint64_t offset, std::uint64_t count) {
    if (offset > size_ || count > size_ - offset)
      fail("it has {} bytes, but should have {} more at byte {}", size_, count, offset);
    std::string read(count, '\0');
    file_.seekg(static_cast<std::streamoff>(offset));
    file_.read(read.data(), static_cast<std::streamsize>(count));
    if (!file_) refuse("{} cannot be read at byte {}.", name_, offset);
    return read;
  }

  /// The last record of the file, found by its signature. Only a comment may follow it.
  Place find_directory() {
    constexpr std::uint64_t record = 22, longest_comment = 0xffff, locator = 20;
    const std::uint64_t first = size_ - std::min(size_, record + longest_comment);
    const std::string tail = bytes(first, size_ - first);
    const std::size_t at = tail.rfind("PK\x05\x06");
    if (at == std::string::npos || tail.size() - at < record) fail("it has no directory");
    if (number(tail, at + 20, 2) != tail.size() - at - record)
      fail("its comment is said to have {} bytes, but has {}", number(tail, at + 20, 2),
           tail.size() - at - record);
    if (at >= locator && tail.compare(at - locator, 4, "PK\x06\x07") == 0)
      return large_directory(number(tail, at - locator + 8, 8));
    return {.offset = number(tail, at + 16, 4),
            .size = number(tail, at + 12, 4),
            .members = number(tail, at + 10, 2),
            .end = first + at};
  }

  Place large_directory(std::uint64_t end) {
    const std::string record = bytes(end, 56);
    if (!record.starts_with("PK\x06\x06")) fail("its directory is not where it is said to be");
    return {.offset = number(record, 48, 8),
            .size = number(record, 40, 8),
            .members = number(record, 32, 8),
            .end = end};
  }

  /// Compares one entry of the directory, the first of `rest`, with the member's header. Moves over the entry.
  void check_next(std::string_view& rest) {
    constexpr std::size_t fixed = 46;
    if (!rest.starts_with("PK\x01\x02") || rest.size() < fixed) fail("its directory is broken");
    const std::size_t name = number(rest, 28, 2), extra = number(rest, 30, 2), comment = number(rest, 32, 2);
    if (rest.size() - fixed < name + extra + comment) fail("its directory is broken");
    Member member{.name = std::string(rest.substr(fixed, name)),
                  .flags = number(rest, 8, 2),
                  .method = number(rest, 10, 2),
                  .checksum = number(rest, 16, 4),
                  .packed = number(rest, 20, 4),
                  .unpacked = number(rest, 24, 4)};
    std::uint64_t offset = number(rest, 42, 4);
    take_large(rest.substr(fixed + name, extra), {&member.unpacked, &member.packed, &offset});
    compare(member, header_at(offset));
    rest.remove_prefix(fixed + name + extra + comment);
  }

  Member header_at(std::uint64_t offset) {
    constexpr std::size_t fixed = 30;
    const std::string header = bytes(offset, fixed);
    if (!header.starts_with("PK\x03\x04")) fail("no member begins at byte {}, where one should", offset);
    const std::size_t name = number(header, 26, 2), extra = number(header, 28, 2);
    const std::string rest = bytes(offset + fixed, name + extra);
    Member member{.name = rest.substr(0, name),
                  .flags = number(header, 6, 2),
                  .method = number(header, 8, 2),
                  .checksum = number(header, 14, 4),
                  .packed = number(header, 18, 4),
                  .unpacked = number(header, 22, 4)};
    take_large(std::string_view(rest).substr(name), {&member.unpacked, &member.packed});
    return member;
  }

  /// Fills in those numbers that are in the field of large numbers, in this order.
  static void take_large(std::string_view extra, std::initializer_list<std::uint64_t*> numbers) {
    constexpr std::size_t fixed = 4;
    while (extra.size() >= fixed) {
      const std::uint64_t kind = number(extra, 0, 2);
      std::string_view field = extra.substr(fixed, number(extra, 2, 2));
      extra.remove_prefix(fixed + field.size());
      if (kind != 1) continue;
      for (std::uint64_t* const value : numbers) {
        if (*value != elsewhere || field.size() < 8) continue;
        *value = number(field, 0, 8);
        field.remove_prefix(8);
      }
    }
  }

  void compare(const Member& listed, const Member& header) const {
    constexpr std::uint64_t encrypted = 1, sizes_follow = 8, utf8 = 0x800;
    if (listed.name != header.name)
      fail("a member is called {} in the directory and {} in its own header", io::quoted(listed.name),
           io::quoted(header.name));
    const auto same = [&](const char* what, std::uint64_t in_directory, std::uint64_t in_header) {
      if (in_directory != in_header)
        fail("the {} of {} is {} in the directory and {} in its own header", what, io::quoted(listed.name),
             in_directory, in_header);
    };
    same("method", listed.method, header.method);
    same("set of flags", listed.flags & (encrypted | utf8), header.flags & (encrypted | utf8));
    if ((header.flags & sizes_follow) != 0) return;  // unknown when the header was written
    same("checksum", listed.checksum, header.checksum);
    same("packed size", listed.packed, header.packed);
    same("size", listed.unpacked, header.unpacked);
  }

  std::string name_;
  std::istream& file_;
  std::uint64_t size_ = 0;
};

}  // namespace

void check_zip_directory(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  ZipFile(path.string(), file).check();
}

void check_zip_directory(const Text& zip) {
  std::istringstream bytes(zip.content);
  ZipFile(zip.name, bytes).check();
}

}  // namespace perslay::io
