#pragma once

namespace perslay::base {

/// The physical memory of this machine, in bytes.
[[nodiscard]] double machine_memory();

}  // namespace perslay::base
