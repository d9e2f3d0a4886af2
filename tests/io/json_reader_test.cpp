#include "io/json_reader.h"

#include "graph_files.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <perslay/base/random.h>

namespace perslay::test {
namespace {

using Type = io::JsonReader::Type;

/// The value that comes next, as a tree.
nlohmann::json tree(io::JsonReader& json) {
  nlohmann::json value;
  switch (json.type()) {
    case Type::object:
      value = nlohmann::json::object();
      json.object([&](const std::string& key) { value[key] = tree(json); });
      return value;
    case Type::array:
      value = nlohmann::json::array();
      json.array([&] { value.push_back(tree(json)); });
      return value;
    case Type::text:
      return json.text();
    case Type::number:
      return nlohmann::json::parse(json.number());
    case Type::boolean:
      return json.boolean();
    default:
      EXPECT_TRUE(json.take_null());
      return nullptr;
  }
}

/// Nothing if the text is refused.
std::optional<nlohmann::json> read(const std::string& content, bool skip = false) {
  try {
    const io::Text text{"t.json", content};
    const base::Context context;
    io::JsonReader json(text, context);
    nlohmann::json value;
    bool read = false;
    json.for_each([&] {
      if (read) json.fail("There is a second value.");
      read = true;
      if (skip) return json.skip();
      value = tree(json);
    });
    if (!read) return std::nullopt;
    return value;
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::user) << error.what();
    expect_parts(error.what(), {"t.json:"});
    return std::nullopt;
  }
}

constexpr auto good =
    R"({"a": [1, -2.5e-3, 0.0, 1E+2, true, false, null, []], "b\"\u00e9\ud83d\ude00\n/": {"": "ü\\"}})";

/// Another library is the oracle: spoiled texts are read the same, or refused by both.
TEST(JsonReader, AgreesWithAnotherReader) {
  ASSERT_EQ(read(good), nlohmann::json::parse(good));
  int accepted = 0;
  for (std::uint64_t round = 0; round < 5000; ++round) {
    base::RandomStream random(3, round);
    std::string text = good;
    for (std::uint64_t changes = 1 + random.below(3); changes > 0; --changes) {
      const std::size_t at = random.below(text.size());
      constexpr std::string_view bytes = "\"\\[]{},:0123456789-+.eEtrufalsn \n\x80\xC3\xED\xF0\x01";
      switch (random.below(3)) {
        case 0:
          text.erase(at, 1 + random.below(3));
          break;
        case 1:
          text.insert(at, 1, bytes[random.below(bytes.size())]);
          break;
        default:
          text[at] = bytes[random.below(bytes.size())];
      }
      if (text.empty()) break;
    }
    if (text.empty()) continue;
    if (text.find_first_not_of(" \n") != std::string::npos && text[text.find_first_not_of(" \n")] != '{')
      continue;
    SCOPED_TRACE(text);
    const auto expected = nlohmann::json::parse(text, nullptr, false);
    const auto found = read(text);
    EXPECT_EQ(found.has_value(), !expected.is_discarded());
    EXPECT_EQ(read(text, true).has_value(), found.has_value()) << "skipped";
    if (!found || expected.is_discarded()) continue;
    EXPECT_EQ(*found, expected);
    ++accepted;
  }
  EXPECT_GT(accepted, 300);
}

TEST(JsonReader, ErrorsSayWhatIsExpected) {
  const auto sentence = [](const std::string& content, auto take) {
    return user_error_of([&] {
      const io::Text text{"t.json", content};
      const base::Context context;
      io::JsonReader json(text, context);
      take(json);
    });
  };
  const auto skip = [](io::JsonReader& json) { json.skip(); };
  const auto integer = [](io::JsonReader& json) { (void)json.integer(); };
  const auto real = [](io::JsonReader& json) { (void)json.real(); };
  EXPECT_EQ(sentence("[1,\n2", skip), "t.json:2: The text ends where ',' or ']' is expected.");
  EXPECT_EQ(sentence("{\"a\" 1}", skip), "t.json:1: '1' stands where ':' is expected.");
  EXPECT_EQ(sentence("{1: 2}", skip), "t.json:1: '1' stands where a key in quotes is expected.");
  EXPECT_EQ(sentence("[1 2]", skip), "t.json:1: '2' stands where ',' or ']' is expected.");
  EXPECT_EQ(sentence("[x]", skip), "t.json:1: 'x' stands where a value is expected.");
  EXPECT_EQ(sentence("", skip), "t.json:1: The text ends where a value is expected.");
  EXPECT_EQ(sentence("\"a", skip), "t.json:1: A text that opens with a quote is never closed.");
  EXPECT_EQ(sentence("\"\t\"", skip), "t.json:1: The byte 9 stands in a text; it should be escaped.");
  EXPECT_EQ(sentence("\"\\x\"", skip),
            "t.json:1: A backslash in a text is followed by none of the letters of JSON.");
  EXPECT_EQ(sentence("\"\\u12g4\"", skip), "t.json:1: Four hexadecimal digits are expected after \\u.");
  EXPECT_EQ(sentence("\"\\ud800\\u0041\"", skip), "t.json:1: A text holds half of a character: \\ud800.");
  EXPECT_EQ(sentence("\"\xFF\"", skip), "t.json:1: The text '\\xff' is not UTF-8.");
  EXPECT_EQ(sentence("01", skip), "t.json:1: '01' is not a number of JSON.");
  EXPECT_EQ(sentence("1.", skip), "t.json:1: The text ends where a digit is expected.");
  EXPECT_EQ(sentence("1.5", integer), "t.json:1: '1.5' is not an integer.");
  EXPECT_EQ(sentence("99999999999999999999", integer),
            "t.json:1: '99999999999999999999' is too large an integer.");
  EXPECT_EQ(sentence("1e999", real), "t.json:1: '1e999' is outside the range of double precision.");
  EXPECT_EQ(sentence("-Infinity", real), "t.json:1: '-Infinity' is not a finite number.");
  EXPECT_EQ(sentence("\"1\"", real), "t.json:1: '\"1\"' stands where a number is expected.");
  EXPECT_EQ(sentence("1", [](io::JsonReader& json) { (void)json.text(); }),
            "t.json:1: '1' stands where a text in quotes is expected.");
}

/// Nothing recurses.
TEST(JsonReader, DeepLists) {
  const std::size_t depth = 1'000'000;
  EXPECT_TRUE(read(fmt::format("{{\"a\": {:[>{}}{:]>{}}}}", "", depth, "", depth), true).has_value());
}

}  // namespace
}  // namespace perslay::test
