// Random scenes with every kind of body, joint and contact, far from any special position.
#pragma once

#include "carom/laws/contact_law.h"
#include "carom/model/multibody_system.h"
#include "model/dense_view.h"

namespace carom::testing {

inline Vector3 random_vector(Random& random, double size = 1.0) { return random.vector(3, size); }
inline Vector3 random_direction(Random& random) { return random_vector(random).normalized(); }
inline Quaternion random_quaternion(Random& random) {
  return quaternion_exp(random_vector(random, 2.0));
}

// Principal moments of some rigid body: of a box.
inline Vector3 possible_inertia(Random& random, double mass) {
  const Vector3 s = random_vector(random).cwiseAbs2() + Vector3::Constant(0.05);
  return mass / 12.0 * Vector3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y());
}

// spheres 0..3, boxes 4..6, bodies without shape 7, 8; planes; one joint of each type between
// bodies and one to the ground, with random points and directions: not assembled, which W and zeta
// must not mind.
inline MultibodyParts random_parts(unsigned seed, bool friction = true) {
  Random random(seed);
  MultibodyParts parts;
  parts.gravity = random_vector(random, 10.0);
  parts.laws.set(
      0, 0,
      make_contact_law(Space::spatial, {.restitution = 0.3, .friction = friction ? 0.5 : 0.0}));
  for (Index b = 0; b < 9; ++b) {
    RigidBody body;
    body.name = "body" + std::to_string(b);
    body.mass = random(0.1, 3.0);
    body.inertia = possible_inertia(random, body.mass);
    if (b < 4) body.shape = Shape::sphere(random(0.05, 0.5));
    if (b >= 4 && b < 7)
      body.shape = Shape::box(random_vector(random).cwiseAbs() + Vector3::Constant(0.1));
    parts.bodies.push_back(body);
  }
  for (Index p = 0; p < 3; ++p)
    parts.planes.push_back(
        {"plane" + std::to_string(p), {random_vector(random), random_direction(random)}, 0});
  const auto add_joint = [&](JointType type, Index a, Index b) {
    Joint joint;
    joint.name = "joint" + std::to_string(parts.joints.size());
    joint.a = a;
    joint.b = b;
    joint.coincident = type != JointType::fixed_orientation;
    joint.point_a = random_vector(random);
    joint.point_b = random_vector(random);
    set_directions(type, random_direction(random), random(0.3, 2.0),
                   rotation_matrix(random_quaternion(random)),
                   rotation_matrix(random_quaternion(random)), joint);
    joint.law = make_bilateral_law(joint.rows());
    parts.joints.push_back(joint);
  };
  add_joint(JointType::spherical, 0, 7);
  add_joint(JointType::revolute, 7, 8);
  add_joint(JointType::fixed_orientation, 8, 4);
  add_joint(JointType::fixed, 1, 5);
  add_joint(JointType::revolute, ground_body, 8);
  add_joint(JointType::spherical, 6, ground_body);
  add_joint(JointType::fixed_orientation, ground_body, 2);
  return parts;
}

inline Vector random_coordinates(const MultibodySystem& system, Random& random) {
  Vector q(system.nq());
  for (Index b = 0; b < system.nq() / body_q; ++b) {
    q.segment<3>(body_q * b) = random_vector(random, 2.0);
    q.segment<4>(body_q * b + 3) = random_quaternion(random);
  }
  return q;
}

// Everything that could ever touch: a step so long that all is within reach.
inline void detect_all(const MultibodySystem& system, const Vector& q, ContactSet& contacts) {
  system.detect(0.0, q, Vector::Constant(system.nv(), 1.0), 1e6, contacts);
}

}  // namespace carom::testing
