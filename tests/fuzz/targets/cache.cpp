#include "fuzz/fuzz.h"

#include <span>

#include <perslay/base/hasher.h>
#include <perslay/features/cache.h>

/// An entry of the cache without its digest, which is put after it. What is read is written as an entry that gives the
/// same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  static const test::InputFile file("entry.items");
  base::Hasher hash;
  const auto digest = hash.update(std::as_bytes(std::span(data, size))).digest();
  std::string entry(test::text_of(data, size));
  entry.append(reinterpret_cast<const char*>(digest.data()), sizeof digest);
  const auto cached = features::read_cached_items(file.with(entry));
  if (!cached) return 0;
  const auto written = [](const features::CachedItems& items) {
    const auto copy = test::input_folder() / "copy.items";
    features::write_cached_items(copy, items);
    return copy;
  };
  const auto bytes = test::read_bytes(written(*cached));
  const auto again = features::read_cached_items(test::input_folder() / "copy.items");
  test::require(again.has_value(), "What is written is read.");
  test::require(test::read_bytes(written(*again)) == bytes, "What is read is what was written.");
  return 0;
}
