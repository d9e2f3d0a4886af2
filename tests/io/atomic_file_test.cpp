#include "io/temporary_folder.h"
#include "unprivileged.h"

#include <cstdlib>
#include <iterator>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perslay/base/error.h>
#include <perslay/io/atomic_file.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;

std::string message_of(const fs::path& target) {
  try {
    const AtomicFile file(target);
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::user);
    return error.what();
  }
  return "";
}

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const TemporaryFolder folder;
  AtomicFile file(folder / "result.txt");
  EXPECT_EQ(folder.entries(), 0);
  write_bytes(file.partial(), "whole");
  EXPECT_EQ(file.partial().parent_path(), folder.path());
  EXPECT_FALSE(fs::exists(folder / "result.txt"));
  file.commit();
  EXPECT_EQ(read_bytes(folder / "result.txt"), "whole");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(AtomicFile, WhatAKilledProcessLeftIsRemovedByTheNextOfTheSameName) {
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const auto partial = [&](const std::string& rest) { return folder / (".m.checkpoint.partial-" + rest); };
  const auto dead = std::to_string(child), alive = std::to_string(::getpid());
  for (const auto& rest :
       {dead + "-0", dead + "-17", alive + "-99", dead, dead + "-1x", std::string("draft")})
    write_bytes(partial(rest), "half");
  write_bytes(folder / (".n.checkpoint.partial-" + dead + "-0"), "half");
  { const AtomicFile next(folder / "m.checkpoint"); }
  EXPECT_FALSE(fs::exists(partial(dead + "-0")));
  EXPECT_FALSE(fs::exists(partial(dead + "-17")));
  EXPECT_EQ(folder.entries(), 5);  // those of processes that live, of other files, and of other kinds
}

TEST(AtomicFile, WhatWasLeftBehindALinkIsRemovedToo) {
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  fs::create_directory(folder / "there");
  fs::create_symlink("there/file.txt", folder / "link.txt");
  write_bytes(folder / ("there/.file.txt.partial-" + std::to_string(child) + "-0"), "half");
  write_file(folder / "link.txt", "whole");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "there"), fs::directory_iterator()), 1);
}

fs::perms rights_of(const fs::path& path) { return fs::status(path).permissions(); }

TEST(AtomicFile, ReplacingAFileKeepsItsRights) {
  const TemporaryFolder folder;
  for (const auto rights : {fs::perms{0600}, fs::perms{0664}, fs::perms{0444}, fs::perms{0755}}) {
    write_bytes(folder / "result.txt", "old");
    fs::permissions(folder / "result.txt", rights);
    write_file(folder / "result.txt", "new");
    EXPECT_EQ(rights_of(folder / "result.txt"), rights);
    EXPECT_EQ(read_bytes(folder / "result.txt"), "new");
    fs::remove(folder / "result.txt");
  }
}

/// Whoever may not read the old content may not read the new one while it is written.
TEST(AtomicFile, WhatReplacesAFileIsPrivateMeanwhile) {
  const TemporaryFolder folder;
  write_bytes(folder / "secret.txt", "old");
  fs::permissions(folder / "secret.txt", fs::perms{0600});
  const AtomicFile file(folder / "secret.txt");
  write_bytes(file.partial(), "new");
  EXPECT_EQ(rights_of(file.partial()), fs::perms{0600});
}

TEST(AtomicFile, LinksAreKeptAndTheirTargetsReplaced) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "a/b");
  write_bytes(folder / "a/b/file.txt", "old");
  fs::create_symlink("b/file.txt", folder / "a/relative.txt");
  fs::create_symlink(folder / "a/relative.txt", folder / "absolute.txt");
  fs::create_directory_symlink("a/b", folder / "folder");
  fs::create_symlink("../relative.txt", folder / "a/b/up.txt");
  for (const std::string name : {"a/relative.txt", "absolute.txt", "folder/file.txt", "folder/up.txt"}) {
    write_file(folder / name, name);
    EXPECT_EQ(read_bytes(folder / "a/b/file.txt"), name);
  }
  for (const auto* const link : {"a/relative.txt", "absolute.txt", "folder", "a/b/up.txt"})
    EXPECT_TRUE(fs::is_symlink(folder / link)) << link;
  EXPECT_EQ(folder.entries(), 3);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "a/b"), fs::directory_iterator()), 2);
}

TEST(AtomicFile, ALinkToNothingMakesWhatItLeadsTo) {
  const TemporaryFolder folder;
  fs::create_symlink("new.txt", folder / "link.txt");
  {
    const AtomicFile dropped(folder / "link.txt");
    write_bytes(dropped.partial(), "half");
  }
  EXPECT_EQ(folder.entries(), 1);
  write_file(folder / "link.txt", "whole");
  EXPECT_TRUE(fs::is_symlink(folder / "link.txt"));
  EXPECT_EQ(read_bytes(folder / "new.txt"), "whole");
  EXPECT_EQ(folder.entries(), 2);
}

TEST(AtomicFile, WithoutCommitLeavesTheOldContentAndNothingElse) {
  const TemporaryFolder folder;
  write_bytes(folder / "result.txt", "old");
  {
    const AtomicFile file(folder / "result.txt");
    write_bytes(file.partial(), "half");
    EXPECT_EQ(folder.entries(), 2);
  }
  EXPECT_EQ(read_bytes(folder / "result.txt"), "old");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(AtomicFile, ReplacesAnOldFile) {
  const TemporaryFolder folder;
  write_bytes(folder / "result.txt", "old");
  AtomicFile file(folder / "result.txt");
  write_bytes(file.partial(), "new");
  file.commit();
  EXPECT_EQ(read_bytes(folder / "result.txt"), "new");
}

TEST(AtomicFile, WorksForFolders) {
  const TemporaryFolder folder;
  {
    const AtomicFile dropped(folder / "made/");
    fs::create_directory(dropped.partial());
    write_bytes(dropped.partial() / "inside.txt", "x");
  }
  EXPECT_EQ(folder.entries(), 0);
  AtomicFile made(folder / "made/");
  fs::create_directory(made.partial());
  write_bytes(made.partial() / "inside.txt", "y");
  made.commit();
  EXPECT_EQ(read_bytes(folder / "made" / "inside.txt"), "y");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(AtomicFile, TwoOfTheSameNameDoNotMeet) {
  const TemporaryFolder folder;
  const AtomicFile one(folder / "result.txt");
  const AtomicFile two(folder / "result.txt");
  EXPECT_NE(one.partial(), two.partial());
}

TEST(AtomicFile, TakesNamesAsLongAsTheFileSystemDoes) {
  const TemporaryFolder folder;
  AtomicFile file(folder / std::string(255, 'n'));
  write_bytes(file.partial(), "x");
  file.commit();
  EXPECT_TRUE(fs::exists(folder / std::string(255, 'n')));
}

TEST(AtomicFileDeathTest, LeavingAtOnceRemovesUnfinishedFiles) {
  const TemporaryFolder folder;
  const AtomicFile file(folder / "file.txt");
  const AtomicFile made(folder / "made");
  AtomicFile finished(folder / "finished.txt");
  write_bytes(file.partial(), "half");
  fs::create_directory(made.partial());
  write_bytes(made.partial() / "inside.txt", "half");
  write_bytes(finished.partial(), "whole");
  finished.commit();
  EXPECT_EXIT((remove_unfinished_files(), std::_Exit(130)), testing::ExitedWithCode(130), "");
  EXPECT_EQ(folder.entries(), 1);
  EXPECT_EQ(read_bytes(folder / "finished.txt"), "whole");
}

TEST(AtomicFile, SaysWhatIsWrongWithTheTarget) {
  const TemporaryFolder folder;
  EXPECT_NE(message_of(folder / "missing/result.txt").find("missing does not exist"), std::string::npos);
  fs::create_directory(folder / "here");
  EXPECT_NE(message_of(folder / "here").find("There is a folder of this name"), std::string::npos);
  EXPECT_NE(message_of("/dev/null").find("not a regular file"), std::string::npos);
  fs::create_symlink("missing/result.txt", folder / "link");
  EXPECT_NE(message_of(folder / "link").find("missing does not exist"), std::string::npos);
  fs::create_symlink("around", folder / "loop");
  fs::create_symlink("loop", folder / "around");
  EXPECT_EQ(message_of(folder / "loop"),
            (folder / "loop").string() + ": The links of this name lead in a circle.");
  EXPECT_NE(message_of(folder / "loop/result.txt").find("loop does not exist"), std::string::npos);
  EXPECT_EQ(message_of("result.txt"), "");
  EXPECT_EQ(message_of(""), "The name of the file to write is empty.");
  EXPECT_NE(message_of(std::string(256, 'n')).find("at most 255 bytes, and this one has 256"),
            std::string::npos);
}

TEST(AtomicFile, SaysThatTheFolderCannotBeWritten) {
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                                     fs::perms::others_exec);
  const test::Unprivileged nobody;
  if (!nobody.is_so()) GTEST_SKIP() << "The superuser cannot give up rights here.";
  EXPECT_EQ(message_of(folder / "result.txt"), (folder / "result.txt").string() + ": The folder " +
                                                   folder.path().string() +
                                                   " cannot be written: Permission denied.");
}

TEST(AtomicFile, CommitOfNothingIsAnError) {
  const TemporaryFolder folder;
  AtomicFile file(folder / "result.txt");
  EXPECT_THROW(file.commit(), base::Error);
  EXPECT_EQ(folder.entries(), 0);
}

}  // namespace
}  // namespace perslay::io
