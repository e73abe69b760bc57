// Random scenes of bodies with every shape, joints and contacts, far from any special position.
#pragma once

#include "carom/laws/contact_law.h"
#include "carom/model/assembly/assembled_system.h"
#include "carom/model/bodies/rigid_body.h"
#include "carom/model/contacts/surface_contacts.h"
#include "carom/model/joints/joint_kind.h"
#include "carom/model/parts/rigid_bodies.h"
#include "model/dense_view.h"

namespace carom::testing {

inline Vector3 random_vector(Random& random, double size = 1.0) { return random.vector(3, size); }
inline Vector3 random_direction(Random& random) { return random_vector(random).normalized(); }
inline Quaternion random_quaternion(Random& random) { return quaternion_exp(random_vector(random, 2.0)); }

// Principal moments of some rigid body: of a box.
inline Vector3 possible_inertia(Random& random, double mass) {
  const Vector3 s = random_vector(random).cwiseAbs2() + Vector3::Constant(0.05);
  return mass / 12.0 * Vector3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y());
}

// Spheres 0..3, boxes 4..6, a capsule 7, a body without shape 8; half spaces; joints between bodies and to the ground,
// with random points and directions: not assembled, which W and zeta must not mind. Body b is frame b + 1.
inline model::AssembledSystem random_system(unsigned seed, bool friction = true) {
  Random random(seed);
  const auto law = make_contact_law(Space::spatial, {.restitution = 0.3, .friction = friction ? 0.5 : 0.0});
  std::vector<model::BodyData> bodies;
  model::SurfaceSet set;
  set.spatial.set(0, 0, law);
  const Vector3 gravity = random_vector(random, 10.0);
  set.acceleration = gravity.norm();
  for (Index b = 0; b < 9; ++b) {
    const double mass = random(0.1, 3.0);
    bodies.push_back({"body" + std::to_string(b), mass, possible_inertia(random, mass).asDiagonal(), mass * gravity});
    if (b < 4) set.surfaces.push_back({bodies.back().name, b + 1, geometry::Sphere(random(0.05, 0.5)), 0});
    if (b >= 4 && b < 7)
      set.surfaces.push_back({bodies.back().name, b + 1,
                              geometry::Box(0.5 * (random_vector(random).cwiseAbs() + Vector3::Constant(0.1))), 0});
    if (b == 7)
      set.surfaces.push_back({bodies.back().name, b + 1, geometry::Capsule(random(0.05, 0.3), random(0.1, 0.5)), 0});
  }
  for (Index p = 0; p < 3; ++p)
    set.surfaces.push_back({"plane" + std::to_string(p), model::ground_frame,
                            geometry::HalfSpace(random_direction(random), random(-1.0, 1.0)), 0});
  std::vector<model::Joint> joints;
  const auto add_joint = [&](const char* kind, Index a, Index b) {
    const auto site = [&](Index frame) {
      return model::Site{frame, random_vector(random), rotation_matrix(random_quaternion(random))};
    };
    const model::Site at_a = site(a), at_b = site(b);
    joints.push_back(model::make_joint(model::joint_kinds().find(kind), false, "joint" + std::to_string(joints.size()),
                                       at_a, at_b, {}, {}, random(0.3, 2.0)));
  };
  add_joint("spherical", 1, 8);
  add_joint("revolute", 8, 9);
  add_joint("fixed_orientation", 9, 5);
  add_joint("fixed", 2, 6);
  add_joint("revolute", model::ground_frame, 9);
  add_joint("spherical", 7, model::ground_frame);
  add_joint("prismatic", model::ground_frame, 3);
  model::Assembly assembly;
  assembly.parts = {std::make_shared<model::RigidBodies>(std::move(bodies))};
  assembly.constraints = {std::make_shared<model::JointGroup>(std::move(joints)),
                          std::make_shared<model::SurfaceContacts>(std::move(set))};
  Vector q = Vector::Zero(9 * body_q);
  for (Index b = 0; b < 9; ++b) q[body_q * b + 3] = 1.0;
  return {std::move(assembly), q};
}

inline Vector random_coordinates(const System& system, Random& random) {
  Vector q(system.nq());
  for (Index b = 0; b < system.nq() / body_q; ++b) {
    q.segment<3>(body_q * b) = random_vector(random, 2.0);
    q.segment<4>(body_q * b + 3) = random_quaternion(random);
  }
  return q;
}

// Everything that could ever touch: a step so long that all is within reach.
inline void detect_all(const System& system, const Vector& q, ContactSet& contacts) {
  system.detect(0.0, q, Vector::Constant(system.nv(), 1.0), 1e6, contacts);
}

}  // namespace carom::testing
