#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "carom/io/hdf5_file.h"
#include "carom/io/quantity_text.h"
#include "carom/io/result_recorder.h"
#include "carom/io/run_scenario.h"

namespace carom {
namespace {

using ::testing::ElementsAre;

// The ball of the tests falls 1 m in 1 s (force -2, mass 1), first impact at t = 1, e = 0.5.
Scenario ball(const std::vector<Override>& overrides = {}) {
  return parse_scenario("ball.toml", R"toml(
schema = 1
units.bare = "SI"
[analytic]
model = "bouncing_ball"
law = "floor"
mass = 1
force = -2
height = 1
velocity = 0
[law.floor]
normal = { restitution = 0.5 }
[simulation]
t_end = 1.5
step = 0.01
[output]
fields = { every = 0.1 }
[output.signal]
doubled = "2*t"
push = "floor.impulse_normal"
[expect]
lands = "sum(floor.impulse_normal) > 2"
never = "1 > 2"
)toml",
                        overrides);
}

class ResultFile : public ::testing::Test {
 protected:
  std::string path = (std::filesystem::temp_directory_path() /
                      (std::string("carom_test_") +
                       ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".h5"))
                         .string();
  void TearDown() override { std::filesystem::remove(path); }
};

TEST_F(ResultFile, HoldsSamplesSignalsAndExpectations) {
  const RunReport report = run_scenario(ball(), {.out = path});
  EXPECT_EQ(report.summary.outcome, Outcome::finished);
  EXPECT_EQ(report.summary.steps, 150);
  ASSERT_EQ(report.verdicts.size(), 2u);
  EXPECT_EQ(report.verdicts[0].kind, Verdict::Kind::ok);
  EXPECT_EQ(report.verdicts[1].kind, Verdict::Kind::broken);
  EXPECT_EQ(report.verdicts[1].why, "1 is not > 2");

  const Hdf5File file = Hdf5File::open(path);
  const auto t = file.read("/time");
  ASSERT_EQ(t.size(), 16u);
  const auto y = file.read("/coordinate/" + ball().model.system->coordinate_name(0));
  const auto doubled = file.read("/signal/doubled");
  const auto push = file.read("/signal/push");
  double total_push = 0.0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    EXPECT_NEAR(t[i], 0.1 * static_cast<double>(i), 1e-12);
    EXPECT_EQ(doubled[i], 2 * t[i]);
    if (t[i] < 0.95) {
      EXPECT_NEAR(y[i], 1.0 - t[i] * t[i], 1e-9);
    }
    total_push += push[i];
  }
  // Samples are ten times rarer than steps, impulses are not lost.
  EXPECT_DOUBLE_EQ(total_push, report.summary.audit.normal_impulse);
  EXPECT_NEAR(total_push, 1.5 * 2.0, 0.05);  // m (1 + e) v with v = 2 at the first impact
  EXPECT_EQ(file.read("/stats/t").size(), 150u);
  EXPECT_NEAR(file.read("/energy/total").front(), 2.0, 1e-12);
}

TEST_F(ResultFile, HoldsTheJudgementAndItsLimits) {
  run_scenario(ball(), {.out = path});
  {
    const Hdf5File file = Hdf5File::open(path);
    EXPECT_EQ(file.number_attribute("/judgement", "sound"), 1);
    EXPECT_EQ(file.number_attribute("/judgement", "limit_energy"), JudgementLimits{}.energy);
    EXPECT_TRUE(file.read_texts("/judgement/flaw").empty());
  }
  // A limit nothing keeps: the first impact is seen up to a step's way late.
  const RunReport report = run_scenario(ball({{"simulation.limits.penetration", "1e-9"}}), {.out = path});
  ASSERT_EQ(report.summary.judgement.findings.size(), 1u);
  const Finding& finding = report.summary.judgement.findings[0];
  const Hdf5File file = Hdf5File::open(path);
  EXPECT_EQ(file.number_attribute("/judgement", "sound"), 0);
  EXPECT_EQ(file.number_attribute("/judgement", "limit_penetration"), 1e-9);
  EXPECT_THAT(file.read_texts("/judgement/flaw"), ElementsAre("penetration"));
  EXPECT_THAT(file.read_texts("/judgement/name"), ElementsAre("floor"));
  EXPECT_THAT(file.read_texts("/judgement/text"), ElementsAre(to_text(finding)));
  EXPECT_THAT(file.read("/judgement/t"), ElementsAre(finding.t));
  EXPECT_THAT(file.read("/judgement/value"), ElementsAre(finding.value));
  EXPECT_THAT(file.read("/judgement/share"), ElementsAre(finding.share));
  EXPECT_THAT(file.read("/judgement/limit"), ElementsAre(1e-9));
  EXPECT_THAT(file.read_ids("/judgement/count"), ElementsAre(1u));
}

TEST_F(ResultFile, AKilledRunWasNotJudged) {
  const Scenario scenario = ball();
  {
    ResultRecorder recorder(scenario, path);
    recorder.begin(*scenario.model.system, scenario.model.initial);
  }
  const Hdf5File file = Hdf5File::open(path);
  EXPECT_EQ(file.text_attribute("/", "outcome"), "running");
  EXPECT_THROW(file.number_attribute("/judgement", "sound"), std::exception);
}

TEST_F(ResultFile, GoesOnFromItsCheckpointBitForBit) {
  run_scenario(ball({{"simulation.t_end", "0.8"}}), {.out = path});
  const State half = read_checkpoint(path);
  EXPECT_NEAR(half.t, 0.8, 1e-12);
  const Scenario whole = ball();
  const auto scheme = make_scheme(whole);
  const auto solver = make_solver(whole);
  const auto options = simulation_options(whole);
  const auto direct = simulate(*whole.model.system, *scheme, *solver, whole.model.initial, options);
  const auto resumed = simulate(*whole.model.system, *scheme, *solver, half, options);
  EXPECT_TRUE(identical(direct.last, resumed.last));
}

TEST_F(ResultFile, TheLastStateIsSampledEvenBetweenSamples) {
  run_scenario(ball({{"simulation.t_end", "0.55"}}), {.out = path});
  const auto t = Hdf5File::open(path).read("/time");
  EXPECT_EQ(t.size(), 7u);
  EXPECT_NEAR(t.back(), 0.55, 1e-12);
}

TEST_F(ResultFile, AnInterruptedRunIsComplete) {
  std::atomic<bool> stop = false;
  const RunReport report = run_scenario(ball(), {.out = path, .interrupt = &stop, .progress = [&](const Progress& p) {
                                                   if (p.step == 42) stop = true;
                                                 }});
  EXPECT_EQ(report.summary.outcome, Outcome::interrupted);
  EXPECT_EQ(report.verdicts[0].kind, Verdict::Kind::not_judged);
  EXPECT_EQ(Hdf5File::open(path).read("/stats/t").size(), 42u);
  EXPECT_DOUBLE_EQ(read_checkpoint(path).t, 0.42);
}

TEST_F(ResultFile, RowsComeBackAsWritten) {
  {
    Hdf5File file = Hdf5File::create(path);
    Hdf5Rows rows(file, "/a/b", Hdf5Type::float64, 3, 10, {"m", "three", "state"});
    for (int i = 0; i < 5; ++i) {
      const double row[3] = {1.0 * i, 2.0 * i, 3.0 * i};
      rows.append(static_cast<const void*>(row));
      if (i == 2) rows.write_pending();
    }
    rows.write_pending();
    file.write("/ids", {7, 1ull << 63});
    file.commit();
  }
  const Hdf5File file = Hdf5File::open(path);
  EXPECT_THAT(file.read("/a/b"), ElementsAre(0, 0, 0, 1, 2, 3, 2, 4, 6, 3, 6, 9, 4, 8, 12));
  EXPECT_THAT(file.read_ids("/ids"), ElementsAre(7, 1ull << 63));
  EXPECT_TRUE(file.exists("/a/b"));
  EXPECT_FALSE(file.exists("/a/c"));
  EXPECT_FALSE(file.exists("/x/y/z"));
}

TEST(QuantityText, ChoosesThePrefix) {
  EXPECT_EQ(with_prefix(1.9e-5, "m", 3), "19.0 um");
  EXPECT_EQ(with_prefix(0.2, "s"), "200.0 ms");
  EXPECT_EQ(with_prefix(1e-5, "s", 3), "10.0 us");
  EXPECT_EQ(with_prefix(0.0, "m"), "0 m");
  EXPECT_EQ(with_prefix(-2.5, "N", 2), "-2.5 N");
  EXPECT_EQ(with_prefix(999.96, "m"), "1.000 km");
  EXPECT_EQ(grouped(1234567), "1 234 567");
  EXPECT_EQ(grouped(-12), "-12");
}

}  // namespace
}  // namespace carom
