#include "carom/model/forces/row_forces.h"

#include <cmath>

#include "carom/base/rotation.h"

namespace carom::model {

namespace {

struct Load {
  double Q, by_g, by_rate;
};

bool at_work(const RowForce& force, double g) {
  return force.acts == SpringActs::both_ways || (force.acts == SpringActs::pulling ? g > 0.0 : g < 0.0);
}

Load load(const RowForce& force, double t, double g, double rate) {
  Load out{force.preload, 0.0, 0.0};
  if (at_work(force, g))
    out = {force.preload - force.stiffness * g - force.damping * rate, -force.stiffness, -force.damping};
  if (!force.drive) return out;
  out.Q += force.drive(t, g, rate);
  const double step_g = 1e-6 * std::max(1.0, std::abs(g)), step_rate = 1e-6 * std::max(1.0, std::abs(rate));
  out.by_g += (force.drive(t, g + step_g, rate) - force.drive(t, g - step_g, rate)) / (2.0 * step_g);
  out.by_rate += (force.drive(t, g, rate + step_rate) - force.drive(t, g, rate - step_rate)) / (2.0 * step_rate);
  return out;
}

struct Sides {
  std::size_t a, b;
  const Pose &pose_a, &pose_b;
  const Twist &twist_a, &twist_b;
  Sides(const RowForce& force, const At& at)
      : a(static_cast<std::size_t>(force.row.a.frame)),
        b(static_cast<std::size_t>(force.row.b.frame)),
        pose_a(at.place.poses[a]),
        pose_b(at.place.poses[b]),
        twist_a(at.place.twists[a]),
        twist_b(at.place.twists[b]) {}
};

using Six = Eigen::Matrix<double, 6, 1>;
using Square12 = Eigen::Matrix<double, 12, 12>;

// The columns of both frames side by side, in blocks a and b.
struct Both {
  FrameColumns columns[2];

  void find(const RowForce& force, const At& at, const Six& load_a, const Six& load_b) {
    const Sides s(force, at);
    at.frames.columns(at.q, at.v, force.row.a.frame, s.pose_a, s.twist_a.omega, load_a.head<3>(), load_a.tail<3>(),
                      columns[0]);
    at.frames.columns(at.q, at.v, force.row.b.frame, s.pose_b, s.twist_b.omega, load_b.head<3>(), load_b.tail<3>(),
                      columns[1]);
  }

  // Calls call(i, j, segment of i, its first column, segment of j, its first column) for all pairs of segments.
  template <class Call>
  void each_block(Call call) const {
    for (int i = 0; i < 2; ++i) {
      Index row = 0;
      for (const FrameColumns::Segment& si : columns[i].segments) {
        for (int j = 0; j < 2; ++j) {
          Index column = 0;
          for (const FrameColumns::Segment& sj : columns[j].segments) {
            call(i, j, si, row, sj, column);
            column += sj.size;
          }
        }
        row += si.size;
      }
    }
  }
};

// Its memory is kept: force derivatives are asked for in every implicit step.
Both& both() {
  thread_local Both memory;
  return memory;
}

}  // namespace

void RowForces::declare(const At& at, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const {
  Both& columns = both();
  for (const RowForce& force : forces_) {
    columns.find(force, at, Six::Zero(), Six::Zero());
    columns.each_block([&](int, int, const auto& si, Index, const auto& sj, Index) {
      dh_dq.declare({si.offset, sj.offset, si.size, sj.size});
      dh_dv.declare({si.offset, sj.offset, si.size, sj.size});
    });
  }
}

void RowForces::add_force(const At& at, double* h) const {
  for (const RowForce& force : forces_) {
    const Sides s(force, at);
    const RowOf<double> row = evaluate(force.row, at);
    const double Q = load(force, at.t, row.g, rate_of(row, s.twist_a, s.twist_b)).Q;
    at.frames.add_load(at.q, force.row.a.frame, s.pose_a, Q * row.f, Q * row.tau_a, h);
    at.frames.add_load(at.q, force.row.b.frame, s.pose_b, -Q * row.f, Q * row.tau_b, h);
  }
}

// h = B' w(pose, twist) with twist = B v:  dh_dv = B' w_twist B,  dh_dq = B' (w_pose B + w_twist twist_q) + (B' w)_q,
// w = Q(g, g') d with d the row's directions. Poses move in 12 directions, so d and g follow from one pass with dual
// numbers.
void RowForces::force_jacobian(const At& at, MatrixAssembly::Writer& dh_dq, MatrixAssembly::Writer& dh_dv) const {
  Both& columns = both();
  for (const RowForce& force : forces_) {
    const Sides s(force, at);
    const RowOf<Dual<12>> row = evaluate(force.row, at.q, shifted<12>(s.pose_a, 0), shifted<12>(s.pose_b, 6));
    Eigen::Matrix<double, 12, 1> d, twist;  // directions by (a, b); both twists
    Square12 d_pose;                        // their derivatives
    for (int k = 0; k < 3; ++k) {
      const Dual<12>* parts[4] = {&row.f[k], &row.tau_a[k], &row.f[k], &row.tau_b[k]};
      for (int p = 0; p < 4; ++p) {
        const double sign = p == 2 ? -1.0 : 1.0;
        d[3 * p + k] = sign * parts[p]->value;
        for (int j = 0; j < 12; ++j) d_pose(3 * p + k, j) = sign * parts[p]->d[static_cast<std::size_t>(j)];
      }
    }
    twist << s.twist_a.velocity, s.twist_a.omega, s.twist_b.velocity, s.twist_b.omega;
    const Load l = load(force, at.t, row.g.value, d.dot(twist));
    // g' = d . twist changes with the pose through d too.
    const Square12 by_twist = l.by_rate * d * d.transpose();
    const Square12 by_pose = l.by_g * d * d.transpose() + l.Q * d_pose + l.by_rate * d * (twist.transpose() * d_pose);
    const Eigen::Matrix<double, 12, 1> w = l.Q * d;
    columns.find(force, at, w.head<6>(), w.tail<6>());
    columns.each_block([&](int i, int j, const auto& si, Index row_i, const auto& sj, Index column_j) {
      const auto Bi = columns.columns[i].B.middleCols(row_i, si.size);
      const auto Bj = columns.columns[j].B.middleCols(column_j, sj.size);
      const auto Tj = columns.columns[j].twist_by_q.middleCols(column_j, sj.size);
      const auto pose_ij = by_pose.template block<6, 6>(6 * i, 6 * j);
      const auto twist_ij = by_twist.template block<6, 6>(6 * i, 6 * j);
      FrameColumns::Square block = Bi.transpose() * (pose_ij * Bj + twist_ij * Tj);
      if (i == j) block += columns.columns[i].load_by_q.block(row_i, column_j, si.size, sj.size);
      dh_dq.add(block.data());
      block = Bi.transpose() * twist_ij * Bj;
      dh_dv.add(block.data());
    });
  }
}

double RowForces::potential_energy(const At& at) const {
  double energy = 0.0;
  for (const RowForce& force : forces_) {
    const double g = evaluate(force.row, at).g;
    if (at_work(force, g)) energy += 0.5 * force.stiffness * g * g;
    energy -= force.preload * g;
  }
  return energy;
}

double RowForces::other_power(const At& at) const {
  double power = 0.0;
  for (const RowForce& force : forces_) {
    if (force.damping == 0.0 && !force.drive && !at.place.drifting) continue;
    const Sides s(force, at);
    const RowOf<double> row = evaluate(force.row, at);
    const double rate = rate_of(row, s.twist_a, s.twist_b);
    if (at_work(force, row.g)) power -= force.damping * rate * rate;
    if (force.drive) power += force.drive(at.t, row.g, rate) * rate;
    // What a driven body does at its end of the spring.
    if (at.place.drifting)
      power -= load(force, at.t, row.g, rate).Q * rate_of(row, at.place.drifts[s.a], at.place.drifts[s.b]);
  }
  return power;
}

bool RowForces::conservative() const {
  for (const RowForce& force : forces_)
    if (force.damping != 0.0 || force.drive) return false;
  return true;
}

bool RowForces::autonomous() const {
  for (const RowForce& force : forces_)
    if (force.drive) return false;
  return true;
}

}  // namespace carom::model
