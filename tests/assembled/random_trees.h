// Random trees of bodies in joint coordinates, with joints of every kind that can carry them, read forwards and
// backwards.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/model/assembly/assembled_system.h"
#include "carom/model/assembly/builder.h"
#include "carom/model/joints/joint_kind.h"
#include "model/multibody_test_scene.h"

namespace carom::testing {

using namespace model;

using carom::testing::Random;
using carom::testing::random_direction;
using carom::testing::random_quaternion;
using carom::testing::random_vector;

struct RandomTree {
  Space space;
  Random random;
  ModelBuilder m;
  std::vector<BodySpec> specs;
  std::vector<BodyRef> bodies;
  std::vector<JointSpec> joints;
  Vector3 gravity;

  // Every kind that a tree can use appears once; the order is shuffled by the seed.
  RandomTree(Space s, unsigned seed, bool grounded)
      : space(s), random(seed), m(s), gravity(flat(random_vector(random, 10.0))) {
    m.set_coordinates(Coordinates::joint);
    m.set_gravity(gravity);
    std::vector<std::string> kinds;
    for (const JointKind* kind : joint_kinds().entries())
      if (planar() ? kind->free_in_plane.has_value() : kind->free_in_space.has_value()) kinds.push_back(kind->name);
    for (std::size_t i = kinds.size(); i > 1; --i)
      std::swap(kinds[i - 1], kinds[static_cast<std::size_t>(random(0.0, 1.0) * static_cast<double>(i))]);
    if (!grounded) add_body();
    for (const std::string& kind : kinds) {
      const Index parent = bodies.empty() ? -1 : pick();
      const BodyRef body = add_body();
      JointSpec joint{
          .name = "joint" + std::to_string(joints.size()), .kind = kind, .a = site(parent), .b = site(body.number)};
      if (random(-1.0, 1.0) < 0.0) std::swap(joint.a, joint.b);
      joints.push_back(joint);
      m.add_joint(joint);
    }
  }

  bool planar() const { return space == Space::planar; }
  Vector3 flat(Vector3 x) const { return planar() ? Vector3(x.x(), x.y(), 0.0) : x; }
  Index pick() { return static_cast<Index>(random(0.0, 0.999) * static_cast<double>(bodies.size())); }

  BodyRef add_body() {
    BodySpec spec;
    spec.name = "body" + std::to_string(bodies.size());
    spec.mass = random(0.2, 3.0);
    const Matrix3 R = rotation_matrix(random_quaternion(random));
    spec.inertia = R * carom::testing::possible_inertia(random, spec.mass).asDiagonal() * R.transpose();
    spec.position = flat(random_vector(random));
    spec.velocity = flat(random_vector(random));
    spec.orientation = random_quaternion(random);
    spec.angle = random(-3.0, 3.0);
    spec.spin = random_vector(random);
    spec.weightless = bodies.size() % 3 == 1;
    specs.push_back(spec);
    bodies.push_back(m.add_body(spec));
    return bodies.back();
  }

  SiteSpec site(Index body) {
    SiteSpec s{.body = body, .point = flat(random_vector(random))};
    s.triad = planar() ? rotation_matrix(quaternion_exp(Vector3(0, 0, random(-3.0, 3.0))))
                       : rotation_matrix(random_quaternion(random));
    return s;
  }
};

// A model of parts at a state away from its start.
struct RandomState {
  Model model;
  const AssembledSystem& system;
  Vector q, v;

  RandomState(Model built, Random& random)
      : model(std::move(built)),
        system(dynamic_cast<const AssembledSystem&>(*model.system)),
        v(random.vector(system.nv(), 1.0)) {
    system.move(model.initial.q, random.vector(system.nv(), 0.7), q);
  }

  Index frame(const std::string& name) const {
    for (Index f = 1; f < system.frames().count(); ++f)
      if (system.frames().name(f) == name) return f;
    return -1;
  }
  Placement placed(const Vector& at, const Vector& moving) const {
    Placement place;
    system.place(0.0, at, moving, place);
    return place;
  }
  Vector moved(const Vector& dq) const {
    Vector next;
    system.move(q, dq, next);
    return next;
  }
};

}  // namespace carom::testing
