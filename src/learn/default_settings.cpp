#include <fmt/format.h>

#include <perslay/learn/built_in_settings.h>
#include <perslay/learn/settings.h>

namespace perslay::learn {

Settings default_settings(const features::InputKind& kind) {
  auto settings = built_in(fmt::format("default-{}", kind.name));
  settings.name = "default";
  return settings;
}

}  // namespace perslay::learn
