#include "carom/schemes/ggl/ggl_elimination.h"

#include <algorithm>
#include <iterator>

#include "carom/base/small_lu.h"
#include "carom/base/vector_kernels.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

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

bool by_blocks(const IterationMatrix& A) {
  return A.structure() == Structure::block_diagonal || A.components() != nullptr;
}

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
  by_blocks_ = falls_apart(equations);
  if (!by_blocks_) respond_by_columns(half, equations);
  return true;
}

bool GglElimination::falls_apart(const GglEquations& equations) const {
  if (equations.nv() <= dense_limit || !by_blocks(A_) || !by_blocks(equations.N())) return false;
  return equations.mid.dh_dq.structure() == Structure::zero || equations.N().structure() == Structure::block_diagonal;
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

void GglElimination::assemble_columns(double dt, const GglEquations& equations,
                                      const std::vector<RowRange>& partition) {
  const Index n = equations.nv(), rows_v = equations.velocity_rows(), rows_p = equations.position_rows(),
              rows = rows_v + rows_p;
  matrix_.resize(rows * rows);
  for (Index j = 0; j < rows_v; ++j)
    rows_of(dt, equations, dv_Lambda_.data() + j * n, dd_Lambda_.data() + j * n, 1.0, matrix_.data() + j * rows);
  for (Index j = 0; j < rows_p; ++j)
    rows_of(dt, equations, dv_Psi_.data() + j * n, dd_Psi_.data() + j * n, dt, matrix_.data() + (rows_v + j) * rows);
  dense_.assign(rows, partition, matrix_.data(), false);
}

void GglElimination::assemble_blocks(double dt, const GglEquations& equations, const std::vector<RowRange>& partition) {
  const ConstraintJacobian &W = equations.mid.W, &Wc = equations.Wc(), &Pc = equations.Pc();
  const Index constraints = W.block_count();
  const bool positions = equations.position_rows() > 0;
  const auto add = [&](const GramBlocks& gram, Index b, Index j, Index row, Index column, double factor) {
    double* entries = blocks_.add_block(row, column);
    gram.add(b, j, entries);
    const Index size = partition[static_cast<std::size_t>(row)].rows * partition[static_cast<std::size_t>(column)].rows;
    for (Index i = 0; i < size; ++i) entries[i] *= factor;
    return entries;
  };
  blocks_.begin(partition, false);
  velocity_blocks_.begin(Wc, A_, W);
  if (positions) {
    springs_.set(equations.mid.dh_dq, equations.N(), equations.W_p);
    mixed_blocks_.begin(Pc, A_, W);
    position_blocks_.begin(Pc, equations.N(), equations.W_p);
  }
  const bool stiff = positions && !springs_.empty();
  if (stiff) {
    spring_velocity_blocks_.begin(Wc, A_, springs_.directions());
    spring_position_blocks_.begin(Pc, A_, springs_.directions());
  }
  for (Index b = 0; b < constraints; ++b) {
    for (const Index j : velocity_blocks_.row(b)) velocity_blocks_.add(b, j, blocks_.add_block(b, j));
    if (!stiff) continue;
    for (const Index j : spring_velocity_blocks_.row(b))
      add(spring_velocity_blocks_, b, j, b, constraints + j, 0.5 * dt * dt);
  }
  for (Index k = 0; positions && k < Pc.block_count(); ++k) {
    const Index row = constraints + k;
    for (const Index j : mixed_blocks_.row(k)) add(mixed_blocks_, k, j, row, j, 0.5);
    const std::span<const Index> touching = position_blocks_.row(k);
    both_.assign(touching.begin(), touching.end());
    if (stiff) {
      const std::span<const Index> coupled = spring_position_blocks_.row(k);
      both_.clear();
      std::set_union(touching.begin(), touching.end(), coupled.begin(), coupled.end(), std::back_inserter(both_));
    }
    for (const Index j : both_) {
      double* entries = stiff ? add(spring_position_blocks_, k, j, row, constraints + j, 0.25 * dt * dt)
                              : blocks_.add_block(row, constraints + j);
      position_blocks_.add(k, j, entries);
    }
  }
  blocks_.finish();
}

bool GglElimination::solve_multipliers(const MidpointStep& midpoint, const GglEquations& equations,
                                       const std::vector<RowRange>& partition, GglUnknowns& x) {
  InclusionWork& work = midpoint.ws.velocity;
  const Index rows_v = equations.velocity_rows(), rows_p = equations.position_rows(), rows = rows_v + rows_p;
  const double dt = midpoint.dt;
  if (by_blocks_) {
    assemble_blocks(dt, equations, partition);
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

  work.result.lambda.resize(rows);
  for (Index i = 0; i < rows_v; ++i) work.result.lambda[i] = x.Lambda[i];
  for (Index j = 0; j < rows_p; ++j) work.result.lambda[rows_v + j] = x.Psi[j] / dt;
  const bool solved = solve_and_count(midpoint.solver, work, midpoint.result);
  for (Index i = 0; i < rows_v; ++i) x.Lambda[i] = work.result.lambda[i];
  for (Index j = 0; j < rows_p; ++j) x.Psi[j] = dt * work.result.lambda[rows_v + j];
  return solved;
}

void GglElimination::add_response(double half_dt, const GglEquations& equations, const Buffer& Lambda,
                                  const Buffer& Psi, Vector& dv, Vector& dd) {
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

}  // namespace carom::inline schemes
