#include "io/temporary_folder.h"
#include "mutations.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/data/generators.h>
#include <perslay/features/cache.h>
#include <perslay/features/inputs.h>
#include <perslay/io/graph_dataset.h>

namespace perslay::features {
namespace {

bool same(const Items& a, const Items& b) {
  return a.labels == b.labels && a.classes == b.classes && a.sizes == b.sizes && a.blocks == b.blocks &&
         a.keyed == b.keyed && std::ranges::equal(a.groups, b.groups, [](const auto& x, const auto& y) {
           return x.filtration == y.filtration && x.kind == y.kind &&
                  std::ranges::equal(x.diagrams.points(), y.diagrams.points()) &&
                  std::ranges::equal(x.diagrams.offsets(), y.diagrams.offsets());
         });
}

class Cache : public ::testing::Test {
 protected:
  Cache() {
    auto shapes = data::shapes_dataset(6);
    for (std::int64_t v = 0; v < shapes.vertex_offsets.back(); ++v)
      shapes.node_labels.push_back(static_cast<int>(v % 3));
    io::write_tu_dataset(folder_ / "shapes", shapes);
    request_.filtrations = {"hks:10", "degree"};
    request_.features = {"eigenvalues", "statistics", "landscape:2x5", "wl:2", "label-returns:4@1"};
    options_.cache = folder_ / "cache" / "deeper";
    options_.cache_seconds = 0;
  }

  [[nodiscard]] Items load() const { return load_items(folder_ / "shapes", request_, {}, options_); }
  [[nodiscard]] std::filesystem::path file() const {
    return options_.cache / (cache_key(folder_ / "shapes", request_) + ".items");
  }

  test::TemporaryFolder folder_;
  LoadRequest request_;
  LoadOptions options_;
};

// A label that no item has is a mistake in training, and 0 everywhere in prediction.
TEST_F(Cache, PredictionAndTrainingShareItemsUnlessTheyReadLabels) {
  const auto key = [&](std::vector<std::string> filtrations, std::vector<std::string> features,
                       bool to_predict) {
    return cache_key(
        folder_ / "shapes",
        {.filtrations = std::move(filtrations), .features = std::move(features), .to_predict = to_predict});
  };
  EXPECT_EQ(key({"degree"}, {"size"}, false), key({"degree"}, {"size"}, true));
  EXPECT_NE(key({"label:2"}, {}, false), key({"label:2"}, {}, true));
  EXPECT_NE(key({"degree"}, {"deciles:label:2"}, false), key({"degree"}, {"deciles:label:2"}, true));
  request_ = {.filtrations = {"label:9"}, .to_predict = true};
  EXPECT_EQ(load().count(), 18U);
  request_.to_predict = false;
  EXPECT_THROW((void)load(), base::Error);
}

TEST_F(Cache, ItemsComeBackBitForBit) {
  const Items computed = load_items(folder_ / "shapes", request_);
  EXPECT_TRUE(same(load(), computed));
  ASSERT_TRUE(std::filesystem::exists(file()));
  const auto bytes = test::read_bytes(file());
  const auto cached = read_cached_items(file());
  ASSERT_TRUE(cached.has_value());
  EXPECT_TRUE(same(cached->items, computed));
  EXPECT_TRUE(same(load(), computed));
  EXPECT_EQ(test::read_bytes(file()), bytes);
}

/// labels.csv may name files outside its folder; what is in them matters as well.
TEST_F(Cache, TheKeyDependsOnFilesThatLabelsNameElsewhere) {
  std::filesystem::create_directory(folder_ / "clouds");
  test::write_bytes(folder_ / "clouds" / "labels.csv", "../elsewhere.csv,x\n");
  test::write_bytes(folder_ / "elsewhere.csv", "0,0\n1,0\n");
  const auto before = cache_key(folder_ / "clouds", {});
  ASSERT_EQ(before.size(), 32U);
  test::write_bytes(folder_ / "elsewhere.csv", "0,0\n2,0\n");
  EXPECT_NE(cache_key(folder_ / "clouds", {}), before);
}

TEST_F(Cache, WhatIsKeptIsRead) {
  (void)load();
  CachedItems other = *read_cached_items(file());
  other.items.sizes.front() = {12345, 678};
  other.remarks = {"Not computed."};
  write_cached_items(file(), other);
  std::vector<std::string> remarks;
  options_.remark = [&](const std::string& remark) { remarks.push_back(remark); };
  EXPECT_EQ(load().sizes.front(), (ItemSize{12345, 678}));
  EXPECT_EQ(remarks, (std::vector<std::string>{
                         "Taken from the cache, where it was kept: 18 graphs in 3 classes from " +
                             (folder_ / "shapes").string() + " (labels from shapes_graph_labels.txt).",
                         "Not computed."}));
}

TEST_F(Cache, RemarksAreMadeAgain) {
  test::write_bytes(folder_ / "loop.txt", "1 2\n2 2\n3\n");
  for (int time = 0; time < 2; ++time) {
    std::vector<std::string> remarks;
    options_.remark = [&](const std::string& remark) { remarks.push_back(remark); };
    (void)load_items(folder_ / "loop.txt", {}, {}, options_);
    const std::string said = time == 0 ? "Read " : "Taken from the cache, where it was kept: ";
    ASSERT_EQ(remarks.size(), 2U);
    EXPECT_EQ(remarks[0], said + "1 graph without labels from " + (folder_ / "loop.txt").string() +
                              "; 1 self loop dropped.");
    EXPECT_NE(remarks[1].find("vertex 0"), std::string::npos);
  }
}

TEST_F(Cache, TheKeyDependsOnAllThatMatters) {
  std::set<std::string> keys;
  const auto is_new = [&](const LoadRequest& request, const LoadOptions& options = {}) {
    return keys.insert(cache_key(folder_ / "shapes", request, options)).second;
  };
  EXPECT_TRUE(is_new(request_));
  EXPECT_FALSE(is_new(request_));
  EXPECT_EQ(keys.begin()->size(), 32U);
  EXPECT_TRUE(is_new(request_, {.reading = {.one_based = true}}));
  EXPECT_TRUE(is_new(request_, {.reading = {.columns = {"a", "b"}}}));
  EXPECT_TRUE(is_new(request_, {.as = &graph_kind()}));
  const auto changed = [&](auto&& change) {
    LoadRequest request = request_;
    change(request);
    return is_new(request);
  };
  EXPECT_TRUE(changed([](LoadRequest& r) { r.filtrations = {"hks:10"}; }));
  EXPECT_TRUE(changed([](LoadRequest& r) { r.filtrations = {"degree", "hks:10"}; }));
  EXPECT_TRUE(changed([](LoadRequest& r) { r.kinds = {diagram::Kind::ord0}; }));
  EXPECT_TRUE(changed([](LoadRequest& r) { r.essential = "clip"; }));
  EXPECT_TRUE(changed([](LoadRequest& r) { r.essential = "clip:1"; }));
  EXPECT_TRUE(changed([](LoadRequest& r) { r.drop_diagonal = true; }));
  EXPECT_TRUE(changed([](LoadRequest& r) { r.keep_diagrams = false; }));
  EXPECT_TRUE(changed([](LoadRequest& r) { r.transforms = {"prom:3"}; }));
  EXPECT_TRUE(changed([](LoadRequest& r) { r.features.pop_back(); }));

  const auto values = folder_ / "values.txt";
  test::write_bytes(values, "1\n");
  const auto of_file = [&](LoadRequest& r) { r.filtrations = {"file:" + values.string()}; };
  const auto deciles_of_file = [&](LoadRequest& r) { r.features = {"deciles:file:" + values.string()}; };
  EXPECT_TRUE(changed(of_file));
  EXPECT_TRUE(changed(deciles_of_file));
  test::write_bytes(values, "2\n");
  EXPECT_TRUE(changed(of_file));
  EXPECT_TRUE(changed(deciles_of_file));

  test::write_bytes(folder_ / "shapes" / "shapes_graph_labels.txt", "0\n");
  EXPECT_TRUE(is_new(request_));
  test::write_bytes(folder_ / "shapes" / "more.txt", "");
  EXPECT_TRUE(is_new(request_));
  EXPECT_EQ(cache_key(folder_ / "nothing", request_), "");
}

TEST_F(Cache, ADamagedFileIsRemarkedUponAndWrittenAgain) {
  const Items computed = load();
  const auto good = test::read_bytes(file());
  for (const auto& bytes : {std::string(), std::string("perslay items\n"), good.substr(0, good.size() / 2),
                            good.substr(0, good.size() - 1), good + "x", std::string(1000, '\xff')}) {
    test::write_bytes(file(), bytes);
    EXPECT_FALSE(read_cached_items(file()).has_value());
  }
  std::vector<std::string> remarks;
  options_.remark = [&](const std::string& remark) { remarks.push_back(remark); };
  EXPECT_TRUE(same(load(), computed));
  ASSERT_EQ(remarks.size(), 2U);
  EXPECT_EQ(remarks[0], file().string() + " is damaged; what it held is computed again.");
  EXPECT_TRUE(remarks[1].starts_with("Read 18 graphs ")) << remarks[1];
  EXPECT_EQ(test::read_bytes(file()), good);
  EXPECT_TRUE(same(load(), computed));
  EXPECT_EQ(remarks.size(), 3U);
}

TEST_F(Cache, NoMutationGivesOtherItems) {
  (void)load();
  const auto good = test::read_bytes(file());
  const auto damaged = folder_ / "damaged";
  test::expect_mutations_noticed(good, 1 + good.size() / 1000, [&](const std::string& bytes) {
    test::write_bytes(damaged, bytes);
    const auto read = read_cached_items(damaged);
    if (!read) throw base::user_error("Nothing is taken from it.");
    write_cached_items(damaged, *read);
    return test::read_bytes(damaged);
  });
}

TEST_F(Cache, AFolderThatCannotBeWrittenIsNoError) {
  test::write_bytes(folder_ / "cache", "a file where the folder should be");
  std::vector<std::string> remarks;
  options_.remark = [&](const std::string& remark) { remarks.push_back(remark); };
  EXPECT_EQ(load().count(), 18U);
  ASSERT_EQ(remarks.size(), 2U);
  EXPECT_TRUE(remarks[1].starts_with("What was computed is not kept for the next time: ")) << remarks[1];
}

TEST_F(Cache, WhatIsQuickIsNotKept) {
  options_.cache_seconds = 1000;
  (void)load();
  EXPECT_FALSE(std::filesystem::exists(options_.cache));
}

TEST_F(Cache, TheDefaultFolderFollowsTheEnvironment) {
  const auto with = [](const char* name, const char* value) {
    value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
  };
  const auto keep = [](const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
  };
  const std::string cache = keep("XDG_CACHE_HOME"), home = keep("HOME");
  with("XDG_CACHE_HOME", "/somewhere");
  EXPECT_EQ(default_cache_folder(), "/somewhere/perslay");
  with("XDG_CACHE_HOME", nullptr);
  with("HOME", "/home/me");
  EXPECT_EQ(default_cache_folder(), "/home/me/.cache/perslay");
  with("HOME", nullptr);
  EXPECT_EQ(default_cache_folder(), "");
  if (!cache.empty()) with("XDG_CACHE_HOME", cache.c_str());
  if (!home.empty()) with("HOME", home.c_str());
}

}  // namespace
}  // namespace perslay::features
