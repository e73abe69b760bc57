// How the equation of an active row changes with the multipliers: its row of the system of a correction.
#pragma once

#include "carom/schemes/alpha/step.h"

namespace carom::inline schemes::alpha {

// What one unknown, or the residual, does to a row of W'da, W'dq, W'dv and, where it is asked for, of W'dv without the
// correction.
struct RowResponse {
  double a, q, v, s;
};

// columns(row, visit) calls visit(c, RowResponse) for the columns c that move the row; put(c, value) adds to the
// equation's own row.
template <class Columns, class Put>
void Step::linear_equation(const Unknown& unknown, Columns columns, Put put) const {
  const Work& w = work_;
  const Index row = unknown.row, normal = row - unknown.r;
  const double dt = c_.dt, mu = constraint(unknown.k).law->friction(), r = w.r_T[unknown.k];
  const Form form = form_of(unknown);
  switch (form) {
    case Form::position: columns(row, [&](Index c, const RowResponse& P) { put(c, P.q / (dt * dt)); }); return;
    case Form::velocity: columns(row, [&](Index c, const RowResponse& P) { put(c, P.v / dt); }); return;
    case Form::smooth_velocity: columns(row, [&](Index c, const RowResponse& P) { put(c, P.s / dt); }); return;
    case Form::acceleration: columns(row, [&](Index c, const RowResponse& P) { put(c, P.a); }); return;
    case Form::baumgarte: {
      const double damping = options_.levels.baumgarte_damping, stiffness = options_.levels.baumgarte_stiffness;
      const bool has_gap = unknown.r < constraint(unknown.k).position_rows;
      columns(row, [&](Index c, const RowResponse& P) {
        put(c, P.a + 2.0 * damping * P.v + (has_gap ? stiffness * stiffness * P.q : 0.0));
      });
      return;
    }
    case Form::slip_impulse: {
      const Slide s = slide(form, unknown.k);
      const Index tangents = constraint(unknown.k).law->dim() - 1;
      // d Lambda* / dt = d(Lambda / dt) + gamma c_a d lambda of any row.
      const auto put_total = [&](Index of, double factor) {
        if (const Index c = w.velocity_index[static_cast<std::size_t>(of)]; c >= 0) put(c, factor);
        if (const Index c = w.smooth_index[static_cast<std::size_t>(of)]; c >= 0) put(c, factor * c_.gamma * c_.c_a);
      };
      const double N = w.Lambda_total[normal];
      put_total(row, 1.0 / r);
      if (N > 0.0) put_total(normal, -mu * s.d[unknown.r - 1] / r);
      if (tangents == 1 || N <= 0.0) return;
      for (Index l = 0; l < tangents; ++l) {
        const double turn = mu * N * s.inverse_length * ((l == unknown.r - 1) - s.d[unknown.r - 1] * s.d[l]);
        put_total(normal + 1 + l, -turn / r);
        columns(normal + 1 + l, [&](Index c, const RowResponse& P) { put(c, turn / dt * P.v); });
      }
      return;
    }
    case Form::slip_force:
    case Form::sliding_force: {
      const Slide s = slide(form, unknown.k);
      const Index tangents = constraint(unknown.k).law->dim() - 1;
      const auto index = [&](Index of) { return w.smooth_index[static_cast<std::size_t>(of)]; };
      const bool sliding = form == Form::sliding_force;
      const double N = w.next.lambda[normal], sign = sliding ? 1.0 : -1.0;
      put(index(row), 1.0 / r);
      if (N > 0.0) put(index(normal), sign * mu * s.d[unknown.r - 1] / r);
      if (tangents == 1 || N <= 0.0) return;
      for (Index l = 0; l < tangents; ++l) {
        const double turn = mu * N * s.inverse_length * ((l == unknown.r - 1) - s.d[unknown.r - 1] * s.d[l]);
        if (!sliding) put(index(normal + 1 + l), -turn / r);
        columns(normal + 1 + l, [&](Index c, const RowResponse& P) { put(c, sliding ? turn / r * P.v : turn * P.a); });
      }
      return;
    }
  }
}

}  // namespace carom::inline schemes::alpha
