// The correction of correction.cc for many constraints on many bodies: no column is formed. With the operators
//
//   G = W' M^-1 W,     G_S = W' S^-1 W,     Z = W' S^-1 K M^-1 W = (G_S - G) / c_q     since c_q K = M - S
//
// the multipliers move the rows by (T: columns of rows without a gap)
//
//                  W'da            W'dq                         W'dv
//   lambda         G_S             c_q G_S                      c_v G_S
//   nu / dt^2      dt^2 Z          dt^2 (G + c_q Z)             c_v dt^2 Z
//   Lambda / dt    dt^2/2 Z_T      dt^2/2 (G + c_q Z)_T         dt G + c_v dt^2/2 Z_T
//
// which has a block for every two constraints that touch one body, or bodies that springs hold together: it is factored by
// blocks, O(n) on chains and trees. Dampers are left out of Z. What is solved for are changes, so this costs iterations at most.
#include <cmath>

#include "carom/base/vector_kernels.h"
#include "carom/schemes/alpha/linear_equation.h"

namespace carom::alpha {

namespace {

// Below either a dense system is as fast.
constexpr Index dense_unknowns = 150, dense_velocities = 48;

bool by_blocks(const IterationMatrix& A) { return A.structure() == Structure::block_diagonal || A.components() != nullptr; }

}  // namespace

bool Step::falls_apart() const {
  const Work& w = work_;
  return static_cast<Index>(w.unknowns.size()) > dense_unknowns && nv_ > dense_velocities && by_blocks(w.M_factor) &&
         by_blocks(w.S_factor) && !w.curved_rows && !w.curved_directions && !options_.levels.original_correction;
}

void Step::correct_by_blocks(unsigned levels) {
  Work& w = work_;
  const Index n = static_cast<Index>(w.unknowns.size());
  w.rhs.assign(n, 0.0);
  respond_to_changes(levels);  // to the residuals alone
  assemble_blocks(levels);
  w.blocks.solve(w.rhs);
  respond_to_changes(levels);
  move_unknowns();
}

// (da, dq, dv) of the residuals and the changes in rhs.
void Step::respond_to_changes(unsigned levels) {
  Work& w = work_;
  const double dt = c_.dt;
  const bool positions = (levels & position_level) && options_.levels.position;
  const bool velocities = (levels & velocity_level) && options_.levels.velocity;
  double* smooth = w.P_a.resized(rows());
  double* position = w.P_q.resized(rows());
  double* velocity = w.P_v.resized(rows());
  for (Index row = 0; row < rows(); ++row) smooth[row] = position[row] = velocity[row] = 0.0;
  for (std::size_t j = 0; j < w.unknowns.size(); ++j) {
    const Unknown& unknown = w.unknowns[j];
    const double change = w.rhs[static_cast<Index>(j)];
    if (unknown.level == smooth_level) smooth[unknown.row] += change;
    if (unknown.level == position_level) position[unknown.row] += dt * dt * change;
    if (unknown.level != velocity_level) continue;
    velocity[unknown.row] += dt * change;
    if (unknown.r >= constraint(unknown.k).position_rows) position[unknown.row] += 0.5 * dt * dt * change;
  }
  set_zero(nv_, w.da);
  set_zero(nv_, w.dq);
  set_zero(nv_, w.dv);
  if (positions) scale(-1.0, w.R3, w.dq);
  w.end.W.multiply_add(position, w.dq.data());
  w.M_factor.solve(w.dq.data());
  if (velocities) scale(-1.0, w.R5, w.dv);
  w.end.W.multiply_add(velocity, w.dv.data());
  w.M_factor.solve(w.dv.data());
  if (!(levels & smooth_level)) return;
  scale(-1.0, w.R1, w.da);
  w.end.W.multiply_add(smooth, w.da.data());
  w.K->multiply_add(1.0, w.dq.data(), w.da.data());
  w.end.dh_dv.multiply_add(1.0, w.dv.data(), w.da.data());
  w.S_factor.solve(w.da.data());
  combine(1.0, w.dq, c_.c_q, w.da, w.dq);
  combine(1.0, w.dv, c_.c_v, w.da, w.dv);
}

void Step::assemble_blocks(unsigned levels) {
  Work& w = work_;
  MultiplierBlocks& blocks = w.blocks;
  const Index n = static_cast<Index>(w.unknowns.size()), m = rows();
  const bool smooth = levels & smooth_level;
  const bool stiff = smooth && w.K->structure() != Structure::zero;
  const double dt = c_.dt;
  blocks.set_pattern(w.unknowns, w.end.W, w.M_factor, w.S_factor);

  // The residuals' column.
  w.end.W.transpose_multiply(w.da.data(), w.P_a.resized(m));
  w.end.W.transpose_multiply(w.dq.data(), w.P_q.resized(m));
  w.end.W.transpose_multiply(w.dv.data(), w.P_v.resized(m));
  const auto columns = [&](Index row, auto visit) {
    visit(n, RowResponse{w.P_a[row], w.P_q[row], w.P_v[row], c_.c_v * w.P_a[row]});
    blocks.each_unknown(row, [&](Index c, double G, double G_S) {
      const Unknown& unknown = w.unknowns[static_cast<std::size_t>(c)];
      const double Z = stiff ? (G_S - G) / c_.c_q : 0.0, compliance = G + c_.c_q * Z;
      RowResponse P{};
      if (unknown.level == smooth_level) {
        P = {G_S, c_.c_q * G_S, c_.c_v * G_S, 0.0};
      } else if (unknown.level == position_level) {
        P = {dt * dt * Z, dt * dt * compliance, c_.c_v * dt * dt * Z, 0.0};
      } else {
        const double half = unknown.r >= constraint(unknown.k).position_rows ? 0.5 * dt * dt : 0.0;
        P = {half * Z, half * compliance, dt * G + c_.c_v * half * Z, 0.0};
      }
      P.s = c_.c_v * P.a;
      visit(c, P);
    });
  };
  for (Index k = 0; k < ws_.all.size(); ++k) {
    blocks.begin_constraint(k);
    for (const Index j : blocks.unknowns_of(k)) {
      const Unknown& unknown = w.unknowns[static_cast<std::size_t>(j)];
      w.rhs[j] = -equation(unknown);
      linear_equation(unknown, columns, [&](Index c, double value) {
        if (c < n)
          blocks.add(j, c, value);
        else
          w.rhs[j] -= value;
      });
    }
  }
}

}  // namespace carom::alpha
