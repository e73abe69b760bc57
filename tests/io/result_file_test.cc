#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "carom/base/errors.h"
#include "carom/io/hdf5_file.h"
#include "carom/io/quantity_text.h"
#include "carom/io/recording.h"
#include "carom/io/result_recorder.h"
#include "carom/io/run_scenario.h"
#include "carom/model/assembly/builder.h"
#include "carom/model/parts/planar_beam.h"

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
  std::string path =
      (std::filesystem::temp_directory_path() /
       (std::string("carom_test_") + ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".h5"))
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

// A rod hangs on two bodies' worth of joints, a second one is turned by a drive: reactions and powers have closed
// forms.
TEST_F(ResultFile, HoldsReactionsOfJointsAndPowersOfDrives) {
  constexpr double g = 9.81, length = 0.4, mass = 2.0, omega = 3.0;
  model::ModelBuilder m(Space::planar);
  m.set_gravity({0, -g, 0});
  const auto inertia = [](double J) { return Matrix3(J * Matrix3::Identity()); };
  const auto held = m.add_body({.name = "held", .mass = mass, .inertia = inertia(0.1), .position = {5 + length, 0, 0}});
  m.add_joint({.name = "clamp", .kind = "fixed", .a = m.ground().at({5, 0, 0}), .b = held.at({-length, 0, 0})});
  const auto arm = m.add_body({.name = "arm", .mass = mass, .inertia = inertia(0.1), .position = {length, 0, 0}});
  m.add_joint({.name = "hinge",
               .kind = "revolute",
               .a = m.ground().at({0, 0, 0}),
               .b = arm.at({-length, 0, 0}),
               .start = model::CoordinateStart{0.0, omega}});
  m.add_drive({.joint = "hinge", .motion = [](double t) { return model::Prescribed{omega * t, omega, 0.0}; }});
  Scenario scenario = scenario_of("driven", m.build(), {.t_end = 1.0, .step = 1e-3, .scheme = "projection_combined"});
  scenario.output.fields_every = 0.05;
  const RunReport report = run_scenario(scenario, {.out = path});
  ASSERT_EQ(report.summary.outcome, Outcome::finished);

  const Recording recording(path);
  EXPECT_THAT(recording.names("/planar_body"), ElementsAre("held", "arm"));
  const std::vector<double> t = recording.times();
  const Matrix clamp = recording.series("/joint/reaction", "clamp");
  const Matrix hinge = recording.series("/joint/reaction", "hinge");
  const std::vector<std::string> joints = recording.names("/joint");
  const auto drive = std::find_if(joints.begin(), joints.end(),
                                  [](const std::string& name) { return name != "clamp" && name != "hinge"; });
  ASSERT_NE(drive, joints.end());
  const Matrix power = recording.series("/joint/power", *drive), idle = recording.series("/joint/power", "clamp");
  const Matrix angle = recording.series("/planar_body/angle", "arm");
  ASSERT_EQ(t.size(), 21u);
  ASSERT_EQ(joints[0], "clamp");
  try {
    recording.series("/joint/reaction", "clmp");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().front().code, "E0611");
  }
  const std::vector<double> lengths = recording.file().read("/joint/length");
  EXPECT_TRUE(std::isnan(clamp(0, 0))) << "no step yet";
  for (Eigen::Index i = 1; i < static_cast<Eigen::Index>(t.size()); ++i) {
    const double at = t[static_cast<std::size_t>(i)], middle = at - 0.5e-3;
    EXPECT_NEAR(angle(i, 0), omega * at, 1e-9);
    EXPECT_NEAR(clamp.row(i).head<2>().norm(), mass * g, 1e-6);                // the weight,
    EXPECT_NEAR(std::abs(clamp(i, 2)) * lengths[0], mass * g * length, 1e-6);  // and its moment
    EXPECT_NEAR(power(i, 0), mass * g * length * omega * std::cos(omega * middle), 0.05) << "lifts the arm";
    EXPECT_EQ(idle(i, 0), 0.0);
    const double fx = -mass * length * omega * omega * std::cos(omega * middle),
                 fy = mass * g - mass * length * omega * omega * std::sin(omega * middle);
    EXPECT_NEAR(hinge.row(i).head<2>().norm(), std::hypot(fx, fy), 0.05);
  }
  // What the drive puts in is work, not an error of the scheme; what is left is of first order in the step (0.0105 J
  // of 1.1 J).
  scenario.simulation.step = 1e-4;
  const Audit coarse = report.summary.audit, fine = simulate(scenario).audit;
  EXPECT_GT(coarse.other_work, 1.0);
  EXPECT_LT(std::abs(coarse.scheme_residual), 0.012);
  EXPECT_NEAR(fine.scheme_residual, 0.1 * coarse.scheme_residual, 0.02 * std::abs(coarse.scheme_residual));
  EXPECT_EQ(recording.unit("/joint/power"), "W");
  EXPECT_THROW(recording.series("/joint/power", "clmap"), InputError);
  EXPECT_THROW(recording.series("/nothing"), InputError);
}

// A ball that spins on the spot on a patch with a friction radius: the spin row in units of its own, the law's word for
// it.
TEST_F(ResultFile, HoldsTheSpinRowAndWhatTheLawSays) {
  constexpr double g = 9.81, mass = 1.0, radius = 0.1, J = 0.004, patch = 2e-3, mu = 0.5;
  model::ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -g});
  m.set_default_contact(ContactParameters{.friction = mu, .spin_radius = patch});
  m.add_surface({.name = "floor", .shape = geometry::HalfSpace()});
  const auto ball = m.add_body({.name = "ball",
                                .mass = mass,
                                .inertia = J * Matrix3::Identity(),
                                .position = {0, 0, radius},
                                .spin = {0, 0, 20.0}});
  m.add_surface({.body = ball.number, .shape = geometry::Sphere(radius)});
  Scenario scenario = scenario_of("spinning", m.build(), {.t_end = 10.0, .step = 1e-2});
  const RunReport report = run_scenario(scenario, {.out = path});
  ASSERT_EQ(report.summary.outcome, Outcome::finished);
  const Recording recording(path);
  const Matrix spin = recording.series("/body/spin", "ball");
  const double stops = 20.0 * J / (patch * mu * mass * g);  // moment patch mu N
  const std::vector<double> t = recording.times();
  for (std::size_t i = 0; i < t.size(); ++i)
    EXPECT_NEAR(spin(static_cast<Eigen::Index>(i), 2), std::max(0.0, 20.0 * (1.0 - t[i] / stops)), 1e-6);
  const auto at = recording.contacts("t"), status = recording.contacts("status"), moment = recording.contacts("p_spin"),
             spin_plus = recording.contacts("spin_plus");
  ASSERT_EQ(at.size(), 1000u);
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] < stops - 0.02) {
      EXPECT_EQ(status[i], static_cast<double>(ContactState::spin));
      EXPECT_NEAR(std::abs(moment[i]), patch * mu * mass * g * 1e-2, 1e-9);
      EXPECT_NEAR(std::abs(spin_plus[i]), 20.0 * (1.0 - at[i] / stops), 1e-6);
    }
    if (at[i] > stops + 0.02) {
      EXPECT_EQ(status[i], static_cast<double>(ContactState::stick));
    }
  }
}

TEST_F(ResultFile, OfABeamHasItsNodesInOneTable) {
  model::PlanarBeamSpec spec;
  spec.elements = 4;
  spec.supports = {model::PlanarSupport::hinged(0)};
  spec.gravity = {0, -9.81};
  const Scenario scenario = scenario_of("beam", model::make_planar_beam(spec), {.t_end = 0.01, .step = 1e-3});
  run_scenario(scenario, {.out = path});
  const Recording recording(path);
  EXPECT_THAT(recording.file().extents("/node/position"), ElementsAre(11u, 5u, 2u));
  EXPECT_THAT(recording.file().extents("/node/angle"), ElementsAre(11u, 5u));
  EXPECT_EQ(recording.series("/node/position", "node0"), Matrix::Zero(11, 2)) << "the support";
  EXPECT_LT(recording.series("/node/velocity", "node4")(10, 1), -0.05);
}

// A point on a body that turns: its velocity is that of differences of its positions, and of omega x r.
TEST_F(ResultFile, HoldsTheMotionOfSensors) {
  model::ModelBuilder m(Space::spatial);
  m.add_body({.name = "top",
              .inertia = Vector3(0.1, 0.2, 0.3).asDiagonal(),
              .position = {1, 2, 3},
              .velocity = {0.5, 0, 0},
              .spin = {1.0, 5.0, 0.2}});
  m.add_planar_body({.name = "wheel", .position = {0, 9, 0}, .angle = 0.3, .spin = {0, 0, 4.0}});
  Scenario scenario = scenario_of("sensors", m.build(), {.t_end = 0.2, .step = 1e-4});
  const Vector3 arm(0.3, -0.2, 0.4);
  scenario.sensors = {{"tip", "top", arm}, {"rim", "wheel", {0.5, 0, 0}}};
  run_scenario(scenario, {.out = path});
  const Recording recording(path);
  const Matrix x = recording.series("/sensor/position", "tip"), v = recording.series("/sensor/velocity", "tip");
  const Matrix centre = recording.series("/body/position", "top");
  const Matrix rim = recording.series("/sensor/position", "rim"), rim_v = recording.series("/sensor/velocity", "rim");
  for (Eigen::Index i = 1; i + 1 < x.rows(); ++i) {
    EXPECT_NEAR((x.row(i) - centre.row(i)).norm(), arm.norm(), 1e-12);
    EXPECT_LT((0.5e4 * (x.row(i + 1) - x.row(i - 1)) - v.row(i)).norm(), 1e-4);
    EXPECT_NEAR(rim(i, 0), 0.5 * std::cos(0.3 + 4.0 * 1e-4 * static_cast<double>(i)), 1e-9);
    EXPECT_NEAR(rim_v.row(i).norm(), 2.0, 1e-9);
  }
  scenario.sensors[0].frame = "tpo";
  EXPECT_THROW(run_scenario(scenario, {.out = path}), InputError);
}

// In joint coordinates a body's place is not among the coordinates: it is recorded beside them, and sensors sit on it
// as on any other.
TEST_F(ResultFile, HoldsTheMotionOfBodiesInJointCoordinates) {
  model::ModelBuilder m(Space::planar);
  m.set_coordinates(model::Coordinates::joint);
  const model::BodyRef arm = m.add_body({.name = "arm", .inertia = 0.1 * Matrix3::Identity(), .position = {0.5, 0, 0}});
  m.add_joint({.name = "hinge",
               .kind = "revolute",
               .a = m.ground().at({0, 0, 0}),
               .b = arm.at({-0.5, 0, 0}),
               .start = model::CoordinateStart{0.0, 3.0}});
  Scenario scenario = scenario_of("arm", m.build(), {.t_end = 0.1, .step = 1e-3});
  scenario.sensors = {{"tip", "arm", {0.5, 0, 0}}};
  run_scenario(scenario, {.out = path});
  const Recording recording(path);
  const Matrix angle = recording.series("/coordinate/hinge.angle", ""), x = recording.series("/frame/position", "arm"),
               p = recording.series("/frame/orientation", "arm");
  const Matrix tip = recording.series("/sensor/position", "tip"), v = recording.series("/sensor/velocity", "tip");
  EXPECT_EQ(recording.unit("/coordinate/hinge.angle"), "rad");
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const double a = 3.0 * 1e-3 * static_cast<double>(i);
    EXPECT_NEAR(angle(i, 0), a, 1e-12);
    EXPECT_NEAR(x(i, 0), 0.5 * std::cos(a), 1e-12);
    EXPECT_NEAR(x(i, 1), 0.5 * std::sin(a), 1e-12);
    EXPECT_NEAR(tip(i, 1), std::sin(a), 1e-12);
    EXPECT_NEAR(v.row(i).norm(), 3.0, 1e-12);
    EXPECT_NEAR(2.0 * std::atan2(p(i, 3), p(i, 0)), a, 1e-12);
  }
}

TEST_F(ResultFile, OfManyBodiesHasFewDatasets) {
  model::ModelBuilder m(Space::spatial);
  for (int b = 0; b < 300; ++b)
    m.add_body({.name = "b" + std::to_string(b), .position = {1.0 * b, 0, 0}, .velocity = {0, 1.0 * b, 0}});
  const Scenario scenario = scenario_of("many", m.build(), {.t_end = 0.1, .step = 1e-2});
  run_scenario(scenario, {.out = path});
  const Recording recording(path);
  EXPECT_THAT(recording.file().members("/body"), ElementsAre("names", "orientation", "position", "spin", "velocity"));
  EXPECT_NEAR(recording.series("/body/position", "b250")(10, 1), 25.0, 1e-9);
}

TEST_F(ResultFile, RowsComeBackAsWritten) {
  {
    Hdf5File file = Hdf5File::create(path);
    Hdf5Rows rows(file, "/a/b", Hdf5Type::float64, {3}, 10, {"m", "three", "state"});
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
