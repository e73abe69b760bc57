// The correction of correction.cc for many constraints on many bodies: no column is formed. With the operators
//
//   G = W' M^-1 W,     G_S = W' S^-1 W,     G_K = W' S^-1 K M^-1 W,     G_D = W' S^-1 D M^-1 W
//
// the multipliers move the rows by (T: columns of rows without a gap)
//
//                  W'da                       W'dq                        W'dv
//   lambda         G_S                        c_q W'da                    c_v W'da
//   nu / dt^2      dt^2 G_K                   dt^2 G + c_q W'da           c_v W'da
//   Lambda / dt    dt^2/2 G_K,T + dt G_D      dt^2/2 G_T + c_q W'da       dt G + c_v W'da
//
// which has a block for every two constraints that touch one body, or bodies that springs hold together: it is factored
// by blocks, O(n) on chains and trees.
#include <cmath>

#include "carom/base/vector_kernels.h"
#include "carom/schemes/alpha/linear_equation.h"

namespace carom::inline schemes::alpha {

namespace {

// Below either a dense system is as fast.
constexpr Index dense_unknowns = 150, dense_velocities = 48;

bool by_blocks(const IterationMatrix& A) {
  return A.structure() == Structure::block_diagonal || A.components() != nullptr;
}

}  // namespace

bool Step::falls_apart() const {
  const Work& w = work_;
  return static_cast<Index>(w.unknowns.size()) > dense_unknowns && nv_ > dense_velocities &&
         w.M_factor.structure() == Structure::block_diagonal && by_blocks(w.S_factor) && !w.curved_rows &&
         !w.curved_directions && !options_.levels.original_correction;
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
  const bool smooth = levels & smooth_level;  // without it da = 0
  const double dt = c_.dt;
  static const ForceJacobian nothing;
  blocks.set_pattern(w.unknowns, w.end.W, w.M_factor, w.S_factor, smooth ? *w.K : nothing,
                     smooth ? w.end.dh_dv : nothing);

  // The residuals' column.
  w.end.W.transpose_multiply(w.da.data(), w.P_a.resized(m));
  w.end.W.transpose_multiply(w.dq.data(), w.P_q.resized(m));
  w.end.W.transpose_multiply(w.dv.data(), w.P_v.resized(m));
  const auto columns = [&](Index row, auto visit) {
    visit(n, RowResponse{w.P_a[row], w.P_q[row], w.P_v[row], c_.c_v * w.P_a[row]});
    blocks.each_unknown(row, [&](Index c, const MultiplierBlocks::Products& G) {
      const Unknown& unknown = w.unknowns[static_cast<std::size_t>(c)];
      double a = 0.0, q = 0.0, v = 0.0;  // q, v: of the corrections
      if (unknown.level == smooth_level) {
        a = G.S;
      } else if (unknown.level == position_level) {
        a = dt * dt * G.K;
        q = dt * dt * G.M;
      } else {
        const double half = unknown.r >= constraint(unknown.k).position_rows ? 0.5 * dt * dt : 0.0;
        a = half * G.K + dt * G.D;
        q = half * G.M;
        v = dt * G.M;
      }
      visit(c, RowResponse{a, q + c_.c_q * a, v + c_.c_v * a, c_.c_v * a});
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

}  // namespace carom::inline schemes::alpha
