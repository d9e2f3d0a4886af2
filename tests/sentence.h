#pragma once

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include <perslay/base/error.h>

namespace perslay::test {

/// The sentence with which `action` blames the user; "no error" if it does not.
inline std::string sentence_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::user);
    return error.what();
  }
  return "no error";
}

}  // namespace perslay::test
