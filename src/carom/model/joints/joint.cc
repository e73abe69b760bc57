#include "carom/model/joints/joint.h"

namespace carom {

namespace {

using Row = Eigen::Map<Eigen::Matrix<double, 1, 3>>;
using Rows3 = Eigen::Map<Eigen::Matrix<double, 3, body_v, Eigen::RowMajor>>;

// The rows of one body; sign +1 for a, -1 for b.
void write_side(const Joint& joint, double sign, const Vector3& point, const Pose& body,
                const std::array<Vector3, 3>& A_cross_B, double* entries) {
  if (joint.coincident) {
    Rows3 rows(entries);
    rows.leftCols<3>() = sign * Matrix3::Identity();
    rows.rightCols<3>() = -sign * body.R * skew(point);
    entries += 3 * body_v;
  }
  for (Index k = 0; k < joint.perpendicular; ++k, entries += body_v)
    Row(entries + 3) =
        sign * (body.R.transpose() * A_cross_B[static_cast<std::size_t>(k)]).transpose();
}

}  // namespace

void set_directions(JointType type, const Vector3& axis, double length, const Matrix3& R_a,
                    const Matrix3& R_b, Joint& joint) {
  Vector3 t1, t2;
  tangents(axis, t1, t2);
  const auto add_pair = [&](const Vector3& A, const Vector3& B) {
    const std::size_t k = static_cast<std::size_t>(joint.perpendicular++);
    joint.direction_a[k] = length * (R_a.transpose() * A);
    joint.direction_b[k] = R_b.transpose() * B;
  };
  joint.length = length;
  joint.perpendicular = 0;
  switch (type) {
    case JointType::spherical:
      break;
    case JointType::revolute:
      add_pair(axis, t1);
      add_pair(axis, t2);
      break;
    case JointType::fixed_orientation:
    case JointType::fixed:
      add_pair(axis, t1);
      add_pair(t1, t2);
      add_pair(t2, axis);
      break;
  }
}

void joint_gap(const Joint& joint, const Pose& a, const Pose& b, double* g) {
  if (joint.coincident) {
    Eigen::Map<Vector3> distance(g);
    distance = (a.x + a.R * joint.point_a) - (b.x + b.R * joint.point_b);
    g += 3;
  }
  for (Index k = 0; k < joint.perpendicular; ++k) {
    const std::size_t i = static_cast<std::size_t>(k);
    g[k] = (a.R * joint.direction_a[i]).dot(b.R * joint.direction_b[i]);
  }
}

void add_joint_block(const Joint& joint, const Pose& a, const Pose& b, ConstraintJacobian& W) {
  std::array<Vector3, 3> A_cross_B;
  for (std::size_t k = 0; k < static_cast<std::size_t>(joint.perpendicular); ++k)
    A_cross_B[k] = (a.R * joint.direction_a[k]).cross(b.R * joint.direction_b[k]);
  W.add_block(joint.rows());
  if (joint.a != ground_body)
    write_side(joint, 1.0, joint.point_a, a, A_cross_B, W.add_segment(body_v * joint.a, body_v));
  if (joint.b != ground_body)
    write_side(joint, -1.0, joint.point_b, b, A_cross_B, W.add_segment(body_v * joint.b, body_v));
}

void joint_gap_rate(const Joint& joint, const Pose& a, const Pose& b, const Twist& twist_a,
                    const Twist& twist_b, double* rate) {
  if (joint.coincident) {
    Eigen::Map<Vector3> out(rate);
    out = (twist_a.velocity + twist_a.omega.cross(a.R * joint.point_a)) -
          (twist_b.velocity + twist_b.omega.cross(b.R * joint.point_b));
    rate += 3;
  }
  for (Index k = 0; k < joint.perpendicular; ++k) {
    const std::size_t i = static_cast<std::size_t>(k);
    const Vector3 A = a.R * joint.direction_a[i], B = b.R * joint.direction_b[i];
    rate[k] = (twist_a.omega - twist_b.omega).dot(A.cross(B));
  }
}

void joint_convective(const Joint& joint, const Pose& a, const Pose& b, const Twist& twist_a,
                      const Twist& twist_b, double* zeta) {
  const Vector3 &omega_a = twist_a.omega, &omega_b = twist_b.omega;
  if (joint.coincident) {
    Eigen::Map<Vector3> out(zeta);
    out = omega_a.cross(omega_a.cross(a.R * joint.point_a)) -
          omega_b.cross(omega_b.cross(b.R * joint.point_b));
    zeta += 3;
  }
  for (Index k = 0; k < joint.perpendicular; ++k) {
    const std::size_t i = static_cast<std::size_t>(k);
    const Vector3 A = a.R * joint.direction_a[i], B = b.R * joint.direction_b[i];
    zeta[k] = (omega_a - omega_b).dot(omega_a.cross(A).cross(B) + A.cross(omega_b.cross(B)));
  }
}

}  // namespace carom
