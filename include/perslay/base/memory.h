#pragma once

namespace perslay::base {

/// Bytes of this machine.
[[nodiscard]] double machine_memory();

}  // namespace perslay::base
