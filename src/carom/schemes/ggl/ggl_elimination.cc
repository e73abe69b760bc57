#include "carom/schemes/ggl/ggl_elimination.h"

#include <algorithm>

#include "carom/base/small_lu.h"
#include "carom/base/vector_kernels.h"
#include "carom/schemes/step_contacts.h"

namespace carom {

namespace {

// Up to this many velocities the multipliers' operator is dense.
constexpr Index dense_limit = 48;

// y += D x for a dense rows x n matrix; an empty one vanishes.
void add_dense_product(const Buffer& D, Index rows, Index n, const double* x, double* y) {
  if (D.empty()) return;
  for (Index i = 0; i < n; ++i)
    for (Index r = 0; r < rows; ++r) y[r] += D[i * rows + r] * x[i];
}

// y += S x
void add_S(double half_dt, const GglEquations& equations, const double* x, double* y) {
  equations.mid.dh_dq.multiply_add(half_dt, x, y);
  add_dense_product(equations.B_Lambda, equations.nv(), equations.nv(), x, y);
}

bool by_blocks(const IterationMatrix& A) { return A.structure() == Structure::block_diagonal || A.components() != nullptr; }

}  // namespace

bool GglElimination::eliminate(const MidpointStep& midpoint, const GglEquations& equations, const GglUnknowns& x) {
  const double half = 0.5 * midpoint.dt;
  const bool bent_positions = !equations.B_Psi.empty();
  if (bent_positions && !factor_K(equations)) return false;
  if (!factor_A(midpoint, equations, bent_positions)) return false;

  // r = dt v_h - d, and dv = A^-1 (-phi2 - W Lambda + S K^-1 r), dd = K^-1 (dt/2 dv + r)
  combine(half, x.v, half, midpoint.state.v, r_);
  combine(1.0, r_, -1.0, x.d, r_);
  solve_K(equations, r_.data(), 1);
  scale(-1.0, equations.phi2, dv_);
  if (equations.velocity_rows() > 0) combine(1.0, dv_, -1.0, equations.W_Lambda, dv_);
  add_S(half, equations, r_.data(), dv_.data());
  A_.solve(dv_.data());
  scale(half, dv_, dd_);
  solve_K(equations, dd_.data(), 1);
  add(r_, dd_);
  by_blocks_ = falls_apart(midpoint, equations);
  if (!by_blocks_) respond_by_columns(half, equations);
  return true;
}

bool GglElimination::falls_apart(const MidpointStep& midpoint, const GglEquations& equations) const {
  if (equations.nv() <= dense_limit || !by_blocks(A_) || !by_blocks(equations.N())) return false;
  const bool kinetic = &equations.N() == &midpoint.ws.M_factor;
  return kinetic || equations.mid.dh_dq.structure() == Structure::zero;
}

void GglElimination::solve_K(const GglEquations& equations, double* columns, Index count) const {
  if (!equations.B_Psi.empty()) lu_solve(K_.data(), pivots_.data(), equations.nv(), columns, count);
}

bool GglElimination::factor_K(const GglEquations& equations) {
  const Index n = equations.nv();
  K_ = equations.B_Psi;
  equations.N().solve(K_.data(), n);
  for (double& entry : K_) entry = -entry;
  for (Index i = 0; i < n; ++i) K_[i + i * n] += 1.0;
  pivots_.resize(static_cast<std::size_t>(n));
  return lu_factor(K_.data(), pivots_.data(), n);
}

bool GglElimination::factor_A(const MidpointStep& midpoint, const GglEquations& equations, bool bent_positions) {
  const double half = 0.5 * midpoint.dt;
  const Evaluation& mid = equations.mid;
  if (equations.B_Lambda.empty() && !bent_positions)
    return A_.factor(equations.M(), half, mid.dh_dv, half * half, mid.dh_dq);
  // dh_dv + S K^-1, by columns of K^-1
  const Index n = equations.nv();
  double* bent = bent_.dense(n);
  std::fill_n(bent, n * n, 0.0);
  unit_columns_.assign(n * n, 0.0);
  for (Index i = 0; i < n; ++i) unit_columns_[i + i * n] = 1.0;
  for (Index j = 0; j < n; ++j) mid.dh_dv.multiply_add(1.0, unit_columns_.data() + j * n, bent + j * n);
  if (bent_positions) lu_solve(K_.data(), pivots_.data(), n, unit_columns_.data(), n);
  for (Index j = 0; j < n; ++j) add_S(half, equations, unit_columns_.data() + j * n, bent + j * n);
  static const ForceJacobian none;
  return A_.factor(equations.M(), half, bent_, 0.0, none);
}

void GglElimination::respond_by_columns(double half, const GglEquations& equations) {
  const Index n = equations.nv();
  if (const Index rows = equations.velocity_rows(); rows > 0) {
    equations.mid.W.to_columns(n, dv_Lambda_);
    A_.solve(dv_Lambda_.data(), rows);
    dd_Lambda_.resize(n * rows);
    for (Index i = 0; i < n * rows; ++i) dd_Lambda_[i] = half * dv_Lambda_[i];
    solve_K(equations, dd_Lambda_.data(), rows);
  }
  if (const Index rows = equations.position_rows(); rows > 0) {
    equations.W_p.to_columns(n, dd_Psi_);  // becomes K^-1 N W_p
    equations.N().solve(dd_Psi_.data(), rows);
    solve_K(equations, dd_Psi_.data(), rows);
    dv_Psi_.assign(n * rows, 0.0);
    for (Index j = 0; j < rows; ++j) add_S(half, equations, dd_Psi_.data() + j * n, dv_Psi_.data() + j * n);
    A_.solve(dv_Psi_.data(), rows);
    dd_part_.resize(n * rows);
    for (Index i = 0; i < n * rows; ++i) dd_part_[i] = half * dv_Psi_[i];
    solve_K(equations, dd_part_.data(), rows);
    for (Index i = 0; i < n * rows; ++i) dd_Psi_[i] += dd_part_[i];
  }
}

void GglElimination::rows_of(double dt, const GglEquations& equations, const double* dv, const double* dd, double scale,
                             double* out) const {
  const Index n = equations.nv(), rows_v = equations.velocity_rows(), rows_p = equations.position_rows();
  equations.Wc().transpose_multiply(dv, out);
  add_dense_product(equations.C, rows_v, n, dd, out);
  if (rows_p > 0) {
    equations.Pc().transpose_multiply(dd, out + rows_v);
    add_dense_product(equations.P, rows_p, n, dd, out + rows_v);
  }
  for (Index i = 0; i < rows_v; ++i) out[i] *= scale;
  for (Index i = rows_v; i < rows_v + rows_p; ++i) out[i] *= scale / dt;
}

void GglElimination::assemble_columns(double dt, const GglEquations& equations, const std::vector<RowRange>& partition) {
  const Index n = equations.nv(), rows_v = equations.velocity_rows(), rows_p = equations.position_rows(), rows = rows_v + rows_p;
  matrix_.resize(rows * rows);
  for (Index j = 0; j < rows_v; ++j)
    rows_of(dt, equations, dv_Lambda_.data() + j * n, dd_Lambda_.data() + j * n, 1.0, matrix_.data() + j * rows);
  for (Index j = 0; j < rows_p; ++j)
    rows_of(dt, equations, dv_Psi_.data() + j * n, dd_Psi_.data() + j * n, dt, matrix_.data() + (rows_v + j) * rows);
  dense_.assign(rows, partition, matrix_.data(), false);
}

void GglElimination::assemble_blocks(const MidpointStep& midpoint, const GglEquations& equations,
                                     const std::vector<RowRange>& partition) {
  const ConstraintJacobian &W = equations.mid.W, &Wc = equations.Wc(), &Pc = equations.Pc();
  const Index constraints = W.block_count();
  const auto size = [&](Index i, Index j) {
    return partition[static_cast<std::size_t>(i)].rows * partition[static_cast<std::size_t>(j)].rows;
  };
  stiff_ = equations.position_rows() > 0 && equations.mid.dh_dq.structure() != Structure::zero;
  blocks_.begin(partition, false);
  velocity_blocks_.begin(Wc, A_, W);
  if (stiff_) {
    push_blocks_.begin(Wc, A_, equations.W_p);
    mass_blocks_.begin(Wc, midpoint.ws.M_factor, equations.W_p);
  }
  for (Index b = 0; b < constraints; ++b) {
    for (const Index j : velocity_blocks_.row(b)) velocity_blocks_.add(b, j, blocks_.add_block(b, j));
    if (!stiff_) continue;
    for (const Index j : push_blocks_.row(b)) {  // 2 (Wc' A^-1 W_p - Wc' M^-1 W_p)
      double* entries = blocks_.add_block(b, constraints + j);
      mass_blocks_.add(b, j, entries);
      for (Index i = 0; i < size(b, constraints + j); ++i) entries[i] = -entries[i];
      push_blocks_.add(b, j, entries);
      for (Index i = 0; i < size(b, constraints + j); ++i) entries[i] *= 2.0;
    }
  }
  if (equations.position_rows() > 0) {
    mixed_blocks_.begin(Pc, A_, W);
    position_blocks_.begin(Pc, stiff_ ? A_ : equations.N(), equations.W_p);
    for (Index k = 0; k < Pc.block_count(); ++k) {
      for (const Index j : mixed_blocks_.row(k)) {
        double* entries = blocks_.add_block(constraints + k, j);
        mixed_blocks_.add(k, j, entries);
        for (Index i = 0; i < size(constraints + k, j); ++i) entries[i] *= 0.5;
      }
      for (const Index j : position_blocks_.row(k)) position_blocks_.add(k, j, blocks_.add_block(constraints + k, constraints + j));
    }
  }
  blocks_.finish();
}

bool GglElimination::solve_multipliers(const MidpointStep& midpoint, const GglEquations& equations,
                                       const std::vector<RowRange>& partition, GglUnknowns& x) {
  InclusionWork& work = midpoint.ws.position;
  const Index rows_v = equations.velocity_rows(), rows_p = equations.position_rows(), rows = rows_v + rows_p;
  const double dt = midpoint.dt;
  if (by_blocks_) {
    assemble_blocks(midpoint, equations, partition);
    work.problem.G = &blocks_;
  } else {
    assemble_columns(dt, equations, partition);
    work.problem.G = &dense_;
  }
  Buffer& c = work.problem.c;
  c.resize(rows);
  rows_of(dt, equations, dv_.data(), dd_.data(), 1.0, c.data());
  for (Index i = 0; i < rows_v; ++i) c[i] += equations.xi[i];
  for (Index j = 0; j < rows_p; ++j) c[rows_v + j] += equations.g[j] / dt;
  if (by_blocks_ && stiff_ && equations.mid.dh_dv.structure() != Structure::zero) shift_to_exact(dt, equations, x, c);

  work.result.lambda.resize(rows);
  for (Index i = 0; i < rows_v; ++i) work.result.lambda[i] = x.Lambda[i];
  for (Index j = 0; j < rows_p; ++j) work.result.lambda[rows_v + j] = x.Psi[j] / dt;
  const bool solved = solve_and_count(midpoint.solver, work, midpoint.result);
  for (Index i = 0; i < rows_v; ++i) x.Lambda[i] = work.result.lambda[i];
  for (Index j = 0; j < rows_p; ++j) x.Psi[j] = dt * work.result.lambda[rows_v + j];
  return solved;
}

void GglElimination::shift_to_exact(double dt, const GglEquations& equations, const GglUnknowns& x, Buffer& c) {
  set_zero(equations.nv(), dv_old_);
  set_zero(equations.nv(), dd_old_);
  add_response(0.5 * dt, equations, x.Lambda, x.Psi, dv_old_, dd_old_);
  product_.resize(c.size());
  rows_of(dt, equations, dv_old_.data(), dd_old_.data(), 1.0, product_.data());
  c.vec() += product_.vec();
  old_.resize(c.size());
  for (Index i = 0; i < x.Lambda.size(); ++i) old_[i] = x.Lambda[i];
  for (Index j = 0; j < x.Psi.size(); ++j) old_[x.Lambda.size() + j] = x.Psi[j] / dt;
  blocks_.multiply(old_.data(), product_.data());
  c.vec() -= product_.vec();
}

void GglElimination::add_response(double half_dt, const GglEquations& equations, const Buffer& Lambda, const Buffer& Psi, Vector& dv,
                                  Vector& dd) {
  if (equations.velocity_rows() == 0) return;
  set_zero(equations.nv(), response_);
  equations.mid.W.multiply_add(Lambda.data(), response_.data());
  if (equations.position_rows() > 0) {
    set_zero(equations.nv(), pushed_);
    equations.W_p.multiply_add(Psi.data(), pushed_.data());
    equations.N().solve(pushed_.data());
    equations.mid.dh_dq.multiply_add(half_dt, pushed_.data(), response_.data());
  }
  A_.solve(response_.data());
  add(response_, dv);
  combine(1.0, dd, half_dt, response_, dd);
  if (equations.position_rows() > 0) add(pushed_, dd);
}

void GglElimination::move(double half_dt, const GglEquations& equations, GglUnknowns& x) {
  const Index n = equations.nv();
  if (by_blocks_) {
    add_response(half_dt, equations, x.Lambda, x.Psi, dv_, dd_);
  } else {
    const auto add_columns = [n](const Buffer& columns, const Buffer& multipliers, Vector& out) {
      for (Index j = 0; j < multipliers.size(); ++j)
        for (Index i = 0; i < n; ++i) out[i] += multipliers[j] * columns[j * n + i];
    };
    add_columns(dv_Lambda_, x.Lambda, dv_);
    add_columns(dv_Psi_, x.Psi, dv_);
    add_columns(dd_Lambda_, x.Lambda, dd_);
    add_columns(dd_Psi_, x.Psi, dd_);
  }
  add(dv_, x.v);
  add(dd_, x.d);
}

}  // namespace carom
