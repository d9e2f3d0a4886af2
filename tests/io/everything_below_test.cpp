#include "io/temporary_folder.h"
#include "sentence.h"
#include "unprivileged.h"

#include <filesystem>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include <perslay/io/everything_below.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;
using test::sentence_of;
using test::TemporaryFolder;
using test::write_bytes;

/// By their names below the folder.
std::map<std::string, PathType> below(const fs::path& folder) {
  std::map<std::string, PathType> all;
  for (const auto& [path, type] : everything_below(folder))
    EXPECT_TRUE(all.emplace(path.lexically_relative(folder).string(), type).second) << path;
  return all;
}

TEST(EverythingBelow, IsListedOnce) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "a/b");
  fs::create_directory(folder / "empty");
  write_bytes(folder / "file", "");
  write_bytes(folder / "a/b/file", "");
  const std::map<std::string, PathType> expected{{"a", PathType::folder},
                                                 {"a/b", PathType::folder},
                                                 {"a/b/file", PathType::file},
                                                 {"empty", PathType::folder},
                                                 {"file", PathType::file}};
  EXPECT_EQ(below(folder.path()), expected);
  EXPECT_TRUE(below(folder / "empty").empty());
}

/// What is behind links is not, and circles have no end.
TEST(EverythingBelow, LinksAreListedButNotEntered) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "a/b");
  write_bytes(folder / "a/file", "");
  fs::create_directory_symlink(folder / "a", folder / "aside");
  for (const auto* const up : {"a", "a/b"})
    fs::create_directory_symlink(folder / up, folder / (std::string("a/b/to-") + (up[1] == 0 ? "a" : "b")));
  fs::create_symlink(folder / "a/file", folder / "to-file");
  fs::create_symlink("/dev/null", folder / "device");
  for (const auto& [from, to] :
       {std::pair("loop", "back"), {"back", "loop"}, {"self", "self"}, {"dangling", "nothing"}})
    fs::create_symlink(to, folder / from);
  const std::map<std::string, PathType> expected{{"a", PathType::folder},     {"a/b", PathType::folder},
                                                 {"a/file", PathType::file},  {"aside", PathType::folder},
                                                 {"device", PathType::other}, {"to-file", PathType::file}};
  EXPECT_EQ(below(folder.path()), expected);
}

TEST(EverythingBelow, ThereAreNotTooMany) {
  const TemporaryFolder folder;
  for (const auto* const name : {"a", "b", "c"}) write_bytes(folder / name, "");
  EXPECT_EQ(everything_below(folder.path(), 3).size(), 3U);
  EXPECT_EQ(sentence_of([&] { (void)everything_below(folder.path(), 2); }),
            folder.path().string() +
                ": There are more than 2 files and folders below this one; name one further down.");
}

TEST(EverythingBelow, NoFolderIsPassedOver) {
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::all);
  const auto closed = folder / "closed";
  fs::create_directories(closed / "inside");
  fs::create_symlink(closed / "inside", folder / "link");
  fs::permissions(closed, fs::perms::none);
  const auto sentence_about = [](const fs::path& path) {
    return sentence_of([&] { (void)everything_below(path); });
  };
  {
    const test::Unprivileged nobody;
    if (!nobody.is_so()) GTEST_SKIP() << "The superuser cannot give up rights here.";
    EXPECT_EQ(sentence_about(folder.path()), folder.path().string() + ": " + (folder / "link").string() +
                                                 " below it cannot be read: Permission denied.");
    EXPECT_EQ(sentence_about(closed), closed.string() + ": The folder cannot be read: Permission denied.");
  }
  fs::remove(folder / "link");
  {
    const test::Unprivileged nobody;
    EXPECT_EQ(sentence_about(folder.path()), folder.path().string() + ": The folder " + closed.string() +
                                                 " below it cannot be read: Permission denied.");
  }
  fs::permissions(closed, fs::perms::all);
}

}  // namespace
}  // namespace perslay::io
