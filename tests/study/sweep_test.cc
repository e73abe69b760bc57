// Sweeps: designs against what they promise, tables that do not depend on who made them, journals that survive.
#include "carom/study/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "carom/base/errors.h"
#include "carom/study/section.h"

namespace carom {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A ball dropped from h bounces n times; its largest blow is m (1 + e) sqrt(2 g h).
constexpr const char* kBall = R"toml(schema = 1
[units]
bare = "SI"
[analytic]
model = "bouncing_ball"
law = "floor"
mass = 1
force = -2
height = 1
[law.floor]
normal = { type = "newton", restitution = 0.5 }
[simulation]
t_end = 1.5
step = 1e-3
[measure]
blow = "max(floor.impulse_normal)"
)toml";

ScenarioMaker ball() {
  return [](const std::vector<Override>& more) { return parse_scenario("ball.toml", kBall, more); };
}

std::vector<double> values_of(const SweepAxis& axis) {
  std::vector<double> x;
  for (const std::string& text : axis.values) x.push_back(std::stod(text));
  return x;
}

std::string code_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.problems().at(0).code;
  }
  return "none";
}

TEST(SweepDesign, RangesMeetTheirEndsToTheBit) {
  EXPECT_THAT(values_of(parse_axis("c=1e-4:2e-3:20")).front(), 1e-4);
  EXPECT_THAT(values_of(parse_axis("c=1e-4:2e-3:20")).back(), 2e-3);
  EXPECT_EQ(parse_axis("c=1e-4:2e-3:20").values.size(), 20u);
  const auto logarithmic = values_of(parse_axis("c=1e-4:1:5:log"));
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(logarithmic[static_cast<std::size_t>(i)], std::pow(10.0, i - 4), 1e-15);
  EXPECT_THAT(parse_axis("c=0.1 mm:2 mm:2").values, ElementsAre("0.1 mm", "2 mm"));
  EXPECT_THAT(parse_axis("word=a, b").values, ElementsAre("a", "b"));
}

TEST(SweepDesign, ValuesBetweenTheEndsAreAsOneWouldWriteThem) {
  EXPECT_THAT(parse_axis("c=0.2 mm:1 mm:5").values, ElementsAre("0.2 mm", "0.4 mm", "0.6 mm", "0.8 mm", "1 mm"));
  EXPECT_THAT(parse_axis("c=-0.3:0.3:7").values, ElementsAre("-0.3", "-0.2", "-0.1", "0", "0.1", "0.2", "0.3"));
  for (const char* text : {"c=2e-4:2e-3:40", "c=0:0.2:25", "c=1e-9:3e-8:30", "c=-7e5:3e5:1001", "c=0:0:3"})
    for (const std::string& value : parse_axis(text).values) EXPECT_LE(value.size(), 20u) << text;
}

TEST(SweepDesign, NonsenseIsRefused) {
  for (const char* text : {"c", "=1", "c=", "c=1:2:x", "c=1:2:0", "c=-1:2:3:log", "c=1:2:3:lin", "c=1,,2",
                           "c=gamma(1,2)", "c=normal(1,0)", "c=uniform(1)", "c=1 mm:2 s:3"})
    EXPECT_EQ(code_of([&] { parse_axis(text); }), "E0161") << text;
  EXPECT_EQ(code_of([] { sweep_points({parse_axis("c=uniform(0,1)")}, Design::grid, 0, 1); }), "E0161");
  EXPECT_EQ(code_of([] { sweep_points({parse_axis("c=uniform(0,1)")}, Design::random, 0, 1); }), "E0161");
  EXPECT_EQ(code_of([] { sweep_points({parse_axis("a=1,2"), parse_axis("b=1,2,3")}, Design::list, 0, 1); }), "E0161");
}

TEST(SweepDesign, GridsAndLists) {
  const std::vector<SweepAxis> axes = {parse_axis("a=1,2"), parse_axis("b=3,4,5")};
  const auto grid = sweep_points(axes, Design::grid, 0, 1);
  ASSERT_EQ(grid.size(), 6u);
  EXPECT_THAT(grid[1], ElementsAre("1", "4"));
  EXPECT_THAT(grid[3], ElementsAre("2", "3"));
  const auto list = sweep_points({parse_axis("a=1,2"), parse_axis("b=3,4")}, Design::list, 0, 1);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_THAT(list[1], ElementsAre("2", "4"));
}

TEST(SweepDesign, TheQuantileIsTheInverseOfTheDistribution) {
  for (const double p : {1e-12, 1e-5, 0.01, 0.3, 0.5, 0.7, 0.999, 1 - 1e-9}) {
    const double x = normal_quantile(p);
    const double back = x < 0 ? 0.5 * std::erfc(-x / std::sqrt(2.0)) : 1.0 - 0.5 * std::erfc(x / std::sqrt(2.0));
    EXPECT_NEAR(back, p, 1e-12 * std::max(p, 1e-3)) << p;
  }
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
}

TEST(SweepDesign, ALatinHypercubeMeetsEveryStratumOnce) {
  constexpr std::size_t n = 100;
  const std::vector<SweepAxis> axes = {parse_axis("a=uniform(2,4)"), parse_axis("b=normal(1,0.1)")};
  const auto points = sweep_points(axes, Design::latin_hypercube, n, 5);
  std::set<int> strata_a, strata_b;
  for (const auto& point : points) {
    strata_a.insert(static_cast<int>((std::stod(point[0]) - 2.0) / 2.0 * n));
    strata_b.insert(static_cast<int>(0.5 * std::erfc(-(std::stod(point[1]) - 1.0) / 0.1 / std::sqrt(2.0)) * n));
  }
  EXPECT_EQ(strata_a.size(), n);
  EXPECT_EQ(strata_b.size(), n);
  EXPECT_EQ(sweep_points(axes, Design::latin_hypercube, n, 5), points);
  EXPECT_NE(sweep_points(axes, Design::latin_hypercube, n, 6), points);
  EXPECT_NE(sweep_points(axes, Design::random, n, 5), points);
}

class SweepRuns : public ::testing::Test {
 protected:
  SweepRuns()
      : journal(std::filesystem::temp_directory_path() / ("carom_sweep_" + std::to_string(getpid()) + ".jsonl")) {
    std::filesystem::remove(journal);
    options.axes = {parse_axis("height=0.25,1,-1,2"), parse_axis("law.floor.normal.restitution=0,0.5,1")};
  }
  ~SweepRuns() override { std::filesystem::remove(journal); }

  SweepTable run(std::size_t workers) {
    ThreadWorkers threads(workers);
    return sweep(ball(), options, threads);
  }

  std::filesystem::path journal;
  SweepOptions options;
};

TEST_F(SweepRuns, MeasuresAreThoseOfTheFormulas) {
  const SweepTable table = run(1);
  ASSERT_EQ(table.rows.size(), 12u);
  EXPECT_THAT(table.measures, ElementsAre("blow"));
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const double h = column(table, "height")[i], e = column(table, "law.floor.normal.restitution")[i];
    if (h < 0) {
      EXPECT_EQ(table.rows[i].outcome, SweepRow::Outcome::refused);
      EXPECT_THAT(table.rows[i].trouble, HasSubstr("E0"));
      continue;
    }
    ASSERT_EQ(table.rows[i].outcome, SweepRow::Outcome::finished) << table.rows[i].trouble;
    EXPECT_NEAR(*table.rows[i].measures[0], (1 + e) * std::sqrt(4 * h), 0.01) << h << " " << e;
  }
}

TEST_F(SweepRuns, TheTableIsTheSameForAnyNumberOfWorkers) {
  const std::string one = to_csv(run(1));
  EXPECT_EQ(to_csv(run(2)), one);
  EXPECT_EQ(to_csv(run(5)), one);
}

TEST_F(SweepRuns, WhatIsDoneIsNotDoneAgain) {
  options.journal = journal.string();
  const std::string whole = to_csv(run(2));
  // A kill leaves some lines and a broken one.
  std::vector<std::string> lines;
  {
    std::ifstream file(journal);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
  }
  ASSERT_EQ(lines.size(), 12u);
  {
    std::ofstream file(journal, std::ios::trunc);
    for (int k = 0; k < 5; ++k) file << lines[static_cast<std::size_t>(k)] << "\n";
    file << lines[5].substr(0, 30);
  }
  const SweepTable again = run(2);
  EXPECT_EQ(again.found, 5u);
  EXPECT_EQ(to_csv(again), whole);
  EXPECT_EQ(run(1).found, 12u);
  options.retry = true;
  EXPECT_EQ(run(1).found, 9u);  // the refused ones again
  // Another measure is another run.
  options.retry = false;
  options.measures = {measured("again", "max(floor.impulse_normal)")};
  EXPECT_EQ(run(1).found, 0u);
}

TEST_F(SweepRuns, EndsWhenAsked) {
  std::atomic<bool> stop = false;
  options.journal = journal.string();
  options.interrupt = &stop;
  options.progress = [&](const SweepProgress& p) { stop = p.done >= 4; };
  const SweepTable part = run(1);
  EXPECT_TRUE(part.interrupted);
  EXPECT_EQ(part.count(SweepRow::Outcome::missing), 8u);
  options.interrupt = nullptr;
  options.progress = nullptr;
  EXPECT_EQ(run(2).found, 4u);
}

TEST_F(SweepRuns, AMeasureThatMeansNothingIsFoundBeforeAnythingIsRun) {
  options.measures = {measured("x", "max(flor.impulse_normal)")};
  EXPECT_EQ(code_of([&] { run(1); }), "E0161");
}

// A motion without a stop is harmonic at the driving frequency: one point on the section, F / sqrt((k - w^2)^2 + (c
// w)^2) away at the right phase.
ScenarioMaker driven(double distance) {
  return [distance](const std::vector<Override>& more) {
    std::vector<Override> all = {{"distance", std::to_string(distance)}};
    all.insert(all.end(), more.begin(), more.end());
    return read_scenario("scenarios/driven_impact_oscillator.toml", all);
  };
}

TEST(SectionRuns, TheSteadySwingIsThatOfTheFormula) {
  SectionOptions options;
  options.axis = parse_axis("omega=0.5,0.7,1.5");
  options.period = "2*pi/omega";
  options.show = "mass.position";
  options.skip = 60;
  options.keep = 4;
  ThreadWorkers threads(2);
  const Section s = section(driven(100.0), options, threads);
  ASSERT_EQ(s.runs.size(), 3u);
  for (const SectionRun& run : s.runs) {
    ASSERT_TRUE(run.trouble.empty()) << run.trouble;
    const double w = run.parameter, k = 1, c = 0.1;
    const double in_phase = (k - w * w) / ((k - w * w) * (k - w * w) + c * c * w * w);  // x at cos(w t) = 1
    for (const double x : run.values) EXPECT_NEAR(x, in_phase, 2e-3 * std::abs(in_phase)) << w;
    EXPECT_EQ(period_of(run, 1e-5), 1);
  }
}

TEST(SectionRuns, FollowingGoesOnAndWorkersDoNotMatter) {
  SectionOptions options;
  options.axis = parse_axis("omega=0.8:0.84:5");
  options.period = "2*pi/omega";
  options.show = "mass.velocity";
  options.skip = 5;
  options.keep = 5;
  options.follow = Follow::both;
  ThreadWorkers one(1), two(2);
  const Section a = section(driven(1.0), options, one), b = section(driven(1.0), options, two);
  ASSERT_EQ(a.runs.size(), 10u);
  EXPECT_EQ(to_csv(table_of(a)), to_csv(table_of(b)));
  EXPECT_FALSE(a.runs[0].backward);
  EXPECT_TRUE(a.runs[9].backward);
  EXPECT_LT(a.runs[0].parameter, a.runs[4].parameter);
  // A second value begins where the first ended, but drives with its own frequency: shorter transients than from rest.
  options.follow = Follow::none;
  const Section fresh = section(driven(1.0), options, two);
  EXPECT_NE(fresh.runs[3].values, a.runs[3].values);
  EXPECT_EQ(fresh.runs[0].values, a.runs[0].values);
}

// With the stop at rest the motion doubles its period between 2.2 and 2.6, and a window of period 2 lies near 3.9.
TEST(SectionRuns, PeriodsDoubleOverTheDrivingFrequency) {
  SectionOptions options;
  options.axis = parse_axis("omega=2,3.9");
  options.period = "2*pi/omega";
  options.show = "mass.velocity";
  options.skip = 80;
  options.keep = 24;
  ThreadWorkers two(2);
  const Section s = section(driven(0.0), options, two);
  EXPECT_EQ(period_of(s.runs[0], 1e-4), 1);
  EXPECT_EQ(period_of(s.runs[1], 1e-4), 2);
}

TEST(SectionRuns, AtImpactsTheMassIsAtTheStop) {
  SectionOptions options;
  options.axis = parse_axis("omega=0.8,0.9");
  options.contact = "stop";
  options.show = "mass.position";
  options.skip = 3;
  options.keep = 2;
  ThreadWorkers one(1);
  for (const SectionRun& run : section(driven(1.0), options, one).runs) {
    ASSERT_EQ(run.values.size(), 2u) << run.trouble;
    for (const double x : run.values) EXPECT_NEAR(x, -1.0, 0.02);
  }
  options.show = "mass.speed";
  EXPECT_EQ(code_of([&] { section(driven(1.0), options, one); }), "E0161");
}

TEST(SectionRuns, PeriodsAreCounted) {
  EXPECT_EQ(period_of({1.0, false, {1, 2, 1, 2, 1, 2}, {}, {}}), 2);
  EXPECT_EQ(period_of({1.0, false, {1, 1, 1, 1}, {}, {}}), 1);
  EXPECT_EQ(period_of({1.0, false, {1, 2, 3, 4}, {}, {}}), 0);
}

}  // namespace
}  // namespace carom
