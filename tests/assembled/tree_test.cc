// Trees of bodies in joint coordinates: their kinematics against the rows of the same joints, their derivatives against differences, their
// motion against maximal coordinates and against formulas.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "carom/laws/contact_law.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/assembly/assembled_system.h"
#include "carom/model/assembly/builder.h"
#include "carom/model/assembly/spanning_trees.h"
#include "carom/model/forces/row_forces.h"
#include "carom/model/joints/coordinate_constraints.h"
#include "carom/model/joints/joint_kind.h"
#include "carom/model/parts/planar_bodies.h"
#include "carom/model/parts/tree.h"
#include "model/multibody_test_scene.h"
#include "model/system_checks.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

using testing::Random;
using testing::random_direction;
using testing::random_quaternion;
using testing::random_vector;

// ---------------------------------------------------------------------------------------------------------------------
// Random trees with every kind of joint, both ways round

Site random_site(Random& random, bool planar) {
  if (!planar) return {ground_frame, random_vector(random), rotation_matrix(random_quaternion(random))};
  Vector3 point = random_vector(random);
  point.z() = 0.0;
  return {ground_frame, point, rotation_matrix(quaternion_exp(Vector3(0, 0, random(-3.0, 3.0))))};
}

struct RandomTree {
  struct Held {
    const JointKind* kind;
    std::string name;
    Site a, b;  // on frames of the tree, the first of which is 1
  };
  std::shared_ptr<const Tree> tree;
  std::vector<Held> joints;
  Vector q, v;

  RandomTree(Random& random, bool planar, bool free_root) {
    TreeLayout layout;
    layout.planar = planar;
    layout.gravity = random_vector(random, 10.0);
    const auto body = [&](const std::string& name) {
      const double mass = random(0.2, 3.0);
      const Matrix3 R = planar ? Matrix3(Matrix3::Identity()) : rotation_matrix(random_quaternion(random));
      return BodyData{name, mass, R * testing::possible_inertia(random, mass).asDiagonal() * R.transpose(),
                      random(-1.0, 1.0) < -0.6 ? Vector3::Zero() : Vector3(mass * layout.gravity)};
    };
    if (free_root) layout.attach_free(body("root"));
    int number = 0;
    for (const JointKind* kind : joint_kinds().entries()) {
      const auto& free = planar ? kind->free_in_plane : kind->free_in_space;
      if (!free) continue;
      for (const bool backwards : {false, true}) {
        const Index parent = static_cast<Index>(std::floor(random(free_root ? 0.0 : -1.0, static_cast<double>(layout.bodies.size()))));
        const Site on_parent = random_site(random, planar), on_body = random_site(random, planar);
        const std::string name = kind->name + std::to_string(number++);
        const Index item = layout.attach(body("of_" + name), parent, on_parent, *free, backwards, on_body, name);
        Site a = on_parent, b = on_body;
        a.frame = parent + 1;
        b.frame = item + 1;
        joints.push_back(backwards ? Held{kind, name, b, a} : Held{kind, name, a, b});
      }
    }
    v = random.vector(layout.nv, 1.0);
    q = random.vector(layout.nq, 2.0);
    for (const TreeStep& step : layout.steps)
      if (step.kind == StepKind::ball) q.segment<4>(step.q) = random_quaternion(random);
    tree = make_tree(std::move(layout));
  }
};

class TreeTest : public ::testing::TestWithParam<unsigned> {
 protected:
  TreeTest() : random(GetParam()), planar(GetParam() % 2 == 0), r(random, planar, GetParam() % 3 == 0) {}
  Random random;
  bool planar;
  RandomTree r;
};

// The rows of all its joints are zero, and its coordinates are those of the joints.
TEST_P(TreeTest, HoldsWhatItsJointsHold) {
  std::vector<Joint> joints;
  for (const auto& held : r.joints)
    joints.push_back(make_joint(*held.kind, planar, held.kind->name, held.a, held.b, {}, {}, 1.0));
  Assembly assembly;
  assembly.parts = {r.tree};
  assembly.constraints.push_back(std::make_shared<JointGroup>(joints));
  const AssembledSystem system(assembly, r.q);
  const testing::SystemChecks checks(system, 0.0, r.q, r.v);
  const Evaluation here = checks.evaluated(0.0, r.q, r.v);
  EXPECT_LT(here.g.vec().cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(here.g_rate.vec().cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT(here.zeta.vec().cwiseAbs().maxCoeff(), 1e-10);

  Placement place;
  system.place(0.0, r.q, r.v, place);
  const TreeLayout& layout = r.tree->layout();
  for (const auto& held : r.joints)
    for (const CoordinateTemplate& c : planar ? held.kind->planar_coordinates : held.kind->spatial_coordinates)
      for (const TreeStep& step : layout.steps) {
        if (step.joint != held.name || step.name != c.name) continue;
        const JointCoordinate coordinate = make_coordinate(c, c.name, held.a, held.b);
        const double found = evaluate(coordinate, At{0.0, r.q.data(), place, system.frames()}).g;
        EXPECT_NEAR(std::remainder(found - r.q[step.q], coordinate.is_angle() ? 2 * M_PI : 1e9), 0.0, 1e-12) << step.joint << "." << c.name;
      }
}

// Energies from the motion of the frames, which share nothing with M.
TEST_P(TreeTest, HasTheEnergyOfItsBodies) {
  Assembly assembly;
  assembly.parts = {r.tree};
  const AssembledSystem system(assembly, r.q);
  Placement place;
  system.place(0.0, r.q, r.v, place);
  double kinetic = 0.0, potential = 0.0;
  for (std::size_t b = 0; b < r.tree->layout().bodies.size(); ++b) {
    const BodyData& body = r.tree->layout().bodies[b].data;
    const Pose& pose = place.poses[b + 1];
    const Twist& twist = place.twists[b + 1];
    kinetic += 0.5 * (body.mass * twist.velocity.squaredNorm() + twist.omega.dot(pose.R * body.inertia * pose.R.transpose() * twist.omega));
    potential -= body.weight.dot(pose.x);
  }
  EXPECT_NEAR(system.kinetic_energy(0.0, r.q, r.v), kinetic, 1e-12 * kinetic);
  EXPECT_NEAR(system.potential_energy(0.0, r.q), potential, 1e-11 * (1.0 + std::abs(potential)));
  Vector gradient, along = Vector::Zero(system.nv());
  system.potential_gradient(0.0, r.q, gradient);
  system.apply_T_transpose(r.q, gradient, along);
  for (Index k = 0; k < system.nv(); ++k) {
    Vector up, down;
    const Vector dq = 1e-5 * Vector::Unit(system.nv(), k);
    system.move(r.q, dq, up);
    system.move(r.q, -dq, down);
    EXPECT_NEAR(along[k], (system.potential_energy(0.0, up) - system.potential_energy(0.0, down)) / 2e-5, 1e-6);
  }
}

// With rows, coordinates and forces between frames of the tree, of the ground and of a body beside it.
TEST_P(TreeTest, DerivativesAgreeWithDifferences) {
  Assembly assembly;
  assembly.parts = {std::make_shared<PlanarBodies>(std::vector<PlanarBodyData>{{"beside", 1.3, 0.7, random_vector(random)}}), r.tree};
  Vector q(3 + r.q.size()), v(3 + r.v.size());
  q << random_vector(random), r.q;
  v << random_vector(random), r.v;
  const Index frames = 2 + r.tree->frame_count();
  const auto site = [&](Index frame) {
    Site s = random_site(random, false);
    s.frame = frame;
    return s;
  };
  std::vector<Joint> joints;
  std::vector<CoordinateConstraint> rows;
  std::vector<RowForce> forces;
  Index k = static_cast<Index>(GetParam());
  const auto law = make_bilateral_law(1);
  const auto ends = [&] {
    const Index a = k % frames, b = (a + 1 + (k / 2) % (frames - 1)) % frames;
    ++k;
    return std::pair(site(a), site(b));
  };
  for (const JointKind* kind : joint_kinds().entries()) {
    const auto [a, b] = ends();
    joints.push_back(make_joint(*kind, false, kind->name, a, b, {}, {}, 1.0));
    if (kind->name == "distance") joints.back().rows[0].rest = 0.3;
    for (const CoordinateTemplate& c : kind->spatial_coordinates) {
      const auto [c_a, c_b] = ends();
      CoordinateConstraint row;
      row.name = kind->name + "." + c.name;
      row.terms.push_back({0.7, make_coordinate(c, row.name, c_a, c_b)});
      row.law = law;
      rows.push_back(row);
    }
  }
  for (const RowKind kind : {RowKind::distance, RowKind::angle, RowKind::along, RowKind::across, RowKind::coincide}) {
    RowForce force;
    std::tie(force.row.a, force.row.b) = ends();
    force.row.row.kind = kind;
    force.row.row.d = force.row.a.triad.col(0);
    force.row.row.e = kind == RowKind::across ? Vector3(force.row.b.triad.col(1)) : Vector3(force.row.a.triad.col(1));
    force.row.row.b = force.row.b.triad.col(0);
    force.row.row.rest = 0.4;
    force.stiffness = random(1.0, 20.0);
    force.damping = random(0.1, 2.0);
    forces.push_back(force);
  }
  assembly.constraints = {std::make_shared<JointGroup>(joints), std::make_shared<CoordinateConstraints>(rows)};
  assembly.forces = {std::make_shared<RowForces>(forces)};
  const AssembledSystem system(assembly, q);
  const testing::SystemChecks checks(system, 0.3, q, v);
  checks.expect_rows_are_gradients(2e-7);
  checks.expect_convective_terms(random.vector(system.nv(), 1.0), 2e-5);
  checks.expect_force_derivatives(2e-6);
  checks.expect_energy_balance(2e-6);
}

TEST_P(TreeTest, FindsTheCoordinatesOfAPoseAndTheVelocitiesOfAMotion) {
  const std::size_t frames = static_cast<std::size_t>(r.tree->frame_count());
  std::vector<Pose> poses(frames), again(frames);
  std::vector<Twist> twists(frames);
  r.tree->place(0.0, r.q.data(), poses.data());
  r.tree->twists(0.0, r.q.data(), r.v.data(), poses.data(), twists.data());
  Vector q = Vector::Zero(r.q.size()), v = Vector::Zero(r.v.size());
  r.tree->layout().closest(poses, {}, q.data());
  r.tree->place(0.0, q.data(), again.data());
  for (std::size_t b = 0; b < frames; ++b) {
    EXPECT_LT((again[b].x - poses[b].x).norm(), 1e-12);
    EXPECT_LT((again[b].R - poses[b].R).norm(), 1e-12);
  }
  r.tree->closest_velocities(r.q.data(), twists, {}, v.data());
  EXPECT_LT((v - r.v).norm(), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Seeds, TreeTest, ::testing::Range(1u, 13u));

TEST(SpanningTrees, JointsNamedFirstMakeThemAndLoopsStayOut) {
  // ground - 0 - 1 - 2 - ground; 3 - 4 in the air, 4 named first; 5 alone; 6 on the ground by a joint that cannot be used
  const auto trees = spanning_trees(7, {{-1, 0, true}, {1, 0, true}, {1, 2, true}, {2, -1, true}, {4, 3, true}, {-1, 6, false}});
  ASSERT_EQ(trees.size(), 2u);
  ASSERT_EQ(trees[0].size(), 3u);
  EXPECT_EQ(trees[0][1].body, 1);
  EXPECT_EQ(trees[0][1].parent, 0);
  EXPECT_TRUE(trees[0][1].backwards);
  EXPECT_FALSE(trees[0][2].backwards);
  ASSERT_EQ(trees[1].size(), 2u);
  EXPECT_EQ(trees[1][0].body, 3);
  EXPECT_EQ(trees[1][0].joint, -1);
  EXPECT_TRUE(trees[1][1].backwards);
}

// ---------------------------------------------------------------------------------------------------------------------
// Motion

Matrix3 sphere(double J) { return J * Matrix3::Identity(); }

double energy(const Model& model, const State& at) {
  return model.system->energetics()->kinetic_energy(at.t, at.q, at.v) + model.system->energetics()->potential_energy(at.t, at.q);
}

Placement placed(const Model& model, const State& at) {
  Placement place;
  dynamic_cast<const AssembledSystem&>(*model.system).place(at.t, at.q, at.v, place);
  return place;
}

// How far two runs of the same bodies are apart, over all frames.
double apart(const Model& a, const State& end_a, const Model& b, const State& end_b) {
  const Placement pa = placed(a, end_a), pb = placed(b, end_b);
  const auto named = [](const Model& m, const std::string& name) {
    const Frames& frames = dynamic_cast<const AssembledSystem&>(*m.system).frames();
    for (Index f = 0; f < frames.count(); ++f)
      if (frames.name(f) == name) return static_cast<std::size_t>(f);
    throw std::runtime_error(name);
  };
  double worst = 0.0;
  const Frames& frames = dynamic_cast<const AssembledSystem&>(*a.system).frames();
  for (Index f = 1; f < frames.count(); ++f) {
    const std::size_t g = named(b, frames.name(f)), i = static_cast<std::size_t>(f);
    worst = std::max({worst, (pa.poses[i].x - pb.poses[g].x).norm(), (pa.poses[i].R - pb.poses[g].R).norm()});
  }
  return worst;
}

Model double_pendulum(Coordinates coordinates) {
  ModelBuilder m(Space::planar);
  m.set_coordinates(coordinates);
  m.set_gravity({0, -9.81, 0});
  const BodyRef upper = m.add_body({.name = "upper", .mass = 1.2, .inertia = sphere(0.03), .position = {0.25, 0, 0}});
  const BodyRef lower = m.add_body({.name = "lower", .mass = 0.7, .inertia = sphere(0.02), .position = {0.8, 0, 0}});
  m.add_joint({.name = "shoulder", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = upper.at({-0.25, 0, 0}), .start = CoordinateStart{0.0, 2.0}});
  m.add_joint({.name = "elbow", .kind = "revolute", .a = lower.at({-0.3, 0, 0}), .b = upper.at({0.25, 0, 0}), .start = CoordinateStart{0.0, 1.0}});
  return m.build();
}

// h and M of the textbook, in absolute angles, by the classical Runge-Kutta method.
Vector textbook_double_pendulum(double t_end) {
  const double m1 = 1.2, m2 = 0.7, J1 = 0.03, J2 = 0.02, l = 0.5, s1 = 0.25, s2 = 0.3, g = 9.81;
  const auto slope = [&](const Eigen::Vector4d& y) {
    const double k = m2 * l * s2;
    Eigen::Matrix2d M;
    M << J1 + m1 * s1 * s1 + m2 * l * l, k * std::cos(y[0] - y[1]), k * std::cos(y[0] - y[1]), J2 + m2 * s2 * s2;
    const Eigen::Vector2d h(-k * std::sin(y[0] - y[1]) * y[3] * y[3] - g * (m1 * s1 + m2 * l) * std::cos(y[0]),
                            k * std::sin(y[0] - y[1]) * y[2] * y[2] - g * m2 * s2 * std::cos(y[1]));
    const Eigen::Vector2d a = M.inverse() * h;
    return Eigen::Vector4d(y[2], y[3], a[0], a[1]);
  };
  Eigen::Vector4d y(0.0, 0.0, 2.0, 1.0);  // the elbow's angle runs from the lower arm to the upper: 2 - 1
  const int steps = 10000;
  const double dt = t_end / steps;
  for (int i = 0; i < steps; ++i) {
    const Eigen::Vector4d k1 = slope(y), k2 = slope(y + 0.5 * dt * k1), k3 = slope(y + 0.5 * dt * k2), k4 = slope(y + dt * k3);
    y += dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return y;
}

TEST(Tree, ADoublePendulumMovesLikeTheTextbookToTheOrderOfTheScheme) {
  const Model model = double_pendulum(Coordinates::joint);
  ASSERT_EQ(model.system->nq(), 2);
  EXPECT_FALSE(model.system->traits().bilateral);
  EXPECT_EQ(model.system->coordinate_name(0), "shoulder.angle");
  EXPECT_EQ(model.system->velocity_name(1), "elbow.rate");
  EXPECT_EQ(model.initial.v[0], 2.0);
  EXPECT_EQ(model.initial.v[1], 1.0);
  const Vector exact = textbook_double_pendulum(1.0);
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const int steps = 1000 << i;
    const State end = testing::run(*model.system, model.initial, "moreau_jean", {}, 1.0 / steps, steps);
    error[i] = std::hypot(end.q[0] - exact[0], end.q[0] - end.q[1] - exact[1]);
    EXPECT_NEAR(energy(model, end), energy(model, model.initial), 2e-4 / (1 << 2 * i));
  }
  EXPECT_LT(error[0], 1e-3);
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2.0, 0.1);  // theta = 1/2 without contacts
}

TEST(Tree, AgreesWithMaximalCoordinatesToTheOrderOfTheScheme) {
  const Model joint = double_pendulum(Coordinates::joint), maximal = double_pendulum(Coordinates::maximal);
  double difference[2];
  for (int i = 0; i < 2; ++i) {
    const int steps = 500 << i;
    difference[i] = apart(joint, testing::run(*joint.system, joint.initial, "moreau_jean", {}, 0.5 / steps, steps), maximal,
                          testing::run(*maximal.system, maximal.initial, "projection_combined", {}, 0.5 / steps, steps));
  }
  EXPECT_LT(difference[0], 2e-2);
  EXPECT_GT(std::log2(difference[0] / difference[1]), 0.8);
}

// Every kind of joint in space one after the other, hung on the ground.
Model spatial_chain(Coordinates coordinates) {
  ModelBuilder m(Space::spatial);
  m.set_coordinates(coordinates);
  m.set_gravity({0, 0, -9.81});
  Random random(5);
  SiteSpec from = m.ground().at({0, 0, 0});
  Vector3 at = Vector3::Zero();
  for (const char* kind : {"revolute", "spherical", "cylindrical", "fixed", "universal", "revolute"}) {
    at += Vector3(0.4, 0, 0);
    Matrix3 J = Vector3(0.004, 0.02, 0.018).asDiagonal();
    const BodyRef body = m.add_body({.name = std::string("of_") + kind + std::to_string(at.x()), .mass = random(0.5, 1.5), .inertia = J, .position = at - Vector3(0.2, 0, 0)});
    SiteSpec b = body.at({-0.2, 0, 0});
    if (std::string(kind) != "universal") {
      const Vector3 axis = std::string(kind) == "cylindrical" ? Vector3(0.3, 0.2, 1.0) : Vector3(0.2, 1.0, 0.3);
      from = from.with_axis(axis);
      b = b.with_axis(axis);
    }
    m.add_joint({.name = std::string("j") + std::to_string(at.x()), .kind = kind, .a = from, .b = b});
    from = body.at({0.2, 0, 0});
  }
  return m.build();
}

TEST(Tree, AChainInSpaceAgreesWithMaximalCoordinates) {
  const Model joint = spatial_chain(Coordinates::joint), maximal = spatial_chain(Coordinates::maximal);
  EXPECT_EQ(joint.system->nv(), 1 + 3 + 2 + 0 + 2 + 1);
  EXPECT_EQ(maximal.system->nv(), 36);
  EXPECT_LT(apart(joint, joint.initial, maximal, maximal.initial), 1e-12);
  double difference[2];
  for (int i = 0; i < 2; ++i) {
    const int steps = 200 << i;
    const State a = testing::run(*joint.system, joint.initial, "moreau_jean", {}, 0.2 / steps, steps);
    const State b = testing::run(*maximal.system, maximal.initial, "projection_combined", {}, 0.2 / steps, steps);
    difference[i] = apart(joint, a, maximal, b);
    EXPECT_NEAR(energy(joint, a), energy(joint, joint.initial), 0.05 / (1 << 2 * i));
  }
  EXPECT_LT(difference[0], 2e-2);
  EXPECT_GT(std::log2(difference[0] / difference[1]), 0.8);
}

// A loop: the last joint named stays rows, and the mechanism is closed at the start.
Model four_bar(Coordinates coordinates) {
  ModelBuilder m(Space::planar);
  m.set_coordinates(coordinates);
  m.set_gravity({0, -9.81, 0});
  const BodyRef crank = m.add_body({.name = "crank", .mass = 0.4, .inertia = sphere(0.002), .position = {0, 0.1, 0}, .angle = 0.5 * M_PI});
  const BodyRef coupler = m.add_body({.name = "coupler", .mass = 0.6, .inertia = sphere(0.02), .position = {0.25, 0.25, 0}, .angle = 0.3});
  const BodyRef rocker = m.add_body({.name = "rocker", .mass = 0.5, .inertia = sphere(0.01), .position = {0.5, 0.2, 0}, .angle = 0.4 * M_PI});
  m.add_joint({.name = "a", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = crank.at({-0.1, 0, 0}), .start = CoordinateStart{0.5 * M_PI, 8.0}});
  m.add_joint({.name = "b", .kind = "revolute", .a = crank.at({0.1, 0, 0}), .b = coupler.at({-0.25, 0, 0})});
  m.add_joint({.name = "c", .kind = "revolute", .a = coupler.at({0.25, 0, 0}), .b = rocker.at({0.2, 0, 0})});
  m.add_joint({.name = "d", .kind = "revolute", .a = m.ground().at({0.5, 0, 0}), .b = rocker.at({-0.2, 0, 0})});
  return m.build();
}

TEST(Tree, ALoopIsClosedByRows) {
  const Model joint = four_bar(Coordinates::joint), maximal = four_bar(Coordinates::maximal);
  EXPECT_EQ(joint.system->nv(), 3);
  EXPECT_TRUE(joint.system->traits().bilateral);
  EXPECT_LT(apart(joint, joint.initial, maximal, maximal.initial), 1e-9);
  double difference[2];
  for (int i = 0; i < 2; ++i) {
    const int steps = 500 << i;
    difference[i] = apart(joint, testing::run(*joint.system, joint.initial, "projection_combined", {}, 0.5 / steps, steps), maximal,
                          testing::run(*maximal.system, maximal.initial, "projection_combined", {}, 0.5 / steps, steps));
  }
  EXPECT_LT(difference[0], 2e-2);
  EXPECT_GT(std::log2(difference[0] / difference[1]), 0.8);
}

// ---------------------------------------------------------------------------------------------------------------------
// What acts on coordinates of joints

TEST(Tree, DrivesGearsAndLimitsActOnItsCoordinates) {
  ModelBuilder m(Space::planar);
  m.set_coordinates(Coordinates::joint);
  const BodyRef pinion = m.add_body({.name = "pinion", .mass = 1.0, .inertia = sphere(0.01)});
  const BodyRef wheel = m.add_body({.name = "wheel", .mass = 1.0, .inertia = sphere(0.09), .position = {0.4, 0, 0}});
  const BodyRef arm = m.add_body({.name = "arm", .mass = 1.0, .inertia = sphere(0.1), .position = {2, 0, 0}});
  m.add_joint({.name = "p", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = pinion.at({0, 0, 0}), .start = CoordinateStart{0.0, 6.0}});
  m.add_joint({.name = "w", .kind = "revolute", .a = m.ground().at({0.4, 0, 0}), .b = wheel.at({0, 0, 0}), .start = CoordinateStart{0.0, -2.0}});
  m.add_joint({.name = "arm", .kind = "revolute", .a = m.ground().at({2, 0, 0}), .b = arm.at({0, 0, 0}), .start = CoordinateStart{0.0, 3.0}});
  m.add_ratio({.name = "mesh", .terms = {{"p", 1.0}, {"w", 3.0}}});
  m.add_spring({.name = "motor", .joint = "p", .drive = [](double, double, double) { return 0.4; }});
  m.add_limit({.joint = "arm", .upper = 9.0, .restitution = 0.5});
  const Model model = m.build();
  EXPECT_EQ(model.system->nq(), 3);
  const int steps = 4000;
  const State end = testing::run(*model.system, model.initial, "projection_combined", {}, 1e-3, steps);
  const double t = 1e-3 * steps, acceleration = 0.4 / (0.01 + 0.09 / 9.0);
  EXPECT_NEAR(end.q[0], 6.0 * t + 0.5 * acceleration * t * t, 1e-8);  // 29 turns: the angle counts
  EXPECT_NEAR(end.q[0] + 3.0 * end.q[1], 0.0, 1e-9);
  EXPECT_NEAR(end.v[2], -1.5, 1e-12);                      // thrown back at 3 s
  EXPECT_NEAR(end.q[2], 9.0 - 1.5 * (t - 3.0), 0.01);
}

TEST(Tree, FrictionAndLongChainsStayRows) {
  const auto links = [](int count, bool friction) {
    ModelBuilder m(Space::planar);
    m.set_coordinates(Coordinates::joint);
    SiteSpec from = m.ground().at({0, 0, 0});
    for (int i = 0; i < count; ++i) {
      const BodyRef body = m.add_body({.name = "link" + std::to_string(i), .mass = 1.0, .inertia = sphere(0.1), .position = {0.5 + i, 0, 0}});
      JointSpec joint{.name = "pin" + std::to_string(i), .kind = "revolute", .a = from, .b = body.at({-0.5, 0, 0})};
      if (friction && i == 1) joint.friction = JointFriction{0.1, 0.01};
      m.add_joint(joint);
      from = body.at({0.5, 0, 0});
    }
    return m.build();
  };
  EXPECT_EQ(links(64, false).system->nv(), 64);
  EXPECT_EQ(links(65, false).system->nv(), 3 * 65);
  // ground - link0 by a tree, link1 and link2 free behind the joint that rubs: 1 + 3 + 1
  EXPECT_EQ(links(3, true).system->nv(), 5);
}

// A pendulum between elastic stops: with its hinge as rows it is refused.
TEST(Tree, SchemesThatRefuseJointsRunIt) {
  const auto pendulum = [](Coordinates coordinates) {
    ModelBuilder m(Space::planar);
    m.set_coordinates(coordinates);
    m.set_gravity({0, -9.81, 0});
    const BodyRef rod = m.add_body({.name = "rod", .mass = 0.5, .inertia = sphere(0.01), .position = {0, -0.3, 0}});
    m.add_joint({.name = "hinge", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = rod.at({0, 0.3, 0}), .start = CoordinateStart{0.0, 3.0}});
    m.add_limit({.joint = "hinge", .upper = 0.3, .restitution = 1.0});
    return m.build();
  };
  const Model joint = pendulum(Coordinates::joint), maximal = pendulum(Coordinates::maximal);
  int found = 0;
  for (const SchemeEntry* entry : schemes().entries()) {
    if (entry->joints) continue;
    ++found;
    EXPECT_TRUE(untreated(*entry, *maximal.system).has_value()) << entry->name;
    ASSERT_FALSE(untreated(*entry, *joint.system).has_value()) << entry->name << ": " << *untreated(*entry, *joint.system);
    double lowest = 1.0, highest = -1.0;
    const State end = testing::run(*joint.system, joint.initial, entry->name, {}, 1e-3, 1000, [&](const StepResult& result) {
      lowest = std::min(lowest, result.next.q[0]);
      highest = std::max(highest, result.next.q[0]);
    });
    EXPECT_NEAR(energy(joint, end), energy(joint, joint.initial), 1e-6) << entry->name;
    EXPECT_NEAR(highest, 0.3, 5e-3) << entry->name;
    EXPECT_LT(lowest, -0.5) << entry->name;
  }
  EXPECT_GT(found, 0);
}

// ---------------------------------------------------------------------------------------------------------------------
// The slider-crank against its formulas

constexpr double l1 = 0.153, l2 = 0.306, omega = 150.0;
const ContactParameters steel = {.restitution = 0.4, .friction = 0.01};

Model slider_crank() {
  ModelBuilder m(Space::planar);
  m.set_coordinates(Coordinates::joint);
  m.set_gravity({0.0, -9.81, 0.0});
  const BodyRef crank = m.add_body({.name = "crank", .mass = 0.038, .inertia = sphere(7.4e-5)});
  const BodyRef rod = m.add_body({.name = "rod", .mass = 0.038, .inertia = sphere(5.9e-4)});
  const BodyRef slider = m.add_body({.name = "slider", .mass = 0.076, .inertia = sphere(2.7e-6)});
  m.add_joint({.name = "bearing", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = crank.at({-l1 / 2, 0, 0}),
               .start = CoordinateStart{0.0, omega}});
  m.add_joint({.name = "crankpin", .kind = "revolute", .a = crank.at({l1 / 2, 0, 0}), .b = rod.at({-l2 / 2, 0, 0}),
               .start = CoordinateStart{0.0, -omega * (1 + l1 / l2)}});
  m.add_joint({.name = "wristpin", .kind = "revolute", .a = rod.at({l2 / 2, 0, 0}), .b = slider.at({0, 0, 0}),
               .start = CoordinateStart{0.0, omega * l1 / l2}});
  m.add_guide({.name = "guide", .guide = m.ground().at({0, 0, 0}), .block = slider.at({0, 0, 0}), .half_length = 0.05,
               .half_height = 0.025, .clearance = 0.001, .law = steel});
  return m.build();
}

class TreeSliderCrank : public ::testing::TestWithParam<const char*> {};

// Angles relative to each other against absolute ones: a linear change of coordinates, which schemes do not see.
TEST_P(TreeSliderCrank, MovesLikeTheFormulas) {
  const Model tree = slider_crank(), formulas = make_analytic_model("slider_crank", {}, steel);
  ASSERT_EQ(tree.system->nv(), 3);
  const auto absolute = [](const Vector& x) { return Vector3(x[0], x[0] + x[1], x[0] + x[1] + x[2]); };
  EXPECT_LT((absolute(tree.initial.v) - formulas.initial.v).norm(), 1e-13);
  const State a = testing::run(*tree.system, tree.initial, GetParam(), {}, 1e-5, 3000);
  const State b = testing::run(*formulas.system, formulas.initial, GetParam(), {}, 1e-5, 3000);
  EXPECT_LT((absolute(a.q) - b.q).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((absolute(a.v) - b.v).cwiseAbs().maxCoeff(), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Schemes, TreeSliderCrank,
                         ::testing::Values("moreau_jean", "projection_combined", "half_explicit_velocity", "nonsmooth_generalized_alpha"));

}  // namespace
}  // namespace carom::model
