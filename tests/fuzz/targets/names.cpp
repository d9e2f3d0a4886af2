#include "fuzz/fuzz.h"

#include <array>
#include <string>
#include <vector>

#include <perslay/diagram/distance.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/cloud_diagrams.h>
#include <perslay/features/item_features.h>
#include <perslay/filtration/filtration.h>
#include <perslay/kernel/kernel.h>
#include <perslay/layer/channel.h>
#include <perslay/layer/initialise.h>
#include <perslay/layer/vectorization.h>
#include <perslay/learn/models.h>
#include <perslay/learn/settings.h>
#include <perslay/persistence/essential.h>

namespace perslay::test {
namespace {

/// What is written of a value stands for the same value, and is written of it again.
template <class Value>
void round_trip(std::string_view text, Value (*parse)(std::string_view),
                std::string (*name_of)(const Value&)) {
  const Value value = parse(text);
  const std::string name = name_of(value);
  const Value again = reads([&] { return parse(name); });
  if constexpr (requires { value == again; })
    require(again == value, "A name stands for what it was written of.");
  require(name_of(again) == name, "A value has one name.");
}

template <class Value>
std::string name_of(const Value& value) {
  if constexpr (requires { value.name(); })
    return value.name();
  else
    return value.name;
}

template <class Value>
void check(std::string_view text, Value (*parse)(std::string_view)) {
  round_trip<Value>(text, parse, name_of<Value>);
}

using Family = void (*)(std::string_view);

/// Families of names, those without a way back, which are only read, and changes of settings.
constexpr std::array<Family, 20> families{
    [](std::string_view text) { check(text, layer::parse_point_transform); },
    [](std::string_view text) { check(text, layer::parse_weight); },
    [](std::string_view text) { check(text, layer::parse_operation); },
    [](std::string_view text) { check(text, layer::parse_equivariant); },
    [](std::string_view text) { check(text, layer::parse_vectorization); },
    [](std::string_view text) { check(text, layer::parse_convolution); },
    [](std::string_view text) { check(text, kernel::parse_kernel); },
    [](std::string_view text) { check(text, features::parse_item_feature); },
    [](std::string_view text) { check(text, diagram::parse_transform); },
    [](std::string_view text) { check(text, filtration::parse_filtration); },
    [](std::string_view text) {
      round_trip<diagram::Kind>(text, diagram::parse_kind, [](const diagram::Kind& kind) {
        return std::string(diagram::kind_name(kind));
      });
    },
    [](std::string_view text) {
      round_trip<layer::Pool>(text, layer::parse_pool,
                              [](const layer::Pool& pool) { return std::string(layer::pool_name(pool)); });
    },
    [](std::string_view text) { (void)layer::parse_paper_channel(text); },
    [](std::string_view text) { (void)layer::parse_initialisation(text); },
    [](std::string_view text) { (void)diagram::parse_metric(text); },
    [](std::string_view text) { (void)persistence::parse_essential(text); },
    [](std::string_view text) { (void)persistence::parse_essential_death(text); },
    [](std::string_view text) { (void)learn::parse_model(text); },
    [](std::string_view text) { (void)features::parse_cloud_filtration(text); },
    [](std::string_view text) {
      const auto written = learn::to_toml(learn::with_override({}, std::string(text)));
      require(reads([&] { return learn::to_toml(learn::parse_settings(written, "")); }) == written,
              "Changed settings read back as the same.");
    }};

}  // namespace
}  // namespace perslay::test

/// Names of all families. The first byte, from 'a' on, says which.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  if (size == 0) return 0;
  const auto family = test::families[static_cast<std::size_t>(data[0] - 'a') % test::families.size()];
  test::reads_or_refuses([&] { family(test::text_of(data, size).substr(1)); });
  return 0;
}
