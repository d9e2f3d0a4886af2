#include <perslay/learn/settings.h>

namespace perslay::learn {

Settings default_settings(features::Content content) {
  Settings settings;
  settings.name = "default";
  settings.data.transforms = {"prom:500"};
  settings.network.initialisation = "authors";
  settings.training.schedule = "halving:20";
  settings.training.average = 0.9;
  switch (content) {
    case features::Content::graphs:
      settings.data.filtrations = {"hks:0.1", "hks:10"};
      settings.features.names = {"eigenvalues", "deciles:hks:0.1", "deciles:hks:10"};
      break;
    case features::Content::clouds:
      settings.data.filtrations = {"alpha"};
      settings.data.transforms.emplace_back("sqrt");
      settings.network.channel = {"Pm(25,25,10,top-5)"};
      settings.training.schedule = "cosine";
      break;
    case features::Content::diagrams:
      settings.data.filtrations.clear();
      break;
  }
  return settings;
}

}  // namespace perslay::learn
