// Schatzman-Paoli: a two-step scheme for positions with the impact law hidden in where the contact is
// looked at, q_hat = (q_1 + e q_m) / (1 + e) with q_m the position one step before q_0:
//
//   M(q_1) (q_1 - 2 q_0 + q_m) - dt^2 h(t_theta, q_theta, v_theta) = sum_a W_a(q_hat_a) P_a
//   0 <= g_a(q_hat_a) _|_ P_a >= 0                     (all contacts; joints: g = 0, P free)
//   v_1 = (q_1 - q_m) / (2 dt),   v_theta = theta v_1 + (1 - theta) v_0,   q_theta likewise
//
// Newton: A = M - dt theta/2 dh_dv - dt^2 theta dh_dq, r = dt^2 h - M (q - 2 q_0 + q_m),
//
//   xi = (1 + e) g(q_hat) + W' A^-1 (r + W P),   q <- q + A^-1 (r + W P)
//
// P / dt is the impulse of the step. With e = 0 positions obey the constraints exactly; the impact law
// holds only over two or three steps. Frictionless.
//
// Memory: dt and q_m. A step of another length restarts from q_m = q_0 - dt v_0 + dt^2/2 a, a the
// acceleration with joints and resting contacts: rest stays rest.
//
// Reference: M. Schatzman, L. Paoli (1993, 2002); V. Acary, RR-8029 (2012).

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/iteration_matrix.h"
#include "carom/schemes/newton_stop.h"
#include "carom/schemes/scheme.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

constexpr int newton_cap = 30;

double restitution(const Law& law) {
  std::array<double, Law::max_dim> gamma{}, shift{};
  gamma[0] = 1.0;
  law.impact_shift(gamma.data(), shift.data());
  return shift[0];
}

struct SchatzmanPaoliMemory final : SchemeMemory {
  Evaluation at_0, at_theta, at_hat;
  IterationMatrix A;
  ConstraintJacobian W;      // at q_hat, by the order below
  std::vector<Index> order;  // contacts by restitution
  Buffer restitutions;       // by contact
  Buffer gaps;               // (1 + e) g(q_hat)
  Buffer gamma_minus, gamma_plus;
  Vector q_m, q_theta, v_theta;
  Vector a;  // of the start
  Vector q_hat;
  Vector r, W_P;           // W P, and A^-1 of it
  Vector dq;               // what an iteration adds to q
  Vector scratch, solved;  // a vector of forces, and A^-1 of one
};

class SchatzmanPaoli final : public SchemeWith<SchatzmanPaoliMemory> {
 public:
  explicit SchatzmanPaoli(const Parameters& p) : theta_(p.number("theta")), tolerance_(p.number("newton_tolerance")) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    begin_result(state, dt, result);
    find_contacts(system, state, dt, ws);
    Vector& q = result.next.q;
    Vector& v = result.next.v;
    SchatzmanPaoliMemory& m = memory_in(ws);
    Vector& q_m = m.q_m;
    if (!recall_previous(system, solver, state, dt, ws, m, result, q_m)) {
      result.status = StepStatus::singular;
      return;
    }
    group_by_restitution(ws, m);
    InclusionWork& work = ws.velocity;
    guess_impulses(state, dt, m.order, ws);

    q = 2.0 * state.q - q_m;
    bool solved = true;
    for (int iteration = 0; iteration <= newton_cap; ++iteration) {
      v = (q - q_m) / (2.0 * dt);
      m.v_theta = theta_ * v + (1.0 - theta_) * state.v;
      m.q_theta = theta_ * q + (1.0 - theta_) * state.q;
      system.evaluate(state.t + theta_ * dt, m.q_theta, m.v_theta, Need::force | Need::force_jacobian, ws.none,
                      m.at_theta);
      system.evaluate(result.next.t, q, v, Need::inertia, ws.none, m.at_theta);
      look_at_contacts(system, result.next.t, q, q_m, v, ws, m);

      // r = dt^2 h - M (q - 2 q_0 + q_m)
      m.scratch = q - 2.0 * state.q + q_m;
      m.r = dt * dt * m.at_theta.h;
      m.at_theta.M.multiply_add(-1.0, m.scratch.data(), m.r.data());
      if (iteration > 0 && converged(dt, q, v, ws, m)) break;
      if (iteration == newton_cap) {
        result.status = StepStatus::newton_failed;
        break;
      }
      if (!m.A.factor(m.at_theta.M, 0.5 * dt * theta_, m.at_theta.dh_dv, dt * dt * theta_, m.at_theta.dh_dq)) {
        result.status = StepStatus::singular;
        return;
      }
      ++result.newton_iterations;

      m.dq = m.r;
      m.A.solve(m.dq.data());
      if (m.W.rows() > 0) {
        Buffer& c = work.problem.c;
        c.resize(m.W.rows());
        m.W.transpose_multiply(m.dq.data(), c.data());
        for (Index i = 0; i < c.size(); ++i) c[i] += m.gaps[i];
        work.problem.G = &work.factory.build(m.W, m.A);
        solved = solve_and_count(solver, work, result);
        m.W_P.setZero(system.nv());
        m.W.multiply_add(work.result.lambda.data(), m.W_P.data());
        m.A.solve(m.W_P.data());
        m.dq += m.W_P;
      }
      q += m.dq;
    }
    if (!solved && result.status == StepStatus::ok) result.status = StepStatus::solver_failed;
    v = (q - q_m) / (2.0 * dt);
    report(state, dt, q, q_m, ws, m, result);
    remember(state.q, dt, result.next.memory);
    check_finite(result);
  }

 private:
  static void remember(const Vector& q, double dt, Buffer& memory) {
    memory.resize(static_cast<Index>(q.size()) + 1);
    memory[0] = dt;
    std::copy_n(q.data(), q.size(), memory.data() + 1);
  }

  static bool recall_previous(const System& system, const InclusionSolver& solver, const State& state, double dt,
                              StepWorkspace& ws, SchatzmanPaoliMemory& m, StepResult& result, Vector& q_m) {
    if (state.memory.size() == state.q.size() + 1 && state.memory[0] == dt) {
      q_m = ConstVectorMap(state.memory.data() + 1, state.q.size());
      return true;
    }
    if (state.q.size() != state.v.size()) return false;  // quaternions: refused, here if nobody asked before
    system.evaluate(state.t, state.q, state.v, Need::inertia | Need::force, ws.none, m.at_0);
    if (!m.A.factor(m.at_0.M)) return false;
    m.a = m.at_0.h;
    m.A.solve(m.a.data());
    add_contact_acceleration(system, solver, state, dt, ws, m, result);
    q_m = state.q - dt * state.v + 0.5 * dt * dt * m.a;
    return true;
  }

  // m.a, the acceleration without constraints, becomes that with joints and resting contacts:
  // -W' a in N_C(lambda). (Convective terms are left out: they change q_m by O(dt^2) only.)
  static void add_contact_acceleration(const System& system, const InclusionSolver& solver, const State& state,
                                       double dt, StepWorkspace& ws, SchatzmanPaoliMemory& m, StepResult& result) {
    if (ws.all.empty()) return;
    system.evaluate(state.t, state.q, state.v, Need::gap | Need::jacobian, ws.all, m.at_hat);
    local_velocity(m.at_hat, state.v, m.gamma_minus);
    ws.active.reset(ws.contacts);
    Index row = 0;
    for (Index k = 0; k < ws.all.size(); ++k) {
      const Constraint& constraint = ws.all.constraint(k);
      const double still = 1e-12 * constraint.length_scale;
      if (constraint.bilateral ||
          (constraint.position_rows > 0 && m.at_hat.g[row] <= still && std::abs(dt * m.gamma_minus[row]) <= still))
        ws.active.add(k);
      row += constraint.law->dim();
    }
    if (ws.active.empty()) return;
    system.evaluate(state.t, state.q, state.v, Need::jacobian, ws.active, m.at_hat);
    InclusionWork& work = ws.velocity;
    set_laws(ws.active, dt, work.problem);
    work.problem.c.resize(ws.active.rows());
    m.at_hat.W.transpose_multiply(m.a.data(), work.problem.c.data());
    work.problem.G = &work.factory.build(m.at_hat.W, m.A);
    work.result.lambda.assign(ws.active.rows(), 0.0);
    solve_and_count(solver, work, result);
    m.W_P.setZero(system.nv());
    m.at_hat.W.multiply_add(work.result.lambda.data(), m.W_P.data());
    m.A.solve(m.W_P.data());
    m.a += m.W_P;
  }

  // The contacts are looked at in groups of equal restitution, because q_hat depends on it. The
  // groups are runs of m.order, whose restitutions stand in m.restitutions.
  static void group_by_restitution(StepWorkspace& ws, SchatzmanPaoliMemory& m) {
    m.order.clear();
    m.restitutions.resize(ws.contacts.size());
    for (Index k = 0; k < ws.contacts.size(); ++k) {
      if (ws.contacts[k].position_rows == 0) continue;
      m.order.push_back(k);
      m.restitutions[k] = ws.contacts[k].bilateral ? 0.0 : restitution(*ws.contacts[k].law);
    }
    // Not std::stable_sort: it allocates.
    std::sort(m.order.begin(), m.order.end(), [&](Index a, Index b) {
      const double e_a = m.restitutions[a], e_b = m.restitutions[b];
      return e_a < e_b || (e_a == e_b && a < b);
    });
    InclusionProblem& problem = ws.velocity.problem;
    problem.laws.clear();
    for (const Index k : m.order) problem.laws.push_back(ws.contacts[k].law);
  }

  static void guess_impulses(const State& state, double dt, const std::vector<Index>& order, StepWorkspace& ws) {
    Buffer& lambda = ws.velocity.result.lambda;
    lambda.clear();
    for (const Index k : order) {
      const Constraint& constraint = ws.contacts[k];
      const Index dim = constraint.law->dim(), row = lambda.size();
      lambda.resize(row + dim);
      std::size_t hint = 0;
      if (const double* impulse = state.impulses.find(constraint.id, dim, hint))
        for (Index r = 0; r < dim; ++r) lambda[row + r] = dt * impulse[r];
    }
  }

  // W at q_hat into m.W, (1 + e) g(q_hat) into m.gaps.
  static void look_at_contacts(const System& system, double t, const Vector& q, const Vector& q_m, const Vector& v,
                               StepWorkspace& ws, SchatzmanPaoliMemory& m) {
    m.W.clear();
    m.gaps.clear();
    for (std::size_t begin = 0; begin < m.order.size();) {
      const double e = m.restitutions[m.order[begin]];
      std::size_t end = begin;
      ws.active.reset(ws.contacts);
      for (; end < m.order.size() && m.restitutions[m.order[end]] == e; ++end) ws.active.add(m.order[end]);
      m.q_hat = (q + e * q_m) / (1.0 + e);
      system.evaluate(t, m.q_hat, v, Need::gap | Need::jacobian, ws.active, m.at_hat);
      m.W.append(m.at_hat.W);
      for (const double g : m.at_hat.g) {
        m.gaps.resize(m.gaps.size() + 1);
        m.gaps[m.gaps.size() - 1] = (1.0 + e) * g;
      }
      begin = end;
    }
  }

  // |r + W P| <= tolerance (dt |M v| + dt^2 |h| + |W P|) + rounding |M q| in the A^-1 norm. The last term is
  // what the second difference of positions loses by cancellation, and rules when the step is short.
  bool converged(double dt, const Vector& q, const Vector& v, const StepWorkspace& ws, SchatzmanPaoliMemory& m) const {
    m.W_P.setZero(v.size());
    if (m.W.rows() > 0) m.W.multiply_add(ws.velocity.result.lambda.data(), m.W_P.data());
    const auto norm = [&](const Vector& x) {
      m.solved = x;
      m.A.solve(m.solved.data());
      return std::sqrt(std::abs(x.dot(m.solved)));
    };
    m.scratch = m.r + m.W_P;
    const double error = norm(m.scratch);
    m.scratch.setZero();
    m.at_theta.M.multiply_add(dt, v.data(), m.scratch.data());
    double scale = std::sqrt(std::abs(dt * v.dot(m.scratch)));
    scale += norm(m.W_P);
    m.scratch = dt * dt * m.at_theta.h;
    scale += norm(m.scratch);
    if (holds(error, tolerance_, scale)) return true;
    m.scratch.setZero();
    m.at_theta.M.multiply_add(1.0, q.data(), m.scratch.data());
    const double rounding = 8.0 * std::numeric_limits<double>::epsilon();
    return holds(error, tolerance_, scale, rounding * std::sqrt(std::abs(q.dot(m.scratch))));
  }

  // Impulses P / dt with the velocities of the two half-open steps around q_0, in order of id.
  static void report(const State& state, double dt, const Vector& q, const Vector& q_m, const StepWorkspace& ws,
                     SchatzmanPaoliMemory& m, StepResult& result) {
    report_no_contacts(result);
    const Buffer& P = ws.velocity.result.lambda;
    m.gamma_minus.resize(m.W.rows());
    m.gamma_plus.resize(m.W.rows());
    m.scratch = (state.q - q_m) / dt;
    m.W.transpose_multiply(m.scratch.data(), m.gamma_minus.data());
    m.scratch = (q - state.q) / dt;
    m.W.transpose_multiply(m.scratch.data(), m.gamma_plus.data());
    for (Index k = 0; k < ws.contacts.size(); ++k) {
      const auto found = std::find(m.order.begin(), m.order.end(), k);
      if (found == m.order.end()) continue;
      const ConstraintJacobian::Block& block = m.W.block(static_cast<Index>(found - m.order.begin()));
      if (!ws.contacts[k].bilateral && P[block.row] == 0.0) continue;
      const Index row = result.impulse.size();
      result.contacts.push_back({ws.contacts[k], row});
      result.impulse.resize(row + block.rows);
      result.gamma_minus.resize(row + block.rows);
      result.gamma_plus.resize(row + block.rows);
      for (Index r = 0; r < block.rows; ++r) {
        result.impulse[row + r] = P[block.row + r] / dt;
        result.gamma_minus[row + r] = m.gamma_minus[block.row + r];
        result.gamma_plus[row + r] = m.gamma_plus[block.row + r];
      }
      result.next.impulses.append(ws.contacts[k].id, result.impulse.data() + row, block.rows);
    }
  }

  double theta_;
  double tolerance_;
};

}  // namespace

extern const SchemeEntry schatzman_paoli_entry;
const SchemeEntry schatzman_paoli_entry{
    .name = "schatzman_paoli",
    .title = "Schatzman-Paoli: two-step scheme for positions, frictionless",
    .reference = "Schatzman, Paoli 1993, 2002; Acary 2012",
    .treats = {Feature::contacts, Feature::joints, Feature::inelastic, Feature::variable_inertia, Feature::rheonomic},
    // It penetrates with e > 0.
    .promises = {.orders = {1, 1, 1, 1}, .position_level = true, .penetrates = true, .implicit_force = true},
    .parameters = {{"theta", 0.5, "where in the step forces are evaluated", 0, 1},
                   {"newton_tolerance", 1e-10, "relative residual at which Newton stops", 0, 1, {}, true}},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> { return std::make_unique<SchatzmanPaoli>(p); }};

}  // namespace carom::inline schemes
