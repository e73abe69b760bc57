// Mechanisms from files: units, drives, forces, starts, copies.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "io/model_text.h"

namespace carom {
namespace {

using ::testing::HasSubstr;
using testing::measured_value;
using ::testing::Not;
using testing::problems;
using testing::text_of;
using testing::with;

TEST(Mechanism, ReadsTheRestOfTheSliderCrank) {
  const Scenario s = parse_scenario("slider_crank_bodies.toml", text_of("scenarios/slider_crank_bodies.toml"));
  EXPECT_EQ(s.simulation.t_end, 0.2);
  EXPECT_EQ(s.simulation.step, 1e-5);
  EXPECT_EQ(s.report_units.at("length"), "mm");
  ASSERT_EQ(s.studies.size(), 3u);
  EXPECT_EQ(s.studies[0].over[0].second.size(), 20u);
  EXPECT_EQ(s.studies[0].over[0].second.back(), 2e-3);
  EXPECT_EQ(s.studies[1].steps.size(), 9u);
  EXPECT_EQ(s.studies[1].reference_scheme, "event_driven");
  EXPECT_EQ(s.studies[2].schemes.size(), 3u);
}

TEST(Mechanism, PicturesAreDrawnAndTouchNothing) {
  const std::string text = R"toml(schema = 1
[world]
dimension = 2
gravity = [0, "-10 m/s^2"]
[ground.shape.pole]
type = "box"
size = ["1 m", "1 m"]
picture = true
[body.ball]
mass = "1 kg"
inertia = "1 kg*m^2"
position = [0, "2 m"]
shape.skin = { type = "disc", radius = "0.5 m", picture = true }
[simulation]
t_end = "1 s"
step = "10 ms"
scheme = "moreau_jean"
)toml";
  const Scenario s = parse_scenario("pictures.toml", text);
  std::vector<std::string> kinds;
  for (const Scene scene = s.model.drawing->scene(); const DrawnShape& shape : scene.shapes)
    kinds.push_back(shape.kind);
  EXPECT_THAT(kinds, ::testing::UnorderedElementsAre("polygon", "disc"));
  EXPECT_NEAR(measured_value(s, "last(steps, ball.y)"), 2.0 - 5.0, 1e-2);  // through the pole
}

// A body moved from outside and one in the plane: nothing in W points out of it, whatever memory held before.
TEST(Mechanism, ContactsOfMovedBodiesStayInThePlane) {
  const Scenario s = parse_scenario("geneva_drive.toml", text_of("scenarios/gallery/geneva_drive.toml"));
  const System& system = *s.model.system;
  ContactSet contacts;
  system.detect(0.0, s.model.initial.q, s.model.initial.v, 0.1, contacts);
  ActiveSet all;
  all.reset(contacts);
  all.add_all();
  int three_rows = 0;
  for (const double dirt : {1.0, std::nan("")}) {
    volatile double stack[4096];
    for (volatile double& entry : stack) entry = dirt;
    Evaluation at;
    system.evaluate(0.0, s.model.initial.q, s.model.initial.v, Need::jacobian, all, at);
    for (Index b = 0; b < at.W.block_count(); ++b) {
      const ConstraintJacobian::Block& block = at.W.block(b);
      if (all.constraint(b).bilateral || block.rows < 3 || !all.constraint(b).law->is_contact()) continue;
      ++three_rows;
      for (Index k = block.segment_begin; k < block.segment_end; ++k) {
        const ConstraintJacobian::Segment& segment = at.W.segment(k);
        for (Index i = 0; i < segment.size; ++i) EXPECT_EQ(at.W.entries(segment)[2 * segment.size + i], 0.0);
      }
    }
  }
  EXPECT_GT(three_rows, 0);
}

// mm-g-ms and m-kg-s: the same numbers up to rounding of the conversion.
TEST(Mechanism, UnitsChangeNothing) {
  const std::string millimetres = R"toml(schema = 1
[world]
dimension = 2
gravity = [0, "-9.81e-3 mm/ms^2"]
[ground.points]
O = [0, 0]
[body.rod]
mass = "1500 g"
inertia = "31250000 g*mm^2"
points = { O = ["-250 mm", 0] }
[joint.pin]
type = "revolute"
between = ["ground.O", "rod.O"]
[force.spring]
type = "spring-damper"
between = ["ground.O", "rod"]
stiffness = "2 N/mm"
damping = "3 N*ms/mm"
free_length = "200 mm"
[initial]
pin = { angle = "30 deg", rate = "0.002 rad/ms" }
[simulation]
t_end = "100 ms"
step = "500 us"
scheme = "ggl_unified"
)toml";
  const std::string metres = R"toml(schema = 1
units.bare = "SI"
[world]
dimension = 2
gravity = [0, -9.81]
[ground.points]
O = [0, 0]
[body.rod]
mass = 1.5
inertia = 0.03125
points = { O = [-0.25, 0] }
[joint.pin]
type = "revolute"
between = ["ground.O", "rod.O"]
[force.spring]
type = "spring-damper"
between = ["ground.O", "rod"]
stiffness = 2000
damping = 3
free_length = 0.2
[initial]
pin = { angle = "pi/6", rate = 2 }
[simulation]
t_end = 0.1
step = 5e-4
scheme = "ggl_unified"
)toml";
  const Scenario a = parse_scenario("a.toml", millimetres), b = parse_scenario("b.toml", metres);
  const SimulationSummary x = simulate(a), y = simulate(b);
  EXPECT_LT((x.last.q - y.last.q).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((x.last.v - y.last.v).cwiseAbs().maxCoeff(), 1e-11);
}

const std::string kPendulum = R"toml(schema = 1
[parameters]
L = "0.5 m"
[world]
dimension = 2
[ground.points]
O = [0, 0]
[body.rod]
mass = "1 kg"
inertia = "0.02 kg*m^2"
points = { O = ["-L/2", 0] }
[joint.pin]
type = "revolute"
between = ["ground.O", "rod.O"]
DRIVE
[simulation]
t_end = "1 s"
step = "1 ms"
scheme = "ggl_unified"
)toml";

TEST(Mechanism, PrescribedMotionIsFollowed) {
  const Scenario s =
      parse_scenario("p.toml", with(kPendulum, {{"DRIVE", "drive = { angle = \"0.3 rad * sin(2*pi*1 Hz*t)\" }"}}));
  EXPECT_NEAR(s.model.initial.v[2], 0.6 * std::numbers::pi, 1e-9);  // it starts as it is driven
  EXPECT_NEAR(measured_value(s, "max(steps, abs(joint.pin.angle - 0.3*sin(2*pi*t)))"), 0.0, 1e-9);
}

TEST(Mechanism, AMotorDoesItsWork) {
  // J = 0.02 + 1 * 0.25^2 = 0.0825 kg m^2 about the pin; 0.165 N m turn it by 1/2 (0.165/0.0825) t^2 = 1 rad in 1 s.
  const Scenario s =
      parse_scenario("p.toml", with(kPendulum, {{"DRIVE", "[drive.motor]\njoint = \"pin\"\ntorque = \"0.165 N*m\""}}));
  EXPECT_NEAR(measured_value(s, "last(steps, pin.angle)"), 1.0, 2e-3);
  EXPECT_NEAR(measured_value(s, "last(steps, pin.rate)"), 2.0, 1e-3);
  EXPECT_NEAR(measured_value(s, "last(energy.other_work)"), 0.165, 1e-3);
}

TEST(Mechanism, LoadsSeeTheMotion) {
  const std::string text = R"toml(schema = 1
[body.ball]
mass = "2 kg"
inertia = ["1 kg*m^2", "1 kg*m^2", "1 kg*m^2"]
velocity = ["3 m/s", 0, 0]
[force.drag]
type = "load"
at = "ball"
force = ["-4 N*s/m * ball.vx", 0, "2 N * step(t, 0.5 s)"]
[simulation]
t_end = "1 s"
step = "1 ms"
scheme = "moreau_jean"
)toml";
  const Scenario s = parse_scenario("b.toml", text);
  EXPECT_NEAR(measured_value(s, "last(ball.vx)"), 3.0 * std::exp(-2.0), 2e-3);
  EXPECT_NEAR(measured_value(s, "last(ball.vz)"), 0.5, 2e-3);
  EXPECT_THAT(problems(with(text, {{"-4 N*s/m * ball.vx", "-4 N * ball.vx"}})), HasSubstr("E0137"));
  // Of a kind that is not known no other key is wrong.
  const std::string unknown = problems(with(text, {{"type = \"load\"", "type = \"thrust\""}}));
  EXPECT_THAT(unknown, HasSubstr("E0125"));
  EXPECT_THAT(unknown, ::testing::Not(HasSubstr("E0102")));
}

// A mass alone is spread over the shapes, as a density is: a box by its closed form, two shapes as one density of the
// same mass.
TEST(Mechanism, AMassIsSpreadOverTheShapes) {
  const auto scene = [](const std::string& mass, const std::string& shapes) {
    return parse_scenario("b.toml", fmt::format(R"toml(schema = 1
[body.b]
{}
{}
spin = ["1 rad/s", "2 rad/s", "3 rad/s"]
[simulation]
t_end = "1 ms"
step = "1 ms"
)toml",
                                                mass, shapes));
  };
  const auto energy = [](const Scenario& s) {
    const State& at = s.model.initial;
    return s.model.system->energetics()->kinetic_energy(at.t, at.q, at.v);
  };
  const std::string box = "shape = { type = \"box\", size = [\"0.2 m\", \"0.3 m\", \"0.5 m\"] }";
  const double J[3] = {0.09 + 0.25, 0.04 + 0.25, 0.04 + 0.09};
  EXPECT_NEAR(energy(scene("mass = \"6 kg\"", box)), 0.5 * 6.0 / 12.0 * (J[0] + 4.0 * J[1] + 9.0 * J[2]), 1e-14);
  const std::string two =
      "shape.a = { type = \"box\", size = [\"1 m\", \"1 m\", \"1 m\"] }\n"
      "shape.b = { type = \"box\", size = [\"1 m\", \"1 m\", \"2 m\"], at = [\"2 m\", 0, 0] }";
  EXPECT_NEAR(energy(scene("mass = \"6 kg\"", two)), energy(scene("density = \"2 kg/m^3\"", two)), 1e-12);
}

TEST(Mechanism, CopiesAreJoinedInARow) {
  const std::string text = R"toml(schema = 1
[parameters]
n = 5
a = "0.2 m"
[world]
gravity = [0, 0, "-9.81 m/s^2"]
[body.link]
count = "n"
mass = "1 kg"
inertia = ["1e-3 kg*m^2", "4e-3 kg*m^2", "4e-3 kg*m^2"]
position = ["(i + 0.5)*a", 0, 0]
points = { A = ["-a/2", 0, 0], B = ["a/2", 0, 0] }
[joint.pin]
count = "n - 1"
type = "spherical"
between = ["link{i}.B", "link{i+1}.A"]
[joint.hook]
type = "revolute"
between = ["ground", "link0.A"]
axis = "y"
[simulation]
t_end = "0.1 s"
step = "1 ms"
)toml";
  const Scenario s = parse_scenario("c.toml", text);
  EXPECT_EQ(s.model.system->nv(), 30);
  EXPECT_EQ(s.simulation.scheme, "half_explicit_partitioned");
  EXPECT_THAT(s.choices.at(0), HasSubstr("smooth motion of order 4 and more"));
  EXPECT_LT(measured_value(s, "max(steps, max(contacts, pin3.gap))"), 1e-12);
  // A joint that says again what another one said: schemes that eliminate joint forces stage by stage are not for it.
  const std::string twice = with(text, {{"[simulation]", R"([joint.again]
type = "revolute"
between = ["ground", "link0.A"]
axis = "y"
[simulation])"}});
  EXPECT_EQ(parse_scenario("c.toml", twice).simulation.scheme, "ggl_unified");
}

TEST(Mechanism, BodiesHaveFormulationsInSpace) {
  const std::string text = R"toml(schema = 1
[world]
gravity = [0, 0, "-9.81 m/s^2"]
[body.stone]
mass = "2 kg"
inertia = ["1e-2 kg*m^2", "2e-2 kg*m^2", "2.5e-2 kg*m^2"]
spin = ["0.3 rad/s", "4 rad/s", "0.2 rad/s"]
formulation = "scalable"
[simulation]
t_end = "0.1 s"
step = "1 ms"
scheme = "consistent_decomposed"
)toml";
  const Scenario scalable = parse_scenario("s.toml", text);
  EXPECT_EQ(scalable.model.system->nv(), 7);
  EXPECT_NE(scalable.model.system->decomposed(), nullptr);
  EXPECT_NEAR(measured_value(scalable, "last(stone.z)"), -0.5 * 9.81 * 0.01, 1e-12);
  EXPECT_EQ(parse_scenario("a.toml", with(text, {{"\"scalable\"", "\"affine\""}})).model.system->nv(), 12);
  EXPECT_THAT(problems(with(text, {{"scalable", "scaled"}})), HasSubstr("scalable"));
  const std::string planar = with(with(with(with(text, {{"[0, 0, \"-9.81 m/s^2\"]", "[0, \"-9.81 m/s^2\"]"}}),
                                            {{"[world]", "[world]\ndimension = 2"}}),
                                       {{"[\"1e-2 kg*m^2\", \"2e-2 kg*m^2\", \"2.5e-2 kg*m^2\"]", "\"1e-2 kg*m^2\""}}),
                                  {{"[\"0.3 rad/s\", \"4 rad/s\", \"0.2 rad/s\"]", "\"4 rad/s\""}});
  EXPECT_THAT(problems(planar), HasSubstr("E0121"));
}

TEST(Mechanism, TwoNumbersAndAnEndTimeAreAModel) {
  const Scenario s = parse_scenario("ball.toml", R"toml(schema = 1
[world]
gravity = [0, 0, "-9.81 m/s^2"]
[plane.floor]
[body.ball]
density = "1000 kg/m^3"
shape = { type = "sphere", radius = "10 cm" }
position = [0, 0, "1 m"]
[contact.all]
law = "rubber"
[law.rubber]
normal = { restitution = 0.5 }
tangential = { friction = 0.3 }
[simulation]
t_end = "1 s"
[measure]
bounces = "impacts(ball)"
)toml");
  EXPECT_EQ(s.simulation.scheme, "moreau_jean");
  EXPECT_EQ(s.simulation.step, 1e-3);
  EXPECT_EQ(measured_value(s, "impacts(ball)"), 2.0);  // after 0.428 s and 0.428 s more
  EXPECT_NEAR(measured_value(s, "max(steps, sum(contacts, ball.impulse_normal))"), 4.18879 * 1.5 * 4.202, 0.3);
}

TEST(Mechanism, ARubbingJointMayTurnAtTheStart) {
  // The pin's friction: 0.1 * N * 0.01 m against turning; N is the weight while it hangs, so it comes to rest.
  const std::string text = with(with(kPendulum, {{"DRIVE", "friction = { coefficient = 0.1, radius = \"10 mm\" }"}}),
                                {{"dimension = 2", "dimension = 2\ngravity = [0, \"-9.81 m/s^2\"]"}}) +
                           "[initial]\npin = { angle = \"-90 deg\", rate = \"1 rad/s\" }\n";
  const Scenario s = parse_scenario("rub.toml", text);
  EXPECT_NEAR(s.model.initial.v[2], 1.0, 1e-12);
  EXPECT_LT(measured_value(s, "last(energy.total) - first(energy.total)"), 0.0);
}

TEST(Mechanism, PinsWithPlayAreAssembledAsIfThereWereNone) {
  const Scenario s = parse_scenario("four_bar.toml", R"toml(schema = 1
[world]
dimension = 2
[ground.points]
A = [0, 0]
D = ["0.4 m", 0]
[body.crank]
mass = "0.1 kg"
inertia = "1e-4 kg*m^2"
points = { A = ["-50 mm", 0], B = ["50 mm", 0] }
[body.coupler]
mass = "0.3 kg"
inertia = "1e-3 kg*m^2"
points = { B = ["-0.2 m", 0], C = ["0.2 m", 0] }
[body.rocker]
mass = "0.2 kg"
inertia = "1e-3 kg*m^2"
angle = "100 deg"
points = { D = ["-0.15 m", 0], C = ["0.15 m", 0] }
[joint.a]
type = "revolute"
between = ["ground.A", "crank.A"]
drive = { rate = "60 rpm" }
[joint.b]
type = "revolute-clearance"
between = ["crank.B", "coupler.B"]
bore_radius = "5 mm"
clearance = "0.1 mm"
law = "steel"
[joint.c]
type = "revolute"
between = ["coupler.C", "rocker.C"]
[joint.d]
type = "revolute"
between = ["ground.D", "rocker.D"]
[initial]
a = { angle = "60 deg" }
[law.steel]
normal = { restitution = 0.5 }
tangential = { friction = 0.1 }
[simulation]
t_end = "50 ms"
step = "0.1 ms"
scheme = "ggl_unified"
)toml");
  EXPECT_NEAR(measured_value(s, "first(b.gap)"), 1e-4, 1e-12);  // the pin begins in the middle of its bore
  EXPECT_GT(measured_value(s, "min(b.gap)"), -1e-9);
  EXPECT_NEAR(measured_value(s, "last(steps, a.rate)"), 2.0 * std::numbers::pi, 1e-9);
}

TEST(Mechanism, WhatCannotBeAssembledIsNamed) {
  const std::string all = problems(R"toml(schema = 1
[world]
dimension = 2
[ground.points]
A = [0, 0]
B = ["10 m", 0]
[body.rod]
mass = "1 kg"
inertia = "1 kg*m^2"
points = { A = ["-0.5 m", 0], B = ["0.5 m", 0] }
[joint.left]
type = "revolute"
between = ["ground.A", "rod.A"]
[joint.right]
type = "revolute"
between = ["ground.B", "rod.B"]
[simulation]
t_end = "1 s"
)toml");
  EXPECT_THAT(all, HasSubstr("E0213"));
  EXPECT_THAT(all, HasSubstr("joint.right stays 9000 mm open in the closest pose found"));
  EXPECT_THAT(all, Not(HasSubstr("joint.left")));
}

// Four bars of random lengths, the rod too short by a known amount: that much stays open at one joint, in both kinds of
// coordinates, and the bars lie in one line.
TEST(Mechanism, TheClosestPoseOfARodThatIsTooShort) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> length(0.02, 0.3);
  for (int run = 0; run < 10; ++run) {
    const double a = length(random), b = length(random), c = length(random), missing = length(random);
    double at[9];  // positions and angles to start from
    for (double& x : at) x = 5.0 * (length(random) - 0.1);
    for (const char* coordinates : {"maximal", "joint"}) {
      const std::string all =
          problems(fmt::format(R"toml(schema = 1
[units]
bare = "SI"
[world]
dimension = 2
coordinates = "{}"
[ground]
points = {{ A = [0, 0], D = [{}, 0] }}
[body]
crank = {{ mass = 1, inertia = 1, points = {{ A = [{}, 0], B = [{}, 0] }}, position = [{}, {}], angle = {} }}
coupler = {{ mass = 1, inertia = 1, points = {{ B = [{}, 0], C = [{}, 0] }}, position = [{}, {}], angle = {} }}
rocker = {{ mass = 1, inertia = 1, points = {{ C = [{}, 0], D = [{}, 0] }}, position = [{}, {}], angle = {} }}
[joint]
A = {{ type = "revolute", between = ["ground.A", "crank.A"] }}
B = {{ type = "revolute", between = ["crank.B", "coupler.B"] }}
C = {{ type = "revolute", between = ["coupler.C", "rocker.C"] }}
D = {{ type = "revolute", between = ["ground.D", "rocker.D"] }}
[initial]
start = "assemble"
[simulation]
t_end = 1
)toml",
                               coordinates, a + b + c + missing, -a / 2, a / 2, at[0], at[1], at[2], -b / 2, b / 2,
                               at[3], at[4], at[5], -c / 2, c / 2, at[6], at[7], at[8]));
      const std::size_t told = all.find(" stays ");
      ASSERT_NE(told, std::string::npos) << all;
      EXPECT_EQ(all.find(" stays ", told + 1), std::string::npos) << all;
      EXPECT_NEAR(std::stod(all.substr(told + 7)), 1e3 * missing, 1e-3 * 1e3 * missing) << all;
    }
  }
}

}  // namespace
}  // namespace carom
