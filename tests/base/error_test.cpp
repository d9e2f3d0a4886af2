#include <string>

#include <gtest/gtest.h>

#include <perslay/base/error.h>

namespace perslay::base {
namespace {

using std::string_literals::operator""s;

/// A file that is quoted can neither cut a sentence, nor break its line, nor talk to a terminal.
TEST(Error, ControlCharactersAreEscaped) {
  const Error error = user_error("a\0b\nc\x1b[31md\x7f.\t"s);
  EXPECT_STREQ(error.what(), "a\\x00b\\x0ac\\x1b[31md\\x7f.\\x09");
  EXPECT_EQ(error.fault(), Fault::user);
  EXPECT_STREQ(internal_error("na\xC3\xAFve \\x00.").what(), "na\xC3\xAFve \\x00.");
  EXPECT_STREQ(Error(Fault::user, error.what()).what(), error.what());
}

}  // namespace
}  // namespace perslay::base
