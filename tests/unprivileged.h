#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

namespace perslay::test {

/// While it lives, this process, and each program that it starts, has the rights of nobody in particular, so that
/// folders without rights cannot be read. Users other than the superuser have no more than that anyway.
class Unprivileged {
 public:
  Unprivileged() : was_root_(::geteuid() == 0) {
    if (was_root_) dropped_ = ::setresuid(nobody, nobody, 0) == 0;
  }
  ~Unprivileged() {
    if (was_root_ && dropped_ && ::setresuid(0, 0, 0) != 0) ADD_FAILURE() << "The rights are lost.";
  }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;

  /// Whether it is so: in some containers the superuser cannot become anybody else.
  [[nodiscard]] bool is_so() const noexcept { return !was_root_ || dropped_; }

 private:
  static constexpr uid_t nobody = 65534;
  bool was_root_, dropped_ = false;
};

}  // namespace perslay::test
