#include "sentence.h"

#include <numbers>

#include <gtest/gtest.h>

#include <perslay/kernel/kernel.h>

namespace perslay::test {
namespace {

using kernel::Kernel;
using kernel::parse_kernel;

TEST(KernelNames, Defaults) {
  EXPECT_EQ(parse_kernel("sw").directions, 10U);
  EXPECT_TRUE(parse_kernel("sw").is_fitted());
  EXPECT_FALSE(parse_kernel("sw").rate());
  EXPECT_EQ(parse_kernel("pwg").power, 5);
  for (const std::string name : {"pwg", "pwg-linear", "pss", "pf", "pwg:1", "pwg:c=1"})
    EXPECT_FALSE(parse_kernel(name).is_fitted()) << name;
  EXPECT_FALSE(parse_kernel("pss").is_distance());
  EXPECT_FALSE(parse_kernel("pwg-linear").is_distance());
  EXPECT_TRUE(parse_kernel("pwg").is_distance());
}

TEST(KernelNames, Parameters) {
  const auto sw = parse_kernel("sw:20:sigma=2");
  EXPECT_EQ(sw.directions, 20U);
  EXPECT_EQ(sw.rate(), 0.125);
  const auto pwg = parse_kernel("pwg:0.5:tau=0.5:p=2:c=3");
  EXPECT_EQ(pwg.sigma, 0.5);
  EXPECT_EQ(pwg.scale, 3);
  EXPECT_EQ(pwg.power, 2);
  EXPECT_EQ(pwg.rate(), 2);
  EXPECT_TRUE(pwg.is_fitted());
  EXPECT_EQ(parse_kernel("pf:0.1:t=7").rate(), 7);
  EXPECT_EQ(parse_kernel("pss:1e-3").sigma, 0.001);
  EXPECT_EQ(parse_kernel("pss:1").tolerance, 0);
  EXPECT_EQ(parse_kernel("pf~grid:1e-6").tolerance, 1e-6);
}

TEST(KernelNames, NamesReadBack) {
  for (const std::string name :
       {"sw:10", "sw:7:sigma=0.1", "pss", "pss:0.001", "pwg", "pwg:0.5:c=3:p=2:tau=1", "pwg:c=1e-6",
        "pwg-linear:2", "pwg-linear:2:p=0", "pf", "pf:0.1", "pf:t=3", "pf:0.25:t=1e-6",
        "pwg-linear~grid:0.001", "pf:2~grid:1e-6"}) {
    EXPECT_EQ(parse_kernel(name).name(), name);
    EXPECT_EQ(parse_kernel(parse_kernel(name).name()), parse_kernel(name));
  }
  EXPECT_EQ(parse_kernel("sw").name(), "sw:10");
}

TEST(KernelNames, MistakesAreSentences) {
  const auto mistake = [](const std::string& name) { return sentence_of([&] { (void)parse_kernel(name); }); };
  EXPECT_TRUE(
      mistake("rbf").starts_with("There is no kernel called 'rbf'; the known ones are sw[:DIRECTIONS]"));
  EXPECT_EQ(mistake("sw:0"), "sw needs a number of directions such as sw:10, not '0'.");
  EXPECT_EQ(mistake("sw:"), "sw needs a number of directions such as sw:10, not ''.");
  EXPECT_EQ(mistake("sw:10:sigma=-1"), "sw needs a number of at least 1e-150 for sigma, not '-1'.");
  EXPECT_EQ(mistake("pss:zero"), "pss needs a number of at least 1e-300 for sigma, not 'zero'.");
  EXPECT_EQ(mistake("pss:inf"), "pss needs a number of at least 1e-300 for sigma, not 'inf'.");
  // Smaller ones would make infinite or undefined kernels.
  EXPECT_EQ(mistake("pss:1e-301"), "pss needs a number of at least 1e-300 for sigma, not '1e-301'.");
  EXPECT_EQ(mistake("sw:sigma=1e-151"), "sw needs a number of at least 1e-150 for sigma, not '1e-151'.");
  EXPECT_EQ(mistake("pwg:tau=1e-151"), "pwg needs a number of at least 1e-150 for tau, not '1e-151'.");
  EXPECT_EQ(mistake("pwg:p=-1"), "pwg needs a number of at least 0 for p, not '-1'.");
  EXPECT_EQ(mistake("pwg:1:2"), "pwg does not know what to do with '2'; options are written key=value.");
  EXPECT_EQ(mistake("pwg-linear:tau=1"), "pwg-linear has no option 'tau'.");
  EXPECT_EQ(mistake("pf:t=1:t=2"), "pf is given the option 't' twice.");
  EXPECT_EQ(mistake("pf:0"), "pf needs a positive number for sigma, not '0'.");
  EXPECT_EQ(mistake("pss~rff:512"),
            "There is no approximation called '~rff:512'; the known one is ~grid:TOLERANCE.");
  EXPECT_EQ(mistake("pss~grid:1"), "grid needs a tolerance from 1e-14 to 0.1 such as ~grid:1e-6, not '1'.");
  EXPECT_EQ(mistake("sw~grid:0.1"),
            "There are no Gaussians in sw: '~grid:0.1' serves pss, pwg, pwg-linear and pf.");
}

TEST(KernelNames, HelpNamesThemAll) {
  ASSERT_EQ(kernel::kernel_help().size(), 5U);
  for (const auto& entry : kernel::kernel_help())
    EXPECT_NO_THROW((void)parse_kernel(entry.usage.substr(0, entry.usage.find('['))));
}

}  // namespace
}  // namespace perslay::test
