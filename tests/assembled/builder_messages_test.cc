// What cannot be built is told with its code.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "carom/base/errors.h"
#include "carom/laws/contact_law.h"
#include "carom/model/assembly/builder.h"

namespace carom::model {
namespace {

// The code of the first problem; empty if there is none.
template <class F>
std::string code_of(F&& build) {
  try {
    build();
  } catch (const InputError& error) {
    return error.problems().front().code;
  }
  return {};
}

struct TwoBodies {
  explicit TwoBodies(Space space) : m(space) {
    a = m.add_body({.name = "a", .mass = 1.0});
    b = m.add_body({.name = "b", .mass = 1.0, .position = {1, 0, 0}});
  }
  ModelBuilder m;
  BodyRef a{}, b{};
};

TEST(BuilderMessages, ASoundModelHasNone) {
  TwoBodies two(Space::planar);
  two.m.add_joint({.name = "pin", .kind = "revolute", .a = two.a.at({0.5, 0, 0}), .b = two.b.at({-0.5, 0, 0})});
  EXPECT_EQ(code_of([&] { two.m.build(); }), "");
}

TEST(BuilderMessages, AStartThatIsNoNumber) {
  ModelBuilder m(Space::spatial);
  m.add_body({.name = "a", .mass = 1.0, .velocity = {std::nan(""), 0, 0}});
  EXPECT_EQ(code_of([&] { m.build(); }), "E0209");
}

TEST(BuilderMessages, AShapeWithoutSize) {
  EXPECT_EQ(code_of([] { geometry::Sphere(-1.0); }), "E0220");
  EXPECT_EQ(code_of([] { geometry::Box(Vector3(1, 0, 1)); }), "E0220");
}

TEST(BuilderMessages, ASpringWithoutLength) {
  TwoBodies two(Space::spatial);
  two.m.add_spring({.name = "s", .a = two.a.at({0.5, 0, 0}), .b = two.b.at({-0.5, 0, 0}), .stiffness = 1.0});
  EXPECT_EQ(code_of([&] { two.m.build(); }), "E0221");
}

TEST(BuilderMessages, APinThatFillsItsBore) {
  TwoBodies two(Space::planar);
  two.m.add_clearance({.name = "pin",
                       .pin = two.a.at({0.5, 0, 0}),
                       .bore = two.b.at({-0.5, 0, 0}),
                       .pin_radius = 0.1,
                       .bore_radius = 0.1});
  EXPECT_EQ(code_of([&] { two.m.build(); }), "E0222");
}

TEST(BuilderMessages, AJointThePlaneDoesNotHave) {
  TwoBodies two(Space::planar);
  two.m.add_joint({.name = "j", .kind = "universal", .a = two.a.at({0.5, 0, 0}), .b = two.b.at({-0.5, 0, 0})});
  EXPECT_EQ(code_of([&] { two.m.build(); }), "E0223");
}

TEST(BuilderMessages, FrictionWithoutRadius) {
  TwoBodies two(Space::planar);
  two.m.add_joint({.name = "j",
                   .kind = "revolute",
                   .a = two.a.at({0.5, 0, 0}),
                   .b = two.b.at({-0.5, 0, 0}),
                   .friction = JointFriction{0.1}});
  EXPECT_EQ(code_of([&] { two.m.build(); }), "E0224");
}

TEST(BuilderMessages, ABacklashWithoutRoom) {
  TwoBodies two(Space::planar);
  two.m.add_joint({.name = "j1", .kind = "revolute", .a = two.m.ground().at({0, 0, 0}), .b = two.a.at({0, 0, 0})});
  two.m.add_joint({.name = "j2", .kind = "revolute", .a = two.m.ground().at({1, 0, 0}), .b = two.b.at({0, 0, 0})});
  two.m.add_backlash({.name = "teeth", .terms = {{"j1", 1.0}, {"j2", 2.0}}, .backlash = 0.0});
  EXPECT_EQ(code_of([&] { two.m.build(); }), "E0225");
}

TEST(BuilderMessages, AGearWithoutRatioOrPartners) {
  TwoBodies two(Space::planar);
  two.m.add_joint({.name = "j1", .kind = "revolute", .a = two.m.ground().at({0, 0, 0}), .b = two.a.at({0, 0, 0})});
  two.m.add_joint({.name = "j2", .kind = "revolute", .a = two.m.ground().at({1, 0, 0}), .b = two.b.at({0, 0, 0})});
  ModelBuilder no_ratio = two.m, alone = two.m, unknown = two.m;
  no_ratio.add_joint({.name = "mesh", .kind = "gear", .couples = {"j1", "j2"}});
  EXPECT_EQ(code_of([&] { no_ratio.build(); }), "E0230");
  alone.add_joint({.name = "mesh", .kind = "gear", .couples = {"j1"}, .ratio = 2.0});
  EXPECT_EQ(code_of([&] { alone.build(); }), "E0230");
  unknown.add_joint({.name = "mesh", .kind = "gear", .couples = {"j1", "j3"}, .ratio = 2.0});
  EXPECT_EQ(code_of([&] { unknown.build(); }), "E0141");
}

TEST(BuilderMessages, WhatFallsForEverRestsNowhere) {
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -9.81});
  m.add_body({.name = "stone"});
  m.start_at_rest();
  EXPECT_EQ(code_of([&] { m.build(); }), "E0231");
}

TEST(BuilderMessages, AParticleWithoutMass) {
  ModelBuilder m(Space::spatial);
  m.add_particle({.name = "p", .mass = 0.0});
  EXPECT_EQ(code_of([&] { m.build(); }), "E0206");
}

TEST(BuilderMessages, NumbersOfALaw) {
  EXPECT_EQ(code_of([] { make_contact_law(Space::planar, {.restitution = 1.5}); }), "E0120");
  EXPECT_EQ(code_of([] { make_contact_law(Space::spatial, {.friction = -0.1}); }), "E0120");
  EXPECT_EQ(code_of([] { make_contact_law(Space::planar, {.friction = 0.3, .spin_radius = 0.1}); }), "E0122");
}

}  // namespace
}  // namespace carom::model
