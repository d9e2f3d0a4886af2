#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sentence.h>

#include <perslay/experiment/plan.h>

namespace perslay::experiment {
namespace {

Table plan(const std::string& name, const Request& request = {}) { return plan_all({name}, request).front(); }

std::size_t jobs(const std::string& name) { return plan(name).jobs.size(); }

TEST(Plan, TablesHaveARowForEveryDatasetAndAColumnForEveryChoice) {
  EXPECT_EQ(jobs("table-orbits"), 2U * 2 + 2);  // kernel ridge, alone and with a network, on one of them
  EXPECT_EQ(jobs("table-kernels"), 4U);
  EXPECT_EQ(jobs("table-graphs"), 11U * (5 + 3) + 6 * 2);  // six have node labels
  EXPECT_EQ(jobs("table-ablation"), 11U * 4);
  EXPECT_EQ(jobs("table-hyperparameters"), 2U * (6 + 3 + 2));
  EXPECT_EQ(jobs("t-optimisation"), 3U * 2);
  EXPECT_EQ(jobs("figures"), 2U * 9 + 1 + 3);  // two datasets at nine times, weights, three starts of t
  EXPECT_EQ(jobs("MUTAG"), 5U + 5);
  EXPECT_EQ(jobs("orbit5k"), 2U + 2);
}

TEST(Plan, JobsShareAFolderOnlyIfTheyAreTheSame) {
  for (const auto& name : plan_names()) {
    std::map<std::string, learn::Settings> folders;
    for (const auto& job : plan(name).jobs) {
      const auto [known, first] = folders.emplace(job.folder, job.settings);
      EXPECT_EQ(known->second, job.settings) << job.folder;  // one folder, one experiment
      EXPECT_EQ(job.archive.empty(), job.per_class > 0) << job.row;
      EXPECT_GT(job.items, 0U);
      const bool picture = name == "t-optimisation" || name == "figures";  // without numbers
      EXPECT_EQ(job.paper.has_value(), !picture);
      EXPECT_GT(estimated_seconds(job, 1), 0);
      EXPECT_NEAR(estimated_seconds(job, 2), estimated_seconds(job, 1) / 2, 1e-9);
    }
  }
}

TEST(Plan, ProtocolsAreThePapers) {
  for (const auto& job : plan("table-graphs").jobs) {
    EXPECT_EQ(job.protocol.type, learn::Protocol::Type::k_fold);
    EXPECT_EQ(job.protocol.folds, 10U);
    EXPECT_FALSE(job.protocol.stratified);
  }
  const auto orbits = plan("ORBIT5K").jobs.front();
  EXPECT_EQ(orbits.protocol.type, learn::Protocol::Type::random_split);
  EXPECT_EQ(orbits.protocol.test_fraction, 0.3);
  EXPECT_EQ(orbits.protocol.repeats, 100U);
  EXPECT_EQ(plan("MUTAG").jobs.front().protocol.repeats, 10U);
}

/// A column has the settings of the paper's network, all but what `change` makes of them, on the same rows.
void expect_papers_network_but(const std::string& column,
                               const std::function<void(learn::Settings&)>& change) {
  Request request;
  request.columns = {"paper's network", column};
  const auto jobs = plan("table-graphs", request).jobs;
  ASSERT_EQ(jobs.size(), 2U * 11);
  for (std::size_t i = 0; i < jobs.size(); i += 2) {
    auto settings = jobs[i].settings;
    change(settings);
    EXPECT_NE(settings, jobs[i].settings) << jobs[i].row;
    EXPECT_EQ(jobs[i + 1].settings, settings) << jobs[i].row;
    EXPECT_EQ(jobs[i + 1].paper->mean, jobs[i].paper->mean) << jobs[i].row;
    EXPECT_NE(jobs[i + 1].folder, jobs[i].folder) << jobs[i].row;
  }
}

TEST(Plan, ReadingsOfThePaperDifferInOneThingEach) {
  expect_papers_network_but("authors' training", [](learn::Settings& settings) {
    EXPECT_EQ(settings.training.schedule, "halving:20");
    EXPECT_GT(settings.training.average, 0);
    settings.training.schedule = "constant";
    settings.training.restart_from_average = true;
  });
  expect_papers_network_but("features standardised",
                            [](learn::Settings& settings) { settings.features.standardise = true; });
  expect_papers_network_but("births and deaths apart", [](learn::Settings& settings) {
    EXPECT_EQ(settings.network.scale, learn::Scaling::together);
    settings.network.scale = learn::Scaling::apart;
  });
}

TEST(Plan, KernelsAreTriedOnAPartUnlessAllIsAskedFor) {
  const auto kernels = plan("table-kernels").jobs;
  const std::vector<std::string> models{"svm:pss", "svm:pwg", "svm:sw", "svm:pf"};
  const std::vector<double> reported{72.38, 76.63, 83.6, 85.9};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(kernels[i].settings.model, models[i]);
    EXPECT_EQ(kernels[i].paper->mean, reported[i]);
    EXPECT_EQ(kernels[i].items, 500U);
  }
  Request full;
  full.full = true;
  for (const auto& job : plan("table-kernels", full).jobs) {
    EXPECT_EQ(job.items, 5000U);
    EXPECT_EQ(job.protocol.repeats, 100U);
  }
}

TEST(Plan, HyperparametersChangeOneThingEach) {
  const auto table = plan("table-hyperparameters");
  const auto channel = [&](std::string_view row, std::string_view column) {
    return std::ranges::find_if(table.jobs,
                                [&](const Job& job) { return job.row == row && job.column == column; })
        ->settings.network.channel;
  };
  EXPECT_EQ(channel("MUTAG", "grid none").paper, "Im(20,(10,2),none,sum)");
  EXPECT_EQ(channel("MUTAG", "grid 50x50").paper, "Im(20,(10,2),50,sum)");
  EXPECT_EQ(channel("MUTAG", "op max").paper, "Im(20,(10,2),10,max)");
  EXPECT_EQ(channel("MUTAG", "phi gaussian").paper, "Im(20,(10,2),10,sum)");
  EXPECT_EQ(channel("MUTAG", "phi triangle").phi, "triangle:50");
  EXPECT_EQ(channel("COLLAB", "grid 2x2").paper, "Pm(5,5,2,sum)");
  EXPECT_EQ(channel("COLLAB", "phi line").paper, "Pm(5,5,10,sum)");
  EXPECT_EQ(channel("COLLAB", "phi gaussian").phi, "gaussian:20x20");
  EXPECT_EQ(channel("COLLAB", "op max").paper, "Pm(5,5,10,max)");
  for (const auto* row : {"MUTAG", "COLLAB"})  // the paper's choice is trained once
    EXPECT_EQ(
        std::ranges::count_if(
            table.jobs, [&](const Job& job) { return job.row == row && job.folder.ends_with("/paper"); }),
        3);
  EXPECT_EQ(table.jobs.front().paper_training, 92.3);
  EXPECT_EQ(table.jobs.front().paper_seconds, 2.30);
  for (const auto& job : table.jobs)  // and every channel is one
    EXPECT_EQ(learn::parse_settings(learn::to_toml(job.settings), job.column), job.settings);
}

TEST(Plan, TimesStartWhereThePapersDo) {
  const auto table = plan("t-optimisation");
  std::vector<std::string> trained, fixed;
  for (const auto& job : table.jobs) {
    EXPECT_EQ(job.row, "MUTAG");
    EXPECT_EQ(job.settings.training.epochs, 40U);
    EXPECT_EQ(job.protocol.folds, 10U);
    // The deciles are of the same time, and move with it.
    EXPECT_EQ(job.settings.features.names,
              (std::vector<std::string>{"eigenvalues", "deciles:" + job.settings.data.filtrations.at(0)}));
    EXPECT_EQ(job.settings.network.train_features, job.settings.network.train_filtration);
    (job.settings.network.train_filtration ? trained : fixed).push_back(job.settings.data.filtrations.at(0));
  }
  EXPECT_EQ(trained, (std::vector<std::string>{"hks:0.1", "hks:1", "hks:10"}));
  EXPECT_EQ(fixed, trained);
}

TEST(Plan, RequestsShortenIt) {
  Request quick;
  quick.quick = true;
  for (const auto& name : plan_names())
    for (const auto& job : plan(name, quick).jobs) {
      EXPECT_EQ(job.protocol.repeats, 1U);
      EXPECT_LE(job.settings.training.epochs, 200U);
      EXPECT_LE(job.per_class, 200U);
    }
  EXPECT_NE(plan("MUTAG", quick).title.find("not to be compared"), std::string::npos);
  Request few;
  few.repeats = 3;
  few.columns = {"paper's network"};
  const auto table = plan("table-graphs", few);
  EXPECT_EQ(table.title.find("not to be compared"), std::string::npos);
  EXPECT_EQ(table.jobs.size(), 11U);
  for (const auto& job : table.jobs) EXPECT_EQ(job.protocol.repeats, 3U);
}

TEST(Plan, RowsAndColumnsAreChosenByName) {
  Request request;
  request.datasets = {"mutag", "DHFR"};
  request.columns = {"Spectral alone", "ordinary alone"};
  std::vector<std::string> found;
  for (const auto& job : plan("table-ablation", request).jobs) found.push_back(job.row + ", " + job.column);
  EXPECT_EQ(found, (std::vector<std::string>{"DHFR, spectral alone", "DHFR, ordinary alone",
                                             "MUTAG, spectral alone", "MUTAG, ordinary alone"}));
}

TEST(Plan, SeveralTablesShareAChoice) {
  Request request;
  request.columns = {"ridge no-topology", "ridge labelled"};  // COLLAB has no labels
  const auto tables = plan_all({"MUTAG", "COLLAB"}, request);
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0].jobs.size(), 2U);
  EXPECT_EQ(tables[1].jobs.size(), 1U);
  request = {};
  request.datasets = {"MUTAG"};
  const auto left = plan_all({"table-orbits", "table-ablation"}, request);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].name, "table-ablation");
}

TEST(Plan, DatasetsAreKnownByTheNamesOfTheirArchivesToo) {
  EXPECT_EQ(plan("IMDB-BINARY").name, "imdb-b");
  EXPECT_EQ(plan("reddit-multi-12k").jobs.front().row, "REDDIT12K");
}

TEST(Plan, MistakesAreSentences) {
  EXPECT_NE(test::sentence_of([] { static_cast<void>(plan("table-9")); }).find("table-graphs"),
            std::string::npos);
  Request odd;
  odd.columns = {"stronger recipe", "colour"};  // one that is there does not excuse the other
  EXPECT_NE(
      test::sentence_of([&] {
        static_cast<void>(plan("table-orbits", odd));
      }).find("There is no column called 'colour' in table-orbits; there are paper's network, stronger"),
      std::string::npos);
  Request elsewhere;
  elsewhere.datasets = {"PROTEINS"};
  EXPECT_EQ(test::sentence_of([&] { static_cast<void>(plan("table-hyperparameters", elsewhere)); }),
            "There is no dataset called 'PROTEINS' in table-hyperparameters; there are MUTAG, COLLAB.");
  EXPECT_EQ(
      test::sentence_of([&] {
        static_cast<void>(plan_all({"table-hyperparameters", "t-optimisation"}, elsewhere));
      }),
      "There is no dataset called 'PROTEINS' in table-hyperparameters and t-optimisation; there are MUTAG, "
      "COLLAB.");
}

}  // namespace
}  // namespace perslay::experiment
