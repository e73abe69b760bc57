// Detection: no contact that closes within a step is missed; contacts keep their identity.
#include <gtest/gtest.h>

#include <set>

#include "carom/model/multibody.h"
#include "carom/model/multibody_scenes.h"
#include "model/multibody_test_scene.h"

namespace carom {
namespace {

using testing::Random;
using testing::random_direction;
using testing::random_quaternion;
using testing::random_vector;

MultibodyParts crowd(unsigned seed) {
  Random random(seed);
  MultibodyParts parts;
  parts.gravity = {0, 0, -9.81};
  parts.laws.set(0, 0, make_contact_law(Space::spatial, {.restitution = 0.0, .friction = 0.5}));
  for (Index b = 0; b < 60; ++b) {
    RigidBody body;
    body.name = "b" + std::to_string(b);
    if (b < 45)
      body.shape = Shape::sphere(b % 9 == 0 ? 0.2 : random(0.02, 0.05));
    else
      body.shape = Shape::box(random_vector(random, 0.1).cwiseAbs() + Vector3::Constant(0.02));
    parts.bodies.push_back(body);
  }
  for (Index p = 0; p < 3; ++p)
    parts.planes.push_back(
        {"p" + std::to_string(p), {random_vector(random, 0.3), random_direction(random)}, 0});
  return parts;
}

// Everything that touches, by looking at everything.
std::set<ConstraintId> touching(const MultibodySystem& system, const Vector& q) {
  std::set<ConstraintId> ids;
  const Index n = static_cast<Index>(system.bodies().size());
  for (Index a = 0; a < n; ++a) {
    const Shape& shape = system.bodies()[static_cast<std::size_t>(a)].shape;
    const Pose pose = body_pose(q.data(), a);
    for (Index p = 0; p < static_cast<Index>(system.planes().size()); ++p) {
      const Plane& plane = system.planes()[static_cast<std::size_t>(p)].plane;
      if (shape.type == ShapeType::sphere && plane.normal.dot(pose.x - plane.point) <= shape.radius)
        ids.insert(constraint_id(ConstraintKind::sphere_plane, a, p));
      if (shape.type == ShapeType::box)
        for (Index k = 0; k < 8; ++k)
          if (plane.normal.dot(pose.x + pose.R * box_corner(shape.half_size, k) - plane.point) <= 0)
            ids.insert(constraint_id(ConstraintKind::corner_plane, a, p, k));
    }
    for (Index b = a + 1; b < n; ++b) {
      const Shape& other = system.bodies()[static_cast<std::size_t>(b)].shape;
      if (shape.type == ShapeType::sphere && other.type == ShapeType::sphere &&
          (pose.x - body_position(q.data(), b)).norm() <= shape.radius + other.radius)
        ids.insert(constraint_id(ConstraintKind::sphere_sphere, a, b));
    }
  }
  return ids;
}

TEST(MultibodyContact, NoContactOfAStepIsMissed) {
  std::size_t closed_within = 0, listed = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const MultibodySystem system(crowd(seed));
    Random random(500 + seed);
    Vector q(system.nq());
    for (Index b = 0; b < 60; ++b) {
      q.segment<3>(body_q * b) = random_vector(random, 0.6);
      q.segment<4>(body_q * b + 3) = random_quaternion(random);
    }
    const double dt = std::pow(10.0, random(-4, -1));
    const Vector v = random.vector(system.nv(), 3.0);
    ContactSet contacts;
    system.detect(0.0, q, v, dt, contacts);
    std::set<ConstraintId> ids;
    for (const Constraint& c : contacts.constraints) ids.insert(c.id);
    ASSERT_EQ(ids.size(), contacts.constraints.size());
    listed += ids.size();
    const auto before = touching(system, q);
    // Free flight of any part of the step.
    for (int part = 0; part <= 10; ++part) {
      const double s = dt * part / 10;
      Vector dq = s * v, later;
      for (Index b = 0; b < 60; ++b) dq[body_v * b + 2] -= 0.5 * 9.81 * s * s;
      system.move(q, dq, later);
      for (const ConstraintId& id : touching(system, later)) {
        EXPECT_TRUE(ids.count(id)) << "seed " << seed << " id " << id << " dt " << dt;
        if (!before.count(id)) ++closed_within;
      }
    }
  }
  EXPECT_GT(closed_within, 1000u);  // the test does see contacts close
  EXPECT_GT(listed, 1000u);
}

TEST(MultibodyContact, ListIsSharpWhenTheStepIsShort) {
  // Nothing farther than a hundredth of the size and what the motion covers.
  const MultibodySystem system(crowd(3));
  Random random(8);
  Vector q(system.nq());
  for (Index b = 0; b < 60; ++b) {
    q.segment<3>(body_q * b) = random_vector(random, 0.6);
    q.segment<4>(body_q * b + 3) = random_quaternion(random);
  }
  ContactSet contacts;
  system.detect(0.0, q, Vector::Zero(system.nv()), 1e-4, contacts);
  ActiveSet all;
  all.reset(contacts);
  all.add_all();
  Evaluation out;
  system.evaluate(0.0, q, Vector::Zero(system.nv()), Need::gap, all, out);
  Index row = 0;
  for (const Constraint& c : contacts.constraints) {
    EXPECT_LE(out.g[row], 0.01 * c.length_scale + 1e-7);
    row += c.law->dim();
  }
}

TEST(MultibodyContact, ContactsComeAndGoAndKeepTheirIdentity) {
  const Model model = spheres_in_box({3, 3, 2}).build();
  const System& system = *model.system;
  const Vector zero = Vector::Zero(system.nv());
  ContactSet contacts;

  // At the start the lattice is apart from the floor.
  system.detect(0, model.initial.q, zero, 1e-3, contacts);
  EXPECT_EQ(contacts.size(), 0);

  // ball4 on the floor, with ball13 resting on it.
  Vector q = model.initial.q;
  q[7 * 4 + 2] = 0.05;
  q.segment<3>(7 * 13) = q.segment<3>(7 * 4) + Vector3(0, 0, 0.1);
  system.detect(0, q, zero, 1e-3, contacts);
  ASSERT_EQ(contacts.size(), 2);
  EXPECT_EQ(system.constraint_name(contacts[0]), "ball4-floor");
  EXPECT_EQ(system.constraint_name(contacts[1]), "ball4-ball13");
  const auto floor_id = contacts[0].id, pair_id = contacts[1].id;

  // More contacts come before and after; the old ones are still who they were.
  q[7 * 0 + 2] = 0.05;
  q[7 * 8 + 2] = 0.05;
  system.detect(0, q, zero, 1e-3, contacts);
  ASSERT_EQ(contacts.size(), 4);
  EXPECT_EQ(contacts[1].id, floor_id);
  EXPECT_EQ(contacts[3].id, pair_id);
  EXPECT_EQ(system.constraint_name(contacts[2]), "ball8-floor");
  for (Index k = 1; k < contacts.size(); ++k) EXPECT_LT(contacts[k - 1].id, contacts[k].id);

  // The floor contact goes, the pair stays.
  q[7 * 4 + 2] += 0.02;
  q[7 * 13 + 2] += 0.02;
  system.detect(0, q, zero, 1e-3, contacts);
  ASSERT_EQ(contacts.size(), 3);
  EXPECT_EQ(contacts[2].id, pair_id);
}

TEST(MultibodyContact, SortedByIdInLargeScenes) {
  const Model model = spheres_in_box({6, 6, 6}).build();
  Random random(4);
  ContactSet contacts;
  const Vector v = random.vector(model.system->nv(), 5.0);
  model.system->detect(0, model.initial.q, v, 5e-3, contacts);
  EXPECT_GT(contacts.size(), 300);
  for (Index k = 1; k < contacts.size(); ++k) EXPECT_LT(contacts[k - 1].id, contacts[k].id);
  ContactSet again;
  model.system->detect(0, model.initial.q, v, 5e-3, again);
  ASSERT_EQ(again.size(), contacts.size());
  for (Index k = 0; k < contacts.size(); ++k) EXPECT_EQ(again[k].id, contacts[k].id);
}

TEST(MultibodyContact, BodiesHeldByAJointDoNotTouchEachOther) {
  Multibody scene;
  scene.set_default_contact(ContactParameters{});
  for (const double x : {0.0, 0.15, 0.5})
    scene.add_body({.name = "bead" + std::to_string(static_cast<int>(100 * x)),
                    .mass = 1,
                    .inertia = Vector3::Constant(1),
                    .position = {x, 0, 0},
                    .shape = Shape::sphere(0.1)});
  scene.add_joint({.name = "link", .a = "bead0", .b = "bead15", .point = Vector3(0.07, 0, 0)});
  const Model model = scene.build();  // they overlap, and may
  ContactSet contacts;
  model.system->detect(0, model.initial.q, model.initial.v, 10.0, contacts);
  std::vector<std::string> names;
  for (const Constraint& c : contacts.constraints)
    names.push_back(model.system->constraint_name(c));
  // No speed, no gravity: nothing is within reach.
  EXPECT_EQ(names, (std::vector<std::string>{"link"}));
}

}  // namespace
}  // namespace carom
