// Constant friction and preload of joints in model files: fields, messages, the books of the energy.
#include <gtest/gtest.h>

#include <string>

#include "carom/base/errors.h"
#include "carom/io/scenario.h"
#include "io/model_text.h"

namespace carom {
namespace {

using testing::measured_value;

std::string model(const std::string& type, const std::string& friction, const std::string& more = "") {
  return "schema = 1\n[world]\ndimension = 2\ngravity = [0, \"-10 m/s^2\"]\n" + more +
         "[body.wheel]\nmass = \"2 kg\"\ninertia = \"0.05 kg*m^2\"\nposition = [0, 0]\npoints = { O = [0, 0] "
         "}\n[ground.points]\nO = [0, 0]\n"
         "[joint.bearing]\ntype = \"" +
         type + "\"\nbetween = [\"ground.O\", \"wheel.O\"]\n" + friction + "\n[initial]\nbearing = { " +
         (type == "revolute" ? "rate = \"4 rad/s\"" : "rate = \"4 m/s\"") +
         " }\n[simulation]\nscheme = \"moreau_jean\"\nstep = \"1 ms\"\nt_end = \"1 s\"\n";
}

std::string code(const std::string& text) {
  try {
    parse_scenario("friction.toml", text);
  } catch (const InputError& error) {
    return error.problems().front().code;
  }
  return "none";
}

TEST(JointFrictionOfFiles, AllItTakesIsBookedAsFriction) {
  for (const char* coordinates : {"maximal", "joint"}) {
    const std::string words = std::string("coordinates = \"") + coordinates + "\"\n";
    const Scenario stops = parse_scenario("f.toml", model("revolute", "friction = { torque = \"0.5 N*m\" }", words));
    // 0.4 J of spin, gone after 0.4 s.
    EXPECT_NEAR(measured_value(stops, "energy.lost(friction)"), 0.4, 1e-9) << coordinates;
    EXPECT_NEAR(measured_value(stops, "energy.lost(joint)"), 0.0, 1e-12);
    EXPECT_NEAR(measured_value(stops, "last(energy.scheme_residual)"), 0.0, 1e-9);
  }
  // mu r (weight + preload) = 0.1 0.01 (20 + 80) = 0.1 N m: 4 - 2 rad/s are left.
  const Scenario runs = parse_scenario(
      "f.toml", model("revolute", "friction = { coefficient = 0.1, radius = \"1 cm\", preload = \"80 N\" }"));
  EXPECT_NEAR(measured_value(runs, "energy.lost(friction)"), 0.5 * 0.05 * (16.0 - 4.0), 1e-6);
  EXPECT_NEAR(measured_value(runs, "energy.lost(joint)"), 0.0, 1e-9);
}

TEST(JointFrictionOfFiles, WhatDoesNotFitIsTold) {
  EXPECT_EQ(code(model("revolute", "friction = { torque = \"0.5 N*m\" }")), "none");
  EXPECT_EQ(code(model("prismatic", "friction = { force = \"0.5 N\" }")), "none");
  EXPECT_EQ(code(model("revolute", "friction = { force = \"0.5 N\" }")), "E0108");
  EXPECT_EQ(code(model("prismatic", "friction = { torque = \"0.5 N*m\" }")), "E0108");
  EXPECT_EQ(code(model("revolute", "friction = { radius = \"1 cm\" }")), "E0104");
  EXPECT_EQ(code(model("revolute", "friction = { torque = \"0.5 N*m\", preload = \"1 N\" }")), "E0104");
  EXPECT_EQ(code(model("revolute", "friction = { torque = \"-0.5 N*m\" }")), "E0126");
  EXPECT_EQ(code(model("revolute", "friction = { torque = \"0.5 N\" }")), "E0137");
}

}  // namespace
}  // namespace carom
