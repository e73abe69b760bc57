// Bodies whose surfaces meet: detected contacts as frozen primitives, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/model/assembly/builder.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

constexpr double g = 9.81;

Matrix3 box_inertia(double mass, const Vector3& s) {
  return Vector3(mass / 12 *
                 Vector3(s.y() * s.y() + s.z() * s.z(), s.z() * s.z() + s.x() * s.x(), s.x() * s.x() + s.y() * s.y()))
      .asDiagonal();
}

// A floor and boxes in a pile on it, the lowest first.
struct Pile {
  ModelBuilder m{Space::spatial};
  double top = 0.0;

  explicit Pile(const ContactParameters& law) {
    m.set_gravity({0, 0, -g});
    m.set_default_contact(law);
    m.add_surface({.name = "floor", .shape = geometry::HalfSpace()});
  }
  BodyRef add(const std::string& name, const Vector3& size, const Vector3& velocity = Vector3::Zero()) {
    const BodyRef body = m.add_body({.name = name,
                                     .mass = 2.0,
                                     .inertia = box_inertia(2.0, size),
                                     .position = {0, 0, top + size.z() / 2},
                                     .velocity = velocity});
    m.add_surface({.body = body.number, .shape = geometry::Box(0.5 * size)});
    top += size.z();
    return body;
  }
};

TEST(AssembledSurfaces, ABallBouncesByItsRestitution) {
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -g});
  m.set_default_contact(ContactParameters{.restitution = 0.7});
  m.add_surface({.name = "floor", .shape = geometry::HalfSpace()});
  const BodyRef ball =
      m.add_body({.name = "ball", .mass = 1.0, .inertia = 0.004 * Matrix3::Identity(), .position = {0, 0, 0.6}});
  m.add_surface({.body = ball.number, .shape = geometry::Sphere(0.1)});
  const Model model = m.build();
  double last = 0.0, restitution = 0.0;
  testing::run(*model.system, model.initial, "moreau_jean", {}, 1e-4, 4000, [&](const StepResult& r) {
    if (!r.contacts.empty() && r.impulse[0] > 0.0 && restitution == 0.0)
      restitution = -r.gamma_plus[0] / r.gamma_minus[0];
    last = r.next.q[2];
  });
  EXPECT_NEAR(restitution, 0.7, 1e-12);
  EXPECT_GT(last, 0.1);
}

TEST(AssembledSurfaces, BoxesAtRestStayThere) {
  Pile pile({.friction = 0.5});
  for (int k = 0; k < 5; ++k) pile.add("box" + std::to_string(k), Vector3(0.4, 0.3, 0.2));
  const Model model = pile.m.build();
  double pressure = 0.0;
  const State end = testing::run(*model.system, model.initial, "moreau_jean", {}, 1e-2, 200, [&](const StepResult& r) {
    pressure = 0.0;
    for (const StepContact& c : r.contacts)
      if (model.system->constraint_name(c.constraint).find("floor") != std::string::npos)
        pressure += r.impulse[c.row] / r.dt_taken;
  });
  EXPECT_NEAR(pressure, 5 * 2.0 * g, 1e-7);  // the floor carries all
  EXPECT_LT((end.q - model.initial.q).cwiseAbs().maxCoeff(), 1e-9);
}

// The upper box slides on the lower one, which the floor holds by more friction than reaches it: both decelerations are
// mu g.
TEST(AssembledSurfaces, ABoxSlidesOnABoxAndStops) {
  const double mu = 0.3, v = 1.0;
  Pile pile({.friction = mu});
  pile.add("lower", Vector3(3.0, 1.0, 0.2));
  pile.add("upper", Vector3(0.4, 0.3, 0.2), {v, 0, 0});
  const Model model = pile.m.build();
  const State end = testing::run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 600);
  EXPECT_NEAR(end.q[7], v * v / (2 * mu * g), 1e-3);  // a step at the start and at the stop
  EXPECT_NEAR(end.v[6], 0.0, 1e-9);
  EXPECT_LT(std::abs(end.q[0]), 1e-9);
  EXPECT_NEAR(end.q[9], 0.3, 1e-9);
}

TEST(AssembledSurfaces, JoinedBodiesDoNotTouch) {
  Pile pile({.friction = 0.3});
  const BodyRef a = pile.add("a", Vector3(0.4, 0.4, 0.2)), b = pile.add("b", Vector3(0.4, 0.4, 0.2));
  pile.m.add_joint({.name = "weld", .kind = "fixed", .a = a.at({0, 0, 0.1}), .b = b.at({0, 0, -0.1})});
  const Model model = pile.m.build();
  ContactSet contacts;
  model.system->detect(0, model.initial.q, model.initial.v, 1e-3, contacts);
  Index joints = 0, floor = 0;
  for (const Constraint& c : contacts.constraints) (c.bilateral ? joints : floor) += 1;
  EXPECT_EQ(joints, 1);
  EXPECT_EQ(floor, 4);
  for (Index k = 1; k < contacts.size(); ++k) EXPECT_LT(contacts[k - 1].id, contacts[k].id);
}

}  // namespace
}  // namespace carom::model
