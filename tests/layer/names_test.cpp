#include "sentence.h"

#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/layer/channel.h>
#include <perslay/layer/vectorization.h>

namespace perslay::layer {
namespace {

using test::sentence_of;

std::string phi_sentence(const char* name) {
  return sentence_of([&] { (void)parse_point_transform(name); });
}
std::string weight_sentence(const char* name) {
  return sentence_of([&] { (void)parse_weight(name); });
}
std::string op_sentence(const char* name) {
  return sentence_of([&] { (void)parse_operation(name); });
}
std::string paper_sentence(const char* name) {
  return sentence_of([&] { (void)parse_paper_channel(name); });
}

using Type = PointTransform::Type;

PointTransform phi_of(Type type, std::size_t count, std::size_t rows = 0) {
  return {.type = type, .count = count, .rows = rows};
}

std::size_t numbers_in(const std::vector<ParameterShape>& shapes) {
  std::size_t total = 0;
  for (const auto& shape : shapes) total += shape.size();
  return total;
}

// ---- point transformations

TEST(PointTransformNames, StandForTheirTypes) {
  EXPECT_EQ(parse_point_transform("gaussian:20x10"), phi_of(Type::gaussian_grid, 20, 10));
  EXPECT_EQ(parse_point_transform("gaussian:50"), phi_of(Type::gaussian, 50));
  EXPECT_EQ(parse_point_transform("triangle:50"), phi_of(Type::triangle, 50));
  EXPECT_EQ(parse_point_transform("line:25"), phi_of(Type::line, 25));
  EXPECT_EQ(parse_point_transform("hofer:50"), phi_of(Type::hofer, 50));
  EXPECT_EQ(parse_point_transform("betti:60"), phi_of(Type::betti, 60));
  EXPECT_EQ(parse_point_transform("flat:60"), phi_of(Type::flat, 60));
  EXPECT_EQ(parse_point_transform("entropy:60"), phi_of(Type::entropy, 60));
  EXPECT_EQ(parse_point_transform("flat-entropy:60"), phi_of(Type::flat_entropy, 60));
  EXPECT_EQ(parse_point_transform("exponential:5"), phi_of(Type::exponential, 5));
  EXPECT_EQ(parse_point_transform("rational:5"), phi_of(Type::rational, 5));
  EXPECT_EQ(parse_point_transform("rational-hat:1000000"), phi_of(Type::rational_hat_1, 1'000'000));
}

TEST(PointTransformNames, OptionsAreRead) {
  EXPECT_EQ(parse_point_transform("hofer:50:nu=0.05").nu, 0.05);
  EXPECT_EQ(parse_point_transform("rational-hat:5:norm=2").type, Type::rational_hat_2);
  EXPECT_FALSE(parse_point_transform("gaussian:5:widths=each").shared_width);
  EXPECT_TRUE(parse_point_transform("gaussian:5:widths=shared").shared_width);
  for (const auto* name : {"gaussian:5:sigma=0.05", "gaussian:5x5:sigma=0.05", "hofer:5:sigma=0.05",
                           "exponential:5:sigma=0.05", "hofer:5:sigma=0.05:nu=1:widths=each"})
    EXPECT_EQ(parse_point_transform(name).sigma, 0.05) << name;
}

TEST(PointTransformNames, ReadBackAsWhatTheyName) {
  for (const auto* name : {"gaussian:20x20",
                           "gaussian:1x7:sigma=0.05",
                           "gaussian:50",
                           "gaussian:50:sigma=1e-6:widths=each",
                           "gaussian:50:sigma=0.30000000000000004",
                           "gaussian:20x20:axes=birth-death",
                           "gaussian:5:sigma=0.1:widths=each:axes=birth-death",
                           "mixture:triangle+gaussian:axes=birth-death+line:4",
                           "triangle:50",
                           "line:25",
                           "hofer:50",
                           "hofer:50:nu=0.05:sigma=2:widths=each",
                           "hofer:3:nu=1e20",
                           "betti:60",
                           "flat:1",
                           "entropy:60",
                           "flat-entropy:60",
                           "exponential:50:sigma=0.25",
                           "rational:50",
                           "rational-hat:50",
                           "rational-hat:50:norm=2",
                           "mixture:triangle+gaussian+line:25",
                           "mixture:triangle+gaussian:5x5+line:25",
                           "mixture:triangle+gaussian:5x5",
                           "mixture:gaussian+gaussian:5x5",
                           "mixture:gaussian:sigma=0.1:widths=each+hofer:nu=0.2+rational-hat:4:norm=2",
                           "mixture:line+line:3"}) {
    const auto phi = parse_point_transform(name);
    EXPECT_EQ(phi.name(), name);
    EXPECT_EQ(parse_point_transform(phi.name()), phi) << name;
  }
}

TEST(PointTransformNames, AreCanonical) {
  const std::pair<const char*, const char*> names[] = {
      {"gaussian:020x20", "gaussian:20x20"},
      {"hofer:50:nu=0.10", "hofer:50"},
      {"hofer:50:sigma=5e-2:nu=0.20", "hofer:50:nu=0.2:sigma=0.05"},
      {"rational-hat:50:norm=1", "rational-hat:50"},
      {"gaussian:5:widths=shared", "gaussian:5"},
      {"gaussian:5x5:axes=birth-persistence:sigma=1", "gaussian:5x5:sigma=1"},
      {"mixture:triangle:25+gaussian:25+line:25", "mixture:triangle+gaussian+line:25"},
      {"mixture:triangle:25+gaussian:5x5", "mixture:triangle+gaussian:5x5"},
  };
  for (const auto& [written, canonical] : names) {
    EXPECT_EQ(parse_point_transform(written).name(), canonical);
    EXPECT_EQ(parse_point_transform(canonical), parse_point_transform(written));
  }
}

TEST(PointTransformNames, MistakesAreSentences) {
  EXPECT_EQ(
      phi_sentence("gaussian"),
      "gaussian needs a number of centres such as gaussian:50 or a grid such as gaussian:20x20, not ''.");
  EXPECT_EQ(phi_sentence("gaussian:0x5"), "gaussian needs a grid such as gaussian:20x20, not '0x5'.");
  EXPECT_EQ(phi_sentence("gaussian:20x"), "gaussian needs a grid such as gaussian:20x20, not '20x'.");
  EXPECT_EQ(phi_sentence("gaussian:x20"), "gaussian needs a grid such as gaussian:20x20, not 'x20'.");
  EXPECT_EQ(phi_sentence("gaussian:20x20x20"),
            "gaussian needs a grid such as gaussian:20x20, not '20x20x20'.");
  EXPECT_EQ(phi_sentence("gaussian:-5x5"), "gaussian needs a grid such as gaussian:20x20, not '-5x5'.");
  EXPECT_EQ(phi_sentence("gaussian:2000x1000"),
            "gaussian needs a grid such as gaussian:20x20, of at most 1000000 in all, not '2000x1000'.");
  EXPECT_EQ(phi_sentence("gaussian:20x20:widths=each"), "gaussian has no option 'widths'.");
  EXPECT_EQ(phi_sentence("gaussian:5:widths=some"),
            "Gaussians have widths=shared or widths=each, not 'some'.");
  EXPECT_EQ(phi_sentence("gaussian:5:axes=death"),
            "gaussian has axes=birth-persistence or axes=birth-death, not 'death'.");
  EXPECT_EQ(phi_sentence("hofer:5:axes=birth-death"), "hofer has no option 'axes'.");
  for (const auto* size : {"", "0", "-1", "1.5", "ten", "5 ", " 5", "5x5", "1e3", "+5"})
    EXPECT_EQ(phi_sentence(fmt::format("triangle:{}", size).c_str()),
              fmt::format("triangle needs a number of samples such as triangle:50, not '{}'.", size));
  EXPECT_EQ(phi_sentence("line:1000001"),
            "line needs a number of lines such as line:50, of at most 1000000, not '1000001'.");
  EXPECT_EQ(
      phi_sentence("line:99999999999999999999999"),
      "line needs a number of lines such as line:50, of at most 1000000, not '99999999999999999999999'.");
  EXPECT_EQ(phi_sentence("line:5:sigma=1"), "line has no option 'sigma'.");
  EXPECT_EQ(phi_sentence("line:5:6"),
            "line does not know what to do with '6'; options are written key=value.");
  EXPECT_EQ(phi_sentence("line:5:"), "line does not know what to do with ''; options are written key=value.");
  EXPECT_EQ(phi_sentence("hofer:5:nu=0"), "hofer needs a positive number for nu, not '0'.");
  EXPECT_EQ(phi_sentence("hofer:5:nu=x"), "hofer needs a positive number for nu, not 'x'.");
  EXPECT_EQ(phi_sentence("hofer:5:sigma=-1"), "hofer needs a number of at least 1e-150 for sigma, not '-1'.");
  EXPECT_EQ(phi_sentence("hofer:5:nu=1:nu=2"), "hofer is given the option 'nu' twice.");
  EXPECT_EQ(phi_sentence("hofer:nu=1"), "hofer needs a number of centres such as hofer:50, not ''.");
  EXPECT_EQ(phi_sentence("rational-hat:5:norm=3"), "rational-hat needs the norm 1 or 2, not '3'.");
  EXPECT_EQ(phi_sentence("rational-hat:5:norm=11"), "rational-hat needs the norm 1 or 2, not '11'.");
  EXPECT_EQ(phi_sentence("given:5").substr(0, 54), "There is no point transformation called 'given:5'; the");
}

TEST(PointTransformNames, MistakesInMixturesAreSentences) {
  EXPECT_EQ(phi_sentence("mixture:triangle:25+gaussian:5x6"),
            "The parts of a mixture need the same size, but triangle:25 has 25 and gaussian:5x6 has 30.");
  EXPECT_EQ(phi_sentence("mixture:triangle+gaussian:5x5+line:30"),
            "The parts of a mixture need the same size, but triangle:30 has 30 and gaussian:5x5 has 25.");
  EXPECT_EQ(phi_sentence("mixture"),
            "mixture needs two parts or more such as mixture:triangle+gaussian+line:25, not ''.");
  EXPECT_EQ(phi_sentence("mixture:line:25"),
            "mixture needs two parts or more such as mixture:triangle+gaussian+line:25, not 'line:25'.");
  EXPECT_EQ(phi_sentence("mixture:line+mixture:25"), "mixture cannot have another mixture among its parts.");
  EXPECT_EQ(phi_sentence("mixture:triangle+line"), "line needs a number of lines such as line:50, not ''.");
  EXPECT_EQ(phi_sentence("mixture:triangle:+line:5"),
            "triangle needs a number of samples such as triangle:50, not ''.");
  EXPECT_EQ(phi_sentence("mixture:+line:5").substr(0, 48),
            "There is no point transformation called ':5'; th");
}

TEST(PointTransformParameters, HaveTheShapesThatAreDocumented) {
  const std::pair<const char*, std::vector<ParameterShape>> expected[] = {
      {"triangle:7", {{"samples", {7}}}},
      {"betti:7", {{"samples", {7}}}},
      {"entropy:7", {{"samples", {7}}}},
      {"flat:7", {{"samples", {7}}, {"steepness", {1}}}},
      {"flat-entropy:7", {{"samples", {7}}, {"steepness", {1}}}},
      {"gaussian:7", {{"centres", {7, 2}}, {"sharpness", {1}}}},
      {"gaussian:7:widths=each", {{"centres", {7, 2}}, {"sharpness", {7}}}},
      {"hofer:7:widths=each", {{"centres", {7, 2}}, {"sharpness", {7}}}},
      {"gaussian:7x3", {{"births", {7}}, {"persistences", {3}}, {"sharpness", {1}}}},
      {"exponential:7", {{"centres", {7, 2}}, {"sharpness", {7, 2}}}},
      {"rational:7", {{"centres", {7, 2}}, {"sharpness", {7, 2}}, {"exponent", {7}}}},
      {"rational-hat:7", {{"centres", {7, 2}}, {"radius", {7}}}},
      {"line:7", {{"directions", {7, 2}}, {"bias", {7}}}},
      {"mixture:triangle+line:7",
       {{"logits", {2}}, {"0.samples", {7}}, {"1.directions", {7, 2}}, {"1.bias", {7}}}},
  };
  for (const auto& [name, shapes] : expected)
    EXPECT_EQ(parse_point_transform(name).parameters(), shapes) << name;
}

TEST(PointTransform, SizesCountFeatures) {
  EXPECT_EQ(parse_point_transform("gaussian:7x3").size(), 21U);
  EXPECT_EQ(parse_point_transform("gaussian:7").size(), 7U);
  EXPECT_EQ(parse_point_transform("mixture:triangle+gaussian:7x3").size(), 21U);
  EXPECT_EQ(parse_point_transform("mixture:triangle+gaussian:7x3").parts[0].count, 21U);
}

// ---- weights

TEST(WeightNames, StandForTheirTypes) {
  EXPECT_EQ(parse_weight("one"), Weight{});
  const auto grid = parse_weight("grid:10x20");
  EXPECT_EQ(grid.type, Weight::Type::grid);
  EXPECT_EQ(grid.births, 10U);
  EXPECT_EQ(grid.deaths, 20U);
  EXPECT_EQ(grid.low, -0.001);
  EXPECT_EQ(grid.high, 1.001);
  EXPECT_EQ(parse_weight("grid:10"), parse_weight("grid:10x10"));
  EXPECT_EQ(parse_weight("grid:3x3:low=-1:high=2").low, -1);
  EXPECT_EQ(parse_weight("grid:3x3:high=2:low=-1").high, 2);
  EXPECT_EQ(parse_weight("power:2.5").type, Weight::Type::power);
  EXPECT_EQ(parse_weight("power:2.5").exponent, 2.5);
  EXPECT_EQ(parse_weight("constant"), parse_weight("power:0"));
  EXPECT_EQ(parse_weight("constant"), parse_weight("power:-0"));
  EXPECT_EQ(parse_weight("gmix:3").type, Weight::Type::gmix);
  EXPECT_EQ(parse_weight("gmix:3").births, 3U);
}

TEST(WeightNames, ReadBackAsWhatTheyName) {
  for (const auto* name :
       {"one", "constant", "grid:10x10", "grid:1x20", "grid:3x3:low=-1:high=2", "grid:3x3:high=2",
        "grid:3x3:low=0.5", "power:1", "power:0.5", "power:1e-6", "gmix:3"}) {
    EXPECT_EQ(parse_weight(name).name(), name);
    EXPECT_EQ(parse_weight(parse_weight(name).name()), parse_weight(name));
  }
}

TEST(WeightNames, MistakesAreSentences) {
  EXPECT_EQ(weight_sentence("power"), "power needs an exponent of at least 0 such as power:1, not ''.");
  EXPECT_EQ(weight_sentence("power:-1"), "power needs an exponent of at least 0 such as power:1, not '-1'.");
  EXPECT_EQ(weight_sentence("power:x"), "power needs an exponent of at least 0 such as power:1, not 'x'.");
  EXPECT_EQ(weight_sentence("power:inf"),
            "power needs an exponent of at least 0 such as power:1, not 'inf'.");
  const std::string grid = "grid needs a number of cells along births and deaths such as grid:10x10";
  for (const auto* size : {"", "0", "0x3", "3x", "x", "3x3x3", "3.5", "3,3"})
    EXPECT_EQ(weight_sentence(fmt::format("grid:{}", size).c_str()),
              fmt::format("{}, not '{}'.", grid, size));
  EXPECT_EQ(weight_sentence("grid"), grid + ", not ''.");
  EXPECT_EQ(weight_sentence("grid:2000"), grid + ", of at most 1000000 in all, not '2000x2000'.");
  EXPECT_EQ(weight_sentence("grid:3x3:low=1:high=1"),
            "grid needs bounds with low < high, not low=1 and high=1.");
  EXPECT_EQ(weight_sentence("grid:3x3:low=2"),
            "grid needs bounds with low < high, not low=2 and high=1.001.");
  EXPECT_EQ(weight_sentence("grid:3x3:low=x"), "grid needs a number for low, not 'x'.");
  EXPECT_EQ(weight_sentence("grid:3x3:deep=1"), "grid has no option 'deep'.");
  EXPECT_EQ(weight_sentence("gmix:0"), "gmix needs a number of Gaussians such as gmix:3, not '0'.");
  EXPECT_EQ(weight_sentence("one:1"), "one stands alone, without ':1'.");
  EXPECT_EQ(weight_sentence("constant:"), "constant stands alone, without ':'.");
  EXPECT_EQ(weight_sentence("given"),
            "There is no weight called 'given'; the known ones are one, constant, grid:NxM[:low=A:high=B], "
            "power:S, "
            "gmix:K.");
}

TEST(WeightParameters, HaveTheShapesThatAreDocumented) {
  using Shapes = std::vector<ParameterShape>;
  EXPECT_EQ(parse_weight("one").parameters(), Shapes{});
  EXPECT_EQ(parse_weight("constant").parameters(), (Shapes{{"constant", {1}}}));
  EXPECT_EQ(parse_weight("power:2").parameters(), (Shapes{{"constant", {1}}}));
  EXPECT_EQ(parse_weight("grid:4x6").parameters(), (Shapes{{"cells", {4, 6}}}));
  EXPECT_EQ(parse_weight("gmix:3").parameters(),
            (Shapes{{"centres", {3, 2}}, {"sharpness", {3, 2}}, {"amplitudes", {3}}}));
}

// ---- operations and poolings

TEST(OperationNames, ReadBackAsWhatTheyName) {
  for (const auto* name : {"sum", "mean", "max", "min", "kth:1", "kth:3", "topk:5", "topk:1000000"}) {
    EXPECT_EQ(parse_operation(name).name(), name);
    EXPECT_EQ(parse_operation(parse_operation(name).name()), parse_operation(name));
  }
  EXPECT_EQ(parse_operation("top-5"), parse_operation("topk:5"));
  EXPECT_EQ(parse_operation("topk:5").width(), 5U);
  EXPECT_EQ(parse_operation("kth:5").width(), 1U);
  EXPECT_EQ(parse_operation("kth:5").k, 5U);
}

TEST(OperationNames, MistakesAreSentences) {
  EXPECT_EQ(op_sentence("topk:0"), "topk needs a number of places such as topk:5, not '0'.");
  EXPECT_EQ(op_sentence("topk"), "topk needs a number of places such as topk:5, not ''.");
  EXPECT_EQ(op_sentence("top-"), "topk needs a number of places such as topk:5, not ''.");
  EXPECT_EQ(op_sentence("top-5x"), "topk needs a number of places such as topk:5, not '5x'.");
  EXPECT_EQ(op_sentence("kth:0"), "kth needs a place from 1 on such as kth:3, not '0'.");
  EXPECT_EQ(op_sentence("sum:1"), "sum stands alone, without ':1'.");
  EXPECT_EQ(op_sentence("median"),
            "There is no operation called 'median'; the known ones are sum, mean, max, min, kth:K, topk:K.");
}

TEST(PoolNames, ReadBackAsWhatTheyName) {
  std::set<Pool> pools;
  for (const auto* name : {"none", "max", "min", "sum", "mean"}) {
    EXPECT_EQ(pool_name(parse_pool(name)), name);
    pools.insert(parse_pool(name));
  }
  EXPECT_EQ(pools.size(), 5U);
  EXPECT_EQ(sentence_of([] { (void)parse_pool("maximum"); }),
            "There is no pooling called 'maximum'; the known ones are none, max, min, sum, mean.");
}

TEST(Help, EveryNameHasALine) {
  for (const auto help : {point_transform_help(), weight_help(), operation_help()})
    for (const auto& entry : help) {
      EXPECT_FALSE(entry.usage.empty());
      EXPECT_TRUE(entry.text.ends_with('.')) << entry.usage;
    }
  EXPECT_EQ(point_transform_help().size(), 12U);
}

TEST(Help, TheDocumentHasEveryName) {
  std::ifstream file(PERSLAY_DOCS "/layer.md");
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  const auto word = [](const base::NameHelp& entry) {
    return fmt::format("`{}", base::split_name(entry.usage).head);
  };
  for (const auto help : {point_transform_help(), weight_help(), operation_help(), vectorization_help()})
    for (const auto& entry : help) EXPECT_NE(document.find(word(entry)), std::string::npos) << entry.usage;
}

// ---- channels

TEST(Channel, CountsWhatComesOut) {
  const auto pm = parse_paper_channel("Pm(25,13,10,top-5)").channel;
  EXPECT_EQ(pm.features(), 13U);
  EXPECT_EQ(pm.size(), 65U);
  EXPECT_EQ(pm.name(), "phi=line:25, equivariant=13:max, weight=grid:10x10, op=topk:5");
  using Shapes = std::vector<ParameterShape>;
  EXPECT_EQ(pm.parameters(), (Shapes{{"phi.directions", {25, 2}},
                                     {"phi.bias", {25}},
                                     {"equivariant.0.lambda", {25, 13}},
                                     {"equivariant.0.gamma", {25, 13}},
                                     {"equivariant.0.bias", {13}},
                                     {"weight.cells", {10, 10}}}));
}

TEST(Channel, StacksEquivariantLayers) {
  Channel channel{parse_point_transform("line:4"), {{5, Pool::none}, {6, Pool::mean}}, {}, {}};
  using Shapes = std::vector<ParameterShape>;
  EXPECT_EQ(channel.parameters(), (Shapes{{"phi.directions", {4, 2}},
                                          {"phi.bias", {4}},
                                          {"equivariant.0.lambda", {4, 5}},
                                          {"equivariant.0.bias", {5}},
                                          {"equivariant.1.lambda", {5, 6}},
                                          {"equivariant.1.gamma", {5, 6}},
                                          {"equivariant.1.bias", {6}}}));
  EXPECT_EQ(numbers_in(channel.parameters()), 8U + 4 + 20 + 5 + 30 + 30 + 6);
  EXPECT_EQ(channel.size(), 6U);
}

TEST(PaperChannel, ImagesHaveOneSampleMore) {
  for (const auto* text : {"Im(20,(10,2),10,sum)", " Im( 20 , ( 10 , 2 ) , 10 , sum ) ", "Im(20,(10,2),10)",
                           "Im (20,(10,2),10,sum)"}) {
    const auto [channel, convolution] = parse_paper_channel(text);
    EXPECT_EQ(channel, (Channel{parse_point_transform("gaussian:21x21"), {}, parse_weight("grid:10x10"), {}}))
        << text;
    EXPECT_EQ(convolution, (Convolution{10, 2})) << text;
  }
}

TEST(PaperChannel, PartsMayBeLeftOut) {
  const auto plain = parse_paper_channel("Im(20,(),20)");
  EXPECT_EQ(plain.channel.weight, parse_weight("grid:20x20"));
  EXPECT_EQ(plain.channel.op, parse_operation("sum"));
  EXPECT_EQ(plain.convolution, std::nullopt);
  EXPECT_EQ(parse_paper_channel("Im(20,( ),0)").channel.weight, Weight{});
  EXPECT_EQ(parse_paper_channel("Pm(5,5,none,max)").channel.weight, Weight{});
  EXPECT_EQ(parse_paper_channel("Pm(5,5,10)").channel.op, parse_operation("sum"));
}

TEST(PaperChannel, OperationsHaveTheirNames) {
  for (const auto* op : {"sum", "mean", "max", "min", "top-5", "topk:5", "kth:3"})
    EXPECT_EQ(parse_paper_channel(fmt::format("Pm(25,25,10,{})", op)).channel.op, parse_operation(op));
}

TEST(PaperChannel, MistakesAreSentences) {
  const std::string image = "; the form is Im(p,(a,b),q,op) such as Im(20,(10,2),10,sum) or Im(20,(),20).";
  EXPECT_EQ(paper_sentence("Im(20,10)"), "'Im(20,10)' has 2 arguments" + image);
  EXPECT_EQ(paper_sentence("Im()"), "'Im()' has 0 arguments" + image);
  EXPECT_EQ(paper_sentence("Im(20,(10,2),10,sum,5)"), "'Im(20,(10,2),10,sum,5)' has 5 arguments" + image);
  EXPECT_EQ(paper_sentence("Im(20,(10,2),10,sum"), "'Im(20,(10,2),10,sum' lacks its parentheses" + image);
  EXPECT_EQ(paper_sentence("Im(20,(10,2),10)x"), "'Im(20,(10,2),10)x' lacks its parentheses" + image);
  EXPECT_EQ(paper_sentence("Im(20,(10,2,10)"),
            "'Im(20,(10,2,10)' has a parenthesis that is not closed" + image);
  EXPECT_EQ(paper_sentence("Im(20),10)"), "'Im(20),10)' has a parenthesis too many" + image);
  EXPECT_EQ(paper_sentence("Im(20,5,10)"), "'Im(20,5,10)' has '5' for the convolution" + image);
  EXPECT_EQ(paper_sentence("Im(20,(5),10)"), "'Im(20,(5),10)' has 1 numbers for the convolution" + image);
  EXPECT_EQ(paper_sentence("Im(2,(5,4),10)"),
            "'Im(2,(5,4),10)' has filters of 4x4 for an image of 3x3" + image);
  EXPECT_EQ(paper_sentence("Im(0,(),10)"),
            "'Im(0,(),10)' has '0' for the grid of Gaussians, which needs a whole number from 1 to 1000000" +
                image);
  EXPECT_EQ(
      paper_sentence("Im(20,(),x)"),
      "'Im(20,(),x)' has 'x' for the weight grid, which needs a whole number from 1 to 1000000" + image);
  EXPECT_EQ(
      paper_sentence("Pm(2 5,25,10)"),
      "'Pm(2 5,25,10)' has '2 5' for the lines, which needs a whole number from 1 to 1000000; the form is "
      "Pm(d1,d2,q,op) such as Pm(25,25,10,top-5).");
  EXPECT_EQ(paper_sentence("Pm(25,25,10,median)").substr(0, 37), "There is no operation called 'median'");
  for (const auto* text : {"Qm(1)", "Im", "", "gaussian:20x20", "im(20,(),20)", "XPm(1)"})
    EXPECT_TRUE(
        paper_sentence(text).starts_with(fmt::format("'{}' is none of the paper's short forms: I", text)));
}

}  // namespace
}  // namespace perslay::layer
