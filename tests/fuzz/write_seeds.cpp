#include "fuzz/seeds.h"
#include "io/temporary_folder.h"

#include <cstdio>

#include <fmt/format.h>

/// Writes FOLDER/seeds/TARGET/N, an input to begin with per file, and FOLDER/words/TARGET, a dictionary of libFuzzer.
int main(int argc, char** argv) {
  using namespace perslay;
  if (argc != 2) {
    std::fputs("Usage: fuzz_seeds FOLDER\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  for (const auto& [target, inputs] : test::seeds()) {
    std::filesystem::create_directories(folder / "seeds" / target);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      test::write_bytes(folder / "seeds" / target / std::to_string(i), inputs[i]);
  }
  std::filesystem::create_directories(folder / "words");
  for (const auto& [target, words] : test::words()) {
    std::string text;
    for (const auto& word : words) {
      text += '"';
      for (const char c : word) text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
      text += "\"\n";
    }
    test::write_bytes(folder / "words" / target, text);
  }
  return 0;
}
