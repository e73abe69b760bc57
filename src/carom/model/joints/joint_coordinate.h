// A coordinate of a joint: an angle or a displacement between two sites. Limits, drives, springs and gears act on it.
//
// Angles count over turns: the formula gives them up to 2 pi, and the branch is the one nearest to a number found in q,
// which for planar bodies is the difference of their angles and for bodies in space an entry of its own
// (AssembledSystem).
#pragma once

#include <numbers>
#include <string>

#include "carom/model/assembly/groups.h"
#include "carom/model/joints/joint_rows.h"

namespace carom::model {

struct JointCoordinate {
  std::string name;  // "bearing.angle"
  JointRow row;
  Site a, b;
  // Where the remembered angle stands: offset + q[plus] - q[minus]; -1: not there.
  bool counts = false;
  double offset = 0.0;
  Index plus = -1, minus = -1;

  bool is_angle() const { return row.kind == RowKind::angle; }
  double remembered(const double* q) const {
    return offset + (plus < 0 ? 0.0 : q[plus]) - (minus < 0 ? 0.0 : q[minus]);
  }
  // What must be added to a principal value.
  double turns(const double* q, double principal) const {
    if (!counts) return 0.0;
    constexpr double turn = 2.0 * std::numbers::pi;
    return row.length * turn * std::round((remembered(q) - (principal + row.rest) / row.length) / turn);
  }
};

template <class S>
RowOf<S> evaluate(const JointCoordinate& coordinate, const double* q, const PoseOf<S>& a, const PoseOf<S>& b) {
  RowOf<S> row = evaluate(coordinate.row, a, coordinate.a.point, b, coordinate.b.point);
  row.g += S(coordinate.turns(q, value_of(row.g)));
  return row;
}

inline RowOf<double> evaluate(const JointCoordinate& coordinate, const At& at) {
  return evaluate(coordinate, at.q, at.place.poses[static_cast<std::size_t>(coordinate.a.frame)],
                  at.place.poses[static_cast<std::size_t>(coordinate.b.frame)]);
}

// f . (v_a - v_b) + tau_a . omega_a + tau_b . omega_b
inline double rate_of(const RowOf<double>& row, const Twist& a, const Twist& b) {
  return row.f.dot(a.velocity - b.velocity) + row.tau_a.dot(a.omega) + row.tau_b.dot(b.omega);
}

// zeta of a row: its directions followed along the motion, and what the frames' own rates bring.
double convective(const RowOf<Dual<1>>& row, const Placement& place, Index a, Index b);

}  // namespace carom::model
