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

// Bit 0, 1, 2 of k choose the side in x, y, z.
Vector3 box_corner(const Vector3& half_size, Index k) {
  return {(k & 1 ? 1 : -1) * half_size.x(), (k & 2 ? 1 : -1) * half_size.y(), (k & 4 ? 1 : -1) * half_size.z()};
}

// Spheres and boxes, and half spaces, that may touch each other: as values, for the system and for looking at
// everything.
struct Crowd {
  std::vector<Shape> shapes;
  std::vector<geometry::HalfSpace> planes;

  explicit Crowd(unsigned seed) {
    Random random(seed);
    for (Index b = 0; b < 60; ++b)
      shapes.push_back(b < 45 ? Shape::sphere(b % 9 == 0 ? 0.2 : random(0.02, 0.05))
                              : Shape::box(random_vector(random, 0.1).cwiseAbs() + Vector3::Constant(0.02)));
    for (Index p = 0; p < 3; ++p) {
      const Vector3 point = random_vector(random, 0.3), n = random_direction(random);
      planes.emplace_back(n, n.dot(point));
    }
  }

  model::AssembledSystem system() const {
    std::vector<model::BodyData> bodies;
    model::SurfaceSet set;
    set.spatial.set(0, 0, make_contact_law(Space::spatial, {.restitution = 0.0, .friction = 0.5}));
    set.acceleration = 9.81;
    for (std::size_t b = 0; b < shapes.size(); ++b) {
      bodies.push_back({"b" + std::to_string(b), 1.0, Matrix3::Identity(), {0, 0, -9.81}});
      set.surfaces.push_back({bodies.back().name, static_cast<Index>(b) + 1, shapes[b].solid(), 0});
    }
    for (std::size_t p = 0; p < planes.size(); ++p)
      set.surfaces.push_back({"p" + std::to_string(p), model::ground_frame, planes[p], 0});
    model::Assembly assembly;
    assembly.parts = {std::make_shared<model::RigidBodies>(std::move(bodies))};
    assembly.constraints = {std::make_shared<model::SurfaceContacts>(std::move(set))};
    Vector q = Vector::Zero(60 * body_q);
    for (Index b = 0; b < 60; ++b) q[body_q * b + 3] = 1.0;
    return {std::move(assembly), q};
  }

  // Everything of spheres and corners that touches, by its name.
  std::set<std::string> touching(const Vector& q) const {
    std::set<std::string> names;
    const auto name = [](Index b) { return "b" + std::to_string(b); };
    for (Index a = 0; a < 60; ++a) {
      const Shape& shape = shapes[static_cast<std::size_t>(a)];
      const Pose pose = body_pose(q.data(), a);
      for (std::size_t p = 0; p < planes.size(); ++p) {
        const auto height = [&](const Vector3& x) { return planes[p].normal.dot(x) - planes[p].offset; };
        if (shape.type == ShapeType::sphere && height(pose.x) <= shape.radius)
          names.insert(name(a) + "-p" + std::to_string(p));
        if (shape.type == ShapeType::box)
          for (Index k = 0; k < 8; ++k)
            if (height(pose.x + pose.R * box_corner(shape.half_size, k)) <= 0)
              names.insert(name(a) + ".corner" + std::to_string(k) + "-p" + std::to_string(p));
      }
      for (Index b = a + 1; b < 60; ++b) {
        const Shape& other = shapes[static_cast<std::size_t>(b)];
        if (shape.type == ShapeType::sphere && other.type == ShapeType::sphere &&
            (pose.x - body_position(q.data(), b)).norm() <= shape.radius + other.radius)
          names.insert(name(a) + "-" + name(b));
      }
    }
    return names;
  }
};

TEST(MultibodyContact, NoContactOfAStepIsMissed) {
  std::size_t closed_within = 0, listed = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Crowd crowd(seed);
    const model::AssembledSystem system = crowd.system();
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
    std::set<std::string> ids;
    for (const Constraint& c : contacts.constraints) ids.insert(system.constraint_name(c));
    for (Index k = 1; k < contacts.size(); ++k) ASSERT_LT(contacts[k - 1].id, contacts[k].id);
    listed += contacts.constraints.size();
    const auto before = crowd.touching(q);
    // Free flight of any part of the step.
    for (int part = 0; part <= 10; ++part) {
      const double s = dt * part / 10;
      Vector dq = s * v, later;
      for (Index b = 0; b < 60; ++b) dq[body_v * b + 2] -= 0.5 * 9.81 * s * s;
      system.move(q, dq, later);
      for (const std::string& id : crowd.touching(later)) {
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
  const model::AssembledSystem system = Crowd(3).system();
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
  EXPECT_EQ(system.constraint_name(contacts[0]), "ball4-ball13");
  EXPECT_EQ(system.constraint_name(contacts[1]), "ball4-floor");
  const auto pair_id = contacts[0].id, floor_id = contacts[1].id;

  // More contacts come before and after; the old ones are still who they were.
  q[7 * 0 + 2] = 0.05;
  q[7 * 8 + 2] = 0.05;
  system.detect(0, q, zero, 1e-3, contacts);
  ASSERT_EQ(contacts.size(), 4);
  EXPECT_EQ(contacts[1].id, pair_id);
  EXPECT_EQ(contacts[2].id, floor_id);
  EXPECT_EQ(system.constraint_name(contacts[3]), "ball8-floor");
  for (Index k = 1; k < contacts.size(); ++k) EXPECT_LT(contacts[k - 1].id, contacts[k].id);

  // The floor contact goes, the pair stays.
  q[7 * 4 + 2] += 0.02;
  q[7 * 13 + 2] += 0.02;
  system.detect(0, q, zero, 1e-3, contacts);
  ASSERT_EQ(contacts.size(), 3);
  EXPECT_EQ(contacts[1].id, pair_id);
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
  for (const Constraint& c : contacts.constraints) names.push_back(model.system->constraint_name(c));
  // No speed, no gravity: nothing is within reach.
  EXPECT_EQ(names, (std::vector<std::string>{"link"}));
}

}  // namespace
}  // namespace carom
