// Formulas that name bodies and reactions mean the same in joint coordinates as in maximal ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "io/model_text.h"

namespace carom {
namespace {

using testing::measured_value;
using testing::values;
using testing::with;

std::string joint_coordinates(const std::string& text) {
  return with(text, {{"[world]", "[world]\ncoordinates = \"joint\""}});
}

// A bar of 2 kg whose middle is 0.5 m from the joint at the origin; a second one hangs on its end.
const char* const two_bars = R"(schema = 1
[world]
dimension = 2
gravity = [0, "-10 m/s^2"]
[body.upper]
mass = "2 kg"
inertia = "0.1 kg*m^2"
points = { O = ["-0.5 m", 0], E = ["0.5 m", 0] }
[body.lower]
mass = "1 kg"
inertia = "0.05 kg*m^2"
points = { E = ["-0.4 m", 0], tip = ["0.4 m", 0.1] }
[joint.root]
type = "TYPE"
between = ["ground", "upper.O"]
[joint.elbow]
type = "TYPE"
between = ["upper.E", "lower.E"]
MORE
[initial]
START
[simulation]
t_end = "T"
step = "STEP"
scheme = "ggl_unified"
[units]
bare = "SI"
)";

TEST(JointCoordinatesFormulas, StaticsIsExact) {
  const std::string clamped = with(
      two_bars,
      {{"TYPE", "fixed"}, {"TYPE", "fixed"}, {"MORE", ""}, {"START", ""}, {"\"T\"", "\"5 ms\""}, {"STEP", "1 ms"}});
  const std::string hanging = with(two_bars, {{"TYPE", "revolute"},
                                              {"TYPE", "revolute"},
                                              {"MORE", ""},
                                              {"START", "root = { angle = \"-90 deg\" }"},
                                              {"\"T\"", "\"5 ms\""},
                                              {"STEP", "1 ms"}});
  for (const std::string& text : {clamped, hanging}) {
    const Scenario maximal = parse_scenario("bars.toml", text),
                   joint = parse_scenario("bars.toml", joint_coordinates(text));
    ASSERT_LT(joint.model.system->nv(), maximal.model.system->nv());
    for (const char* of : {"root", "elbow"})
      for (const char* what : {"force", "force_x", "force_y", "torque"}) {
        const std::string formula = std::string("last(steps, ") + of + "." + what + ")";
        EXPECT_NEAR(measured_value(joint, formula), measured_value(maximal, formula), 1e-9) << formula;
      }
    EXPECT_NEAR(measured_value(joint, "last(steps, root.force_y)"), 30.0, 1e-9);
    EXPECT_NEAR(measured_value(joint, "last(steps, elbow.force_y)"), 10.0, 1e-9);
  }
}

// Their values at the end, and how far they are apart in both kinds of coordinates, over their largest sizes.
std::vector<double> differences(const std::string& text, const std::vector<std::string>& formulas) {
  std::string measures = "[measure]\n";
  for (std::size_t k = 0; k < formulas.size(); ++k)
    measures += fmt::format("last{0} = \"last(steps, {1})\"\nlargest{0} = \"max(steps, abs({1}))\"\n", k, formulas[k]);
  const Scenario maximal = parse_scenario("test.toml", text + measures),
                 joint = parse_scenario("test.toml", joint_coordinates(text) + measures);
  EXPECT_LT(joint.model.system->nv(), maximal.model.system->nv());
  const std::vector<double> a = values(maximal, maximal.measures), b = values(joint, joint.measures);
  std::vector<double> out;
  for (std::size_t k = 0; k < formulas.size(); ++k)
    out.push_back(std::abs(a[2 * k] - b[2 * k]) / std::max(1e-3, a[2 * k + 1]));
  return out;
}

// The difference goes with the step.
void expect_order(const std::vector<double>& coarse, const std::vector<double>& fine,
                  const std::vector<std::string>& formulas) {
  for (std::size_t k = 0; k < formulas.size(); ++k) {
    EXPECT_LT(fine[k], 0.4 * coarse[k] + 1e-7) << formulas[k] << " " << coarse[k] << " " << fine[k];
    EXPECT_LT(coarse[k], 0.05) << formulas[k];
  }
}

// Random starts, springs at the joints and turns of more than a full angle.
TEST(JointCoordinatesFormulas, InMotionTheyDifferByTheSchemesError) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  const std::vector<std::string> formulas = {"upper.x",       "upper.y",       "upper.angle",  "upper.vx",
                                             "upper.rate",    "lower.x",       "lower.angle",  "lower.tip.x",
                                             "lower.tip.vy",  "root.force_x",  "root.force_y", "root.force",
                                             "elbow.force_x", "elbow.force_y", "elbow.torque"};
  for (int run = 0; run < 4; ++run) {
    const double a = 3.0 * any(random), b = 3.0 * any(random), va = 12.0 * any(random), vb = 20.0 * any(random);
    const auto off = [&](const char* step) {
      return differences(
          with(two_bars,
               {{"TYPE", "revolute"},
                {"TYPE", "revolute"},
                {"MORE",
                 "spring = { stiffness = \"3 N*m/rad\", damping = \"0.1 N*m*s/rad\" }\n[force.pull]\ntype = "
                 "\"spring-damper\"\nbetween = [\"ground\", \"lower.tip\"]\nstiffness = \"20 N/m\"\nfree_length = "
                 "\"0.3 m\""},
                {"START",
                 fmt::format("root = {{ angle = {}, rate = {} }}\nelbow = {{ angle = {}, rate = {} }}", a, va, b, vb)},
                {"\"T\"", "\"0.5 s\""},
                {"STEP", step}}),
          formulas);
    };
    expect_order(off("1 ms"), off("0.25 ms"), formulas);
  }
}

// A crank that is driven, a rod, a slider: the loop's joint has rows in both, the others in one.
const char* const slider_crank = R"(schema = 1
[world]
dimension = 2
gravity = [0, "-9.81 m/s^2"]
[ground.points]
O = [0, 0]
[body.crank]
mass = "0.2 kg"
inertia = "1e-4 kg*m^2"
points = { O = ["-50 mm", 0], P = ["50 mm", 0] }
[body.rod]
mass = "0.3 kg"
inertia = "1e-3 kg*m^2"
points = { P = ["-0.15 m", 0], W = ["0.15 m", 0] }
[body.slider]
mass = "0.5 kg"
inertia = "1e-4 kg*m^2"
[joint.bearing]
type = "revolute"
between = ["ground.O", "crank.O"]
drive = { angle = "30 rad/s*t" }
[joint.pin]
type = "revolute"
between = ["crank.P", "rod.P"]
[joint.wrist]
type = "revolute"
between = ["rod.W", "slider"]
[joint.guide]
type = "prismatic"
between = ["ground.O", "slider"]
axis = "x"
[simulation]
t_end = "0.1 s"
step = "STEP"
scheme = "ggl_unified"
)";

TEST(JointCoordinatesFormulas, SliderCrank) {
  const std::vector<std::string> formulas = {"slider.x",
                                             "slider.vx",
                                             "rod.y",
                                             "rod.angle",
                                             "bearing.force_x",
                                             "bearing.force_y",
                                             "pin.force_x",
                                             "pin.force_y",
                                             "wrist.force_x",
                                             "wrist.force_y",
                                             "guide.force_y",
                                             "guide.torque",
                                             "bearing.drive.torque",
                                             "bearing.drive.power"};
  const auto off = [&](const char* step) { return differences(with(slider_crank, {{"STEP", step}}), formulas); };
  expect_order(off("0.2 ms"), off("0.05 ms"), formulas);
}

// A ball on an arm in space that comes to rest on the floor: contacts carry a part.
TEST(JointCoordinatesFormulas, RestingOnAFloorInSpace) {
  const char* const text = R"(schema = 1
[world]
gravity = [0, 0, "-10 m/s^2"]
[body.arm]
mass = "2 kg"
inertia = ["0.1 kg*m^2", "0.2 kg*m^2", "0.3 kg*m^2"]
points = { O = ["-0.5 m", 0, 0] }
shape = { type = "sphere", radius = "0.1 m", at = ["0.5 m", 0, 0] }
[plane.floor]
point = [0, 0, "-0.1 m"]
[joint.root]
type = "revolute"
between = ["ground", "arm.O"]
axis = "y"
[law.dry]
normal = { restitution = 0 }
[contact.default]
law = "dry"
[simulation]
t_end = "20 ms"
step = "1 ms"
scheme = "ggl_unified"
)";
  const Scenario maximal = parse_scenario("arm.toml", text),
                 joint = parse_scenario("arm.toml", joint_coordinates(text));
  ASSERT_EQ(joint.model.system->nv(), 1);
  EXPECT_NEAR(measured_value(joint, "last(steps, root.force_z)"), 10.0, 1e-9);
  EXPECT_NEAR(measured_value(maximal, "last(steps, root.force_z)"), 10.0, 1e-9);
  EXPECT_NEAR(measured_value(joint, "last(steps, arm.z)"), 0.0, 1e-12);
  EXPECT_NEAR(measured_value(joint, "last(steps, root.torque)"), 0.0, 1e-9);
}

}  // namespace
}  // namespace carom
