#include "fuzz/fuzz.h"

#include <perslay/learn/settings.h>

/// Settings files. What is read can be written as TOML, which reads back as the same, and as JSON.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  learn::Settings settings;
  if (!test::reads_or_refuses(
          [&] { settings = learn::parse_settings(test::text_of(data, size), "settings.toml"); }))
    return 0;
  const auto written = learn::to_toml(settings);
  test::require(test::reads([&] { return learn::to_toml(learn::parse_settings(written, "")); }) == written,
                "Settings read back as the same.");
  (void)learn::to_json(settings);
  return 0;
}
