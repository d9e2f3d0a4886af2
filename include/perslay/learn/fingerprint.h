#pragma once

#include <cstdint>
#include <string>

#include <perslay/base/context.h>
#include <perslay/features/items.h>
#include <perslay/learn/learner.h>

namespace perslay::learn {

/// 16 hexadecimal digits that change, all but certainly, if anything about the items does. It tells whether
/// work that was interrupted can be taken up; it is no protection against malice. One pass over the items.
[[nodiscard]] std::string fingerprint(const features::Items& items, const base::Context& context = {});

/// The same for a training, after the program's version: one word that changes with the rows, the settings
/// and the seed, too.
[[nodiscard]] std::string fingerprint(const Part& part, const Settings& settings, std::uint64_t seed,
                                      const base::Context& context = {});

}  // namespace perslay::learn
