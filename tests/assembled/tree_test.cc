// The part Tree at random states: what joints hold is held, M and h are those of Newton and Euler for the bodies it
// carries, and all derivatives are differences. Every kind of joint in the plane and in space, from the ground and
// free, read forwards and backwards.
#include <gtest/gtest.h>

#include "assembled/random_trees.h"
#include "carom/model/joints/joint_kind.h"
#include "carom/model/parts/tree.h"
#include "model/system_checks.h"

namespace carom::model {
namespace {

using testing::RandomState;
using testing::RandomTree;
constexpr double eps = 1e-5;  // of central differences: their error is about its square

struct Case {
  Space space;
  bool grounded;
  unsigned seed;
};

class TreeTest : public ::testing::TestWithParam<Case> {
 protected:
  RandomTree tree{GetParam().space, GetParam().seed, GetParam().grounded};

  // Everything that a System promises, with time running.
  void check(double tolerance) {
    const RandomState s(tree.m.build(), tree.random);
    const carom::testing::SystemChecks checks(s.system, 0.3, s.q, s.v);
    checks.expect_rows_are_gradients(tolerance);
    checks.expect_convective_terms(tree.random.vector(s.system.nv(), 1.0), 20 * tolerance);
    checks.expect_force_derivatives(20 * tolerance);
    checks.expect_energy_balance(20 * tolerance);
  }

  // The coordinates that the joints of the tree have.
  std::vector<std::string> coordinates() const {
    std::vector<std::string> names;
    for (const JointSpec& joint : tree.joints) {
      const JointKind& kind = joint_kinds().find(joint.kind);
      for (const CoordinateTemplate& c : tree.planar() ? kind.planar_coordinates : kind.spatial_coordinates)
        names.push_back(joint.name + "." + c.name);
    }
    return names;
  }
};

TEST_P(TreeTest, IsOnePartWithoutJoints) {
  const Model model = tree.m.build();
  EXPECT_FALSE(model.system->features().contains(Feature::joints));
  EXPECT_TRUE(model.system->features().contains(Feature::variable_inertia));
  Index velocities = GetParam().grounded ? 0 : (tree.planar() ? 3 : 6);
  for (const JointSpec& joint : tree.joints) {
    const JointKind& kind = joint_kinds().find(joint.kind);
    velocities += (tree.planar() ? 3 : 6) - static_cast<Index>((tree.planar() ? kind.planar : kind.spatial).size());
  }
  EXPECT_EQ(model.system->nv(), velocities);
}

TEST_P(TreeTest, HoldsWhatTheJointsHold) {
  const RandomState s(tree.m.build(), tree.random);
  const Placement at = s.placed(s.q, s.v);
  for (const JointSpec& joint : tree.joints) {
    const auto site = [&](const SiteSpec& spec) {
      return Site{spec.body < 0 ? ground_frame : s.frame(tree.specs[static_cast<std::size_t>(spec.body)].name),
                  spec.point, spec.triad};
    };
    const Site a = site(joint.a), b = site(joint.b);
    const Pose &A = at.poses[static_cast<std::size_t>(a.frame)], &B = at.poses[static_cast<std::size_t>(b.frame)];
    const Joint held = make_joint(joint_kinds().find(joint.kind), tree.planar(), joint.name, a, b, A, B, 1.0);
    for (const JointRow& row : held.rows) {
      const RowOf<double> r = evaluate(row, A, a.point, B, b.point);
      EXPECT_NEAR(r.g, 0.0, 1e-13) << joint.kind;
      EXPECT_NEAR(
          rate_of(r, at.twists[static_cast<std::size_t>(a.frame)], at.twists[static_cast<std::size_t>(b.frame)]), 0.0,
          1e-12)
          << joint.kind;
    }
  }
}

// M = sum J' I J, h = sum J' (weight - I Jdot v - gyroscopic), with J the motion of the bodies that each velocity
// brings, taken from differences of their poses, and Jdot v from second differences at constant v.
TEST_P(TreeTest, InertiaAndForceAreNewtonsAndEulers) {
  const RandomState s(tree.m.build(), tree.random);
  const Index n = s.system.nv();
  const auto motion = [&](const Placement& from, const Placement& to, std::size_t f, double time) {
    Eigen::Matrix<double, 6, 1> out;
    out.head<3>() = (to.poses[f].x - from.poses[f].x) / time;
    const Matrix3 turn = to.poses[f].R * from.poses[f].R.transpose();  // I + time omega x + ...
    out.tail<3>() = Vector3(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1)) / (2.0 * time);
    return out;
  };
  Matrix M = Matrix::Zero(n, n);
  Vector h = Vector::Zero(n);
  const double step = 1e-4;
  const Placement here = s.placed(s.q, s.v), ahead = s.placed(s.moved(step * s.v), s.v),
                  behind = s.placed(s.moved(-step * s.v), s.v);
  std::vector<Placement> plus, minus;
  for (Index k = 0; k < n; ++k) {
    plus.push_back(s.placed(s.moved(eps * Vector::Unit(n, k)), s.v));
    minus.push_back(s.placed(s.moved(-eps * Vector::Unit(n, k)), s.v));
  }
  for (const BodySpec& body : tree.specs) {
    const std::size_t f = static_cast<std::size_t>(s.frame(body.name));
    Matrix J(6, n);
    for (Index k = 0; k < n; ++k)
      J.col(k) = motion(minus[static_cast<std::size_t>(k)], plus[static_cast<std::size_t>(k)], f, 2 * eps);
    const Twist& twist = here.twists[f];
    const Vector Jv = J * s.v;
    EXPECT_LT((Jv.head<3>() - twist.velocity).norm() + (Jv.tail<3>() - twist.omega).norm(), 1e-7) << body.name;
    const Matrix3 I = here.poses[f].R * body.inertia * here.poses[f].R.transpose();
    // The acceleration at constant v: differences of the motion over half steps.
    const Eigen::Matrix<double, 6, 1> later = motion(here, ahead, f, step), earlier = motion(behind, here, f, step);
    const Eigen::Matrix<double, 6, 1> a = (later - earlier) / step;
    Matrix mass = Matrix::Zero(6, 6);
    mass.topLeftCorner<3, 3>() = body.mass * Matrix3::Identity();
    mass.bottomRightCorner<3, 3>() = I;
    M += J.transpose() * mass * J;
    Vector load(6);
    load << (body.weightless ? Vector3::Zero() : Vector3(body.mass * tree.gravity)) - body.mass * a.head<3>(),
        -(I * a.tail<3>() + twist.omega.cross(I * twist.omega));
    h += J.transpose() * load;
  }
  ActiveSet none;
  ContactSet empty;
  none.reset(empty);
  Evaluation found;
  s.system.evaluate(0.0, s.q, s.v, Need::inertia | Need::force, none, found);
  Matrix found_M = Matrix::Zero(n, n);
  for (Index k = 0; k < n; ++k) {
    const Vector unit = Vector::Unit(n, k);
    found.M.multiply_add(1.0, unit.data(), found_M.col(k).data());
  }
  EXPECT_LT((found_M - M).norm(), 1e-8 * (1.0 + M.norm()));
  EXPECT_LT((found.h - h).norm(), 2e-5 * (1.0 + h.norm()));  // second differences: rounding over the square of a step
}

TEST_P(TreeTest, Alone) { check(3e-8); }

// What acts on a tree sees its frames: joints that close loops, springs, loads, and contacts.
TEST_P(TreeTest, WithLoopsSpringsAndLoads) {
  const SiteSpec ground = tree.site(-1);
  for (const char* kind : {"revolute", "distance", "point_on_line"})
    tree.m.add_joint({.name = std::string("loop_") + kind, .kind = kind, .a = tree.site(tree.pick()), .b = ground});
  tree.m.keep_start();
  tree.m.add_spring({.name = "line",
                     .a = tree.site(0),
                     .b = tree.site(static_cast<Index>(tree.bodies.size()) - 1),
                     .stiffness = 20.0,
                     .damping = 1.5,
                     .free_length = 0.3});
  tree.m.add_spring({.name = "tether", .a = tree.site(tree.pick()), .b = ground, .stiffness = 5.0, .preload = 2.0});
  if (!tree.planar())
    tree.m.add_bushing({.name = "mount",
                        .a = tree.site(tree.pick()),
                        .b = ground,
                        .stiffness = {3, 4, 5},
                        .damping = {0.1, 0.2, 0.3},
                        .turning_stiffness = {1, 2, 3}});
  tree.m.add_load(
      {.name = "drag", .site = tree.site(tree.pick()), .load = [](double t, std::span<const SiteMotion> at) {
         return Load{Vector3(-at[0].velocity * at[0].velocity.norm() + std::sin(t) * at[0].axes.col(0)),
                     0.3 * at[0].spin};
       }});
  check(3e-7);
}

TEST_P(TreeTest, WithLimitsDrivesGearsAndSpringsOnItsCoordinates) {
  const std::vector<std::string> names = coordinates();
  ASSERT_GE(names.size(), 2u);
  tree.m.keep_start();
  for (std::size_t i = 0; i < names.size(); ++i) {
    tree.m.add_limit({.joint = names[i], .lower = -40.0, .upper = 40.0, .restitution = 0.5});
    tree.m.add_spring(
        {.name = "spring_" + names[i],
         .joint = names[i],
         .stiffness = 3.0,
         .damping = 0.4,
         .preload = 0.2,
         .drive = [](double t, double x, double rate) { return std::sin(t) + 0.3 * std::cos(x) - 0.1 * rate * rate; }});
    if (i % 2 == 0)
      tree.m.add_drive({.joint = names[i], .motion = [](double t) {
                          return Prescribed{std::sin(5 * t), 5 * std::cos(5 * t), -25 * std::sin(5 * t)};
                        }});
  }
  tree.m.add_ratio({.name = "gear", .terms = {{names[0], 1.0}, {names[1], -2.5}}});
  tree.m.add_backlash({.name = "play", .terms = {{names[0], 1.0}, {names[1], 1.5}}, .backlash = 60.0});
  check(3e-7);  // light bodies on springs are fast: differences over time err by the third derivative of the energy
}

// A coordinate that something acts on is the entry of q, over any number of turns.
TEST_P(TreeTest, CoordinatesAreEntriesOfQ) {
  const std::vector<std::string> names = coordinates();
  for (const std::string& name : names) tree.m.add_limit({.joint = name, .lower = -1000.0});
  tree.m.keep_start();
  RandomState s(tree.m.build(), tree.random);
  Vector far;
  s.system.move(s.q, tree.random.vector(s.system.nv(), 25.0), far);
  ContactSet contacts;
  s.system.detect(0.0, far, s.v, 1e-3, contacts);
  ActiveSet all;
  all.reset(contacts);
  all.add_all();
  Evaluation at;
  s.system.evaluate(0.0, far, s.v, Need::gap, all, at);
  ASSERT_EQ(contacts.size(), static_cast<Index>(names.size()));
  for (Index k = 0; k < contacts.size(); ++k) {
    const std::string name = s.system.constraint_name(contacts[k]), coordinate = name.substr(0, name.rfind('.'));
    bool found = false;
    for (Index i = 0; i < s.system.nq(); ++i) {
      if (s.system.coordinate_name(i) != coordinate) continue;
      found = true;
      EXPECT_NEAR(at.g[k] - 1000.0, far[i], 1e-11) << name;
    }
    EXPECT_TRUE(found) << coordinate;
  }
}

TEST_P(TreeTest, WithContacts) {
  tree.m.set_default_contact(ContactParameters{.restitution = 0.3, .friction = 0.4});
  Model bare = tree.m.build();
  for (std::size_t b = 0; b < tree.bodies.size(); ++b) {
    if (tree.planar())
      tree.m.add_surface({.body = tree.bodies[b].number, .shape = geometry::Disc(0.05), .groups = 2, .meets = 4});
    else
      tree.m.add_surface({.body = tree.bodies[b].number, .shape = geometry::Sphere(0.05), .groups = 2, .meets = 4});
  }
  double lowest = 1e300;
  const auto& system = dynamic_cast<const AssembledSystem&>(*bare.system);
  Placement at;
  system.place(0.0, bare.initial.q, bare.initial.v, at);
  for (std::size_t f = 1; f < at.poses.size(); ++f)
    lowest = std::min(lowest, tree.planar() ? at.poses[f].x.y() : at.poses[f].x.z());
  const double floor = lowest - 0.0505;  // so near that a step may reach it
  if (tree.planar())
    tree.m.add_surface(
        {.name = "floor", .shape = geometry::HalfPlane(Eigen::Vector2d::UnitY(), floor), .groups = 4, .meets = 2});
  else
    tree.m.add_surface(
        {.name = "floor", .shape = geometry::HalfSpace(Vector3::UnitZ(), floor), .groups = 4, .meets = 2});
  const Model model = tree.m.build();
  const Vector v = tree.random.vector(model.system->nv(), 3.0);
  const carom::testing::SystemChecks checks(*model.system, 0.0, model.initial.q, v);
  EXPECT_GT(checks.all().size(), 0);
  checks.expect_rows_are_gradients(1e-7);
  checks.expect_convective_terms(tree.random.vector(model.system->nv(), 1.0), 1e-5);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Space space : {Space::planar, Space::spatial})
    for (const bool grounded : {true, false})
      for (unsigned seed = 1; seed <= 6; ++seed) all.push_back({space, grounded, seed});
  return all;
}
INSTANTIATE_TEST_SUITE_P(Random, TreeTest, ::testing::ValuesIn(cases()), [](const auto& c) {
  return std::string(c.param.space == Space::planar ? "Planar" : "Spatial") + (c.param.grounded ? "Grounded" : "Free") +
         std::to_string(c.param.seed);
});

}  // namespace
}  // namespace carom::model
