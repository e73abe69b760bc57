// Describes a scene of rigid bodies, planes, joints and contacts in plain values, checks it, and
// makes the Model from parts (assembly/builder.h). Names in messages are those of scenario files: "body.block.mass".
//
//   Multibody scene;
//   scene.set_gravity({0, 0, -9.81});
//   scene.add_plane({.name = "floor"});
//   scene.add_body({.name = "ball", .mass = 1, .inertia = Vector3::Constant(4e-3),
//                   .position = {0, 0, 1}, .shape = Shape::sphere(0.1)});
//   scene.set_default_contact({.restitution = 0.5, .friction = 0.3});
//   Model model = scene.build();
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/errors.h"
#include "carom/laws/contact_law.h"
#include "carom/model/bodies/body_shape.h"
#include "carom/model/bodies/rigid_body.h"
#include "carom/model/model.h"

namespace carom {

struct BodySpec {
  std::string name;
  double mass = 0.0;
  Vector3 inertia = Vector3::Zero();   // principal moments in the body frame
  Vector3 position = Vector3::Zero();  // of the centre of mass
  Quaternion orientation = {1.0, 0.0, 0.0, 0.0};
  Vector3 velocity = Vector3::Zero();  // of the centre of mass, in the world
  Vector3 spin = Vector3::Zero();      // angular velocity in the body frame
  Shape shape = {};
};

struct PlaneSpec {
  std::string name;
  Vector3 point = Vector3::Zero();
  Vector3 normal = Vector3::UnitZ();  // out of the solid; any length
};

struct JointSpec {
  std::string name;
  std::string type = "spherical";  // a kind of joints.def
  std::string a = "ground", b;
  // Where the bodies are held together: a place in the world at the start, or one point in each
  // body's frame. fixed_orientation needs neither, a distance both.
  std::optional<Vector3> point = {};
  std::optional<Vector3> point_a = {}, point_b = {};
  Vector3 axis = Vector3::UnitZ();  // of turning, sliding, ..., in the world at the start; any length
};

// Overrides the default law for two bodies, or a body and a plane. Without a law they do not touch.
struct ContactSpec {
  std::string name;
  std::string a, b;
  std::optional<ContactParameters> law;
};

// The kind of joint a word means; throws InputError with the nearest name. key: "joint.hinge.type".
std::string joint_type(std::string_view word, const std::string& key);

// The unit quaternion of a turn about an axis of any length by an angle.
Quaternion orientation_from_axis(const Vector3& axis, double angle);

class Multibody {
 public:
  void set_gravity(const Vector3& gravity) { gravity_ = gravity; }
  void add_body(BodySpec body) { bodies_.push_back(std::move(body)); }
  void add_plane(PlaneSpec plane) { planes_.push_back(std::move(plane)); }
  void add_joint(JointSpec joint) { joints_.push_back(std::move(joint)); }
  // For all pairs of shapes, and shapes and planes, that no ContactSpec names. None: they do not
  // touch.
  void set_default_contact(std::optional<ContactParameters> law) { default_contact_ = law; }
  void add_contact(ContactSpec contact) { contacts_.push_back(std::move(contact)); }

  const std::vector<BodySpec>& bodies() const { return bodies_; }
  const std::vector<PlaneSpec>& planes() const { return planes_; }
  const std::vector<JointSpec>& joints() const { return joints_; }
  // By a joint with a common point: then they do not touch.
  bool held_together(std::string_view a, std::string_view b) const;

  // Throws InputError with every problem found: impossible values, unknown names, joints that are
  // not assembled or not moving together, shapes that overlap at the start.
  Model build() const;

 private:
  Vector3 gravity_ = Vector3::Zero();
  std::vector<BodySpec> bodies_;
  std::vector<PlaneSpec> planes_;
  std::vector<JointSpec> joints_;
  std::optional<ContactParameters> default_contact_;
  std::vector<ContactSpec> contacts_;
};

}  // namespace carom
