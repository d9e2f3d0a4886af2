#pragma once

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/diagram/diagram_set.h>

namespace perslay::kernel {

/// Errors of `run` begin with the group that they are about.
template <class Run>
void with_title(const diagram::DiagramGroup& group, Run run) {
  try {
    run();
  } catch (const base::Error& error) {
    if (error.fault() != base::Fault::user) throw;
    throw base::user_error(fmt::format("{}: {}", group.title(), error.what()));
  }
}

}  // namespace perslay::kernel
