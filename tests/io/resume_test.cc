// A run that is cut off anywhere and gone on with is the run that was not, number by number.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "carom/base/errors.h"
#include "carom/io/checkpoint_file.h"
#include "carom/io/result_recorder.h"
#include "carom/io/run_scenario.h"
#include "carom/io/stored_run.h"
#include "carom/model/analytic/analytic_model.h"

namespace carom {
namespace {

using ::testing::HasSubstr;

constexpr const char* kModel = R"toml(schema = 1
title = "slider-crank"
[units]
bare = "SI"
[analytic]
model = "slider_crank"
law = "steel"
[law.steel]
normal = { type = "newton", restitution = 0.4 }
tangential = { type = "coulomb", friction = 0.01, restitution = 0 }
[simulation]
t_end = 0.03
step = 1e-5
scheme = "moreau_jean"
[output]
file = "run.h5"
fields = { every = 7e-5 }
checkpoint = { every = 0.004, keep = 3 }
[output.signal]
turns = "crank.angle / (2*pi)"
blows = "sum(guide.impulse_normal)"
[measure]
worst = "max(guide.impulse_normal)"
deepest = "min(guide.gap)"
[expect]
no_sinking = "min(guide.gap) > -5e-5"
)toml";

class Resume : public ::testing::Test {
 protected:
  Resume() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    directory = std::filesystem::temp_directory_path() /
                (std::string("carom_resume_") + info->name() + std::to_string(getpid()));
    std::filesystem::create_directory(directory);
    whole = (directory / "whole.h5").string();
    cut = (directory / "cut.h5").string();
  }
  ~Resume() override { std::filesystem::remove_all(directory); }

  Scenario scenario(const std::vector<Override>& overrides = {}) const {
    return parse_scenario((directory / "model.toml").string(), kModel, overrides);
  }

  RunReport run_until(const Scenario& s, long step) const {
    std::atomic<bool> stop = false;
    return run_scenario(
        s, {.out = cut, .interrupt = &stop, .progress = [&](const Progress& p) { stop = p.step >= step; }});
  }

  // All datasets but checkpoints, and what the summaries tell.
  void expect_equal(const RunReport& a, const RunReport& b) const {
    EXPECT_TRUE(identical(a.summary.last, b.summary.last));
    EXPECT_EQ(a.summary.steps, b.summary.steps);
    EXPECT_EQ(a.summary.solver_iterations, b.summary.solver_iterations);
    EXPECT_EQ(a.summary.audit.scheme_residual, b.summary.audit.scheme_residual);
    EXPECT_EQ(a.summary.audit.energy_scale, b.summary.audit.energy_scale);
    ASSERT_EQ(a.measures.size(), b.measures.size());
    for (std::size_t i = 0; i < a.measures.size(); ++i)
      EXPECT_EQ(a.measures[i].value, b.measures[i].value) << a.measures[i].name;
    for (std::size_t i = 0; i < a.verdicts.size(); ++i) EXPECT_EQ(a.verdicts[i].why, b.verdicts[i].why);
    const Hdf5File x = Hdf5File::open(a.file), y = Hdf5File::open(b.file);
    std::size_t compared = 0;
    for (const auto& dataset : x.datasets()) {
      if (dataset.path.starts_with("/checkpoint")) continue;
      SCOPED_TRACE(dataset.path);
      const auto same = [&](const std::vector<double>& p, const std::vector<double>& q) {
        ++compared;
        EXPECT_EQ(p.size(), q.size());
        for (std::size_t i = 0; i < std::min(p.size(), q.size()); ++i)
          if (!(p[i] == q[i] || (std::isnan(p[i]) && std::isnan(q[i])))) {
            ADD_FAILURE() << "entry " << i << " of " << p.size() << ": " << p[i] << " and " << q[i];
            return;
          }
      };
      if (dataset.members.empty()) same(x.read(dataset.path), y.read(dataset.path));
      for (const std::string& member : dataset.members)
        same(x.read_column(dataset.path, member), y.read_column(dataset.path, member));
    }
    EXPECT_GT(compared, 30u);
    EXPECT_EQ(x.read_texts("/contact/names"), y.read_texts("/contact/names"));
    EXPECT_EQ(x.text_attribute("/", "outcome"), y.text_attribute("/", "outcome"));
  }

  std::filesystem::path directory;
  std::string whole, cut;
};

TEST_F(Resume, IsTheRunThatWasNotInterruptedWhereverItWasCut) {
  const Scenario s = scenario();
  const RunReport reference = run_scenario(s, {.out = whole});
  ASSERT_GT(reference.summary.audit.normal_impulse, 0.0);
  std::mt19937 random(7);
  for (int k = 0; k < 6; ++k) {
    const long step = k == 0 ? 1 : std::uniform_int_distribution<long>(2, reference.summary.steps - 1)(random);
    SCOPED_TRACE(step);
    EXPECT_EQ(run_until(s, step).summary.outcome, Outcome::interrupted);
    expect_equal(reference, resume_scenario(s, cut));
  }
}

TEST_F(Resume, WithEveryKindOfScheme) {
  for (const char* scheme : {"projection_combined", "nonsmooth_generalized_alpha", "moreau_midpoint", "ggl_unified",
                             "half_explicit_velocity"}) {
    SCOPED_TRACE(scheme);
    const Scenario s = scenario({{"simulation.scheme", scheme}, {"simulation.t_end", "0.012"}});
    const RunReport reference = run_scenario(s, {.out = whole, .replace = Replace::anything});
    run_until(s, 777);
    expect_equal(reference, resume_scenario(s, cut));
  }
}

// A mechanism of bodies from a file with units: turns of a joint are counted on, impacts too.
TEST_F(Resume, WithJointsWhoseTurnsAreCounted) {
  const auto crank = [](const char* t_end) {
    return read_scenario("scenarios/slider_crank_bodies.toml",
                         {{"simulation.t_end", t_end}, {"output.fields.every", "130 us"}});
  };
  const Scenario s = crank("120 ms");
  const RunReport reference = run_scenario(s, {.out = whole});
  EXPECT_GT(Hdf5File::open(whole).read("/signal/turns").back(), 1.0);
  run_until(s, 9001);
  expect_equal(reference, resume_scenario(s, cut));
}

TEST_F(Resume, GoesOnToALaterEndAndAgain) {
  const RunReport reference = run_scenario(scenario(), {.out = whole});
  run_scenario(scenario({{"simulation.t_end", "0.011"}}), {.out = cut});
  resume_scenario(scenario({{"simulation.t_end", "0.02"}}), cut);
  const RunReport resumed = resume_scenario(scenario(), cut);
  expect_equal(reference, resumed);
  EXPECT_EQ(Hdf5File::open(cut).number_attribute("/options", "t_end"), 0.03);
}

// What a kill leaves: the last commit, here made by a recorder that is dropped in the middle of the run.
TEST_F(Resume, GoesOnFromWhatAKillLeaves) {
  const Scenario s = scenario();
  const RunReport reference = run_scenario(s, {.out = whole});
  struct Killed : Recorder {
    explicit Killed(ResultRecorder& recorder) : file(recorder) {}
    void begin(const System& system, const State& start) override { file.begin(system, start); }
    void step(const System& system, const StepView& view) override {
      file.step(system, view);
      if (view.step == 2000) throw std::runtime_error("killed");
    }
    ResultRecorder& file;
  };
  {
    ResultRecorder file(s, cut);
    file.commit_every(std::chrono::milliseconds(1));
    Killed killed(file);
    EXPECT_THROW(simulate(s, &killed), std::runtime_error);
  }
  const double t = read_checkpoint(cut).t;
  EXPECT_GT(t, 0.0);
  EXPECT_LT(t, 0.02 + 1e-9);
  EXPECT_EQ(read_stored_run(cut).outcome, "running");
  expect_equal(reference, resume_scenario(s, cut));
}

TEST_F(Resume, TheFileTellsItsOwnModel) {
  run_until(scenario({{"clearance", "0.0005"}}), 500);
  const StoredRun run = read_stored_run(cut);
  EXPECT_EQ(run.outcome, "interrupted");
  EXPECT_NEAR(run.t, 0.005, 1e-12);
  const Scenario again = stored_scenario(run);
  EXPECT_EQ(std::get<double>(again.model_parameters.at("clearance")), 0.0005);
}

TEST_F(Resume, RefusesAModelThatHasChanged) {
  run_until(scenario(), 500);
  std::string text = kModel;
  text.replace(text.find("friction = 0.01"), 15, "friction = 0.05");
  std::ofstream(directory / "model.toml") << text;
  const StoredRun run = read_stored_run(cut);
  try {
    stored_scenario(run);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems()[0].code, "E0610");
    EXPECT_THAT(error.problems()[0].message, HasSubstr("friction = 0.05"));
    EXPECT_THAT(error.problems()[0].hint, HasSubstr("--branch"));
  }
}

TEST_F(Resume, ABranchBeginsWhereTheRunWas) {
  const RunReport before = run_until(scenario(), 500);
  const Scenario branch = branched_scenario(read_stored_run(cut), {{"law.steel.tangential.friction", "0.3"}});
  EXPECT_TRUE(identical(branch.model.initial, before.summary.last));
  EXPECT_EQ(branch.laws.at("steel").friction, 0.3);
  const RunReport report = run_scenario(branch, {.out = whole});
  EXPECT_EQ(report.summary.outcome, Outcome::finished);
  EXPECT_EQ(Hdf5File::open(whole).read("/time").front(), before.summary.last.t);
}

TEST_F(Resume, AFileOfAnotherModelIsRefused) {
  run_until(scenario(), 5);
  try {
    resume_scenario(scenario_of("other", make_analytic_model("bouncing_ball", {}, {})), cut);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems()[0].code, "E0610");
  }
  {
    Hdf5File file = Hdf5File::create(whole);
    file.commit();
  }
  try {
    read_stored_run(whole);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems()[0].code, "E0612");
  }
}

}  // namespace
}  // namespace carom
