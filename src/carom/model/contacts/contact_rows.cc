#include "carom/model/contacts/contact_rows.h"

#include <algorithm>

#include "carom/base/rotation.h"
#include "carom/base/scalar_code.h"
#include "carom/model/contacts/primitives/primitives.h"

namespace carom::model {

namespace {

// Gap, directions and levers at poses of any scalar.
template <class S>
struct Contact {
  S gap;
  Vector3Of<S> d[3];  // n, t1, t2
  Vector3Of<S> rho_1, rho_2;

  Contact(const ContactRecord& record, const PoseOf<S>& first, const PoseOf<S>& second, bool tangents) {
    using std::sqrt;
    const Touch<S> found = touch(record.primitive, first, second);
    gap = found.gap;
    d[0] = found.normal;
    rho_1 = found.first - first.x;
    rho_2 = found.second - second.x;
    if (!tangents) return;
    const Vector3Of<S>& n = d[0];
    if (record.planar) {
      d[1] = {-n.y(), n.x(), S(0.0)};
      d[2] = {S(0.0), S(0.0), S(1.0)};  // asked for where a body is moved from outside: its laws have three rows
      return;
    }
    const Vector3Of<S> axis = record.tangent_axis.cast<S>();
    const Vector3Of<S> u = axis - axis.dot(n) * n;
    d[1] = u / sqrt(u.dot(u));
    d[2] = n.cross(d[1]);
  }
};

Vector3 value(const Vector3Of<Dual<1>>& x) { return {x[0].value, x[1].value, x[2].value}; }
Vector3 rate(const Vector3Of<Dual<1>>& x) { return {x[0].d[0], x[1].d[0], x[2].d[0]}; }

struct Relative {
  const Twist &a, &b;
  Vector3 velocity(const Vector3& rho_1, const Vector3& rho_2) const {
    return a.velocity + a.omega.cross(rho_1) - b.velocity - b.omega.cross(rho_2);
  }
  Vector3 spin() const { return a.omega - b.omega; }
};

// Rows of a contact: those with a direction, and whether one of spin follows.
struct RowCount {
  Index directions;
  bool spin;
  explicit RowCount(const Law& law) : directions(std::min<Index>(law.dim(), 3)), spin(law.dim() == 4) {}
};

// A corner or a disc of a planar body on a straight face, the most common contact of mechanisms: all in the plane,
//
//   g = n . (x - p) - r      rho_1 = x - r n - x_A      rho_2 = x - (n . (x - p)) n - x_B
//
// with the normal and the point of the face turned with the second body.
struct OnFace {
  double gap, nx, ny;
  double rho_1x, rho_1y, rho_2x, rho_2y;

  static bool is(const ContactRecord& record) {
    return record.planar && record.primitive.kind == geometry::PrimitiveKind::disc_line;
  }

  CAROM_SCALAR_CODE OnFace(const geometry::ContactPrimitive& p, const Pose& A, const Pose& B) {
    const double *a = A.R.data(), *b = B.R.data(), *s = p.first.point.data(), *o = p.second.point.data(),
                 *d = p.second.direction.data();
    const double sx = a[0] * s[0] + a[3] * s[1], sy = a[1] * s[0] + a[4] * s[1];
    nx = b[0] * d[0] + b[3] * d[1];
    ny = b[1] * d[0] + b[4] * d[1];
    const double fromx = A.x.x() + sx - B.x.x(), fromy = A.x.y() + sy - B.x.y();  // from the origin of the second
    const double height = nx * (fromx - (b[0] * o[0] + b[3] * o[1])) + ny * (fromy - (b[1] * o[0] + b[4] * o[1]));
    const double r = p.first.radius;
    gap = height - r;
    rho_1x = sx - r * nx;
    rho_1y = sy - r * ny;
    rho_2x = fromx - height * nx;
    rho_2y = fromy - height * ny;
  }

  double moment_1() const { return rho_1x * ny - rho_1y * nx; }  // of n about the origins
  double moment_2() const { return rho_2x * ny - rho_2y * nx; }
  double rate(const Twist& a, const Twist& b) const {
    return nx * (a.velocity.x() - b.velocity.x()) + ny * (a.velocity.y() - b.velocity.y()) + moment_1() * a.omega.z() -
           moment_2() * b.omega.z();
  }

  void add_rows(const ContactRecord& record, Index rows, const At& at, ConstraintJacobian& W) const {
    const Vector3 force[2] = {{nx, ny, 0.0}, {-ny, nx, 0.0}}, back[2] = {{-nx, -ny, 0.0}, {ny, -nx, 0.0}};
    const Vector3 torque_1[2] = {{0.0, 0.0, moment_1()}, {0.0, 0.0, rho_1x * nx + rho_1y * ny}};
    const Vector3 torque_2[2] = {{0.0, 0.0, -moment_2()}, {0.0, 0.0, -(rho_2x * nx + rho_2y * ny)}};
    const auto& poses = at.place.poses;
    at.frames.add_rows(at.q, record.first, poses[static_cast<std::size_t>(record.first)], rows, force, torque_1, W);
    at.frames.add_rows(at.q, record.second, poses[static_cast<std::size_t>(record.second)], rows, back, torque_2, W);
  }
};

void add_convective(const ContactRecord& record, const Law& law, const At& at, double* zeta) {
  const std::size_t f1 = static_cast<std::size_t>(record.first), f2 = static_cast<std::size_t>(record.second);
  const Relative twist{at.place.twists[f1], at.place.twists[f2]};
  const RowCount rows(law);
  const Contact<Dual<1>> contact(record, moving(at.place.poses[f1], twist.a), moving(at.place.poses[f2], twist.b),
                                 rows.directions > 1);
  const Vector3 rho_1 = value(contact.rho_1), rho_2 = value(contact.rho_2);
  const Vector3 v_rel = twist.velocity(rho_1, rho_2);
  Vector3 drift = twist.a.omega.cross(rate(contact.rho_1)) - twist.b.omega.cross(rate(contact.rho_2));
  Vector3 spin_rate = Vector3::Zero();
  if (at.place.bent) {
    const Relative rates{at.place.rates[f1], at.place.rates[f2]};
    drift += rates.velocity(rho_1, rho_2);
    spin_rate = rates.spin();
  }
  for (Index r = 0; r < rows.directions; ++r) zeta[r] = rate(contact.d[r]).dot(v_rel) + value(contact.d[r]).dot(drift);
  if (rows.spin)
    zeta[3] = law.spin_radius() * (rate(contact.d[0]).dot(twist.spin()) + value(contact.d[0]).dot(spin_rate));
}

}  // namespace

CAROM_SCALAR_CODE void evaluate_contact(const ContactRecord& record, const Law& law, const At& at, Need need, Index row,
                                        Evaluation& out) {
  if (has(need, Need::convective)) add_convective(record, law, at, out.zeta.data() + row);
  if (!has(need, Need::gap | Need::gap_rate | Need::jacobian)) return;

  const std::size_t f1 = static_cast<std::size_t>(record.first), f2 = static_cast<std::size_t>(record.second);
  if (OnFace::is(record) && law.dim() <= 2 && !at.place.drifting) {
    const OnFace contact(record.primitive, at.place.poses[f1], at.place.poses[f2]);
    if (has(need, Need::gap)) out.g[row] = contact.gap;
    if (has(need, Need::gap_rate)) out.g_rate[row] = contact.rate(at.place.twists[f1], at.place.twists[f2]);
    if (!has(need, Need::jacobian)) return;
    out.W.add_block(law.dim());
    return contact.add_rows(record, law.dim(), at, out.W);
  }
  const RowCount rows(law);
  const Contact<double> contact(record, at.place.poses[f1], at.place.poses[f2],
                                has(need, Need::jacobian) && rows.directions > 1);
  if (has(need, Need::gap)) out.g[row] = contact.gap;
  if (has(need, Need::gap_rate))
    out.g_rate[row] =
        contact.d[0].dot(Relative{at.place.twists[f1], at.place.twists[f2]}.velocity(contact.rho_1, contact.rho_2));
  if (!has(need, Need::jacobian)) return;

  Vector3 force[Law::max_dim], torque_1[Law::max_dim], torque_2[Law::max_dim], back[Law::max_dim];
  for (Index r = 0; r < rows.directions; ++r) {
    force[r] = contact.d[r];
    back[r] = -contact.d[r];
    torque_1[r] = contact.rho_1.cross(contact.d[r]);
    torque_2[r] = -contact.rho_2.cross(contact.d[r]);
  }
  if (rows.spin) {
    force[3] = back[3] = Vector3::Zero();
    torque_1[3] = law.spin_radius() * contact.d[0];
    torque_2[3] = -torque_1[3];
  }
  out.W.add_block(law.dim());
  at.frames.add_rows(at.q, record.first, at.place.poses[f1], law.dim(), force, torque_1, out.W);
  at.frames.add_rows(at.q, record.second, at.place.poses[f2], law.dim(), back, torque_2, out.W);
  if (!at.place.drifting) return;
  const Relative drift{at.place.drifts[f1], at.place.drifts[f2]};
  const Vector3 velocity = drift.velocity(contact.rho_1, contact.rho_2);
  for (Index r = 0; r < rows.directions; ++r) out.chi[row + r] = contact.d[r].dot(velocity);
  if (rows.spin) out.chi[row + 3] = law.spin_radius() * contact.d[0].dot(drift.spin());
}

bool GroundFace::is(const ContactRecord& record, const Law& law) {
  return OnFace::is(record) && law.dim() <= 2 && record.second == ground_frame;
}

GroundFace::GroundFace(const ContactRecord& record, const Law& law)
    : frame_(static_cast<std::size_t>(record.first)), rows_(law.dim()) {
  const geometry::ContactPrimitive& p = record.primitive;
  for (int i = 0; i < 2; ++i) {
    corner_[i] = p.first.point[i];
    point_[i] = p.second.point[i];
    normal_[i] = p.second.direction[i];
  }
  radius_ = p.first.radius;
}

// rho = s - r n: its moment with the normal is that of s, with the tangent it is rho . n.
void GroundFace::add_rows(const At& at, ConstraintJacobian& W) const {
  const Pose& pose = at.place.poses[frame_];
  const double *R = pose.R.data(), nx = normal_[0], ny = normal_[1];
  const double sx = R[0] * corner_[0] + R[3] * corner_[1], sy = R[1] * corner_[0] + R[4] * corner_[1];
  const Vector3 force[2] = {{nx, ny, 0.0}, {-ny, nx, 0.0}};
  const Vector3 torque[2] = {{0.0, 0.0, sx * ny - sy * nx}, {0.0, 0.0, sx * nx + sy * ny - radius_}};
  W.add_block(rows_);
  at.frames.add_rows(at.q, static_cast<Index>(frame_), pose, rows_, force, torque, W);
}

Action contact_action(const ContactRecord& record, const Law& law, const Placement& place, const double* impulse) {
  const Pose &first = place.poses[static_cast<std::size_t>(record.first)],
             &second = place.poses[static_cast<std::size_t>(record.second)];
  const RowCount rows(law);
  const Contact<double> contact(record, first, second, rows.directions > 1);
  Action action{0.5 * (first.x + contact.rho_1 + second.x + contact.rho_2), Vector3::Zero()};
  for (Index r = 0; r < rows.directions; ++r) action.impulse += impulse[r] * contact.d[r];
  if (record.primitive.swapped) action.impulse = -action.impulse;
  return action;
}

double contact_gap(const ContactRecord& record, const Placement& place) {
  return touch(record.primitive, place.poses[static_cast<std::size_t>(record.first)],
               place.poses[static_cast<std::size_t>(record.second)])
      .gap;
}

}  // namespace carom::model
