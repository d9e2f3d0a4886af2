// The guides name everything that the tables of names have.
#include <fstream>
#include <iterator>
#include <span>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <perslay/diagram/distance.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/input_kind.h>
#include <perslay/features/item_features.h>
#include <perslay/kernel/kernel.h>
#include <perslay/learn/models.h>
#include <perslay/learn/schedule.h>

namespace perslay::learn {
namespace {

void expect_names(const std::string& guide, std::span<const base::NameHelp> entries) {
  std::ifstream file(fmt::format("{}/{}", PERSLAY_DOCS, guide));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(text.empty()) << guide;
  ASSERT_FALSE(entries.empty());
  for (const auto& entry : entries) {
    const auto head = entry.usage.substr(0, entry.usage.find_first_of(":[~"));
    const auto stands = [&](char mark) {
      return text.find(fmt::format("{}{}", mark, head)) != std::string::npos;
    };
    EXPECT_TRUE(stands('`') || stands('"')) << guide << " lacks " << entry.usage;
  }
}

TEST(Documents, HaveEveryName) {
  for (const auto* const kind : features::input_kinds())
    if (!kind->is_stored()) expect_names("cli/diagrams.md", kind->filtrations->help());
  expect_names("filtrations.md", features::input_kind("graphs").filtrations->help());
  expect_names("features.md", features::item_features().help());
  expect_names("transforms.md", diagram::transforms().help());
  expect_names("cli/distance.md", diagram::metrics().help());
  expect_names("kernels.md", kernel::kernel_help());
  expect_names("settings.md", model_help());
  expect_names("settings.md", schedules().help());
}

TEST(Documents, SayWhatDataIsReadAs) {
  for (const auto* const kind : features::input_kinds())
    for (const std::string guide : {"info", "diagrams", "train", "evaluate", "predict"}) {
      std::ifstream file(fmt::format("{}/cli/{}.md", PERSLAY_DOCS, guide));
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      const auto option = text.find("| `--as ");
      ASSERT_NE(option, std::string::npos) << guide;
      EXPECT_NE(text.substr(option, text.find('\n', option) - option).find(kind->name), std::string::npos)
          << guide << ' ' << kind->name;
    }
}

}  // namespace
}  // namespace perslay::learn
