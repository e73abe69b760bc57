// Velocities and positions of a projected theta step as one problem. With N the metric, W_v the
// directions of the active constraints (all rows), W_p those of the projected ones (position rows),
// both at q_1, and K = dh_dq,
//
//   [ gamma_1 + e gamma_0 ]   [ W_v' A^-1 W_v            dt theta W_v' A^-1 K N W_p              ] [ Lambda ]
//   [        g(q_1)       ] = [ dt theta W_p' A^-1 W_v   W_p' N W_p + dt^2 theta^2 W_p' A^-1 K N W_p ] [ tau ] + a
//
//   a_v = W_v' (v + A^-1 f) + chi + e gamma_0,     a_p = g(q) + W_p' (dt theta A^-1 f - delta)
//   f   = dt h - M (v - v_0) - dt theta K delta
//   v <- v + A^-1 (f + W_v Lambda + dt theta K N W_p tau),     delta <- N W_p tau
//
// by elimination of v_1 and q_1 from the Newton step of theta_step.h. The operator is not symmetric.
// It is assembled densely: a method for mechanisms, not for piles.

#include <algorithm>
#include <cmath>

#include "carom/base/vector_kernels.h"
#include "carom/schemes/step_contacts.h"
#include "carom/schemes/theta/theta_step.h"

namespace carom::inline schemes {

namespace {

constexpr int newton_cap = 30;

// Columns of A^-1 W (or N W) as a dense n x rows matrix.
void solve_columns(const IterationMatrix& A, const ConstraintJacobian& W, Buffer& columns) {
  const Index n = A.size();
  columns.assign(n * W.rows(), 0.0);
  for (Index b = 0; b < W.block_count(); ++b) {
    const ConstraintJacobian::Block& block = W.block(b);
    for (Index s = block.segment_begin; s < block.segment_end; ++s) {
      const ConstraintJacobian::Segment& segment = W.segment(s);
      const double* entries = W.entries(segment);
      for (Index r = 0; r < block.rows; ++r)
        std::copy_n(entries + r * segment.size, segment.size, columns.data() + (block.row + r) * n + segment.offset);
    }
  }
  A.solve(columns.data(), W.rows());
}

// block of G at (row, column) += factor W' X
void add_product(double factor, const ConstraintJacobian& W, const Buffer& X, Index n, Index columns, Index row,
                 Index column, Index rows_total, Buffer& scratch, Buffer& G) {
  scratch.resize(W.rows());
  for (Index j = 0; j < columns; ++j) {
    W.transpose_multiply(X.data() + j * n, scratch.data());
    double* target = G.data() + (column + j) * rows_total + row;
    for (Index i = 0; i < W.rows(); ++i) target[i] += factor * scratch[i];
  }
}

}  // namespace

void ThetaStep::solve_coupled(const PositionProjection& projection, ProjectionRule rule) {
  Vector& v = result_.next.v;
  CoupledMemory& m = m_.coupled;
  InclusionWork& work = m_.projection.position;
  const IterationMatrix& A = m_.A;
  const Index n = system_.nv();
  const double theta_dt = options_.theta * dt_;
  bool solved = true;

  begin_newton();
  const Index rows_v = ws_.active.rows();
  ws_.velocity.result.lambda.resize(rows_v);  // no guess of an earlier step where nothing is active
  assign_roles(rule, ws_, m_.projection.roles);
  set_zero(n, m_.projection.delta);
  corrected_ = true;
  work.result.lambda.clear();
  m_.projection.tau_scaled.clear();

  for (int iteration = 0; iteration <= newton_cap; ++iteration) {
    place_theta(v);
    place_end();
    evaluate(v, iteration == 0);
    // Position rows of everyone with a role. Inactive far contacts cost rows but no accuracy.
    m_.projection.projected.reset(ws_.contacts);
    m_.projection.indices.clear();
    m_.projection.row_counts.clear();
    for (Index k = 0; k < ws_.contacts.size(); ++k) {
      if (m_.projection.roles[static_cast<std::size_t>(k)] == ProjectionRole::ignore) continue;
      if (ws_.contacts[k].position_rows == 0) continue;
      m_.projection.indices.push_back(m_.projection.projected.size());
      m_.projection.row_counts.push_back(ws_.contacts[k].position_rows);
      m_.projection.projected.add(k);
    }
    system_.evaluate(result_.next.t, result_.next.q, v, Need::gap | Need::jacobian, m_.projection.projected,
                     m_.projection.at_q);
    m_.projection.W_position.assign_leading_rows(m_.projection.at_q.W, m_.projection.indices, m_.projection.row_counts);
    const Index rows_p = m_.projection.W_position.rows();
    const Index rows = rows_v + rows_p;

    if (iteration > 0 && converged(v) && positions_converged(projection)) break;
    if (iteration == newton_cap) {
      result_.status = StepStatus::newton_failed;
      break;
    }
    if (iteration == 0 && !factor()) return;
    ++result_.newton_iterations;

    // f = dt h - M (v - v_0) - dt theta K delta, then A^-1 f
    m_.dv = m_.force;
    m_.at_theta.dh_dq.multiply_add(-theta_dt, m_.projection.delta.data(), m_.dv.data());
    A.solve(m_.dv.data());

    const IterationMatrix& N = projection.metric_matrix(A, m_.projection.identity);
    if (rows_v > 0) solve_columns(A, force_directions(), m.columns_v);
    solve_columns(N, m_.projection.W_position, m.columns_p);
    m.columns_x.assign(n * rows_p, 0.0);  // A^-1 K N W_p
    for (Index j = 0; j < rows_p; ++j)
      m_.at_theta.dh_dq.multiply_add(1.0, m.columns_p.data() + j * n, m.columns_x.data() + j * n);
    A.solve(m.columns_x.data(), rows_p);

    m.G.assign(rows * rows, 0.0);
    const auto add = [&](double factor, const ConstraintJacobian& W, const Buffer& X, Index columns, Index row,
                         Index column) { add_product(factor, W, X, n, columns, row, column, rows, m.product, m.G); };
    if (rows_v > 0) {
      add(1.0, m_.at_1.W, m.columns_v, rows_v, 0, 0);
      add(theta_dt, m_.at_1.W, m.columns_x, rows_p, 0, rows_v);
      add(theta_dt, m_.projection.W_position, m.columns_v, rows_v, rows_v, 0);
    }
    add(1.0, m_.projection.W_position, m.columns_p, rows_p, rows_v, rows_v);
    add(theta_dt * theta_dt, m_.projection.W_position, m.columns_x, rows_p, rows_v, rows_v);

    // Laws, partition and a.
    InclusionProblem& problem = work.problem;
    set_laws(ws_.active, dt_, problem);
    m.partition.clear();
    Index row = 0;
    for (const Law* law : problem.laws) {
      m.partition.push_back({row, law->dim()});
      row += law->dim();
    }
    for (Index i = 0; i < m_.projection.projected.size(); ++i) {
      const Index k = m_.projection.projected[i];
      problem.laws.push_back(
          &position_law(m_.projection.roles[static_cast<std::size_t>(k)], ws_.contacts[k].position_rows));
      m.partition.push_back({row, problem.laws.back()->dim()});
      row += problem.laws.back()->dim();
    }
    if (rows_v > 0) {
      m_.dq = v + m_.dv;
      local_velocity(m_.at_1, m_.dq, problem.c);
      add_restitution(problem.c);
    }
    problem.c.resize(rows);
    m_.dq = theta_dt * m_.dv - m_.projection.delta;
    m_.projection.W_position.transpose_multiply(m_.dq.data(), problem.c.data() + rows_v);
    Index source = 0;
    for (Index i = 0; i < m_.projection.projected.size(); ++i) {
      const ConstraintJacobian::Block& block = m_.projection.W_position.block(i);
      for (Index r = 0; r < block.rows; ++r) problem.c[rows_v + block.row + r] += m_.projection.at_q.g[source + r];
      source += m_.projection.projected.constraint(i).law->dim();
    }

    m.operator_of_both.assign(rows, m.partition, m.G.data(), false);
    problem.G = &m.operator_of_both;
    if (work.result.lambda.size() != rows) {
      work.result.lambda = ws_.velocity.result.lambda;
      work.result.lambda.resize(rows);
    }
    solved = solve_and_count(solver_, work, result_);

    // Updates of v and delta.
    Buffer& lambda = ws_.velocity.result.lambda;
    Buffer& xi = ws_.velocity.result.xi;
    lambda.resize(rows_v);
    xi.resize(rows_v);
    std::copy_n(work.result.lambda.data(), rows_v, lambda.data());
    std::copy_n(work.result.xi.data(), rows_v, xi.data());
    const double* tau = work.result.lambda.data() + rows_v;
    m_.projection.delta.setZero();
    for (Index j = 0; j < rows_p; ++j) {
      const ConstVectorMap column_p(m.columns_p.data() + j * n, n);
      const ConstVectorMap column_x(m.columns_x.data() + j * n, n);
      m_.projection.delta += tau[j] * column_p;
      m_.dv += theta_dt * tau[j] * column_x;
      result_.largest_position_multiplier = std::max(result_.largest_position_multiplier, std::abs(tau[j]));
    }
    for (Index j = 0; j < rows_v; ++j) m_.dv += lambda[j] * ConstVectorMap(m.columns_v.data() + j * n, n);
    v += m_.dv;
    m_.projection.tau_scaled.resize(rows_p);
    for (Index j = 0; j < rows_p; ++j) m_.projection.tau_scaled[j] = tau[j] * m.G[(rows_v + j) * rows + rows_v + j];
    if (rule == ProjectionRule::active_impacting) assign_roles(rule, ws_, m_.projection.roles);
  }
  if (!solved && result_.status == StepStatus::ok) result_.status = StepStatus::solver_failed;
}

bool ThetaStep::positions_converged(const PositionProjection& projection) const {
  if (m_.projection.tau_scaled.size() != m_.projection.W_position.rows()) return m_.projection.W_position.rows() == 0;
  Index source = 0;
  for (Index i = 0; i < m_.projection.projected.size(); ++i) {
    const Constraint& constraint = m_.projection.projected.constraint(i);
    const ConstraintJacobian::Block& block = m_.projection.W_position.block(i);
    const bool equality =
        m_.projection.roles[static_cast<std::size_t>(m_.projection.projected[i])] == ProjectionRole::equality;
    for (Index r = 0; r < block.rows; ++r)
      if (!(projection.violation(m_.projection.at_q.g[source + r], m_.projection.tau_scaled[block.row + r], equality) <=
            projection.tolerance() * constraint.length_scale))
        return false;
    source += constraint.law->dim();
  }
  return true;
}

}  // namespace carom::inline schemes
