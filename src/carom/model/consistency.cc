#include "carom/model/consistency.h"

#include <fmt/format.h>

#include <cmath>

namespace carom {
namespace {

// Rounding of a start computed by hand; far below what any scheme would notice.
constexpr double penetration_tolerance = 1e-9;  // of the length scale
constexpr double joint_tolerance = 1e-8;        // of the length scale, resp. of the velocities involved

// sum_j |W_rj v_j| of one row: the velocities that should cancel in gamma_r.
double velocity_scale(const ConstraintJacobian& W, const ConstraintJacobian::Block& block, Index r, const Vector& v) {
  double sum = 0.0;
  for (Index s = block.segment_begin; s < block.segment_end; ++s) {
    const ConstraintJacobian::Segment& segment = W.segment(s);
    const double* row = W.entries(segment) + r * segment.size;
    for (Index j = 0; j < segment.size; ++j) sum += std::abs(row[j] * v[segment.offset + j]);
  }
  return sum;
}

}  // namespace

std::vector<StartViolation> check_start(const System& system, const State& start) {
  using Kind = StartViolation::Kind;
  ContactSet contacts;
  system.detect(start.t, start.q, start.v, 0.0, contacts);
  ActiveSet all;
  all.reset(contacts);
  all.add_all();
  Evaluation at;
  system.evaluate(start.t, start.q, start.v, Need::gap | Need::jacobian, all, at);
  Buffer gamma(all.rows());
  at.W.transpose_multiply(start.v.data(), gamma.data());

  std::vector<StartViolation> violations;
  for (Index k = 0; k < contacts.size(); ++k) {
    const Constraint& c = contacts[k];
    const ConstraintJacobian::Block& block = at.W.block(k);
    const std::string name = system.constraint_name(c);
    if (!c.bilateral) {
      const double allowed = penetration_tolerance * c.length_scale;
      if (c.position_rows > 0 && !(at.g[block.row] >= -allowed))
        violations.push_back({name, Kind::penetration, at.g[block.row], allowed});
      continue;
    }
    // The worst row of each level; written so that not-a-number counts as violated.
    StartViolation position{name, Kind::joint_position, 0.0, joint_tolerance * c.length_scale};
    StartViolation velocity{name, Kind::joint_velocity, 0.0, 0.0};
    bool moves_along = true;
    // Rows behind those of positions hold only if the law says so; in joints with friction they rub.
    const Index rows = c.law->kind() == LawKind::bilateral ? block.rows : c.position_rows;
    for (Index r = 0; r < rows; ++r) {
      const Index row = block.row + r;
      if (r < c.position_rows && !(std::abs(at.g[row]) <= std::abs(position.amount))) position.amount = at.g[row];
      // One length scale a second is slow for any mechanism: it keeps a start at rest from being judged
      // by rounding alone.
      const double scale = c.length_scale + velocity_scale(at.W, block, r, start.v) + std::abs(at.chi[row]);
      const double rate = gamma[row] + at.chi[row];
      if (std::abs(rate) <= joint_tolerance * scale) continue;
      if (moves_along || std::abs(rate) > std::abs(velocity.amount)) {
        velocity.amount = rate;
        velocity.allowed = joint_tolerance * scale;
      }
      moves_along = false;
    }
    if (!(std::abs(position.amount) <= position.allowed)) violations.push_back(position);
    if (!moves_along) violations.push_back(velocity);
  }
  return violations;
}

std::string describe(const StartViolation& violation) {
  switch (violation.kind) {
    case StartViolation::Kind::penetration:
      return fmt::format("contact {} starts with a negative gap of {:.3g}", violation.constraint, violation.amount);
    case StartViolation::Kind::joint_position:
      return fmt::format("joint {} starts open by {:.3g} (allowed {:.1g})", violation.constraint, violation.amount,
                         violation.allowed);
    case StartViolation::Kind::joint_velocity:
      return fmt::format("joint {} starts with a velocity of {:.3g} against it (allowed {:.1g})", violation.constraint,
                         violation.amount, violation.allowed);
  }
  return {};
}

}  // namespace carom
