#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <io/temporary_folder.h>

#include <perslay/data/generators.h>
#include <perslay/experiment/figures.h>
#include <perslay/io/graph_dataset.h>
#include <perslay/learn/model_file.h>

namespace perslay::experiment {
namespace {

/// Whether every element is closed, in order, and attributes and entities are spelled as XML wants it.
std::string complaint_about_xml(const std::string& text) {
  static const std::regex tag(R"(<(/?)([A-Za-z][A-Za-z0-9]*)((?: [A-Za-z][A-Za-z0-9-]*="[^"<]*")*) ?(/?)>)");
  static const std::regex entity("^&(amp|lt|gt|quot);");
  std::vector<std::string> open;
  for (auto at = text.find_first_of("<&"); at != std::string::npos; at = text.find_first_of("<&", at + 1)) {
    std::smatch found;
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(at);
    const auto wanted = text[at] == '&' ? entity : tag;
    if (!std::regex_search(begin, text.end(), found, wanted, std::regex_constants::match_continuous))
      return text.substr(at, 80);
    if (text[at] == '&' || found[4].length() > 0) continue;
    if (found[1].length() == 0) {
      open.push_back(found[2]);
    } else {
      if (open.empty() || open.back() != found[2]) return text.substr(at, 80);
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

/// A model with 20x20 weights, as training leaves it.
void write_weights(const std::filesystem::path& file, const Job& job, float slope) {
  learn::ModelFile model;
  model.settings = job.settings;
  model.settings.features = {};
  model.classes = {"1", "-1"};
  for (const auto kind : diagram::extended_kinds) {
    std::vector<float> cells(400);
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = 1 + slope * static_cast<float>(i);
    model.arrays.push_back({"net0.channel" + std::to_string(model.inputs.size()) + ".perslay.weight.cells",
                            {20, 20},
                            cells,
                            {}});
    model.inputs.push_back({"hks:10", kind});
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
  for (const auto& job : plan("figures").jobs) {
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
  const auto count = [](const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  std::set<std::string> names;
  for (const auto& file : files) names.insert(file.filename().string());
  EXPECT_EQ(names, (std::set<std::string>{"figures.html", "orbits.svg", "extended-persistence.svg",
                                          "diagrams-over-t.svg", "accuracy-over-t.svg", "weights.svg",
                                          "t-optimisation.svg"}));
  for (const auto& name : names) {
    if (!name.ends_with(".svg")) continue;
    const auto svg = text_of(options.folder / name);
    EXPECT_EQ(complaint_about_xml(svg), "") << name;
    EXPECT_EQ(count(svg, "nan"), count(svg, "dominant")) << name;
    EXPECT_GT(count(svg, "class=\"dot ") + count(svg, "class=\"cell "), 2U) << name;
  }
  EXPECT_EQ(count(text_of(options.folder / "orbits.svg"), "<circle"), 15U * 1000);
  EXPECT_EQ(count(text_of(options.folder / "weights.svg"), "class=\"cell "), 8U * 400);
  EXPECT_EQ(count(text_of(options.folder / "t-optimisation.svg"), "class=\"band "), 3U);
  EXPECT_EQ(count(text_of(options.folder / "accuracy-over-t.svg"), "data-tip=\"MUTAG, t = "), 9U);
  EXPECT_EQ(count(text_of(files.front()), "<section id="), 6U);
}

TEST(Figures, WithoutTrainingsAreThoseThatNeedNone) {
  const test::TemporaryFolder folder;
  io::write_tu_dataset(folder / "MUTAG", data::shapes_dataset(2));
  ReproduceOptions options;
  options.data = folder.path();
  options.folder = folder / "out";
  std::filesystem::create_directory(options.folder);
  EXPECT_EQ(draw_figures({}, options).size(), 4U);
}

TEST(Figures, XmlIsChecked) {
  EXPECT_EQ(complaint_about_xml("<a x=\"1\"><b/>&amp;</a>"), "");
  for (const auto* bad : {"<a>", "<a></b>", "<a x=1/>", "a & b", "<a x=\"<\"/>"})
    EXPECT_NE(complaint_about_xml(bad), "") << bad;
}

}  // namespace
}  // namespace perslay::experiment
