// Models made in a program are checked, run, recorded and compared without any file, and what comes out may outlive
// them.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "carom/carom.h"

namespace carom {
namespace {

// A rod on a hinge falls against a stop.
Model arm_at_a_stop() {
  ModelBuilder m(Space::planar);
  m.set_gravity({0, -9.81, 0});
  const BodyRef arm =
      m.add_body({.name = "arm", .mass = 1.0, .inertia = 0.02 * Matrix3::Identity(), .position = {0.25, 0, 0}});
  m.add_joint({.name = "hinge", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = arm.at({-0.25, 0, 0})});
  m.add_limit({.joint = "hinge", .lower = -0.5, .restitution = 0.5});
  return m.build();
}

Scenario arm() {
  Scenario scenario = scenario_of("arm", arm_at_a_stop(), {.t_end = 0.5, .step = 1e-3});
  scenario.measures = {measured("hits", "sum(hinge.angle.lower.impulse_normal)"), measured("lowest", "min(arm.angle)")};
  return scenario;
}

TEST(ModelStudy, CanBeChecked) {
  const StartReport report = report_start(arm());
  EXPECT_EQ(report.velocities, 3);
  EXPECT_EQ(report.joint_rows, 2);
  EXPECT_EQ(report.joint_rank, 2);
  ASSERT_EQ(report.gaps.size(), 1u);
  EXPECT_EQ(report.gaps[0].name, "hinge.angle.lower");
  EXPECT_NEAR(report.gaps[0].gap, 0.5, 1e-12);
}

TEST(ModelStudy, ASchemeThatCannotIsRefusedBeforeTheRun) {
  Scenario scenario = arm();
  scenario.simulation.scheme = "half_explicit_partitioned";  // joints only
  EXPECT_THROW(simulate(scenario), InputError);
  EXPECT_THROW(run_scenario(scenario, {.out = "never.h5"}), InputError);
  EXPECT_FALSE(std::filesystem::exists("never.h5"));
}

// Angular momentum about the hinge: J omega = what gravity gave; the first impact stops it and gives half of it back.
TEST(ModelStudy, IsComparedAndItsResultsOutliveTheModel) {
  CompareReport report;
  {
    const Scenario scenario = arm();
    report = compare(scenario, scheme_names({"moreau_jean", "projection_combined", "half_explicit_partitioned"}));
  }
  ASSERT_EQ(report.rows.size(), 3u);
  EXPECT_FALSE(report.rows[2].untreated.empty());
  const double J = 0.02 + 0.25 * 0.25, omega = std::sqrt(2 * 9.81 * 0.25 * std::sin(0.5) / J);
  for (std::size_t i = 0; i < 2; ++i) {
    const CompareRow& row = report.rows[i];
    EXPECT_EQ(row.summary.outcome, Outcome::finished);
    EXPECT_NEAR(row.summary.audit.largest_normal_impulse, 1.5 * J * omega, 0.01 * J * omega) << row.scheme;
    EXPECT_EQ(row.summary.audit.largest_normal_impulse_name, "hinge.angle.lower");
    ASSERT_EQ(row.measures.size(), 2u);
    EXPECT_GT(*row.measures[0].value, 1.5 * J * omega);
    EXPECT_NEAR(*row.measures[1].value, -0.5, i == 0 ? 0.02 : 1e-9);
  }
}

TEST(ModelStudy, ConvergesWithTheOrderOfItsScheme) {
  ModelBuilder m(Space::planar);
  m.set_gravity({0, -9.81, 0});
  const BodyRef arm =
      m.add_body({.name = "arm", .mass = 1.0, .inertia = 0.02 * Matrix3::Identity(), .position = {0.25, 0, 0}});
  m.add_joint({.name = "hinge", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = arm.at({-0.25, 0, 0})});
  ConvergeOptions options;
  options.schemes = {"projection_combined", "half_explicit_runge_kutta"};
  options.steps = {8e-3, 4e-3, 2e-3, 1e-3};
  options.until = 0.2;
  const ConvergeReport report = converge(scenario_of("pendulum", m.build()), options);
  ASSERT_EQ(report.schemes.size(), 2u);
  EXPECT_TRUE(report.reference_complete);
  for (const ConvergeScheme& scheme : report.schemes) {
    EXPECT_EQ(scheme.phase, "persistent constraints");
    EXPECT_TRUE(scheme.verdict == ConvergeVerdict::met || scheme.verdict == ConvergeVerdict::better)
        << scheme.scheme << ": " << scheme.remark;
  }
}

TEST(ModelStudy, IsRecordedAndReadBack) {
  const auto path = (std::filesystem::temp_directory_path() / "carom_model_study.h5").string();
  const RunReport report = run_scenario(arm(), {.out = path});
  {
    const Recording recording(path);
    const Matrix angle = recording.series("/planar_body/angle", "arm");
    EXPECT_EQ(angle(angle.rows() - 1, 0), report.summary.last.q[2]);
    EXPECT_EQ(recording.file().text_attribute("/", "model"), "arm");
    EXPECT_FALSE(recording.file().exists("/model/source"));
    EXPECT_EQ(static_cast<long>(recording.times().size()), report.summary.steps + 1);
    EXPECT_THROW(run_scenario(arm(), {.out = path}), std::exception) << "someone reads it";
  }
  run_scenario(arm(), {.out = path});  // the same model's result gives way
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace carom
