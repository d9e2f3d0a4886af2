#include "requirements.h"

#include "names.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/memory.h>
#include <perslay/base/repeated.h>
#include <perslay/features/input_kind.h>

namespace perslay::learn {

void require_classes(const features::Items& items) {
  if (items.labels.empty()) throw base::user_error("The data have no labels, so there is nothing to learn.");
  if (std::ranges::all_of(items.labels, [&](int label) { return label == items.labels.front(); }))
    throw base::user_error("All items are of one class, so there is nothing to learn.");
  std::vector<std::string> names;
  for (const auto& name : items.classes) names.push_back(valid_utf8(name));
  if (const auto* const name = base::repeated(names))
    throw base::user_error(fmt::format("Two classes are called '{}', so they cannot be told apart.", *name));
}

void require_loops(const features::Items& items, const Settings& settings) {
  const bool computed = items.kind != nullptr && !items.kind->is_stored();
  const auto has_loops = [](const auto& group) { return group.kind == diagram::Kind::sub1; };
  if (computed && settings.data.essential == DataSettings{}.essential &&
      std::ranges::any_of(items.groups, has_loops))
    throw base::user_error("Loops of a graph never die, so sub1 is empty unless 'essential' is clip.");
}

namespace {

constexpr double gigabyte = 1e9;

std::string what_is_there() {
  return fmt::format("this machine has {:.1f} GB, three quarters of which are used",
                     base::machine_memory() / gigabyte);
}

}  // namespace

void require_memory(const Cost& cost, std::size_t items) {
  if (cost.bytes > base::usable_memory())
    throw base::user_error(
        fmt::format("Learning from {} items would need about {:.1f} GB, and {}; take fewer items, or another "
                    "model.",
                    items, cost.bytes / gigabyte, what_is_there()));
}

double bytes_of_training(const network::Architecture& architecture, std::size_t batch) {
  constexpr double copied = 4;  // numbers, two moments and an average, while they are written
  return network::bytes_of_pass(architecture, batch, true) +
         copied * sizeof(float) * network::weight_counts(architecture).all();
}

void require_memory(const network::Architecture& architecture, std::size_t batch) {
  network::require_sensible(architecture);
  const double bytes = bytes_of_training(architecture, batch);
  if (bytes <= base::usable_memory()) return;
  throw base::user_error(
      fmt::format("Training the network on {} items at once would need about {:.1f} GB ({:.1f} GB for one "
                  "item), and {}; take a smaller training.batch, or smaller channels.",
                  batch, bytes / gigabyte, bytes_of_training(architecture, 1) / gigabyte, what_is_there()));
}

}  // namespace perslay::learn
