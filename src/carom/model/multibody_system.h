// Free rigid bodies in space, joints between them, and contacts that come and go.
//
//   M = diag(m I, J), constant        h = (m a_g, -Omega x J Omega)
//   x' = x',  p' = 1/2 p (0, Omega)   x (+) dx = x + dx,  p (+) phi = p exp(phi)
//
// Contacts: spheres on planes, spheres on spheres, corners of boxes on planes; spatial Coulomb
// friction or none. Every quantity costs time proportional to bodies and contacts. A
// MultibodySystem is made by the builder in multibody.h and does not change afterwards.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carom/geometry/gaps.h"
#include "carom/model/bodies/rigid_body.h"
#include "carom/model/contacts/contact_id.h"
#include "carom/model/contacts/contact_laws.h"
#include "carom/model/joints/joint.h"
#include "carom/system/system.h"

namespace carom {

struct FixedPlane {
  std::string name;
  Plane plane;
  Index surface = 0;
};

struct MultibodyParts {
  std::vector<RigidBody> bodies;
  std::vector<FixedPlane> planes;
  std::vector<Joint> joints;
  ContactLaws laws;
  Vector3 gravity = Vector3::Zero();
};

class MultibodySystem final : public System, public Energetics {
 public:
  explicit MultibodySystem(MultibodyParts parts);

  const std::vector<RigidBody>& bodies() const { return parts_.bodies; }
  const std::vector<FixedPlane>& planes() const { return parts_.planes; }
  const std::vector<Joint>& joints() const { return parts_.joints; }
  const Vector3& gravity() const { return parts_.gravity; }

  Index nq() const override { return body_q * body_count(); }
  Index nv() const override { return body_v * body_count(); }
  Traits traits() const override;

  void detect(double t, const Vector& q, const Vector& v, double dt,
              ContactSet& contacts) const override;
  void evaluate(double t, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                Evaluation& out) const override;

  void move(const Vector& q, const Vector& dq, Vector& q_next) const override;
  void rational_move(const Vector& q, const Vector& dq, Vector& q_next) const override;
  void difference(const Vector& qa, const Vector& qb, Vector& dq) const override;
  void apply_T(const Vector& q, const Vector& v, Vector& dq) const override;
  void apply_T_transpose(const Vector& q, const Vector& p, Vector& r) const override;

  const Energetics* energetics() const override { return this; }
  double kinetic_energy(double t, const Vector& q, const Vector& v) const override;
  double potential_energy(double t, const Vector& q) const override;
  double other_power(double, const Vector&, const Vector&) const override { return 0.0; }
  void potential_gradient(double t, const Vector& q, Vector& out) const override;
  bool conservative() const override { return true; }

  // What could meet, near or far (multibody_possible_contacts.cc). A partner is a body, or a plane, numbered on after
  // the bodies.
  Index partner(std::string_view name) const;  // -1 if there is none
  // Every contact that shapes, laws and joints allow, of one partner or (-1) of all, until `visit` says false.
  void visit_possible_contacts(Index partner, const std::function<bool(const Constraint&)>& visit) const;
  // Bodies for which there is none, ascending.
  std::vector<Index> bodies_without_contact() const;
  bool held_together(std::string_view a, std::string_view b) const;  // by a joint with a common point

  void describe(Layout& layout) const override;
  // "ball3-floor", "ball3-ball7", "block.corner2-floor", "hinge".
  std::string constraint_name(const Constraint& constraint) const override;
  std::string coordinate_name(Index i) const override;  // "block.x", "block.p0"
  std::string velocity_name(Index i) const override;    // "block.vx", "block.spin_x"

 private:
  struct Reach;

  Index body_count() const { return static_cast<Index>(parts_.bodies.size()); }
  const RigidBody& body(Index b) const { return parts_.bodies[static_cast<std::size_t>(b)]; }
  const FixedPlane& plane(Index p) const { return parts_.planes[static_cast<std::size_t>(p)]; }
  const Joint& joint(Index j) const { return parts_.joints[static_cast<std::size_t>(j)]; }
  bool joined(Index a, Index b) const;

  void detect_sphere_plane(const double* q, const Reach& reach, ContactSet& contacts) const;
  void detect_sphere_sphere(const double* q, const Reach& reach, ContactSet& contacts) const;
  void detect_corner_plane(const double* q, const Reach& reach, ContactSet& contacts) const;

  void evaluate_inertia(Inertia& M) const;
  void evaluate_force(const double* v, Vector& h) const;
  void evaluate_force_jacobian(const double* v, ForceJacobian& dh_dq, ForceJacobian& dh_dv) const;
  void evaluate_joint(const Constraint& constraint, const double* q, const double* v, Need need,
                      Index row, Evaluation& out) const;
  void evaluate_contact(const Constraint& constraint, const double* q, const double* v, Need need,
                        Index row, Evaluation& out) const;

  MultibodyParts parts_;
  std::vector<Index> spheres_, boxes_;           // bodies by shape, ascending
  std::vector<std::pair<Index, Index>> joined_;  // a < b, sorted: these do not touch
  bool spherical_inertia_ = true;                // of all bodies: then h is constant
  bool spheres_touch_ = false;                   // some pair of spheres has a contact law
};

}  // namespace carom
