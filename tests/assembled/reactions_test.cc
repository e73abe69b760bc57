// Reactions of joints at rest against statics: forces, moments, rods, supports, drives behind gears and screws.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "carom/model/assembly/builder.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

constexpr double g = 9.81;
Matrix3 sphere(double J) { return J * Matrix3::Identity(); }

// What the rows of each joint push with; angles' rows as moments.
struct Reaction {
  Vector rows;
  double length = 1.0;
  double force(Index count) const { return rows.head(count).norm(); }
  double moment(Index first) const { return length * rows.tail(rows.size() - first).norm(); }
};

// Nothing moves in a tenth of a second.
std::map<std::string, Reaction> at_rest(const Model& model, const char* scheme) {
  std::map<std::string, Reaction> found;
  const State end = carom::testing::run(*model.system, model.initial, scheme, {}, 1e-3, 100, [&](const StepResult& r) {
    for (const StepContact& c : r.contacts)
      found[model.system->constraint_name(c.constraint)] = {
          ConstVectorMap(r.impulse.data() + c.row, c.constraint.law->dim()) / r.dt_taken, c.constraint.length_scale};
  });
  EXPECT_LT((end.q - model.initial.q).cwiseAbs().maxCoeff(), 1e-9);
  return found;
}

class Statics : public ::testing::TestWithParam<const char*> {};

// A bracket: the wall carries the weight and its moment about y.
TEST_P(Statics, AFixedJointCarriesForceAndMoment) {
  const double mass = 2.0, arm = 1.5;
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -g});
  const BodyRef bracket =
      m.add_body({.name = "bracket", .mass = mass, .inertia = sphere(0.1), .position = {arm, 0, 0}});
  m.add_joint({.name = "wall", .kind = "fixed", .a = m.ground().at({0, 0, 0}), .b = bracket.at({-arm, 0, 0})});
  const Reaction wall = at_rest(m.build(), GetParam()).at("wall");
  EXPECT_NEAR(wall.rows[2], -mass * g, 1e-8);  // on a, the wall
  EXPECT_NEAR(wall.force(3), mass * g, 1e-8);
  EXPECT_NEAR(std::abs(wall.length * wall.rows[5]), mass * g * arm, 1e-7);  // z of a across x of b: about y
  EXPECT_NEAR(wall.moment(3), mass * g * arm, 1e-7);
}

// A flywheel beside its bearing: weight, and the moment of the overhang across the axis.
TEST_P(Statics, ARevoluteJointCarriesTheOverhang) {
  const double mass = 3.0, overhang = 0.2;
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -g});
  const BodyRef wheel =
      m.add_body({.name = "wheel", .mass = mass, .inertia = sphere(0.1), .position = {0, overhang, 0}});
  const Vector3 axis(0, 1, 0);
  m.add_joint({.name = "bearing",
               .kind = "revolute",
               .a = m.ground().at({0, 0, 0}).with_axis(axis),
               .b = wheel.at({0, -overhang, 0}).with_axis(axis)});
  const Reaction bearing = at_rest(m.build(), GetParam()).at("bearing");
  EXPECT_NEAR(bearing.force(3), mass * g, 1e-8);
  EXPECT_NEAR(bearing.moment(3), mass * g * overhang, 1e-7);
}

// A slide on a level rail, its centre beside the rail and ahead of the guide: the guide carries weight, pitch and roll.
TEST_P(Statics, AGuideCarriesPitchAndRoll) {
  const double mass = 1.2, ahead = 0.3, beside = 0.1;
  for (const char* kind : {"prismatic", "cylindrical"}) {
    const bool turns = std::string(kind) == "cylindrical";
    ModelBuilder m(Space::spatial);
    m.set_gravity({0, 0, -g});
    const Vector3 along(1, 0, 0),
        centre(ahead, turns ? 0.0 : beside, 0);  // free to roll it may not lie beside the rail
    const BodyRef slide = m.add_body({.name = "slide", .mass = mass, .inertia = sphere(0.05), .position = centre});
    m.add_joint({.name = "rail",
                 .kind = kind,
                 .a = m.ground().at({0, 0, 0}).with_axis(along),
                 .b = slide.at(-centre).with_axis(along)});
    const Reaction rail = at_rest(m.build(), GetParam()).at("rail");
    EXPECT_NEAR(rail.force(2), mass * g, 1e-8) << kind;
    EXPECT_NEAR(rail.moment(2), mass * g * std::hypot(ahead, centre.y()), 1e-7) << kind;
  }
}

// A weight on two rods without mass: each carries m g / (2 cos a), as a strut below or a rope above.
TEST_P(Statics, RodsCarryAlongThemselves) {
  const double mass = 2.0, angle = 0.7, length = 1.3;
  ModelBuilder m(Space::planar);
  m.set_gravity({0, -g, 0});
  const BodyRef knot = m.add_particle({.name = "knot", .mass = mass});
  for (const double side : {-1.0, 1.0})
    m.add_joint({.name = side < 0 ? "left" : "right",
                 .kind = "distance",
                 .a = m.ground().at({side * length * std::sin(angle), length * std::cos(angle), 0}),
                 .b = knot.at({0, 0, 0})});
  const auto rods = at_rest(m.build(), GetParam());
  for (const char* rod : {"left", "right"})
    EXPECT_NEAR(std::abs(rods.at(rod).rows[0]), mass * g / (2 * std::cos(angle)), 1e-8);
}

// A beam on a hinge and a roller: m g b / L and m g a / L.
TEST_P(Statics, SupportsShareByTheLever) {
  const double mass = 4.0, a = 0.3, b = 0.9;
  for (const char* roller : {"point_on_line", "point_on_plane"}) {
    const bool spatial = std::string(roller) == "point_on_plane";
    ModelBuilder m(spatial ? Space::spatial : Space::planar);
    const Vector3 down = spatial ? Vector3(0, 0, -1) : Vector3(0, -1, 0);
    m.set_gravity(g * down);
    const BodyRef beam = m.add_body({.name = "beam", .mass = mass, .inertia = sphere(0.3)});
    if (spatial)
      m.add_joint({.name = "hinge",
                   .kind = "revolute",
                   .a = m.ground().at({-a, 0, 0}).with_axis({0, 1, 0}),
                   .b = beam.at({-a, 0, 0}).with_axis({0, 1, 0})});
    else
      m.add_joint({.name = "hinge", .kind = "revolute", .a = m.ground().at({-a, 0, 0}), .b = beam.at({-a, 0, 0})});
    m.add_joint({.name = "roller", .kind = roller, .a = m.ground().at({b, 0, 0}), .b = beam.at({b, 0, 0})});
    const auto supports = at_rest(m.build(), GetParam());
    EXPECT_NEAR(supports.at("hinge").force(spatial ? 3 : 2), mass * g * b / (a + b), 1e-7) << roller;
    EXPECT_NEAR(supports.at("roller").rows.norm(), mass * g * a / (a + b), 1e-7) << roller;
  }
}

// A weight on a drum, held by a motor behind a gear: the motor needs m g r / ratio, the teeth the same at its side.
TEST_P(Statics, AGearDividesTheTorque) {
  const double mass = 5.0, r = 0.1, ratio = -4.0;
  ModelBuilder m(Space::planar);
  m.set_gravity({0, -g, 0});
  const BodyRef motor = m.add_body({.name = "motor", .mass = 1.0, .inertia = sphere(0.01)});
  const BodyRef drum = m.add_body(
      {.name = "drum", .mass = mass, .inertia = sphere(0.1), .position = {1 + r, 0, 0}});  // its weight hangs at r
  m.add_joint({.name = "shaft", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = motor.at({0, 0, 0})});
  m.add_joint({.name = "axle", .kind = "revolute", .a = m.ground().at({1, 0, 0}), .b = drum.at({-r, 0, 0})});
  m.add_joint({.name = "mesh", .kind = "gear", .couples = {"shaft", "axle"}, .ratio = ratio});
  m.add_drive({.joint = "shaft", .motion = [](double) { return Prescribed{}; }});
  const auto found = at_rest(m.build(), GetParam());
  EXPECT_NEAR(std::abs(found.at("shaft.angle.drive").rows[0]), mass * g * r / std::abs(ratio), 1e-8);
  EXPECT_NEAR(std::abs(found.at("mesh").rows[0]), mass * g * r / std::abs(ratio), 1e-8);
  EXPECT_NEAR(found.at("axle").force(2), mass * g, 1e-8);
}

// A nut under a load, kept from turning by a drive: the torque is F pitch / 2 pi.
TEST_P(Statics, AScrewTurnsForceIntoTorque) {
  const double mass = 7.0, pitch = 0.02;
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -g});
  const BodyRef nut = m.add_body({.name = "nut", .mass = mass, .inertia = sphere(0.01)});
  m.add_joint(
      {.name = "thread", .kind = "screw", .a = m.ground().at({0, 0, 0}), .b = nut.at({0, 0, 0}), .ratio = pitch});
  m.add_drive({.joint = "thread.angle", .motion = [](double) { return Prescribed{}; }});
  const auto found = at_rest(m.build(), GetParam());
  EXPECT_NEAR(std::abs(found.at("thread.thread").rows[0]), mass * g, 1e-8);
  EXPECT_NEAR(std::abs(found.at("thread.angle.drive").rows[0]), mass * g * pitch / (2 * std::numbers::pi), 1e-9);
}

// A ball joint and a Cardan joint hold a shaft at both ends: the Cardan joint takes the twist of an offset weight.
TEST_P(Statics, ACardanJointHoldsTheTwist) {
  const double mass = 2.0, half = 0.5, beside = 0.2;
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -g});
  const BodyRef shaft = m.add_body({.name = "shaft", .mass = mass, .inertia = sphere(0.1), .position = {0, beside, 0}});
  m.add_joint(
      {.name = "ball", .kind = "spherical", .a = m.ground().at({-half, 0, 0}), .b = shaft.at({-half, -beside, 0})});
  // z of the ground's site stays across x of the shaft's: neither may turn about the line through both points.
  m.add_joint({.name = "cardan",
               .kind = "universal",
               .a = m.ground().at({half, 0, 0}).with_axis({0, 0, 1}),
               .b = SiteSpec{.body = shaft.number,
                             .point = {half, -beside, 0},
                             .triad = (Matrix3() << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished()}});
  const auto found = at_rest(m.build(), GetParam());
  EXPECT_NEAR(found.at("cardan").moment(3), mass * g * beside, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Schemes, Statics,
                         ::testing::Values("moreau_jean", "projection_combined", "nonsmooth_generalized_alpha"));

}  // namespace
}  // namespace carom::model
