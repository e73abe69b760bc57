// Newton's step of a unified Gear-Gupta-Leimkuhler step: the linearised equations of ggl_equations.h, d and v
// eliminated. With K = 1 - N B(Psi) and S = dt/2 dh_dq + B(Lambda) the increments are
//
//   A dv = -phi2 - W Lambda + S K^-1 (r + N W_p Psi+) + W Lambda+,      A = M - dt/2 dh_dv - dt/2 S K^-1
//   dd   = K^-1 (dt/2 dv + r + N W_p Psi+),                             r = dt v_h - d
//
// affine in the new multipliers (Lambda+, Psi+); put into xi + C dd + Wc' dv and g + (Pc' + P) dd they leave one
// linear inclusion for both, which is not symmetric, and which the solver gets with the laws of the contacts
// for Lambda+ and complementarity (joints: equality) for Psi+ / dt, so that all rows have the same units.
//
// Above 48 velocities nothing bends, K = 1, and where A and N fall apart into blocks so does the operator:
//
//   [ Wc' A^-1 W       dt Wc' A^-1 S N W_p               ]
//   [ Pc' A^-1 W / 2   Pc' N W_p + dt/2 Pc' A^-1 S N W_p ]
#pragma once

#include <vector>

#include "carom/base/gram_blocks.h"
#include "carom/base/stiff_directions.h"
#include "carom/inclusion/block_sparse_delassus.h"
#include "carom/inclusion/dense_delassus.h"
#include "carom/schemes/ggl/ggl_equations.h"

namespace carom::inline schemes {

class GglElimination {
 public:
  // K, S and A; what the residuals do to v and d. False: a matrix is singular.
  bool eliminate(const MidpointStep& midpoint, const GglEquations& equations, const GglUnknowns& x);
  // The inclusion for Lambda+ and Psi+ / dt in ws.velocity, whose laws stand in the rows of `partition`. Whether it was
  // solved.
  bool solve_multipliers(const MidpointStep& midpoint, const GglEquations& equations,
                         const std::vector<RowRange>& partition, GglUnknowns& x);
  // v += dv, d += dd
  void move(double half_dt, const GglEquations& equations, GglUnknowns& x);

  const Vector& displacement() const { return dd_; }  // of the last move

 private:
  bool factor_K(const GglEquations& equations);
  bool factor_A(const MidpointStep& midpoint, const GglEquations& equations, bool bent_positions);
  void solve_K(const GglEquations& equations, double* columns, Index count) const;
  void respond_by_columns(double half_dt, const GglEquations& equations);
  bool falls_apart(const GglEquations& equations) const;
  void assemble_blocks(double dt, const GglEquations& equations, const std::vector<RowRange>& partition);
  void assemble_columns(double dt, const GglEquations& equations, const std::vector<RowRange>& partition);
  // What a pair of increments does to xi and g / dt.
  void rows_of(double dt, const GglEquations& equations, const double* dv, const double* dd, double scale,
               double* out) const;
  // dv += A^-1 (W Lambda + S N W_p Psi), dd += dt/2 of it + N W_p Psi
  void add_response(double half_dt, const GglEquations& equations, const Buffer& Lambda, const Buffer& Psi, Vector& dv,
                    Vector& dd);

  IterationMatrix A_;
  ForceJacobian bent_;  // dh_dv + S K^-1
  Buffer K_, unit_columns_;
  std::vector<int> pivots_;
  Vector r_, dv_, dd_;  // the last two: parts without multipliers, then the increments

  // Dense: columns are nv long, one per multiplier.
  Buffer dv_Lambda_, dv_Psi_;            // A^-1 W, A^-1 S K^-1 N W_p
  Buffer dd_Lambda_, dd_Psi_, dd_part_;  // dt/2 K^-1 dv_Lambda, K^-1 (N W_p + dt/2 dv_Psi)
  Buffer matrix_;
  DenseDelassus dense_;

  bool by_blocks_ = false;
  StiffDirections springs_;  // dh_dq N W_p
  GramBlocks velocity_blocks_, mixed_blocks_, position_blocks_;
  GramBlocks spring_velocity_blocks_, spring_position_blocks_;
  std::vector<Index> both_;  // columns of a row
  BlockSparseDelassus blocks_;
  Vector response_, pushed_;
};

}  // namespace carom::inline schemes
