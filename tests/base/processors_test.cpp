#include "io/temporary_folder.h"
#include "sentence.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sched.h>

#include <perslay/base/processors.h>

namespace perslay::base {
namespace {

using test::TemporaryFolder;

TEST(DefaultThreads, ComeFromTheFirstVariableThatSaysSomething) {
  EXPECT_EQ(detail::threads_in(nullptr, nullptr), std::nullopt);
  EXPECT_EQ(detail::threads_in("3", nullptr), 3);
  EXPECT_EQ(detail::threads_in("3", "5"), 3);
  EXPECT_EQ(detail::threads_in(" 256\n", "5"), 256);
  EXPECT_EQ(detail::threads_in(nullptr, "5"), 5);
  EXPECT_EQ(detail::threads_in("", "5"), 5);
  EXPECT_EQ(detail::threads_in("  ", ""), std::nullopt);
}

TEST(DefaultThreads, OpenMpsVariableIsReadAsItsStandardSays) {
  EXPECT_EQ(detail::threads_in(nullptr, "4,2"), 4);
  EXPECT_EQ(detail::threads_in(nullptr, " 4 , 2 "), 4);
  EXPECT_EQ(detail::threads_in(nullptr, "1000"), 256);
  for (const auto* const wrong : {"0", "-1", "4x", "four", ",2", "1.5", "99999999999999999999", "4 2"})
    EXPECT_EQ(detail::threads_in(nullptr, wrong), std::nullopt) << wrong;
}

TEST(DefaultThreads, AWrongOwnVariableIsASentence) {
  for (const std::string wrong : {"0", "-1", "257", "four", "4,2", "1.5", "99999999999999999999"})
    EXPECT_EQ(test::sentence_of([&] { (void)detail::threads_in(wrong.c_str(), "5"); }),
              "PERSLAY_THREADS needs an integer from 1 to 256, not '" + wrong + "'.");
}

/// A file system of its own, with these files.
std::optional<double> quota_with(const std::vector<std::pair<std::string, std::string>>& files) {
  const TemporaryFolder root;
  for (const auto& [name, text] : files) {
    std::filesystem::create_directories((root / name).parent_path());
    test::write_bytes(root / name, text);
  }
  return detail::processor_quota(root.path());
}

const std::string groups = "proc/self/cgroup", mounts = "sys/fs/cgroup/";

TEST(ProcessorQuota, OfVersion2IsTheLowestOnTheWayUp) {
  EXPECT_EQ(quota_with({}), std::nullopt);
  EXPECT_EQ(quota_with({{groups, "0::/\n"}, {mounts + "cpu.max", "150000 100000\n"}}), 1.5);
  EXPECT_EQ(quota_with({{groups, "0::/\n"}, {mounts + "cpu.max", "max 100000\n"}}), std::nullopt);
  EXPECT_EQ(quota_with({{groups, "0::/a/b c/d\n"},
                        {mounts + "a/cpu.max", "400000 200000\n"},
                        {mounts + "a/b c/cpu.max", "max 100000\n"},
                        {mounts + "a/b c/d/cpu.max", "300000 100000\n"}}),
            2);
  EXPECT_EQ(quota_with({{groups, "0::/a:b\n"}, {mounts + "a:b/cpu.max", "50000 100000\n"}}), 0.5);
}

/// A container without a name space for groups: they are named as the host sees them.
TEST(ProcessorQuota, OfAContainerIsItsTopmostGroups) {
  EXPECT_EQ(quota_with({{groups, "0::/docker/4f2a\n"}, {mounts + "cpu.max", "200000 100000\n"}}), 2);
  EXPECT_EQ(quota_with({{groups, "0::/../other\n"},
                        {mounts + "cpu.max", "200000 100000\n"},
                        {"sys/fs/other/cpu.max", "100000 100000\n"}}),
            2);
}

TEST(ProcessorQuota, OfVersion1StandsInTwoFiles) {
  const std::string text = "5:cpuset:/set\n4:cpu,cpuacct:/docker/4f2a\n1:name=systemd:/x\n0::/x\n";
  const std::string mount = mounts + "cpu,cpuacct/";
  EXPECT_EQ(quota_with({{groups, text},
                        {mount + "cpu.cfs_quota_us", "-1\n"},
                        {mount + "cpu.cfs_period_us", "100000\n"},
                        {mount + "docker/4f2a/cpu.cfs_quota_us", "250000\n"},
                        {mount + "docker/4f2a/cpu.cfs_period_us", "100000\n"}}),
            2.5);
  EXPECT_EQ(
      quota_with(
          {{groups, text}, {mount + "cpu.cfs_quota_us", "-1\n"}, {mount + "cpu.cfs_period_us", "100000\n"}}),
      std::nullopt);
}

TEST(ProcessorQuota, NonsenseIsNoLimit) {
  for (const std::string text : {"", "0 0", "100000", "much 100000", "-5 100000", "100000 0"})
    EXPECT_EQ(quota_with({{groups, "0::/\n"}, {mounts + "cpu.max", text}}), std::nullopt) << text;
  EXPECT_EQ(quota_with({{groups, "nonsense\n0:\n"}, {mounts + "cpu.max", "100000 100000"}}), std::nullopt);
}

TEST(AvailableProcessors, AreThoseThatTheSchedulerGives) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_GE(available_processors(), 1);
  EXPECT_LE(available_processors(), CPU_COUNT(&before));
  cpu_set_t one;
  CPU_ZERO(&one);
  std::size_t first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(available_processors(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

}  // namespace
}  // namespace perslay::base
