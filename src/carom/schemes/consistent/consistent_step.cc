#include "carom/schemes/consistent/consistent_step.h"

#include <algorithm>
#include <cmath>

#include "carom/base/errors.h"
#include "carom/base/small_lu.h"
#include "carom/base/vector_kernels.h"
#include "carom/schemes/consistent/discrete_gradient.h"
#include "carom/schemes/consistent/phase_guess.h"
#include "carom/schemes/impulse_problem.h"
#include "carom/schemes/step_contacts.h"
#include "carom/system/curvature.h"
#include "carom/system/decomposed_inertia.h"

namespace carom {

namespace {

constexpr int pass_cap = 30, simultaneous_cap = 1000;
// Up to this many velocities the equations of a pass are one dense system.
constexpr Index dense_limit = 48;
constexpr double relaxation = 0.3;  // of simultaneous passes: many contacts on one body want it small

// A dense matrix whose memory stays.
struct DenseBuffer {
  Index rows = 0, columns = 0;
  Buffer entries;

  void resize(Index r, Index c) {
    rows = r;
    columns = c;
    entries.assign(r * c, 0.0);
  }
  double& operator()(Index i, Index j) { return entries[i + j * rows]; }
  double operator()(Index i, Index j) const { return entries[i + j * rows]; }
  double* column(Index j) { return entries.data() + j * rows; }
  MatrixMap map() { return {entries.data(), rows, columns}; }
  ConstMatrixMap map() const { return {entries.data(), rows, columns}; }
};

struct Memory {
  ActiveSet joints, contacts;
  Evaluation at_start, at_mid, at_end, contact_start, contact_mid, contact_end, other;
  DifferencedCurvature differences;
  Vector q_1, q_mid, v_C, v_1, v_mean, d, DV, DT, Qd, momentum, f_other;
  Matrix Q, Q_mid, Q_end, H, M_Q;                  // n x n, of decomposed inertia
  Buffer M_dense, columns, G_gyro, curvature, gamma_0, step_change;
  DenseBuffer W_S0, W_S1, G_end, Dg, Dgamma, M_inverse_W;  // joints: rows x n, the last n x rows
  DenseBuffer B, C, contact_rows, contact_rows_end;  // contacts: n x rows, then rows x n
  Buffer S, kappa, P, xi, impulse, step_projection;  // multipliers
  Buffer f;
  DenseBuffer J, X, rows_Q;
  std::uint64_t J_of = 0;  // system and step of the factors in J
  double J_dt = 0.0;
  Index J_rows = 0;
  std::vector<int> pivots;
  // Large systems: J's motion through its own structure, its joints by elimination.
  IterationMatrix motion;
  DenseBuffer joint_columns, joint_rows;  // n x m and m x n; the columns become J11^-1 J12
  Buffer joint_solution;
  Buffer inclusion_matrix;
  std::vector<RowRange> partition;
  DenseDelassus delassus;
  InclusionWork work;
};

class ConsistentStep {
 public:
  ConsistentStep(const ConsistentOptions& options, const System& system, const InclusionSolver& solver,
                 const State& state, double dt, StepWorkspace& ws, StepResult& result)
      : o_(options), system_(system), solver_(solver), state_(state), dt_(dt), ws_(ws), m_(ws.own<Memory>()),
        result_(result), n_(system.nv()), energy_(*system.energetics()),
        decomposed_(system.decomposed()) {
    const Constancy constancy = system.constancy();
    variable_ = options.variable_inertia && !decomposed_ && !constancy.inertia;
    linear_ = !decomposed_ && constancy.inertia && constancy.affine_force && constancy.jacobian;
    structured_ = !decomposed_ && !variable_ && n_ > dense_limit;
  }

  void run() {
    begin_result(state_, dt_, result_);
    find_contacts(system_, state_, dt_, ws_);
    look_at_start();
    if (!ws_.M_factor.factor(ws_.at_0.M)) return fail(StepStatus::singular);
    impact();
    prepare_motion();
    const bool found = move();
    result_.next.q = m_.q_1;
    result_.next.v = m_.v_1;
    report();
    if (!found && result_.status == StepStatus::ok) result_.status = StepStatus::newton_failed;
    check_finite(result_);
  }

 private:
  void fail(StepStatus status) { result_.status = status; }

  // Constraints that hold at q_0: joints on position level, and the rest, whose laws act on d.
  void look_at_start() {
    ws_.active.reset(ws_.contacts);
    m_.joints.reset(ws_.contacts);
    m_.contacts.reset(ws_.contacts);
    if (!ws_.all.empty()) {
      system_.evaluate(state_.t, state_.q, state_.v, Need::gap, ws_.all, ws_.at_0);
      activate_closed(ws_.all, ws_.at_0, rounding_activation, ws_.active);
    }
    for (Index i = 0; i < ws_.active.size(); ++i) {
      const Constraint& constraint = ws_.active.constraint(i);
      const bool holds = constraint.bilateral && constraint.position_rows == constraint.law->dim();
      (holds ? m_.joints : m_.contacts).add(ws_.active[i]);
    }
    system_.evaluate(state_.t, state_.q, state_.v, Need::inertia | Need::jacobian, ws_.active, ws_.at_0);
  }

  void impact() {
    m_.v_C = state_.v;
    if (!ws_.active.empty()) local_velocity(ws_.at_0, state_.v, ws_.gamma_minus);
    m_.impulse.assign(ws_.active.rows(), 0.0);
    result_.work.assign(ws_.active.rows(), 0.0);
    if (!o_.impact_step || m_.contacts.empty()) return;
    if (!solve_impulses({ws_.active, ws_.at_0, ws_.at_0, ws_.M_factor, &ws_.gamma_minus}, solver_,
                        state_.impulses, phase_guess, ws_, result_, m_.v_C))
      result_.status = StepStatus::solver_failed;
    m_.impulse = ws_.velocity.result.lambda;
    local_velocity(ws_.at_0, m_.v_C, ws_.gamma);
    for (Index r = 0; r < ws_.active.rows(); ++r)
      result_.work[r] = 0.5 * m_.impulse[r] * (ws_.gamma_minus[r] + ws_.gamma[r]);
  }

  // What does not change during the passes.
  void prepare_motion() {
    const Index rows = m_.joints.rows();
    system_.evaluate(state_.t, state_.q, m_.v_C, Need::gap | Need::jacobian, m_.joints, m_.at_start);
    to_rows(m_.at_start.W, m_.W_S0);
    m_.M_inverse_W.resize(n_, rows);
    m_.M_inverse_W.map() = m_.W_S0.map().transpose();
    ws_.M_factor.solve(m_.M_inverse_W.entries.data(), rows);
    system_.evaluate(state_.t, state_.q, m_.v_C, Need::gap | Need::jacobian, m_.contacts, m_.contact_start);
    V_0_ = energy_.potential_energy(state_.t, state_.q);
    T_0_ = energy_.kinetic_energy(state_.t, state_.q, m_.v_C);
    if (!structured_) dense_inertia();
    if (variable_) {
      if (!curvature().inertia(state_.t, state_.q, m_.v_C, m_.G_gyro)) m_.G_gyro.assign(n_ * n_, 0.0);
      for (Index j = 0; j < n_; ++j)
        for (Index i = 0; i <= j; ++i) {
          const double skew = m_.G_gyro[i + j * n_] - m_.G_gyro[j + i * n_];
          m_.G_gyro[i + j * n_] = skew;
          m_.G_gyro[j + i * n_] = -skew;
        }
    }
    fit(n_, m_.d);
  }

  // M as columns of its action: it may have any structure.
  void dense_inertia() {
    m_.M_dense.assign(n_ * n_, 0.0);
    m_.momentum.setZero(n_);
    for (Index j = 0; j < n_; ++j) {
      m_.momentum[j] = 1.0;
      ws_.at_0.M.multiply_add(1.0, m_.momentum.data(), m_.M_dense.data() + j * n_);
      m_.momentum[j] = 0.0;
    }
  }

  const Curvature& curvature() { return curvature_of(system_, m_.differences); }

  // Passes from the motion of v_C; where they do not come to rest, or meet a linearised problem that has no
  // solution, from standing still in shorter and shorter steps. Whether d came to rest.
  bool move() {
    if (linear_) {
      start_passes(true);
      return pass_until_rest(1.0);
    }
    simultaneous_ = o_.simultaneous && !m_.contacts.empty();
    if (simultaneous_) {
      start_passes(true);
      const StepStatus before = result_.status;
      if (pass_until_rest(1.0)) return true;
      result_.status = before;
      simultaneous_ = false;
    }
    for (const double damping : {1.0, 0.5, 0.2}) {
      start_passes(damping == 1.0);
      const StepStatus before = result_.status;
      if (pass_until_rest(damping)) return true;
      if (result_.status == StepStatus::singular) return false;
      result_.status = before;
    }
    return false;
  }

  void start_passes(bool moving) {
    m_.d = dt_ * m_.v_C;
    if (decomposed_) {
      system_.apply_T(state_.q, m_.v_C, m_.d);
      m_.d *= dt_;
    }
    if (!moving) m_.d.setZero();
    m_.S.assign(m_.joints.rows(), 0.0);
    m_.kappa.assign(m_.joints.rows(), 0.0);
    guess_motion(o_.impact_step, m_.contacts, state_.impulses, m_.P);
  }

  bool pass_until_rest(double damping) {
    double last = INFINITY, free_change = 0.0;  // the second: what contacts may have to balance
    const int cap = simultaneous_ ? simultaneous_cap : static_cast<int>(pass_cap / damping);
    for (int pass = 0; pass < cap; ++pass) {
      evaluate();
      if (!factor_jacobian()) {
        result_.status = StepStatus::singular;
        return false;
      }
      const bool solved = linear_pass(damping);
      ++result_.newton_iterations;
      const double change = m_.step_change.vec().head(n_).lpNorm<Eigen::Infinity>() + projected_change_;
      if (pass == 0) free_change = m_.X.map().col(0).head(n_).lpNorm<Eigen::Infinity>();
      const double size = std::max(m_.d.lpNorm<Eigen::Infinity>(), free_change);
      if (!std::isfinite(change)) return false;
      // At rest, or as near to it as rounding (and differences in place of derivatives) let it come.
      const double rounding = 1e-16 * (10.0 * size + state_.q.lpNorm<Eigen::Infinity>());
      // Simultaneous passes converge linearly: what is still to come is a geometric series.
      const double to_come = change / std::max(1.0 - change / last, 1e-3);
      if (linear_ || change <= rounding || (simultaneous_ ? to_come <= 1e-12 * size + rounding
                                               : change <= 1e-10 * size + 100.0 * rounding && change > 0.5 * last)) {
        place();
        velocity();
        if (!solved) result_.status = StepStatus::solver_failed;
        return solved;
      }
      last = change;
    }
    place();
    velocity();
    return false;
  }

  void place() {
    m_.q_1 = state_.q + m_.d;
    m_.q_mid = state_.q + 0.5 * m_.d;
  }

  // v_1 = 2/dt ( Q d + M^-1 W_S kappa ) - v_C
  void velocity() {
    if (decomposed_) {
      decomposed_->velocity_map(o_.inertia_at_midpoint ? m_.q_mid : state_.q, m_.Q);
      m_.Qd.noalias() = m_.Q * m_.d;
    } else {
      m_.Qd = m_.d;
    }
    m_.v_1 = m_.Qd;
    for (Index r = 0; r < m_.kappa.size(); ++r) m_.v_1 += m_.kappa[r] * m_.M_inverse_W.map().col(r);
    m_.v_1 = (2.0 / dt_) * m_.v_1 - m_.v_C;
  }

  // W' as rows x n.
  void to_rows(const ConstraintJacobian& W, DenseBuffer& rows) {
    W.to_columns(n_, m_.columns);
    rows.resize(W.rows(), n_);
    rows.map() = ConstMatrixMap(m_.columns.data(), n_, W.rows()).transpose();
  }

  // rows := rows Q, from velocities to coordinates.
  void to_coordinates(const Matrix& Q, DenseBuffer& rows) {
    if (!decomposed_ || rows.rows == 0) return;
    m_.rows_Q.resize(rows.rows, n_);
    m_.rows_Q.map().noalias() = rows.map() * Q;
    std::swap(m_.rows_Q, rows);
  }

  // All residuals without contact impulses, and the rows the Jacobian is made of.
  void evaluate() {
    place();
    velocity();
    const double t_1 = result_.next.t, t_mid = 0.5 * (state_.t + t_1);
    const Index rows = m_.joints.rows();
    if (decomposed_) {
      decomposed_->velocity_map(m_.q_mid, m_.Q_mid);
      decomposed_->velocity_map(m_.q_1, m_.Q_end);
    }

    // Inertia and potential.
    m_.f.assign(unknowns(), 0.0);
    VectorMap f1(m_.f.data(), n_);
    m_.v_mean = m_.v_1 - m_.v_C;
    if (structured_) {
      m_.momentum.setZero(n_);
      ws_.at_0.M.multiply_add(1.0, m_.v_mean.data(), m_.momentum.data());
    } else {
      m_.momentum.noalias() = ConstMatrixMap(m_.M_dense.data(), n_, n_) * m_.v_mean;
    }
    if (decomposed_) {
      m_.v_mean = 0.5 * (m_.v_1 + m_.v_C);
      decomposed_->gyroscopic(o_.inertia_at_midpoint ? m_.v_mean : m_.v_C,
                              o_.inertia_at_midpoint ? m_.q_mid : state_.q, m_.H);
      f1.noalias() = m_.Q.transpose() * m_.momentum;
      f1.noalias() += m_.H * m_.d;
    } else {
      f1 = m_.momentum;
    }
    energy_.potential_gradient(t_mid, m_.q_mid, m_.DV);
    const double V_1 = energy_.potential_energy(t_1, m_.q_1);
    make_discrete(V_1 - V_0_, std::abs(V_0_) + std::abs(V_1) + T_0_, n_, m_.d.data(), 1, m_.DV.data());
    f1 += dt_ * m_.DV;
    if (variable_) add_variable_inertia(t_mid, f1);
    if (!energy_.conservative()) add_other_forces(t_mid, f1);

    // Joints.
    if (rows > 0) {
      system_.evaluate(t_mid, m_.q_mid, m_.v_1, Need::jacobian, m_.joints, m_.at_mid);
      system_.evaluate(t_1, m_.q_1, m_.v_1, Need::gap | Need::jacobian, m_.joints, m_.at_end);
      to_rows(m_.at_mid.W, m_.Dg);
      to_coordinates(m_.Q_mid, m_.Dg);
      to_rows(m_.at_end.W, m_.W_S1);
      m_.G_end = m_.W_S1;
      to_coordinates(m_.Q_end, m_.G_end);
      Index r = 0;
      for (Index i = 0; i < m_.joints.size(); ++i)
        for (Index k = 0; k < m_.joints.constraint(i).law->dim(); ++k, ++r) {
          const double g_0 = m_.at_start.g[r], g_1 = m_.at_end.g[r];
          make_discrete(g_1 - g_0, m_.joints.constraint(i).length_scale, n_, m_.d.data(), rows, &m_.Dg(r, 0));
          f1 -= m_.S[r] * m_.Dg.map().row(r).transpose();
          m_.f[n_ + r] = g_1;
        }
      if (o_.velocity_level) evaluate_velocity_level(t_mid, f1);
    }
    if (!m_.contacts.empty()) evaluate_contacts(t_mid, t_1);
  }

  // gamma_S(v_1, q_1) and -Dgamma' kappa.
  void evaluate_velocity_level(double t_mid, VectorMap& f1) {
    const Index rows = m_.joints.rows();
    m_.Dgamma.resize(rows, n_);
    if (curvature().rates(t_mid, m_.q_mid, m_.joints, m_.v_1, m_.curvature))
      m_.Dgamma.map() = ConstMatrixMap(m_.curvature.data(), rows, n_);
    to_coordinates(m_.Q_mid, m_.Dgamma);
    for (Index r = 0; r < rows; ++r) {
      const double gamma_1 = m_.W_S1.map().row(r).dot(m_.v_1), gamma_0 = m_.W_S0.map().row(r).dot(m_.v_1);
      const double noise = (m_.W_S1.map().row(r).transpose().cwiseProduct(m_.v_1)).lpNorm<1>();
      make_discrete(gamma_1 - gamma_0, noise, n_, m_.d.data(), rows, &m_.Dgamma(r, 0));
      f1 -= m_.kappa[r] * m_.Dgamma.map().row(r).transpose();
      m_.f[n_ + rows + r] = gamma_1;
    }
  }

  // G(v_C, q_0) d + dt DT(v_1; q_0, q_1)
  void add_variable_inertia(double t_mid, VectorMap& f1) {
    f1.noalias() += ConstMatrixMap(m_.G_gyro.data(), n_, n_) * m_.d;
    fit(n_, m_.DT);
    m_.DT.setZero();
    if (curvature().inertia(t_mid, m_.q_mid, m_.v_1, m_.curvature))
      m_.DT.noalias() = 0.5 * ConstMatrixMap(m_.curvature.data(), n_, n_).transpose() * m_.v_1;
    const double T_0 = energy_.kinetic_energy(state_.t, state_.q, m_.v_1);
    const double T_1 = energy_.kinetic_energy(result_.next.t, m_.q_1, m_.v_1);
    make_discrete(T_1 - T_0, T_0 + T_1, n_, m_.d.data(), 1, m_.DT.data());
    f1 += dt_ * m_.DT;
  }

  // f = h + inertia terms + dV/dq at the midpoint and d/dt: what is left has neither inertia nor potential.
  void add_other_forces(double t_mid, VectorMap& f1) {
    m_.v_mean = m_.Qd / dt_;
    system_.evaluate(t_mid, m_.q_mid, m_.v_mean, Need::force, ws_.none, m_.other);
    if (decomposed_) {
      decomposed_->gyroscopic(m_.v_mean, m_.q_mid, m_.M_Q);
      m_.f_other.noalias() = m_.Q_mid.transpose() * m_.other.h;
      m_.f_other.noalias() += (1.0 / dt_) * m_.M_Q * m_.d;
    } else {
      m_.f_other = m_.other.h;
    }
    if (variable_ && curvature().inertia(t_mid, m_.q_mid, m_.v_mean, m_.curvature)) {
      const ConstMatrixMap Y(m_.curvature.data(), n_, n_);  // G v + dT/dq = Y v - Y'v + 1/2 Y'v
      m_.f_other.noalias() += Y * m_.v_mean;
      m_.f_other.noalias() -= 0.5 * Y.transpose() * m_.v_mean;
    }
    energy_.potential_gradient(t_mid, m_.q_mid, m_.momentum);
    m_.f_other += m_.momentum;
    f1 -= dt_ * m_.f_other;
  }

  // B (force directions), C (how xi changes with d) and xi at the iterate.
  void evaluate_contacts(double t_mid, double t_1) {
    const Index rows = m_.contacts.rows();
    to_rows(m_.contact_start.W, m_.C);
    if (decomposed_) {
      decomposed_->velocity_map(state_.q, m_.Q_mid);
      to_coordinates(m_.Q_mid, m_.C);
      decomposed_->velocity_map(m_.q_mid, m_.Q_mid);
    }
    m_.B.resize(n_, rows);
    m_.B.map() = m_.C.map().transpose();
    m_.xi.resize(rows);
    m_.xi.vec().noalias() = m_.C.map() * m_.d;
    if (!o_.discrete_directions) return;
    system_.evaluate(t_mid, m_.q_mid, m_.v_1, Need::jacobian, m_.contacts, m_.contact_mid);
    system_.evaluate(t_1, m_.q_1, m_.v_1, Need::gap | Need::jacobian, m_.contacts, m_.contact_end);
    to_rows(m_.contact_mid.W, m_.contact_rows);
    to_coordinates(m_.Q_mid, m_.contact_rows);
    to_rows(m_.contact_end.W, m_.contact_rows_end);
    to_coordinates(m_.Q_end, m_.contact_rows_end);
    Index row = 0;
    for (Index i = 0; i < m_.contacts.size(); ++i) {
      const Constraint& constraint = m_.contacts.constraint(i);
      if (constraint.position_rows > 0) {
        const double g_0 = m_.contact_start.g[row], g_1 = m_.contact_end.g[row];
        m_.B.map().col(row) = m_.contact_rows.map().row(row).transpose();
        make_discrete(g_1 - g_0, gap_noise * constraint.length_scale, n_, m_.d.data(), 1, m_.B.column(row));
        m_.C.map().row(row) = m_.contact_rows_end.map().row(row);
        m_.xi[row] = g_1 - g_0;
      }
      row += constraint.law->dim();
    }
  }

  Index unknowns() const { return n_ + (o_.velocity_level ? 2 : 1) * m_.joints.rows(); }

  bool factor_jacobian() {
    const bool known = linear_ && m_.J_of == system_.serial() && m_.J_dt == dt_ && m_.J_rows == unknowns();
    if (known) return true;
    bool regular = false;
    if (structured_) {
      regular = factor_structured();
    } else {
      assemble_jacobian();
      regular = lu_factor(m_.J.entries.data(), m_.pivots.data(), m_.J.rows);
    }
    m_.J_of = regular ? system_.serial() : 0;
    m_.J_dt = dt_;
    m_.J_rows = unknowns();
    return regular;
  }

  // X := J^-1 X
  void solve_jacobian(double* X, Index columns) {
    if (!structured_) return lu_solve(m_.J.entries.data(), m_.pivots.data(), unknowns(), X, columns);
    const Index m = unknowns() - n_;
    for (Index c = 0; c < columns; ++c, X += unknowns()) {
      VectorMap motion(X, n_), joints(X + n_, m);
      solve_motion(X, 1);
      if (m == 0) continue;
      joints.noalias() -= m_.joint_rows.map() * motion;
      lu_solve(m_.J.entries.data(), m_.pivots.data(), m, joints.data(), 1);
      motion.noalias() -= m_.joint_columns.map() * joints;
    }
  }

  // J's first rows and columns, J11 = 2/dt (M - dt/2 dh_dv - dt^2/4 dh_dq), keep the structure of M and the forces; joints, few
  // beside them, are eliminated.
  bool factor_structured() {
    evaluate_stiffness();
    if (!m_.motion.factor(ws_.at_0.M, 0.5 * dt_, m_.other.dh_dv, 0.25 * dt_ * dt_, m_.other.dh_dq)) return false;
    const Index rows = m_.joints.rows(), m = unknowns() - n_;
    if (m == 0) return true;
    m_.joint_columns.resize(n_, m);
    m_.joint_rows.resize(m, n_);
    m_.J.resize(m, m);
    m_.pivots.resize(static_cast<std::size_t>(m));
    m_.joint_columns.map().leftCols(rows) = -m_.Dg.map().transpose();
    m_.joint_rows.map().topRows(rows) = m_.G_end.map();
    if (o_.velocity_level) {
      m_.joint_columns.map().rightCols(rows) = (2.0 / dt_) * m_.W_S0.map().transpose() - m_.Dgamma.map().transpose();
      m_.joint_rows.map().bottomRows(rows) = (2.0 / dt_) * m_.W_S1.map() + m_.Dgamma.map();
      m_.J.map().bottomRightCorner(rows, rows).noalias() = (2.0 / dt_) * m_.W_S1.map() * m_.M_inverse_W.map();
    }
    solve_motion(m_.joint_columns.entries.data(), m);
    m_.J.map().noalias() -= m_.joint_rows.map() * m_.joint_columns.map();
    return lu_factor(m_.J.entries.data(), m_.pivots.data(), m);
  }

  void solve_motion(double* x, Index columns) {
    m_.motion.solve(x, columns);
    for (Index i = 0; i < n_ * columns; ++i) x[i] *= 0.5 * dt_;
  }

  // x = (d, S, kappa). Second derivatives times multipliers are left out: they are smaller by dt^2.
  void assemble_jacobian() {
    const Index rows = m_.joints.rows(), N = unknowns();
    m_.J.resize(N, N);
    m_.pivots.resize(static_cast<std::size_t>(N));
    MatrixMap J = m_.J.map();
    const ConstMatrixMap M(m_.M_dense.data(), n_, n_);
    if (decomposed_) {
      m_.M_Q.noalias() = M * m_.Q;
      J.topLeftCorner(n_, n_).noalias() = (2.0 / dt_) * m_.Q.transpose() * m_.M_Q;
      J.topLeftCorner(n_, n_) += m_.H;
    } else {
      J.topLeftCorner(n_, n_) = (2.0 / dt_) * M;
      add_stiffness();
      if (variable_) J.topLeftCorner(n_, n_) += ConstMatrixMap(m_.G_gyro.data(), n_, n_);
    }
    if (rows == 0) return;
    J.block(0, n_, n_, rows) = -m_.Dg.map().transpose();
    J.block(n_, 0, rows, n_) = m_.G_end.map();
    if (!o_.velocity_level) return;
    if (decomposed_)
      J.block(0, n_ + rows, n_, rows).noalias() = (2.0 / dt_) * m_.Q.transpose() * m_.W_S0.map().transpose();
    else
      J.block(0, n_ + rows, n_, rows) = (2.0 / dt_) * m_.W_S0.map().transpose();
    J.block(0, n_ + rows, n_, rows) -= m_.Dgamma.map().transpose();
    if (decomposed_)
      J.block(n_ + rows, 0, rows, n_).noalias() = (2.0 / dt_) * m_.W_S1.map() * m_.Q;
    else
      J.block(n_ + rows, 0, rows, n_) = (2.0 / dt_) * m_.W_S1.map();
    J.block(n_ + rows, 0, rows, n_) += m_.Dgamma.map();
    J.block(n_ + rows, n_ + rows, rows, rows).noalias() = (2.0 / dt_) * m_.W_S1.map() * m_.M_inverse_W.map();
  }

  void evaluate_stiffness() {
    m_.v_mean = m_.d / dt_;
    system_.evaluate(0.5 * (state_.t + result_.next.t), m_.q_mid, m_.v_mean, Need::force_jacobian, ws_.none,
                     m_.other);
  }

  // d(dt DV - dt f)/dd = -dt/2 dh_dq - dh_dv at the midpoint, where v = q'.
  void add_stiffness() {
    evaluate_stiffness();
    Vector& unit = m_.momentum;
    unit.setZero(n_);
    for (Index j = 0; j < n_; ++j) {
      unit[j] = 1.0;
      if (m_.other.dh_dq.structure() != Structure::zero)
        m_.other.dh_dq.multiply_add(-0.5 * dt_, unit.data(), m_.J.column(j));
      if (m_.other.dh_dv.structure() != Structure::zero && !variable_)
        m_.other.dh_dv.multiply_add(-1.0, unit.data(), m_.J.column(j));
      unit[j] = 0.0;
    }
  }

  // x <- x + damping (-J^-1 f + J^-1 B P) with P from the inclusion; m_.step_change holds the whole change.
  bool linear_pass(double damping) {
    const Index N = unknowns(), rows = m_.contacts.rows();
    m_.X.resize(N, 1 + rows);
    m_.X.map().col(0) = m_.f.vec();
    for (Index r = 0; r < rows; ++r) m_.X.map().col(1 + r).head(n_) = m_.B.map().col(r);
    solve_jacobian(m_.X.entries.data(), 1 + rows);
    m_.step_change.resize(N);
    m_.step_change.vec() = -m_.X.map().col(0);
    bool solved = true;
    if (rows > 0) {
      set_up_contacts();
      if (!simultaneous_) solved = solve_contacts();
      for (Index r = 0; r < rows; ++r) m_.step_change.vec() += m_.P[r] * m_.X.map().col(1 + r);
      projected_change_ = simultaneous_ ? project_contacts() : 0.0;
    }
    m_.d += damping * m_.step_change.vec().head(n_);
    const Index joints = m_.joints.rows();
    for (Index r = 0; r < joints; ++r) {
      m_.S[r] += damping * m_.step_change[n_ + r];
      if (o_.velocity_level) m_.kappa[r] += damping * m_.step_change[n_ + joints + r];
    }
    return solved;
  }

  // xi = G P + c after this pass.
  void set_up_contacts() {
    const Index rows = m_.contacts.rows();
    InclusionProblem& problem = m_.work.problem;
    m_.inclusion_matrix.resize(rows * rows);
    MatrixMap(m_.inclusion_matrix.data(), rows, rows).noalias() = m_.C.map() * m_.X.map().topRightCorner(n_, rows);
    problem.c.resize(rows);
    problem.c.vec() = m_.xi.vec();
    problem.c.vec().noalias() -= m_.C.map() * m_.X.map().col(0).head(n_);
    m_.partition.clear();
    set_laws(m_.contacts, problem);
    Index row = 0;
    for (const Law* law : problem.laws) {
      m_.partition.push_back({row, law->dim()});
      row += law->dim();
    }
  }

  bool solve_contacts() {
    InclusionProblem& problem = m_.work.problem;
    m_.delassus.assign(m_.contacts.rows(), m_.partition, m_.inclusion_matrix.data(), false);
    problem.G = &m_.delassus;
    m_.work.result.lambda = m_.P;
    const bool solved = solve_and_count(solver_, m_.work, result_);
    m_.P = m_.work.result.lambda;
    return solved;
  }

  // P_b <- project(P_b - r_b xi_b), r_b = relaxation / max diag G_bb; how far that moves d.
  double project_contacts() {
    const Index rows = m_.contacts.rows();
    const ConstMatrixMap G(m_.inclusion_matrix.data(), rows, rows);
    m_.step_projection.resize(rows);
    m_.step_projection.vec() = m_.work.problem.c.vec();
    m_.step_projection.vec().noalias() += G * m_.P.vec();
    double moved = 0.0;
    for (std::size_t b = 0; b < m_.partition.size(); ++b) {
      const auto [row, count] = m_.partition[b];
      const double r = relaxation / G.diagonal().segment(row, count).maxCoeff();
      double x[Law::max_dim];
      for (Index i = 0; i < count; ++i) x[i] = m_.P[row + i] - r * m_.step_projection[row + i];
      m_.work.problem.laws[b]->project(x, x);
      for (Index i = 0; i < count; ++i) {
        moved += std::abs(x[i] - m_.P[row + i]) * m_.X.map().col(1 + row + i).head(n_).lpNorm<Eigen::Infinity>();
        m_.P[row + i] = x[i];
      }
    }
    return moved;
  }

  // Impulses of both parts together, the work of the motion along its discrete directions; velocities before and
  // after, seen from q_0 and q_1.
  void report() {
    if (ws_.active.empty()) return report_no_contacts(result_);
    Index row = 0, joint_row = 0, contact_row = 0;
    std::size_t joint = 0;
    for (Index i = 0; i < ws_.active.size(); ++i) {
      const Index dim = ws_.active.constraint(i).law->dim();
      const bool is_joint = joint < m_.joints.members().size() && m_.joints.members()[joint] == ws_.active[i];
      for (Index r = 0; r < dim; ++r) {
        const double impulse = is_joint ? m_.S[joint_row + r] : m_.P[contact_row + r];
        const double way = is_joint ? m_.Dg.map().row(joint_row + r).dot(m_.d) : m_.B.map().col(contact_row + r).dot(m_.d);
        m_.impulse[row + r] += impulse;
        result_.work[row + r] += impulse * way / dt_;
      }
      (is_joint ? joint_row : contact_row) += dim;
      if (is_joint) ++joint;
      row += dim;
    }
    system_.evaluate(result_.next.t, m_.q_1, m_.v_1, Need::jacobian, ws_.active, ws_.at_1);
    local_velocity(ws_.at_1, m_.v_1, ws_.gamma);
    ws_.shift.assign(ws_.active.rows(), 0.0);
    report_contacts(ws_.active, m_.impulse, ws_.gamma_minus, ws_.gamma, ws_.shift, result_);
  }

  const ConsistentOptions& o_;
  const System& system_;
  const InclusionSolver& solver_;
  const State& state_;
  double dt_;
  StepWorkspace& ws_;
  Memory& m_;
  StepResult& result_;
  Index n_;
  const Energetics& energy_;
  const DecomposedInertia* decomposed_;
  bool variable_;  // M(q), v = q'; an inertia known in decomposed form is taken in that form
  bool structured_;  // J keeps the structure of M and the forces
  bool linear_;    // all but the contact laws: the first pass is the solution, and every step has the same matrix
  double V_0_ = 0.0, T_0_ = 0.0;
  bool simultaneous_ = false;
  double projected_change_ = 0.0;
};

class ConsistentScheme final : public Scheme {
 public:
  explicit ConsistentScheme(const ConsistentOptions& options) : options_(options) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt,
            StepWorkspace& ws, StepResult& result) const override {
    if (!system.energetics() || system.nq() != system.nv())
      throw LogicError("the consistent schemes in coordinates need energies and as many velocities as coordinates");
    ConsistentStep(options_, system, solver, state, dt, ws, result).run();
  }

 private:
  ConsistentOptions options_;
};

}  // namespace

ParameterSpec contact_direction_spec() {
  return {"direction", std::string("discrete_gradient"), "contact normals over the step, or at its start", 0, 0,
          {"discrete_gradient", "start"}};
}
ParameterSpec nonlinear_spec() {
  return {"nonlinear", std::string("nested"), "contacts solved in every pass, or projected once", 0, 0,
          {"nested", "simultaneous"}};
}
ParameterSpec inertia_at_spec() {
  return {"inertia_at", std::string("midpoint"), "where Q and H of decomposed inertia are taken", 0, 0,
          {"midpoint", "start"}};
}

Orders consistent_orders(const Parameters& p) {
  const double order = p.word("inertia_at") == "start" ? 1 : 2;
  return {order, order, 1};
}

std::unique_ptr<Scheme> make_consistent_scheme(const ConsistentOptions& options) {
  return std::make_unique<ConsistentScheme>(options);
}

}  // namespace carom
