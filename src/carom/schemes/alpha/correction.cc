// One correction of the unknowns on some levels. With dq = c_q da + du and dv = c_v da + dw, linearised,
//
//   S da = -R1 + W dlambda + K du + D dw        S = M - c_v D - c_q K
//   M du = -R3 + W dnu + dt/2 W_T dLambda_T     K = dh_dq + d(W lambda)/dq - d(M a)/dq
//   M dw = -R5 + W dLambda                      D = dh_dv
//
// so that every multiplier, and the residual, has its response (da, dq, dv): one column each in X, Q, V. What
// the equations of the active rows say of these columns is a small square system for the multipliers. M and S
// are used through their factors, whatever their structure; redundant constraints get the multipliers of
// least norm. Many constraints on many bodies have a sparse system, and no columns (sparse_correction.cc).
//
// The curvature terms (dM/dq, dW/dq, d zeta) are used where the inertia is dense: mechanisms in a few
// coordinates. Larger systems go without: their part is of the order of dt times the rate of rotation, and
// costs an iteration or two.
#include <algorithm>
#include <cmath>

#include "carom/base/vector_kernels.h"
#include "carom/schemes/alpha/linear_equation.h"

namespace carom::inline schemes::alpha {

namespace {

constexpr double rank_tolerance = 1e-12;
constexpr Index kept_rows = 64;  // responses are kept up to this many rows: they are as long as the system

// Y += D X for a curvature D (m x nv), where there is one.
void add_product(const Buffer& D, const double* X, Index m, Index nv, Index columns, double* Y) {
  MatrixMap(Y, m, columns).noalias() += ConstMatrixMap(D.data(), m, nv).lazyProduct(ConstMatrixMap(X, nv, columns));
}

}  // namespace

bool Step::factor_inertia() {
  if (work_.M_of == system_.serial() && constancy_.inertia) return true;
  work_.M_of = 0;
  if (!work_.M_factor.factor(work_.end.M)) return false;
  work_.M_of = system_.serial();
  return true;
}

bool Step::linearise() {
  Work& w = work_;
  const Evaluation& end = w.end;
  const Index m = rows();
  const Vector &q = result_.next.q, &v = result_.next.v;
  const double t = result_.next.t;
  if (!factor_inertia()) return false;

  const ForceJacobian* K = &end.dh_dq;
  w.curved_rows = w.curved_directions = false;
  const bool dense_force = end.dh_dq.structure() == Structure::dense || end.dh_dq.structure() == Structure::zero;
  if (end.M.structure() == Structure::dense && dense_force) {
    const Curvature& curvature = curvature_of(system_, w.differences);
    const Index entries = nv_ * nv_;
    double* stiffness = nullptr;
    const auto add = [&](double sign) {
      if (stiffness == nullptr) {
        stiffness = w.stiffness.dense(nv_);
        if (end.dh_dq.structure() == Structure::dense)
          std::copy_n(end.dh_dq.dense_data(), entries, stiffness);
        else
          std::fill_n(stiffness, entries, 0.0);
      }
      for (Index i = 0; i < entries; ++i) stiffness[i] += sign * w.curvature[i];
    };
    if (m > 0 && curvature.directions(t, q, ws_.all, w.next.lambda.data(), w.curvature)) add(1.0);
    if (curvature.inertia(t, q, w.next.a, w.curvature)) add(-1.0);
    if (stiffness != nullptr) K = &w.stiffness;
    w.curved_directions = stiffness != nullptr;
    if (m > 0 && curvature.rates(t, q, ws_.all, v, w.D_v)) {
      w.curved_rows = true;
      curvature.rates(t, q, ws_.all, w.next.a, w.D_a);
      if (curvature.convective(t, q, v, ws_.all, w.curvature, w.D_h))
        for (Index i = 0; i < m * nv_; ++i) w.D_a[i] += w.curvature[i];
      if (options_.levels.joints == SmoothRow::smooth_velocity) curvature.rates(t, q, ws_.all, w.v_smooth, w.D_s);
    }
  }
  w.K = K;

  const bool constant = constancy_.inertia && constancy_.affine_force && !w.curved_directions;
  w.keeps_responses = constant && constancy_.jacobian && constancy_.contacts && m <= kept_rows;
  if (constant && w.S_of == system_.serial() && w.S_dt == c_.dt && w.S_rho == options_.spectral_radius) return true;
  w.S_of = 0;
  if (!w.S_factor.factor(end.M, c_.c_v, end.dh_dv, c_.c_q, *K)) return false;
  for (Responses* kept : {&w.S_responses, &w.M_responses}) {
    if (!w.keeps_responses) continue;
    kept->known.assign(static_cast<std::size_t>(m), 0);
    kept->columns.resize(m * nv_);
  }
  if (constant) {
    w.S_of = system_.serial();
    w.S_dt = c_.dt;
    w.S_rho = options_.spectral_radius;
  }
  return true;
}

void Step::correct(unsigned levels) {
  residual_vectors();
  list_unknowns(levels);
  if (falls_apart()) return correct_by_blocks(levels);
  respond(levels);
  assemble();
  apply();
}

namespace {

// x += factor w of one row.
void add_direction(const ConstraintJacobian& W, const Unknown& unknown, double factor, double* x) {
  double unit[Law::max_dim] = {};
  unit[unknown.r] = factor;
  W.multiply_add(unknown.k, unit, x);
}

}  // namespace

// x += factor A^-1 w. For systems where nothing of it changes it is computed once.
void Step::kept_response(Responses& kept, const IterationMatrix& A, const Unknown& unknown, double factor, double* x) {
  double* response = kept.columns.data() + unknown.row * nv_;
  char& known = kept.known[static_cast<std::size_t>(unknown.row)];
  if (!known) {
    std::fill_n(response, nv_, 0.0);
    add_direction(work_.end.W, unknown, 1.0, response);
    A.solve(response);
    known = true;
  }
  for (Index i = 0; i < nv_; ++i) x[i] += factor * response[i];
}

void Step::inertia_response(const Unknown& unknown, double factor, double* x) {
  if (work_.keeps_responses) return kept_response(work_.M_responses, work_.M_factor, unknown, factor, x);
  add_direction(work_.end.W, unknown, factor, x);
  work_.M_factor.solve(x);
}

// Columns of X, Q, V: the response of each unknown multiplier (lambda, nu/dt^2, Lambda/dt), and of the residual.
void Step::respond(unsigned levels) {
  Work& w = work_;
  const Index n = static_cast<Index>(w.unknowns.size());
  const double dt = c_.dt;
  w.X.assign(nv_ * (n + 1), 0.0);
  w.Q.assign(nv_ * (n + 1), 0.0);
  w.V.assign(nv_ * (n + 1), 0.0);
  const auto column = [&](Buffer& buffer, Index j) { return buffer.data() + j * nv_; };
  const bool original = options_.levels.original_correction;

  for (Index j = 0; j < n; ++j) {
    const Unknown& unknown = w.unknowns[static_cast<std::size_t>(j)];
    if (unknown.level == smooth_level) {
      if (!w.keeps_responses) add_direction(w.end.W, unknown, 1.0, column(w.X, j));
    } else if (unknown.level == position_level) {
      if (original)
        add_direction(w.W_0, unknown, dt * dt, column(w.Q, j));
      else
        inertia_response(unknown, dt * dt, column(w.Q, j));
    } else {
      inertia_response(unknown, dt, column(w.V, j));
      if (unknown.r >= constraint(unknown.k).position_rows)
        for (Index i = 0; i < nv_; ++i) column(w.Q, j)[i] = 0.5 * dt * column(w.V, j)[i];
    }
  }
  if ((levels & position_level) && options_.levels.position) {
    for (Index i = 0; i < nv_; ++i) column(w.Q, n)[i] = -w.R3[i];
    if (!original && !w.R3.isZero(0.0)) w.M_factor.solve(column(w.Q, n));
  }
  if ((levels & velocity_level) && options_.levels.velocity) {
    for (Index i = 0; i < nv_; ++i) column(w.V, n)[i] = -w.R5[i];
    if (!w.R5.isZero(0.0)) w.M_factor.solve(column(w.V, n));
  }
  if (!(levels & smooth_level)) return;

  for (Index i = 0; i < nv_; ++i) column(w.X, n)[i] = -w.R1[i];
  for (Index j = 0; j <= n && levels != smooth_level; ++j) {
    w.K->multiply_add(1.0, column(w.Q, j), column(w.X, j));
    w.end.dh_dv.multiply_add(1.0, column(w.V, j), column(w.X, j));
  }
  if (w.keeps_responses && levels == smooth_level) {  // what remains is the residual's
    w.S_factor.solve(column(w.X, n));
  } else {
    w.S_factor.solve(w.X.data(), n + 1);
  }
  for (Index j = 0; j < n && w.keeps_responses; ++j)
    if (w.unknowns[static_cast<std::size_t>(j)].level == smooth_level)
      kept_response(w.S_responses, w.S_factor, w.unknowns[static_cast<std::size_t>(j)], 1.0, column(w.X, j));
  for (Index i = 0; i < nv_ * (n + 1); ++i) {
    w.Q[i] += c_.c_q * w.X[i];
    w.V[i] += c_.c_v * w.X[i];
  }
}

void Step::assemble() {
  Work& w = work_;
  const Index n = static_cast<Index>(w.unknowns.size()), m = rows();
  if (n == 0) return;
  const auto product = [&](const Buffer& columns, Buffer& out) {
    w.end.W.transpose_multiply(columns.data(), nv_, n + 1, out.resized(m * (n + 1)));
  };
  product(w.X, w.P_a);
  product(w.Q, w.P_q);
  product(w.V, w.P_v);
  const bool smooth_velocity = options_.levels.joints == SmoothRow::smooth_velocity;
  if (smooth_velocity) {
    w.P_s.resize(m * (n + 1));
    for (Index i = 0; i < w.P_s.size(); ++i) w.P_s[i] = c_.c_v * w.P_a[i];
  }
  if (w.curved_rows) {
    add_product(w.D_a, w.Q.data(), m, nv_, n + 1, w.P_a.data());
    add_product(w.D_h, w.V.data(), m, nv_, n + 1, w.P_a.data());
    add_product(w.D_v, w.Q.data(), m, nv_, n + 1, w.P_v.data());
    if (smooth_velocity) add_product(w.D_s, w.Q.data(), m, nv_, n + 1, w.P_s.data());
  }
  w.matrix.assign(n * n, 0.0);
  w.rhs.assign(n, 0.0);
  const auto columns = [&](Index row, auto visit) {
    for (Index c = 0; c <= n; ++c) {
      const Index at = row + c * m;
      visit(c, RowResponse{w.P_a[at], w.P_q[at], w.P_v[at], smooth_velocity ? w.P_s[at] : 0.0});
    }
  };
  for (Index j = 0; j < n; ++j) {
    const Unknown& unknown = w.unknowns[static_cast<std::size_t>(j)];
    w.rhs[j] = -equation(unknown);
    linear_equation(unknown, columns, [&](Index c, double value) {
      if (c < n)
        w.matrix[j + c * n] += value;
      else
        w.rhs[j] -= value;
    });
  }
  solve_or_minimum_norm(w.matrix.data(), n, rank_tolerance, w.rhs.data(), w.minimum_norm);
}

void Step::apply() {
  Work& w = work_;
  const Index n = static_cast<Index>(w.unknowns.size());
  w.rhs.resize(n + 1);
  w.rhs[n] = 1.0;
  for (const auto& [columns, change] : {std::pair{&w.X, &w.da}, {&w.Q, &w.dq}, {&w.V, &w.dv}}) {
    set_zero(nv_, *change);
    for (Index j = 0; j <= n; ++j) *change += w.rhs[j] * ConstVectorMap(columns->data() + j * nv_, nv_);
  }
  move_unknowns();
}

// By (da, dq, dv) and the multipliers' changes in rhs.
void Step::move_unknowns() {
  Work& w = work_;
  const Index n = static_cast<Index>(w.unknowns.size());
  const double dt = c_.dt;
  w.next.a += w.da;
  if (options_.levels.position || options_.levels.velocity) w.u += w.dq - c_.c_q * w.da;
  if (options_.levels.velocity) w.w += w.dv - c_.c_v * w.da;
  last_move_ = std::max({last_move_, w.dq.lpNorm<Eigen::Infinity>(), dt * w.dv.lpNorm<Eigen::Infinity>()});
  for (Index j = 0; j < n; ++j) {
    const Unknown& unknown = w.unknowns[static_cast<std::size_t>(j)];
    if (unknown.level == smooth_level) w.next.lambda[unknown.row] += w.rhs[j];
    if (unknown.level == position_level) w.nu[unknown.row] += dt * dt * w.rhs[j];
    if (unknown.level == velocity_level) w.Lambda[unknown.row] += dt * w.rhs[j];
  }
  update_totals();
}

}  // namespace carom::inline schemes::alpha
