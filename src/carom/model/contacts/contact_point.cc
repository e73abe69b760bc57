#include "carom/model/contacts/contact_point.h"

#include <algorithm>
#include <array>

namespace carom {

namespace {

void write_row(const Vector3& d, const Vector3& torque, double* row) {
  for (int k = 0; k < 3; ++k) {
    row[k] = d[k];
    row[3 + k] = torque[k];
  }
}

// The rows of one body; sign is that of v_rel.
void write_side(const std::array<Vector3, 3>& directions, Index rows, double sign, bool central,
                double spin_radius, const Vector3& lever, const Matrix3& R, double* entries) {
  if (rows == 4)
    write_row(Vector3::Zero(), sign * spin_radius * (R.transpose() * directions[0]), entries + body_v * 3);
  for (Index r = 0; r < std::min<Index>(rows, 3); ++r) {
    const Vector3 d = sign * directions[static_cast<std::size_t>(r)];
    const bool turns = !(central && r == 0);
    write_row(d, turns ? Vector3(R.transpose() * lever.cross(d)) : Vector3(Vector3::Zero()),
              entries + body_v * r);
  }
}

Vector3 relative_velocity(const ContactPoint& contact, const Twist& a, const Twist& b) {
  return a.velocity + a.omega.cross(contact.lever_a) - b.velocity - b.omega.cross(contact.lever_b);
}

}  // namespace

void add_contact_block(const ContactPoint& contact, Index rows, Index a, const Matrix3& R_a,
                       Index b, const Matrix3& R_b, ConstraintJacobian& W) {
  std::array<Vector3, 3> directions;
  directions[0] = contact.normal;
  if (rows > 1) tangents(contact.normal, directions[1], directions[2]);
  W.add_block(rows);
  write_side(directions, rows, 1.0, contact.central, contact.spin_radius, contact.lever_a, R_a,
             W.add_segment(body_v * a, body_v));
  if (b != ground_body)
    write_side(directions, rows, -1.0, contact.central, contact.spin_radius, contact.lever_b, R_b,
               W.add_segment(body_v * b, body_v));
}

double contact_gap_rate(const ContactPoint& contact, const Twist& twist_a, const Twist& twist_b) {
  return contact.central ? contact.normal.dot(twist_a.velocity - twist_b.velocity)
                         : contact.normal.dot(relative_velocity(contact, twist_a, twist_b));
}

void contact_convective(const ContactPoint& contact, const ContactRates& rates, Index rows,
                        const Twist& twist_a, const Twist& twist_b, double* zeta) {
  const Vector3 v_rel = relative_velocity(contact, twist_a, twist_b);
  const Vector3 drift = twist_a.omega.cross(rates.lever_a) - twist_b.omega.cross(rates.lever_b);
  const Vector3& n = contact.normal;
  zeta[0] = rates.normal.dot(v_rel) + n.dot(drift);
  if (rows == 1) return;
  Vector3 t1, t2, t1_rate, t2_rate;
  tangents(n, t1, t2);
  tangent_rates(n, rates.normal, t1, t1_rate, t2_rate);
  zeta[1] = t1_rate.dot(v_rel) + t1.dot(drift);
  zeta[2] = t2_rate.dot(v_rel) + t2.dot(drift);
  if (rows == 4) zeta[3] = contact.spin_radius * rates.normal.dot(twist_a.omega - twist_b.omega);
}

}  // namespace carom
