#include "carom/model/multibody_system.h"

#include <algorithm>
#include <array>

#include "carom/geometry/broad_phase.h"
#include "carom/model/contacts/corner_plane.h"
#include "carom/model/contacts/sphere_plane.h"
#include "carom/model/contacts/sphere_sphere.h"
#include "carom/model/forces/rigid_body_force.h"
#include "carom/system/layout.h"

namespace carom {

MultibodySystem::MultibodySystem(MultibodyParts parts) : parts_(std::move(parts)) {
  for (Index b = 0; b < body_count(); ++b) {
    if (body(b).shape.type == ShapeType::sphere) spheres_.push_back(b);
    if (body(b).shape.type == ShapeType::box) boxes_.push_back(b);
    spherical_inertia_ = spherical_inertia_ && body(b).spherical_inertia();
  }
  for (const Joint& joint : parts_.joints)
    if (joint.coincident && joint.a != ground_body && joint.b != ground_body)
      joined_.push_back(std::minmax(joint.a, joint.b));
  std::sort(joined_.begin(), joined_.end());

  std::vector<Index> surfaces;
  for (const Index b : spheres_) surfaces.push_back(body(b).surface);
  std::sort(surfaces.begin(), surfaces.end());
  surfaces.erase(std::unique(surfaces.begin(), surfaces.end()), surfaces.end());
  for (const Index a : surfaces)
    for (const Index b : surfaces) spheres_touch_ = spheres_touch_ || parts_.laws.find(a, b);
}

Traits MultibodySystem::traits() const {
  Traits traits;
  traits.constant_inertia = true;
  traits.affine_force = spherical_inertia_;
  traits.constant_jacobian = false;
  traits.friction = parts_.laws.friction();
  traits.inelastic = parts_.laws.inelastic();
  traits.spin_friction = parts_.laws.spin_friction();
  traits.friction_in_balls = parts_.laws.friction_in_balls();
  traits.bilateral = !parts_.joints.empty();
  traits.quaternions = true;
  traits.contacts = spheres_touch_ || (!parts_.planes.empty() && !(spheres_.empty() && boxes_.empty()));
  return traits;
}

bool MultibodySystem::joined(Index a, Index b) const {
  return !joined_.empty() && std::binary_search(joined_.begin(), joined_.end(),
                                                std::pair<Index, Index>(std::minmax(a, b)));
}

// ---------------------------------------------------------------------------------------------------
// Detection. In a step of length dt a body moves by at most |v| dt + 1/2 |a_g| dt^2 while it flies,
// and what a blow adds is of the same size: a contact is listed when its gap is below
//
//     2 |v_rel| dt + |a_g| dt^2 + a small part of the body's size.
//
// For corners |v_rel| is bounded by |x'| + |Omega| |s|.

struct MultibodySystem::Reach {
  static constexpr double size_part = 0.01;

  const double* v;
  double dt;
  double fall;  // |a_g| dt^2

  double moving(double speed, double size) const {
    return 2.0 * speed * dt + fall + size_part * size;
  }
};

void MultibodySystem::detect(double, const Vector& q, const Vector& v, double dt,
                             ContactSet& contacts) const {
  auto& list = contacts.constraints;
  list.clear();
  for (Index j = 0; j < static_cast<Index>(parts_.joints.size()); ++j)
    list.push_back({constraint_id(ConstraintKind::joint, j), joint(j).law.get(), true,
                    joint(j).rows(), joint(j).length, static_cast<Index>(ConstraintKind::joint), j,
                    0, 0});
  const Reach reach{v.data(), dt, parts_.gravity.norm() * dt * dt};
  // In the order of ids, so that nothing needs sorting.
  detect_sphere_plane(q.data(), reach, contacts);
  if (spheres_touch_) detect_sphere_sphere(q.data(), reach, contacts);
  detect_corner_plane(q.data(), reach, contacts);
}

void MultibodySystem::detect_sphere_plane(const double* q, const Reach& reach,
                                          ContactSet& contacts) const {
  constexpr auto kind = ConstraintKind::sphere_plane;
  for (const Index a : spheres_) {
    const double radius = body(a).shape.radius;
    const double margin = reach.moving(body_velocity(reach.v, a).norm(), radius);
    for (Index p = 0; p < static_cast<Index>(parts_.planes.size()); ++p) {
      if (sphere_plane_gap(body_position(q, a), radius, plane(p).plane) > margin) continue;
      const Law* law = parts_.laws.find(body(a).surface, plane(p).surface);
      if (!law) continue;
      contacts.constraints.push_back(
          {constraint_id(kind, a, p), law, false, 1, radius, static_cast<Index>(kind), a, p, 0});
    }
  }
}

void MultibodySystem::detect_sphere_sphere(const double* q, const Reach& reach,
                                           ContactSet& contacts) const {
  constexpr auto kind = ConstraintKind::sphere_sphere;
  // Memory of the search; per thread because a system is shared by threads.
  thread_local BroadPhase broad_phase;
  thread_local std::vector<Ball> balls;
  thread_local std::vector<IndexPair> pairs;

  balls.clear();
  for (const Index b : spheres_) {
    const double radius = body(b).shape.radius;
    balls.push_back(
        {body_position(q, b), radius + reach.moving(body_velocity(reach.v, b).norm(), radius)});
  }
  broad_phase.find(balls, pairs);

  for (const IndexPair& pair : pairs) {
    const Index a = spheres_[static_cast<std::size_t>(pair.first)];
    const Index b = spheres_[static_cast<std::size_t>(pair.second)];
    const double ra = body(a).shape.radius, rb = body(b).shape.radius;
    const double speed = (body_velocity(reach.v, a) - body_velocity(reach.v, b)).norm();
    if (sphere_sphere_gap(body_position(q, a), ra, body_position(q, b), rb) >
        reach.moving(speed, std::min(ra, rb)))
      continue;
    const Law* law = parts_.laws.find(body(a).surface, body(b).surface);
    if (!law || joined(a, b)) continue;
    contacts.constraints.push_back({constraint_id(kind, a, b), law, false, 1, std::min(ra, rb),
                                    static_cast<Index>(kind), a, b, 0});
  }
}

void MultibodySystem::detect_corner_plane(const double* q, const Reach& reach,
                                          ContactSet& contacts) const {
  constexpr auto kind = ConstraintKind::corner_plane;
  for (const Index a : boxes_) {
    const Vector3& half_size = body(a).shape.half_size;
    const double size = half_size.norm();
    const double speed = body_velocity(reach.v, a).norm() + body_spin(reach.v, a).norm() * size;
    const double margin = reach.moving(speed, size);
    const Pose pose = body_pose(q, a);
    for (Index p = 0; p < static_cast<Index>(parts_.planes.size()); ++p) {
      const Plane& wall = plane(p).plane;
      const double centre_gap = point_plane_gap(pose.x, wall);
      if (centre_gap - size > margin) continue;
      const Law* law = parts_.laws.find(body(a).surface, plane(p).surface);
      if (!law) continue;
      const Vector3 n_body = pose.R.transpose() * wall.normal;
      for (Index k = 0; k < box_corner_count; ++k) {
        if (centre_gap + n_body.dot(box_corner(half_size, k)) > margin) continue;
        contacts.constraints.push_back(
            {constraint_id(kind, a, p, k), law, false, 1, size, static_cast<Index>(kind), a, p, k});
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------------
// Evaluation

void MultibodySystem::evaluate(double, const Vector& q, const Vector& v, Need need,
                               const ActiveSet& active, Evaluation& out) const {
  if (has(need, Need::inertia)) evaluate_inertia(out.M);
  if (has(need, Need::force)) evaluate_force(v.data(), out.h);
  if (has(need, Need::force_jacobian)) evaluate_force_jacobian(v.data(), out.dh_dq, out.dh_dv);
  if (!has(need, Need::gap | Need::gap_rate | Need::jacobian | Need::convective)) return;

  if (has(need, Need::gap)) out.g.assign(active.rows(), 0.0);
  if (has(need, Need::gap_rate)) out.g_rate.assign(active.rows(), 0.0);
  if (has(need, Need::jacobian)) {
    out.W.clear();
    out.chi.assign(active.rows(), 0.0);
  }
  if (has(need, Need::convective)) out.zeta.assign(active.rows(), 0.0);

  Index row = 0;
  for (Index i = 0; i < active.size(); ++i) {
    const Constraint& constraint = active.constraint(i);
    if (static_cast<ConstraintKind>(constraint.element) == ConstraintKind::joint)
      evaluate_joint(constraint, q.data(), v.data(), need, row, out);
    else
      evaluate_contact(constraint, q.data(), v.data(), need, row, out);
    row += constraint.law->dim();
  }
}

void MultibodySystem::evaluate_inertia(Inertia& M) const {
  Matrix3* block = M.block_diagonal(nv());
  for (const RigidBody& body : parts_.bodies) {
    *block++ = body.mass * Matrix3::Identity();
    *block++ = body.inertia.asDiagonal();
  }
}

void MultibodySystem::evaluate_force(const double* v, Vector& h) const {
  if (h.size() != nv()) h.resize(nv());
  for (Index b = 0; b < body_count(); ++b) {
    h.segment<3>(body_v * b) = body(b).mass * parts_.gravity;
    if (body(b).spherical_inertia())
      h.segment<3>(body_v * b + 3).setZero();
    else
      h.segment<3>(body_v * b + 3) = gyroscopic_torque(body(b).inertia, body_spin(v, b));
  }
}

void MultibodySystem::evaluate_force_jacobian(const double* v, ForceJacobian& dh_dq,
                                              ForceJacobian& dh_dv) const {
  dh_dq.set_zero(nv());
  if (spherical_inertia_) {
    dh_dv.set_zero(nv());
    return;
  }
  Matrix3* block = dh_dv.block_diagonal(nv());
  for (Index b = 0; b < body_count(); ++b) {
    *block++ = Matrix3::Zero();
    *block++ = gyroscopic_derivative(body(b).inertia, body_spin(v, b));
  }
}

void MultibodySystem::evaluate_joint(const Constraint& constraint, const double* q, const double* v,
                                     Need need, Index row, Evaluation& out) const {
  const Joint& j = joint(constraint.a);
  const Pose a = body_pose(q, j.a), b = body_pose(q, j.b);
  if (has(need, Need::gap)) joint_gap(j, a, b, out.g.data() + row);
  if (has(need, Need::jacobian)) add_joint_block(j, a, b, out.W);
  if (!has(need, Need::gap_rate | Need::convective)) return;
  const Twist twist_a = body_twist(v, j.a, a.R), twist_b = body_twist(v, j.b, b.R);
  if (has(need, Need::gap_rate)) joint_gap_rate(j, a, b, twist_a, twist_b, out.g_rate.data() + row);
  if (has(need, Need::convective))
    joint_convective(j, a, b, twist_a, twist_b, out.zeta.data() + row);
}

void MultibodySystem::evaluate_contact(const Constraint& constraint, const double* q,
                                       const double* v, Need need, Index row,
                                       Evaluation& out) const {
  const auto kind = static_cast<ConstraintKind>(constraint.element);
  const Index a = constraint.a;
  const Index b = kind == ConstraintKind::sphere_sphere ? constraint.b : ground_body;
  const Shape& shape = body(a).shape;

  // Where they touch. Gaps of spheres and their rates need no rotation matrices.
  Pose pose_a, pose_b;
  if (kind == ConstraintKind::corner_plane || has(need, Need::jacobian | Need::convective)) {
    pose_a = body_pose(q, a);
    pose_b = body_pose(q, b);
  } else {
    pose_a.x = body_position(q, a);
    if (b != ground_body) pose_b.x = body_position(q, b);
  }
  ContactPoint contact;
  switch (kind) {
    case ConstraintKind::sphere_plane:
      contact = sphere_on_plane(pose_a.x, shape.radius, plane(constraint.b).plane);
      break;
    case ConstraintKind::sphere_sphere:
      contact = sphere_on_sphere(pose_a.x, shape.radius, pose_b.x, body(b).shape.radius);
      break;
    case ConstraintKind::corner_plane:
      contact = corner_on_plane(pose_a, box_corner(shape.half_size, constraint.feature),
                                plane(constraint.b).plane);
      break;
    case ConstraintKind::joint:
      return;
  }

  const Index rows = constraint.law->dim();
  contact.spin_radius = constraint.law->spin_radius();
  if (has(need, Need::gap)) out.g[row] = contact.gap;
  if (has(need, Need::jacobian)) add_contact_block(contact, rows, a, pose_a.R, b, pose_b.R, out.W);
  if (!has(need, Need::gap_rate | Need::convective)) return;

  const Twist twist_a = body_twist(v, a, pose_a.R), twist_b = body_twist(v, b, pose_b.R);
  if (has(need, Need::gap_rate)) out.g_rate[row] = contact_gap_rate(contact, twist_a, twist_b);
  if (!has(need, Need::convective)) return;

  ContactRates rates;
  if (kind == ConstraintKind::sphere_sphere)
    rates = sphere_on_sphere_rates(contact, shape.radius, body(b).shape.radius,
                                   twist_a.velocity - twist_b.velocity);
  if (kind == ConstraintKind::corner_plane) rates = corner_on_plane_rates(contact, twist_a.omega);
  contact_convective(contact, rates, rows, twist_a, twist_b, out.zeta.data() + row);
}

// ---------------------------------------------------------------------------------------------------
// Coordinates

namespace {

// exp() keeps the norm up to rounding; what rounding has gathered is removed before it is seen. A
// quaternion within the threshold is left alone bit by bit, so that rest stays rest.
Quaternion renormalised(const Quaternion& p) {
  constexpr double threshold = 1e-14;
  const double excess = p.squaredNorm() - 1.0;
  return std::abs(excess) > threshold ? p.normalized() : p;
}

}  // namespace

void MultibodySystem::move(const Vector& q, const Vector& dq, Vector& q_next) const {
  if (q_next.size() != nq()) q_next.resize(nq());
  for (Index b = 0; b < body_count(); ++b) {
    const Index iq = body_q * b, iv = body_v * b;
    q_next.segment<3>(iq) = q.segment<3>(iq) + dq.segment<3>(iv);
    const Quaternion p = q.segment<4>(iq + 3);
    q_next.segment<4>(iq + 3) =
        renormalised(quaternion_product(p, quaternion_exp(dq.segment<3>(iv + 3))));
  }
}

void MultibodySystem::rational_move(const Vector& q, const Vector& dq, Vector& q_next) const {
  if (q_next.size() != nq()) q_next.resize(nq());
  for (Index b = 0; b < body_count(); ++b) {
    const Index iq = body_q * b, iv = body_v * b;
    q_next.segment<3>(iq) = q.segment<3>(iq) + dq.segment<3>(iv);
    const Quaternion p = quaternion_product(q.segment<4>(iq + 3), quaternion_cayley(dq.segment<3>(iv + 3)));
    q_next.segment<4>(iq + 3) = unit_correction(p) * p;
  }
}

void MultibodySystem::difference(const Vector& qa, const Vector& qb, Vector& dq) const {
  if (dq.size() != nv()) dq.resize(nv());
  for (Index b = 0; b < body_count(); ++b) {
    const Index iq = body_q * b, iv = body_v * b;
    dq.segment<3>(iv) = qb.segment<3>(iq) - qa.segment<3>(iq);
    const Quaternion pa = qa.segment<4>(iq + 3), pb = qb.segment<4>(iq + 3);
    dq.segment<3>(iv + 3) = quaternion_log(quaternion_product(quaternion_conjugate(pa), pb));
  }
}

void MultibodySystem::apply_T(const Vector& q, const Vector& v, Vector& dq) const {
  if (dq.size() != nq()) dq.resize(nq());
  for (Index b = 0; b < body_count(); ++b) {
    const Index iq = body_q * b, iv = body_v * b;
    dq.segment<3>(iq) = v.segment<3>(iv);
    dq.segment<4>(iq + 3).noalias() =
        quaternion_rate_map(q.segment<4>(iq + 3)) * v.segment<3>(iv + 3);
  }
}

void MultibodySystem::apply_T_transpose(const Vector& q, const Vector& p, Vector& r) const {
  if (r.size() != nv()) r.resize(nv());
  for (Index b = 0; b < body_count(); ++b) {
    const Index iq = body_q * b, iv = body_v * b;
    r.segment<3>(iv) = p.segment<3>(iq);
    r.segment<3>(iv + 3).noalias() =
        quaternion_rate_map(q.segment<4>(iq + 3)).transpose() * p.segment<4>(iq + 3);
  }
}

// ---------------------------------------------------------------------------------------------------
// Energy:  T = 1/2 sum m |x'|^2 + Omega' J Omega,  V = -sum m a_g . x

double MultibodySystem::kinetic_energy(double, const Vector&, const Vector& v) const {
  double twice = 0.0;
  for (Index b = 0; b < body_count(); ++b) {
    const Vector3 Omega = body_spin(v.data(), b);
    twice += body(b).mass * body_velocity(v.data(), b).squaredNorm() +
             Omega.dot(body(b).inertia.cwiseProduct(Omega));
  }
  return 0.5 * twice;
}

double MultibodySystem::potential_energy(double, const Vector& q) const {
  double energy = 0.0;
  for (Index b = 0; b < body_count(); ++b)
    energy -= body(b).mass * parts_.gravity.dot(body_position(q.data(), b));
  return energy;
}

void MultibodySystem::potential_gradient(double, const Vector&, Vector& out) const {
  out.setZero(nq());
  for (Index b = 0; b < body_count(); ++b) out.segment<3>(body_q * b) = -body(b).mass * parts_.gravity;
}

// ---------------------------------------------------------------------------------------------------
// Names

std::string MultibodySystem::constraint_name(const Constraint& constraint) const {
  switch (static_cast<ConstraintKind>(constraint.element)) {
    case ConstraintKind::joint:
      return joint(constraint.a).name;
    case ConstraintKind::sphere_plane:
      return body(constraint.a).name + "-" + plane(constraint.b).name;
    case ConstraintKind::sphere_sphere:
      return body(constraint.a).name + "-" + body(constraint.b).name;
    case ConstraintKind::corner_plane:
      return body(constraint.a).name + ".corner" + std::to_string(constraint.feature) + "-" +
             plane(constraint.b).name;
  }
  return {};
}

void MultibodySystem::describe(Layout& layout) const {
  std::vector<std::string> names;
  for (const RigidBody& body : parts_.bodies) names.push_back(body.name);
  layout.add_bodies(names);
}

std::string MultibodySystem::coordinate_name(Index i) const {
  static constexpr std::array<const char*, body_q> names = {"x", "y", "z", "p0", "p1", "p2", "p3"};
  return body(i / body_q).name + "." + names[static_cast<std::size_t>(i % body_q)];
}

std::string MultibodySystem::velocity_name(Index i) const {
  static constexpr std::array<const char*, body_v> names = {"vx",     "vy",     "vz",
                                                            "spin_x", "spin_y", "spin_z"};
  return body(i / body_v).name + "." + names[static_cast<std::size_t>(i % body_v)];
}

}  // namespace carom
