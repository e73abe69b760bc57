// Reactions of joints and the power of drives in formulas, against statics and closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "io/model_text.h"

namespace carom {
namespace {

using testing::measured_value;
using testing::values;
using testing::with;

// A bar of 2 kg whose middle is 0.5 m from the joint at the origin.
const char* const bar = R"(schema = 1
[world]
dimension = 2
gravity = [0, "-10 m/s^2"]
[ground.points]
O = [0, 0]
[body.bar]
mass = "2 kg"
inertia = "0.1 kg*m^2"
points = { O = ["-0.5 m", 0] }
[joint.root]
type = "TYPE"
between = ["ground.O", "bar.O"]
DRIVE
[initial]
START
[simulation]
t_end = "0.1 s"
step = "1 ms"
scheme = "ggl_unified"
MORE
)";

TEST(JointLoad, AClampedBarIsCarried) {
  const std::string text = with(bar, {{"TYPE", "fixed"}, {"DRIVE", ""}, {"START", ""}, {"MORE", ""}});
  const Scenario s = parse_scenario("bar.toml", text);
  EXPECT_NEAR(measured_value(s, "last(steps, root.force)"), 20.0, 1e-9);
  EXPECT_NEAR(measured_value(s, "last(steps, joint.root.force_y)"), 20.0, 1e-9);
  EXPECT_NEAR(measured_value(s, "last(steps, root.force_x)"), 0.0, 1e-9);
  EXPECT_NEAR(measured_value(s, "last(steps, root.torque)"), 10.0, 1e-9);  // against the weight at 0.5 m
}

TEST(JointLoad, AClampedBarInSpace) {
  const std::string text = with(bar, {{"dimension = 2", "dimension = 3"},
                                      {"gravity = [0, \"-10 m/s^2\"]", "gravity = [0, 0, \"-10 m/s^2\"]"},
                                      {"O = [0, 0]", "O = [0, 0, 0]"},
                                      {"\"0.1 kg*m^2\"", "[\"0.1 kg*m^2\", \"0.1 kg*m^2\", \"0.1 kg*m^2\"]"},
                                      {"[\"-0.5 m\", 0]", "[\"-0.5 m\", 0, 0]"},
                                      {"TYPE", "fixed"},
                                      {"DRIVE", ""},
                                      {"START", ""},
                                      {"MORE", ""}});
  const Scenario s = parse_scenario("bar.toml", text);
  EXPECT_NEAR(measured_value(s, "last(steps, root.force_z)"), 20.0, 1e-9);
  EXPECT_NEAR(measured_value(s, "last(steps, root.torque_y)"), -10.0, 1e-9);
  EXPECT_NEAR(measured_value(s, "last(steps, root.torque)"), 10.0, 1e-9);
  EXPECT_NEAR(measured_value(s, "last(steps, root.torque_x)"), 0.0, 1e-9);
  // A run at rest whose joint carries nothing in its first row: what rounding makes of the energy is no finding.
  EXPECT_TRUE(simulate(s).judgement.sound());
}

// Hanging at rest it pulls by its weight; passing the lowest point at omega by m (g + l omega^2) once the step is
// short.
TEST(JointLoad, APendulumPullsByWeightAndSwing) {
  const Scenario rest = parse_scenario(
      "bar.toml",
      with(bar, {{"TYPE", "revolute"}, {"DRIVE", ""}, {"START", "root = { angle = \"-90 deg\" }"}, {"MORE", ""}}));
  EXPECT_NEAR(measured_value(rest, "last(steps, root.force_y)"), 20.0, 1e-9);
  EXPECT_NEAR(measured_value(rest, "last(steps, root.torque)"), 0.0, 1e-12);
  const Scenario swing =
      parse_scenario("bar.toml", with(bar, {{"TYPE", "revolute"},
                                            {"DRIVE", ""},
                                            {"START", "root = { angle = \"-90 deg\", rate = \"3 rad/s\" }"},
                                            {"\"0.1 s\"", "\"0.1 ms\""},
                                            {"\"1 ms\"", "\"0.01 ms\""},
                                            {"MORE", ""}}));
  EXPECT_NEAR(measured_value(swing, "first(steps, root.force)"), 0.0, 1e-12) << "the start has no step";
  EXPECT_NEAR(measured_value(swing, "max(steps, root.force)"), 2.0 * (10.0 + 0.5 * 9.0), 1e-3);
}

// A motor of 3 N m that fades out at 20 rad/s, on a bar turning about its end without gravity: J = 0.1 + 2 * 0.25.
TEST(JointLoad, PowerOfAMotor) {
  const std::string text =
      with(bar, {{"gravity = [0, \"-10 m/s^2\"]", ""},
                 {"TYPE", "revolute"},
                 {"DRIVE", ""},
                 {"START", ""},
                 {"MORE", "[drive.motor]\njoint = \"root\"\ntorque = \"3 N*m*(1 - rate/(20 rad/s))\"\n"}});
  const Scenario s = parse_scenario("motor.toml", text + "[output.signal]\np = \"motor.power\"\n");
  ASSERT_EQ(s.signals.size(), 2u);
  const double rate = measured_value(s, "last(steps, root.rate)");
  EXPECT_NEAR(rate, 20.0 * (1.0 - std::exp(-0.1 * 3.0 / (0.6 * 20.0))), 1e-5);
  const Scenario asked = parse_scenario(
      "motor.toml", text + "[measure]\na = \"last(steps, motor.power)\"\nb = \"last(steps, drive.motor.torque)\"\n");
  const auto found = values(asked, asked.measures);
  EXPECT_NEAR(found[0], 3.0 * (1.0 - rate / 20.0) * rate, 1e-12);
  EXPECT_NEAR(found[1], 3.0 * (1.0 - rate / 20.0), 1e-12);
}

// angle = a t^2 / 2 about the end: the motion takes the torque J a and gives the power J a^2 t, at the middle of the
// last step.
TEST(JointLoad, PowerOfAPrescribedMotion) {
  const std::string text = with(bar, {{"gravity = [0, \"-10 m/s^2\"]", ""},
                                      {"TYPE", "revolute"},
                                      {"DRIVE", "drive = { angle = \"4 rad/s^2*t^2/2\" }"},
                                      {"START", ""},
                                      {"MORE",
                                       "[measure]\na = \"last(steps, root.drive.power)\"\n"
                                       "b = \"last(steps, root.drive.torque)\"\n"}});
  const Scenario s = parse_scenario("driven.toml", text);
  const auto found = values(s, s.measures);
  EXPECT_NEAR(found[0], 0.6 * 4.0 * 4.0 * 0.1, 1e-3);
  EXPECT_NEAR(found[1], 0.6 * 4.0, 1e-6);
}

TEST(JointLoad, WhatHasNoReactionIsRefused) {
  const std::string text = with(
      bar,
      {{"TYPE", "revolute"}, {"DRIVE", ""}, {"START", ""}, {"MORE", "[measure]\nx = \"max(steps, root.force)\"\n"}});
  EXPECT_NO_THROW(parse_scenario("bar.toml", text));
  const auto code = [](const std::string& file) {
    try {
      parse_scenario("bar.toml", file);
    } catch (const InputError& error) {
      return error.problems().front().code + " " + error.problems().front().hint;
    }
    return std::string();
  };
  EXPECT_EQ(code(with(text, {{"dimension = 2", "dimension = 2\ncoordinates = \"joint\""}})), "");
  EXPECT_EQ(code(with(text, {{"root.force)", "toor.force)"}})).substr(0, 5), "E0131");
}

}  // namespace
}  // namespace carom
