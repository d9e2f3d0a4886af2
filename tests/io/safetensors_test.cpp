#include "io/temporary_folder.h"
#include "mutations.h"
#include "sentence.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <span>
#include <utility>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perslay/base/hasher.h>
#include <perslay/base/random.h>
#include <perslay/io/safetensors.h>

namespace perslay::io {
namespace {

using test::read_bytes;
using test::sentence_of;
using test::write_bytes;

/// A safetensors file with this header, whatever it says, and these bytes after it.
std::string file_with(const std::string& header, const std::string& data) {
  std::string bytes(8, '\0');
  for (std::size_t i = 0, length = header.size(); i < 8; ++i, length >>= 8)
    bytes[i] = static_cast<char>(length & 0xFF);
  return bytes + header + data;
}

class SafetensorsTest : public testing::Test {
 protected:
  std::string refusal(const std::string& bytes) {
    write_bytes(folder_ / "f.safetensors", bytes);
    return sentence_of([&] { (void)read_safetensors(folder_ / "f.safetensors"); });
  }
  void expect_refusal(const std::string& header, const std::string& data, const std::string& part) {
    const auto sentence = refusal(file_with(header, data));
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence << "\ndoes not say: " << part;
    EXPECT_TRUE(sentence.ends_with('.')) << sentence;
  }

  test::TemporaryFolder folder_;
};

const std::vector<NamedArray> two_arrays{{"b", {2, 2}, {1, -2.5F, 0.1F, 1e-40F}}, {"a", {1}, {3}}};

TEST_F(SafetensorsTest, HasTheBytesOfTheFormat) {
  write_safetensors(folder_ / "f", two_arrays, {{"k", "v\"w"}});
  const auto digits = read_bytes(folder_ / "f").substr(37, 32);
  EXPECT_EQ(digits.find_first_not_of("0123456789abcdef"), std::string::npos) << digits;
  const std::string header = R"({"__metadata__":{"checksum":")" + digits +
                             R"(","k":"v\"w"},"b":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},)"
                             R"("a":{"dtype":"F32","shape":[1],"data_offsets":[16,20]}})";
  const auto bytes = read_bytes(folder_ / "f");
  EXPECT_EQ(static_cast<unsigned char>(bytes[0]) % 8, 0);
  const std::size_t padded = (header.size() + 7) / 8 * 8;
  EXPECT_EQ(static_cast<unsigned char>(bytes[0]), padded);
  EXPECT_EQ(bytes.substr(8, header.size()), header);
  EXPECT_EQ(bytes.substr(8 + header.size(), padded - header.size()),
            std::string(padded - header.size(), ' '));
  ASSERT_EQ(bytes.size(), 8 + padded + 20);
  EXPECT_EQ(bytes.substr(8 + padded, 4), std::string("\0\0\x80\x3F", 4));  // 1.0F, little-endian
  EXPECT_EQ(folder_.entries(), 1);
}

TEST_F(SafetensorsTest, ReadsBackWhatWasWritten) {
  base::RandomStream random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<NamedArray> arrays(random.below(5));
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      arrays[i].name = "tensor." + std::to_string(i) + (random.below(2) == 0 ? "" : "\xC3\xA9\"\\\n");
      std::size_t count = 1;
      for (auto rank = random.below(4); rank > 0; --rank) {
        arrays[i].shape.push_back(static_cast<std::int64_t>(random.below(5)));
        count *= static_cast<std::size_t>(arrays[i].shape.back());
      }
      for (std::size_t v = 0; v < count; ++v) arrays[i].values.push_back(static_cast<float>(random.normal()));
    }
    const std::map<std::string, std::string> metadata{{"perslay", "{\"x\": 1}\n"}, {"", ""}};
    write_safetensors(folder_ / "f", arrays, metadata);
    const auto first = read_bytes(folder_ / "f");
    const auto read = read_safetensors(folder_ / "f");
    // Empty tensors lie where others begin, so the order among them may change.
    ASSERT_EQ(read.arrays.size(), arrays.size());
    for (const auto& array : arrays)
      EXPECT_NE(std::find(read.arrays.begin(), read.arrays.end(), array), read.arrays.end()) << array.name;
    EXPECT_EQ(read.metadata, metadata);
    write_safetensors(folder_ / "f", arrays, metadata);
    EXPECT_EQ(read_bytes(folder_ / "f"), first);
  }
}

TEST_F(SafetensorsTest, KeepsEveryBitOfAFloat) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> values{-0.0F, infinity, -infinity, std::numeric_limits<float>::denorm_min(),
                                  std::numeric_limits<float>::quiet_NaN()};
  write_safetensors(folder_ / "f", std::vector<NamedArray>{{"x", {5}, values}}, {});
  const auto read = read_safetensors(folder_ / "f").arrays.at(0).values;
  ASSERT_EQ(read.size(), values.size());
  EXPECT_EQ(std::memcmp(read.data(), values.data(), 5 * sizeof(float)), 0);
}

TEST_F(SafetensorsTest, RefusesEveryTruncation) {
  write_safetensors(folder_ / "f", two_arrays, {{"k", "v"}});
  const auto bytes = read_bytes(folder_ / "f");
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_NE(refusal(bytes.substr(0, length)), "no error") << length;
  EXPECT_NE(refusal(bytes + "x"), "no error");
}

TEST_F(SafetensorsTest, NeverCrashesOnFlippedBytes) {
  write_safetensors(folder_ / "f", two_arrays, {{"k", "v"}});
  auto bytes = read_bytes(folder_ / "f");
  bytes.replace(bytes.find("checksum"), 8, "unlooked");  // as a file without one
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (const int bit : {0x01, 0x20, 0x80}) {
      auto damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ bit);
      write_bytes(folder_ / "f", damaged);
      try {
        (void)read_safetensors(folder_ / "f");
      } catch (const base::Error& error) {
        EXPECT_EQ(error.fault(), base::Fault::user);
      }
    }
}

/// As docs/file-formats.md says: of all bytes, the digits themselves taken as zeros.
TEST_F(SafetensorsTest, TheChecksumIsThatOfAllBytes) {
  write_safetensors(folder_ / "f", two_arrays, {{"k", "v"}});
  auto bytes = read_bytes(folder_ / "f");
  const auto place = bytes.find(R"("checksum":")") + 12;
  const auto digits = bytes.substr(place, 32);
  bytes.replace(place, 32, 32, '0');
  base::Hasher hash;
  EXPECT_EQ(hash.update(std::as_bytes(std::span(bytes))).hexadecimal(), digits);
  EXPECT_TRUE(read_safetensors(folder_ / "f").checked);
}

TEST_F(SafetensorsTest, NoMutationGivesAnotherContent) {
  const std::vector<NamedArray> arrays{{"b", {2, 2}, {1, -2.5F, 0.1F, 1e-40F}}, {"a", {1}, {}, {0.1}}};
  write_safetensors(folder_ / "f", arrays, {{"k", "v"}, {"l", "w"}});
  test::expect_mutations_noticed(read_bytes(folder_ / "f"), 1, [&](const std::string& bytes) {
    write_bytes(folder_ / "m", bytes);
    auto content = read_safetensors(folder_ / "m");
    std::erase_if(content.metadata, [](const auto& entry) { return entry.first.size() > 1; });
    return std::pair(content.arrays, content.metadata);  // without a checksum whose name was damaged
  });
}

TEST_F(SafetensorsTest, ADamagedFileIsNamed) {
  write_safetensors(folder_ / "f", two_arrays, {});
  auto bytes = read_bytes(folder_ / "f");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  EXPECT_EQ(refusal(bytes), (folder_ / "f.safetensors").string() +
                                ": The file is damaged: its content does not match its checksum.");
}

TEST_F(SafetensorsTest, FilesOfOthersNeedNoChecksum) {
  write_bytes(folder_ / "f",
              file_with(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", std::string(4, '\0')));
  const auto read = read_safetensors(folder_ / "f");
  EXPECT_FALSE(read.checked);
  EXPECT_EQ(read.arrays, (std::vector<NamedArray>{{"a", {1}, {0}}}));
}

TEST_F(SafetensorsTest, KeepsDoublesBitForBit) {
  const std::vector<NamedArray> arrays{{"single", {3}, {1, -0.0F, 0.1F}},
                                       {"double", {2, 2}, {}, {0.1, -0.0, 1e-310, 1e308}},
                                       {"none", {0}, {}}};
  write_safetensors(folder_ / "f", arrays, {});
  const auto bytes = read_bytes(folder_ / "f");
  EXPECT_NE(bytes.find(R"("double":{"dtype":"F64","shape":[2,2],"data_offsets":[12,44]})"),
            std::string::npos);
  EXPECT_EQ(bytes.substr(bytes.size() - 32, 8), std::string("\x9A\x99\x99\x99\x99\x99\xB9\x3F"));
  const auto read = read_safetensors(folder_ / "f").arrays;
  ASSERT_EQ(read.size(), 3);
  for (const auto& array : arrays) EXPECT_NE(std::ranges::find(read, array), read.end()) << array.name;
}

TEST_F(SafetensorsTest, SaysWhatIsWrong) {
  const std::string four(4, '\0');
  EXPECT_NE(sentence_of([&] { (void)read_safetensors(folder_ / "none"); }).find("cannot be read"),
            std::string::npos);
  EXPECT_NE(refusal("").find("not a safetensors file"), std::string::npos);
  EXPECT_NE(refusal("PK\x03\x04 a zip archive of some length").find("not a safetensors file"),
            std::string::npos);
  EXPECT_NE(refusal(std::string(8, '\xFF') + "{}").find("not a safetensors file"), std::string::npos);
  EXPECT_EQ(sentence_of([] { (void)read_safetensors("/dev/zero"); }),  // it has no end
            "/dev/zero: This is not a safetensors file.");
  expect_refusal("[]", "", "not a safetensors file");
  expect_refusal("{\"a\":", "", "no JSON object");
  expect_refusal(R"({"a":1})", "", "says nothing about the tensor 'a'");
  expect_refusal(R"({"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})", four + four, "type 'I64'");
  expect_refusal(R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[0,4]}})", four, "shape [1] but 4 bytes");
  expect_refusal(R"({"a":{"shape":[1],"data_offsets":[0,4]}})", four, "type 'nothing'");
  expect_refusal(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", four, "'shape'");
  expect_refusal(R"({"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})", four, "'shape'");
  expect_refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0]}})", four, "begin and end");
  expect_refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", four, "begin and end");
  expect_refusal(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", four, "shape [2] but 4 bytes");
  expect_refusal(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296,4],"data_offsets":[0,0]}})", "",
                 "but 0 bytes");
  expect_refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", four + four,
                 "begin at 4 instead of 0");
  expect_refusal(
      R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
      four, "'b' begin at 0 instead of 4");
  expect_refusal(
      R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
      four, "names 'a' twice");
  expect_refusal(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", four, "cut off");
  expect_refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", four + four,
                 "8 follow the header");
  expect_refusal(R"({"__metadata__":[]})", "", "__metadata__ is no JSON object");
  expect_refusal(R"({"__metadata__":{"k":1}})", "", "no text for 'k'");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which need room of their own
/// Arrays may take most of the memory there is.
TEST_F(SafetensorsTest, WritingTakesNoMemoryOfTheSizeOfTheArrays) {
  const std::vector<NamedArray> arrays{
      {"a", {std::int64_t{1} << 24}, std::vector<float>(std::size_t{1} << 24, 1)}};  // 64 MiB
  const auto child = ::fork();
  if (child == 0) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t room = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + (rlim_t{32} << 20U);
    const rlimit limit{room, room};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) ::_exit(2);
    try {
      write_safetensors(folder_ / "large.safetensors", arrays, {});
      ::_exit(0);
    } catch (...) {
      ::_exit(1);
    }
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(std::filesystem::file_size(folder_ / "large.safetensors") >> 20U, 64U);
}
#endif

}  // namespace
}  // namespace perslay::io
