#include "io/temporary_folder.h"
#include "sentence.h"
#include "unprivileged.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <perslay/io/graph_dataset.h>
#include <perslay/io/path_type.h>
#include <perslay/io/point_clouds.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;
using test::sentence_of;
using test::TemporaryFolder;
using test::write_bytes;

/// Two links that lead to each other.
fs::path make_loop(const fs::path& folder, const std::string& name) {
  fs::create_symlink(folder / (name + ".back"), folder / name);
  fs::create_symlink(folder / name, folder / (name + ".back"));
  return folder / name;
}

TEST(PathTypeTest, SaysWhatIsThere) {
  const TemporaryFolder folder;
  write_bytes(folder / "file", "");
  fs::create_symlink(folder / "file", folder / "to-file");
  fs::create_symlink(folder / "nowhere", folder / "dangling");
  EXPECT_EQ(path_type(folder / "file"), PathType::file);
  EXPECT_EQ(path_type(folder / "to-file"), PathType::file);
  EXPECT_EQ(path_type(folder.path()), PathType::folder);
  EXPECT_EQ(path_type("/dev/null"), PathType::other);
  for (const std::string name : {"nothing", "dangling", "file/below", "no/such/folder"})
    EXPECT_EQ(path_type(folder / name), PathType::nothing) << name;
  EXPECT_EQ(sentence_of([&] { require_path(folder / "nothing"); }),
            (folder / "nothing").string() + " does not exist.");
}

TEST(PathTypeTest, WhatCannotBeAskedIsAMistake) {
  const TemporaryFolder folder;
  const auto loop = make_loop(folder.path(), "loop"), long_name = folder / std::string(300, 'n');
  for (const auto& path : {loop, loop / "below", long_name}) {
    const auto sentence = sentence_of([&] { static_cast<void>(path_type(path)); });
    EXPECT_TRUE(sentence.starts_with(path.string() + " cannot be read: ")) << sentence;
    EXPECT_EQ(sentence_of([&] { require_path(path); }), sentence);
    EXPECT_EQ(sentence_of([&] { static_cast<void>(read_graph_dataset(path)); }), sentence);
    EXPECT_EQ(sentence_of([&] { static_cast<void>(read_point_clouds(path)); }), sentence);
  }
}

/// Otherwise clouds would lose their labels, or be lost.
TEST(PathTypeTest, LinksThatLeadNowhereAreNotPassedOver) {
  for (const std::string name : {"labels.csv", "b.csv"}) {
    const TemporaryFolder folder;
    write_bytes(folder / "a.csv", "0,0\n1,1\n");
    EXPECT_EQ(read_point_clouds(folder.path()).size(), 1U);
    fs::create_symlink(folder / "nowhere", folder / name);
    const auto dangling = sentence_of([&] { static_cast<void>(read_point_clouds(folder.path())); });
    EXPECT_TRUE(dangling.starts_with((folder / name).string() + " cannot be read: ")) << dangling;
    fs::remove(folder / name);
    make_loop(folder.path(), name);
    const auto loop = sentence_of([&] { static_cast<void>(read_point_clouds(folder.path())); });
    EXPECT_TRUE(loop.starts_with((folder / name).string() + " cannot be read: ")) << loop;
  }
}

TEST(PathTypeTest, FoldersThatCannotBeReadAreNamed) {
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::all);
  fs::create_directory(folder / "closed");
  write_bytes(folder / "closed/a.csv", "0,0\n1,1\n");
  fs::permissions(folder / "closed", fs::perms::none);
  {
    const test::Unprivileged nobody;
    if (!nobody.is_so()) GTEST_SKIP() << "The superuser cannot give up rights here.";
    const auto closed = (folder / "closed").string();
    for (const auto& sentence : {sentence_of([&] { static_cast<void>(read_graph_dataset(closed)); }),
                                 sentence_of([&] { static_cast<void>(read_point_clouds(closed)); })}) {
      EXPECT_TRUE(sentence.starts_with(closed)) << sentence;
      EXPECT_TRUE(sentence.ends_with("cannot be read: Permission denied.")) << sentence;
    }
    EXPECT_EQ(sentence_of([&] { static_cast<void>(path_type(closed + "/a.csv")); }),
              closed + "/a.csv cannot be read: Permission denied.");
  }
  fs::permissions(folder / "closed", fs::perms::all);
}

}  // namespace
}  // namespace perslay::io
