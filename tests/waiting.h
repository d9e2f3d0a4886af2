#pragma once

#include <chrono>
#include <thread>

namespace perslay::test {

/// Waits for what another thread or process brings about. A test that waits in vain is ended by CTest.
template <class Condition>
void wait_until(const Condition& condition) {
  while (!condition()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace perslay::test
