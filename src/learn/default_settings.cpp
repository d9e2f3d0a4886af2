#include <fmt/format.h>

#include <perslay/learn/built_in_settings.h>
#include <perslay/learn/settings.h>

namespace perslay::learn {

Settings default_settings(const features::InputKind& kind) {
  const auto own = fmt::format("default-{}", kind.name);
  auto settings = built_in(is_built_in(own) ? own : "default-diagrams");
  settings.name = "default";
  if (settings.data.filtrations.empty() && !kind.default_filtration.empty())
    settings.data.filtrations.emplace_back(kind.default_filtration);
  return settings;
}

}  // namespace perslay::learn
