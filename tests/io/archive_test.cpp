#include "archive_writer.h"
#include "graph_files.h"
#include "temporary_folder.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <perslay/io/graph_dataset.h>

namespace perslay::test {
namespace {

using Files = std::map<std::string, std::string>;

/// Every kind of file, and one that does not belong to the dataset, first and last.
Files toy_files() {
  return {{"A.md", "about"},
          {"TOY/TOY_A.txt", "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n"},
          {"TOY/TOY_graph_indicator.txt", "1\n1\n1\n2\n2\n2\n"},
          {"TOY/TOY_graph_labels.txt", "5\n-1\n"},
          {"TOY/TOY_node_labels.txt", "7\n8\n-9\n7\n7\n7\n"},
          {"TOY/TOY_node_attributes.txt", "1.5\n0.1\n1\n2\n3\n4\n"},
          {"Z.md", "about"}};
}

std::string toy_zip() {
  std::vector<ZipMember> members;
  for (const auto& [name, content] : toy_files()) members.push_back({name, content});
  return stored_zip(members);
}

bool is_same(const data::GraphDataset& a, const data::GraphDataset& b) {
  const auto edges = [](const data::GraphDataset& dataset) {
    std::vector<std::set<std::pair<int, int>>> all;
    for (const auto& graph : dataset.graphs) all.push_back(edge_set(graph));
    return all;
  };
  return edges(a) == edges(b) && a.vertex_offsets == b.vertex_offsets && a.labels == b.labels &&
         a.classes == b.classes && a.node_labels == b.node_labels && a.attribute_count == b.attribute_count &&
         a.node_attributes == b.node_attributes;
}

/// What became of many spoiled files.
struct Outcome {
  int refused = 0;
  int harmless = 0;
  std::vector<std::string> wrong;
};

class Archive : public ::testing::Test {
 protected:
  std::string make(const std::string& ending, const Files& files = toy_files()) const {
    const auto path = temporary_ / ("made" + ending);
    write_archive(path, files);
    return read_bytes(path);
  }
  data::GraphDataset read(const std::string& ending, const std::string& bytes,
                          std::optional<std::uint64_t> limit = {}) const {
    const auto path = temporary_ / ("data" + ending);
    replace_file(path, bytes);
    return io::read_graph_dataset(path, {}, {.unpack_limit = limit});
  }
  std::string error(const std::string& ending, const std::string& bytes,
                    std::optional<std::uint64_t> limit = {}) const {
    return user_error_of([&] { (void)read(ending, bytes, limit); });
  }
  /// Reads spoiled bytes: with one sentence they must be refused, or give the same as `good`.
  void try_spoiled(const std::string& ending, const std::string& bytes, const data::GraphDataset& good,
                   const std::string& what, Outcome& outcome) const {
    try {
      if (is_same(read(ending, bytes), good))
        ++outcome.harmless;
      else
        outcome.wrong.push_back(ending + ": " + what);
    } catch (const base::Error& error) {
      EXPECT_EQ(error.fault(), base::Fault::user) << error.what();
      const std::string sentence = error.what();
      EXPECT_TRUE(sentence.find("data" + ending) != std::string::npos && sentence.ends_with(".") &&
                  sentence.find('\n') == std::string::npos)
          << sentence;
      ++outcome.refused;
    }
  }
  /// Flips single bits, those of a byte that `chosen` names.
  Outcome flip(const std::string& ending, const std::string& bytes,
               const std::function<bool(std::size_t)>& chosen = {}) const {
    Outcome outcome;
    const auto good = read(ending, bytes);
    for (std::size_t at = 0; at < bytes.size(); ++at)
      for (unsigned bit = 0; bit < 8 && (!chosen || chosen(at)); ++bit) {
        std::string spoiled = bytes;
        spoiled[at] = static_cast<char>(static_cast<unsigned char>(spoiled[at]) ^ (1U << bit));
        try_spoiled(ending, spoiled, good, "bit " + std::to_string(bit) + " of byte " + std::to_string(at),
                    outcome);
      }
    return outcome;
  }
  Outcome cut(const std::string& ending, const std::string& bytes) const {
    Outcome outcome;
    const auto good = read(ending, bytes);
    for (std::size_t size = 0; size < bytes.size(); ++size)
      try_spoiled(ending, bytes.substr(0, size), good, "cut to " + std::to_string(size), outcome);
    return outcome;
  }

  TemporaryFolder temporary_;
};

void expect_none_wrong(const Outcome& outcome, int least_refused) {
  EXPECT_GE(outcome.refused, least_refused);
  EXPECT_TRUE(outcome.wrong.empty()) << fmt::format("{}", fmt::join(outcome.wrong, "\n"));
}

TEST_F(Archive, AFlippedBitIsNoticedOrChangesNothing) {
  for (const std::string ending : {".zip", ".7z", ".tar.gz", ".tar.xz", ".tar.bz2"}) {
    SCOPED_TRACE(ending);
    expect_none_wrong(flip(ending, make(ending)), 1000);
  }
  expect_none_wrong(flip(".zip", toy_zip()), 1000);
}

/// What is inside a member is not protected in a tar file that is not compressed.
TEST_F(Archive, AFlippedBitInATarHeaderIsNoticedOrChangesNothing) {
  const std::string tar = make(".tar");
  std::vector<std::size_t> headers;
  for (std::size_t block = 0; block < tar.size(); block += 512)
    if (tar.compare(block + 257, 5, "ustar") == 0) headers.push_back(block);
  ASSERT_EQ(headers.size(), toy_files().size());
  const auto in_header = [&](std::size_t at) {
    return std::ranges::find(headers, at / 512 * 512) != headers.end();
  };
  expect_none_wrong(flip(".tar", tar, in_header), 1000);
}

TEST_F(Archive, ACutIsNoticedOrChangesNothing) {
  for (const std::string ending : {".zip", ".7z", ".tar", ".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst"}) {
    SCOPED_TRACE(ending);
    expect_none_wrong(cut(ending, make(ending)), ending == ".tar" ? 7000 : 250);
  }
  const auto zip = cut(".zip", toy_zip());
  expect_none_wrong(zip, 300);
  EXPECT_EQ(zip.harmless, 0);
}

TEST_F(Archive, TheEndOfCompressedDataIsChecked) {
  const std::string gzip = make(".tar.gz");
  for (const std::size_t from_end : {8U, 4U}) {  // checksum and length
    std::string spoiled = gzip;
    spoiled[gzip.size() - from_end] ^= 1;
    expect_parts(error(".tar.gz", spoiled),
                 {"data.tar.gz is damaged", from_end == 8 ? "data check" : "length check"});
  }
  expect_parts(error(".tar.gz", gzip.substr(0, gzip.size() - 1)), {"the gzip data have no end"});
  for (const std::string ending : {".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst"}) {
    SCOPED_TRACE(ending);
    expect_parts(error(ending, make(ending) + "and more"), {"data" + ending + " is damaged"});
  }
}

TEST_F(Archive, GzipDataMayHaveSeveralParts) {
  const std::string tar = make(".tar");
  std::string packed;
  for (std::size_t at = 0; at < tar.size(); at += 3000) {
    const auto path = temporary_ / "part.gz";
    gzFile_s* const file = gzopen(path.c_str(), "wb");
    gzwrite(file, tar.data() + at, static_cast<unsigned>(std::min<std::size_t>(3000, tar.size() - at)));
    gzclose(file);
    packed += read_bytes(path);
  }
  EXPECT_TRUE(is_same(read(".tar.gz", packed), read(".tar", tar)));
  expect_none_wrong(flip(".tar.gz", packed), 1000);
}

TEST_F(Archive, ATarFileEndsWithABlockOfZeros) {
  const std::string tar = make(".tar");
  const std::size_t end = tar.find_last_not_of('\0') / 512 * 512 + 512;
  expect_parts(error(".tar", tar.substr(0, end)), {"cut short", "ends at byte " + std::to_string(end)});
  EXPECT_TRUE(is_same(read(".tar", tar.substr(0, end + 512)), read(".tar", tar)));
  const std::size_t last_member = tar.find("Z.md");
  expect_parts(error(".tar", tar.substr(0, last_member)), {"cut short"});
  expect_parts(error(".tar", tar + tar), {"something follows"});
}

TEST_F(Archive, TheDirectoryOfAZipFileAndItsMembersAgree) {
  const std::string zip = toy_zip();
  const auto replaced = [&](std::size_t at, const std::string& bytes) {
    return std::string(zip).replace(at, bytes.size(), bytes);
  };
  const std::string labels = "TOY/TOY_graph_labels.txt";
  expect_parts(error(".zip", replaced(zip.find(labels), "TOY/TOX")),
               {"'TOY/TOY_graph_labels.txt' in the directory", "'TOY/TOX_graph_labels.txt'"});
  expect_parts(error(".zip", replaced(zip.rfind(labels), "TOY/TOX")),
               {"'TOY/TOX_graph_labels.txt' in the directory"});
  const std::size_t record = zip.rfind("PK\x05\x06");
  expect_parts(error(".zip", replaced(record + 10, "\x06")), {"6 members, but has 7"});
  expect_parts(error(".zip", zip.substr(0, record)), {"has no directory"});
  expect_parts(error(".zip", zip + "x"), {"comment", "0 bytes, but has 1"});
  expect_parts(error(".zip", zip.substr(1)), {"data.zip"});
}

TEST_F(Archive, AMemberStandsOnceAndIsAPlainFile) {
  std::vector<ZipMember> twice;
  for (const auto& [name, content] : toy_files()) twice.push_back({name, content});
  twice.push_back({"TOY/TOY_node_labels.txt", "1\n1\n1\n1\n1\n1\n"});
  expect_parts(error(".zip", stored_zip(twice)), {"two files TOY/TOY_node_labels.txt"});

  std::string linked = make(".tar");
  const std::size_t header = linked.find("TOY/TOY_graph_labels.txt");
  linked[header + 156] = '2';  // a symbolic link; the checksum goes with it
  linked[header + 153] = static_cast<char>(linked[header + 153] + 2);
  expect_parts(error(".tar", linked), {"TOY/TOY_graph_labels.txt is not a plain file"});
}

TEST_F(Archive, ADatasetHasOneName) {
  for (const std::string file : {"graph_labels", "node_labels", "node_attributes"}) {
    Files files = toy_files();
    auto member = files.extract("TOY/TOY_" + file + ".txt");
    member.key() = "TOY/TOX_" + file + ".txt";
    files.insert(std::move(member));
    expect_parts(error(".zip", make(".zip", files)), {"TOY/TOY_A.txt and TOY/TOX_" + file + ".txt"});
  }
  Files files = toy_files();
  files.erase("TOY/TOY_graph_labels.txt");
  const auto unlabelled = read(".zip", make(".zip", files));
  ASSERT_EQ(unlabelled.notes.size(), 1U);
  EXPECT_EQ(unlabelled.notes.front(), "There is no TOY_graph_labels.txt, so the graphs have no labels.");
}

TEST_F(Archive, TheFirstNameOfATarFileMayBeginLikeAZipFile) {
  Files files;
  for (const auto& [path, content] : toy_files())
    if (path.starts_with("TOY/TOY_")) files["PK/PK_" + path.substr(std::string("TOY/TOY_").size())] = content;
  EXPECT_TRUE(is_same(read(".tar", make(".tar", files)), read(".tar", make(".tar"))));
}

TEST_F(Archive, ItUnpacksToALimit) {
  Files files = toy_files();
  files["TOY/TOY_node_labels.txt"] = std::string(3'000'000, '0');
  for (const std::string ending : {".zip", ".7z", ".tar", ".tar.gz"}) {
    SCOPED_TRACE(ending);
    const std::string bytes = make(ending, files);
    expect_parts(error(ending, bytes, 2'000'000), {"data" + ending, "3000", "2000000", "--unpack-limit"});
    expect_parts(error(ending, bytes, 4'000'000), {"TOY_node_labels.txt:2", "The file has 1 lines"});
    EXPECT_TRUE(is_same(read(ending, make(ending), 500), read(ending, make(ending))));
    expect_parts(error(ending, make(ending), 10), {"at most 10 are allowed"});
  }
}

/// 256 MiB, or 200 times the archive.
TEST_F(Archive, TheLimitGrowsWithTheArchive) {
  constexpr std::size_t least = std::size_t{1} << 28;
  const auto claiming = [](std::size_t claimed, std::size_t padding) {
    return stored_zip({{"TOY_A.txt", "1 2\n", "TOY_A.txt", claimed}, {"padding", std::string(padding, 'x')}});
  };
  expect_parts(error(".zip", claiming(least + 1, 0)), {"268435457", "268435456", "--unpack-limit"});
  expect_parts(error(".zip", claiming(least, 0)), {"damaged or cut short"});
  expect_parts(error(".zip", claiming(least + 1, least / 200)), {"damaged or cut short"});
}

}  // namespace
}  // namespace perslay::test
