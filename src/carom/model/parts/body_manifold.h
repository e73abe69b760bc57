// The coordinates of one body in space: q = (x, p), v = (x', Omega), p the unit quaternion (scalar first) of the body
// frame, Omega the angular velocity in it.  q' = (x', 1/2 p (0, Omega)).
#pragma once

#include "carom/base/rotation.h"
#include "carom/base/types.h"

namespace carom::model {

inline constexpr Index spatial_q = 7, spatial_v = 6;

namespace manifold {

inline Eigen::Map<Vector3> three(double* x) { return Eigen::Map<Vector3>(x); }
inline Eigen::Map<const Vector3> three(const double* x) { return Eigen::Map<const Vector3>(x); }
inline Eigen::Map<Quaternion> four(double* x) { return Eigen::Map<Quaternion>(x); }
inline Eigen::Map<const Quaternion> four(const double* x) { return Eigen::Map<const Quaternion>(x); }

// exp() keeps the norm up to rounding; what rounding has gathered is removed before it is seen. A quaternion within the
// threshold is left alone bit by bit, so that rest stays rest.
inline Quaternion renormalised(const Quaternion& p) {
  constexpr double threshold = 1e-14;
  const double excess = p.squaredNorm() - 1.0;
  return std::abs(excess) > threshold ? p.normalized() : p;
}

// q (+) dq: x + dx, p exp(phi).
inline void move(const double* q, const double* dq, double* q_next) {
  const Quaternion p = four(q + 3);
  three(q_next) = three(q) + three(dq);
  four(q_next + 3) = renormalised(quaternion_product(p, quaternion_exp(three(dq + 3))));
}

// The same with Cayley's map: q_next - q = T((q + q_next)/2) dq.
inline void rational_move(const double* q, const double* dq, double* q_next) {
  const Quaternion p = four(q + 3);
  three(q_next) = three(q) + three(dq);
  const Quaternion next = quaternion_product(p, quaternion_cayley(three(dq + 3)));
  four(q_next + 3) = unit_correction(next) * next;
}

inline void difference(const double* qa, const double* qb, double* dq) {
  const Quaternion pa = four(qa + 3), pb = four(qb + 3);
  three(dq) = three(qb) - three(qa);
  three(dq + 3) = quaternion_log(quaternion_product(quaternion_conjugate(pa), pb));
}

inline void apply_T(const double* q, const double* v, double* dq) {
  three(dq) = three(v);
  four(dq + 3).noalias() = quaternion_rate_map(four(q + 3)) * three(v + 3);
}

inline void apply_T_transpose(const double* q, const double* p, double* r) {
  three(r) = three(p);
  three(r + 3).noalias() = quaternion_rate_map(four(q + 3)).transpose() * four(p + 3);
}

}  // namespace manifold
}  // namespace carom::model
