#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <io/temporary_folder.h>

#include <perslay/data/generators.h>
#include <perslay/experiment/figures.h>
#include <perslay/io/graph_dataset.h>
#include <perslay/learn/model_file.h>

namespace perslay::experiment {
namespace {

/// Reads a tag or an entity where it begins; false where XML would not have it so.
class Markup {
 public:
  explicit Markup(std::string_view text) : rest_(text) {}

  std::string_view name;
  bool closes = false, empty = false;

  bool read_entity() {
    return std::ranges::any_of(std::initializer_list<std::string_view>{"&amp;", "&lt;", "&gt;", "&quot;"},
                               [&](std::string_view known) { return rest_.starts_with(known); });
  }

  bool read_tag() {
    if (!skip("<")) return false;
    closes = skip("/");
    name = word();
    if (name.empty()) return false;
    while (!rest_.starts_with(" /") && skip(" "))
      if (word().empty() || !skip("=\"") || !skip_value()) return false;
    empty = skip(" /") || skip("/");
    return skip(">");
  }

 private:
  bool skip(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  std::string_view word() {
    const auto is_of_name = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-';
    };
    const auto end = std::ranges::find_if_not(rest_, is_of_name);
    const auto found = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(found.size());
    return found;
  }

  bool skip_value() {
    const auto end = rest_.find_first_of("\"<");
    if (end == std::string_view::npos || rest_[end] == '<') return false;
    rest_.remove_prefix(end + 1);
    return true;
  }

  std::string_view rest_;
};

/// Whether every element is closed, in order, and attributes and entities are spelled as XML wants it.
std::string complaint_about_xml(const std::string& text) {
  std::vector<std::string_view> open;
  for (auto at = text.find_first_of("<&"); at != std::string::npos; at = text.find_first_of("<&", at + 1)) {
    Markup markup(std::string_view(text).substr(at));
    if (text[at] == '&' ? !markup.read_entity() : !markup.read_tag()) return text.substr(at, 80);
    if (text[at] == '&' || markup.empty) continue;
    if (!markup.closes) {
      open.push_back(markup.name);
    } else {
      if (open.empty() || open.back() != markup.name) return text.substr(at, 80);
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + std::string(open.back()) + "> is not closed";
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// A model with 20x20 weights, as training leaves it.
void write_weights(const std::filesystem::path& file, const Job& job, float slope) {
  learn::ModelFile model;
  model.settings = job.settings;
  model.preparation.features.settings = job.settings.features;
  model.preparation.features.widths = {28, 11};
  model.classes = {"1", "-1"};
  for (const auto kind : diagram::extended_kinds) {
    std::vector<float> cells(400);
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = 1 + slope * static_cast<float>(i);
    model.arrays.push_back({"net0.channel" + std::to_string(model.groups.size()) + ".perslay.weight.cells",
                            {20, 20},
                            cells,
                            {}});
    model.groups.push_back({"hks:10", kind});
    model.preparation.scales.emplace_back();
  }
  learn::write_model(file, model);
}

TEST(Figures, AreDrawnFromOutcomes) {
  const test::TemporaryFolder folder;
  io::write_tu_dataset(folder / "MUTAG", data::shapes_dataset(2));
  ReproduceOptions options;
  options.data = folder.path();
  options.folder = folder / "out";
  std::vector<Outcome> outcomes;
  const auto tables = plan_all({"figures"});
  for (const auto& job : tables.front().jobs) {
    Outcome outcome;
    outcome.job = job;
    outcome.accuracy.mean = 0.8;
    if (job.settings.network.train_filtration) outcome.times = {{1, 0.5, 2}, {3, 2, 5}};
    if (job.column == "weights 20x20") {
      const auto models = options.folder / job.folder / "models";
      std::filesystem::create_directories(models);
      write_weights(models / "start.safetensors", job, 0);
      write_weights(models / "end.safetensors", job, 0.01F);
    }
    outcomes.push_back(std::move(outcome));
  }

  const auto files = draw_figures(outcomes, options);
  const auto text_of = [](const std::filesystem::path& file) { return test::read_bytes(file); };
  std::set<std::string> names;
  for (const auto& file : files) names.insert(file.filename().string());
  EXPECT_EQ(names, (std::set<std::string>{"figures.html", "orbits.svg", "extended-persistence.svg",
                                          "diagrams-over-t.svg", "accuracy-over-t.svg", "architecture.svg",
                                          "weights.svg", "t-optimisation.svg"}));
  for (const auto& name : names) {
    if (!name.ends_with(".svg")) continue;
    const auto svg = text_of(options.folder / name);
    EXPECT_EQ(complaint_about_xml(svg), "") << name;
    EXPECT_EQ(count_of(svg, "nan"), count_of(svg, "dominant")) << name;
    EXPECT_GT(count_of(svg, "class=\"dot ") + count_of(svg, "class=\"cell "), 2U) << name;
  }
  EXPECT_EQ(count_of(text_of(options.folder / "orbits.svg"), "<circle"), 15U * 1000);
  EXPECT_EQ(count_of(text_of(options.folder / "weights.svg"), "class=\"cell "), 8U * 400);
  EXPECT_EQ(count_of(text_of(options.folder / "t-optimisation.svg"), "class=\"band "), 3U);
  EXPECT_EQ(count_of(text_of(options.folder / "accuracy-over-t.svg"), "data-tip=\"MUTAG, t = "), 9U);
  EXPECT_EQ(count_of(text_of(files.front()), "<section id="), 7U);

  // One interval of each kind: ord0 while the sublevel graphs grow, rel1 while the superlevel graphs do.
  const auto levels = text_of(options.folder / "extended-persistence.svg");
  EXPECT_EQ(count_of(levels, "class=\"bar "), 4U);
  for (const auto* tip :
       {"ord0: from 0.6 to 1.5", "rel1: from 2.9 to 1.8", "ext0: from 0 to 4", "ext1: from 3.2 to 0"})
    EXPECT_EQ(count_of(levels, tip), 1U) << tip;
  const auto network = text_of(options.folder / "architecture.svg");
  // Four diagrams, a PersLay for each, features, all of them side by side, and one dense layer.
  EXPECT_EQ(count_of(network, "class=\"bar box"), 4U + 4 + 1 + 1 + 1);
  EXPECT_EQ(count_of(network, "class=\"head\""), 4U + 4 + 1 + 1);
  EXPECT_EQ(count_of(network, ">sum: 441 numbers<"), 4U);
  EXPECT_EQ(count_of(network, ">10 filters of 2x2: 4000<"), 4U);
  EXPECT_EQ(count_of(network, ">39 features<"), 1U);
  EXPECT_EQ(count_of(network, ">16039 numbers<"), 1U);
  EXPECT_EQ(count_of(network, ">dense: 2 numbers<"), 1U);
  EXPECT_EQ(count_of(network, ">classes 1, -1<"), 1U);
}

/// Two channels read ext1, one of them with a convolution inside phi.
TEST(Figures, ShowCombinedChannels) {
  const test::TemporaryFolder folder;
  ReproduceOptions options;
  options.folder = folder.path();
  Outcome outcome;
  outcome.job = plan_all({"figures"}).front().jobs.front();
  outcome.job.column = "weights 20x20";
  auto& network = outcome.job.settings.network;
  network.channel = {"", "line:5", "grid:20x20", "sum"};
  network.channels["ext1"] = {{"", "gaussian:6x6", "grid:20x20", "topk:2", {}, "3x2"},
                              {"", "triangle:7", "grid:20x20", "max"}};
  network.convolve_points = true;
  const auto models = options.folder / outcome.job.folder / "models";
  std::filesystem::create_directories(models);
  for (const auto* const name : {"start.safetensors", "end.safetensors"}) {
    write_weights(models / name, outcome.job, 0.01F);
    auto model = learn::read_model(models / name);
    model.arrays.push_back({"net0.channel4.weight.cells", {20, 20}, std::vector<float>(400, 1), {}});
    learn::write_model(models / name, model);
  }
  draw_figures({outcome}, options);
  const auto network_svg = test::read_bytes(options.folder / "architecture.svg");
  const auto weights = test::read_bytes(options.folder / "weights.svg");
  EXPECT_EQ(complaint_about_xml(network_svg), "");
  // Five PersLays: lines of three kinds, and two of ext1.
  EXPECT_EQ(count_of(network_svg, ">PersLay<"), 5U);
  EXPECT_EQ(count_of(network_svg, ">sum: 5 numbers<"), 3U);
  EXPECT_EQ(count_of(network_svg, ">3 filters of 2x2<"), 1U);
  EXPECT_EQ(count_of(network_svg, ">topk:2: 150 numbers<"), 1U);  // 3 filters x 5x5 places x 2 ranks
  EXPECT_EQ(count_of(network_svg, ">max: 7 numbers<"), 1U);
  EXPECT_EQ(count_of(network_svg, ">211 numbers<"), 1U);  // and 39 features
  EXPECT_EQ(count_of(weights, "class=\"cell "), 2U * 5 * 400);
  for (const auto* const title : {"hks:10 ext1, gaussian:6x6, after", "hks:10 ext1, triangle:7, before"})
    EXPECT_EQ(count_of(weights, title), 2U) << title;  // as its heading, and for readers of screens
}

TEST(Figures, WithoutTrainingsAreThoseThatNeedNone) {
  const test::TemporaryFolder folder;
  io::write_tu_dataset(folder / "MUTAG", data::shapes_dataset(2));
  ReproduceOptions options;
  options.data = folder.path();
  options.folder = folder / "out";
  std::filesystem::create_directory(options.folder);
  EXPECT_EQ(draw_figures({}, options).size(), 4U);
  std::filesystem::remove_all(folder / "MUTAG");
  EXPECT_EQ(draw_figures({}, options).size(), 3U);  // all but the diagrams of one of its graphs
}

TEST(Figures, XmlIsChecked) {
  EXPECT_EQ(complaint_about_xml("<a b=\"1\" c-d=\"&lt;\"><e /><f/>&amp;</a>"), "");
  for (const char* const odd : {"<a>", "<a></b>", "</a>", "<a b=1></a>", "<a b=\"<\"></a>", "<a>&nbsp;</a>",
                                "< a></a>", "<a b=\"1></a>", "<a", "<a ></a>"})
    EXPECT_NE(complaint_about_xml(odd), "") << odd;
}

}  // namespace
}  // namespace perslay::experiment
