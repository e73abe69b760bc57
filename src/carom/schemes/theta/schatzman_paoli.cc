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

class SchatzmanPaoli final : public Scheme {
 public:
  explicit SchatzmanPaoli(const Parameters& p) : theta_(p.number("theta")), tolerance_(p.number("newton_tolerance")) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    begin_result(state, dt, result);
    find_contacts(system, state, dt, ws);
    Vector& q = result.next.q;
    Vector& v = result.next.v;
    Vector& q_m = ws.q_bar;
    if (!recall_previous(system, solver, state, dt, ws, result, q_m)) {
      result.status = StepStatus::singular;
      return;
    }
    group_by_restitution(ws);
    InclusionWork& work = ws.velocity;
    guess_impulses(state, dt, ws);

    q = 2.0 * state.q - q_m;
    bool solved = true;
    for (int iteration = 0; iteration <= newton_cap; ++iteration) {
      v = (q - q_m) / (2.0 * dt);
      ws.v_theta = theta_ * v + (1.0 - theta_) * state.v;
      ws.q_theta = theta_ * q + (1.0 - theta_) * state.q;
      system.evaluate(state.t + theta_ * dt, ws.q_theta, ws.v_theta, Need::force | Need::force_jacobian, ws.none,
                      ws.at_mid);
      system.evaluate(result.next.t, q, v, Need::inertia, ws.none, ws.at_mid);
      look_at_contacts(system, result.next.t, q, q_m, v, ws);

      // r = dt^2 h - M (q - 2 q_0 + q_m)
      ws.increment = q - 2.0 * state.q + q_m;
      ws.force = dt * dt * ws.at_mid.h;
      ws.at_mid.M.multiply_add(-1.0, ws.increment.data(), ws.force.data());
      if (iteration > 0 && converged(dt, q, v, ws)) break;
      if (iteration == newton_cap) {
        result.status = StepStatus::newton_failed;
        break;
      }
      if (!ws.M_factor.factor(ws.at_mid.M, 0.5 * dt * theta_, ws.at_mid.dh_dv, dt * dt * theta_, ws.at_mid.dh_dq)) {
        result.status = StepStatus::singular;
        return;
      }
      ++result.newton_iterations;

      ws.dq = ws.force;
      ws.M_factor.solve(ws.dq.data());
      if (ws.W_position.rows() > 0) {
        Buffer& c = work.problem.c;
        c.resize(ws.W_position.rows());
        ws.W_position.transpose_multiply(ws.dq.data(), c.data());
        for (Index i = 0; i < c.size(); ++i) c[i] += ws.gamma[i];
        work.problem.G = &work.factory.build(ws.W_position, ws.M_factor);
        solved = solve_and_count(solver, work, result);
        ws.W_Lambda.setZero(system.nv());
        ws.W_position.multiply_add(work.result.lambda.data(), ws.W_Lambda.data());
        ws.M_factor.solve(ws.W_Lambda.data());
        ws.dq += ws.W_Lambda;
      }
      q += ws.dq;
    }
    if (!solved && result.status == StepStatus::ok) result.status = StepStatus::solver_failed;
    v = (q - q_m) / (2.0 * dt);
    report(state, dt, q, q_m, ws, result);
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
                              StepWorkspace& ws, StepResult& result, Vector& q_m) {
    if (state.memory.size() == state.q.size() + 1 && state.memory[0] == dt) {
      q_m = ConstVectorMap(state.memory.data() + 1, state.q.size());
      return true;
    }
    system.evaluate(state.t, state.q, state.v, Need::inertia | Need::force, ws.none, ws.at_0);
    if (!ws.M_factor.factor(ws.at_0.M)) return false;
    ws.dq = ws.at_0.h;
    ws.M_factor.solve(ws.dq.data());
    add_contact_acceleration(system, solver, state, dt, ws, result);
    q_m = state.q - dt * state.v + 0.5 * dt * dt * ws.dq;
    return true;
  }

  // ws.dq, the acceleration without constraints, becomes that with joints and resting contacts:
  // -W' a in N_C(lambda). (Convective terms are left out: they change q_m by O(dt^2) only.)
  static void add_contact_acceleration(const System& system, const InclusionSolver& solver, const State& state,
                                       double dt, StepWorkspace& ws, StepResult& result) {
    if (ws.all.empty()) return;
    system.evaluate(state.t, state.q, state.v, Need::gap | Need::jacobian, ws.all, ws.at_q);
    local_velocity(ws.at_q, state.v, ws.gamma);
    ws.active.reset(ws.contacts);
    Index row = 0;
    for (Index k = 0; k < ws.all.size(); ++k) {
      const Constraint& constraint = ws.all.constraint(k);
      const double still = 1e-12 * constraint.length_scale;
      if (constraint.bilateral ||
          (constraint.position_rows > 0 && ws.at_q.g[row] <= still && std::abs(dt * ws.gamma[row]) <= still))
        ws.active.add(k);
      row += constraint.law->dim();
    }
    if (ws.active.empty()) return;
    system.evaluate(state.t, state.q, state.v, Need::jacobian, ws.active, ws.at_q);
    InclusionWork& work = ws.velocity;
    set_laws(ws.active, dt, work.problem);
    work.problem.c.resize(ws.active.rows());
    ws.at_q.W.transpose_multiply(ws.dq.data(), work.problem.c.data());
    work.problem.G = &work.factory.build(ws.at_q.W, ws.M_factor);
    work.result.lambda.assign(ws.active.rows(), 0.0);
    solve_and_count(solver, work, result);
    ws.W_Lambda.setZero(system.nv());
    ws.at_q.W.multiply_add(work.result.lambda.data(), ws.W_Lambda.data());
    ws.M_factor.solve(ws.W_Lambda.data());
    ws.dq += ws.W_Lambda;
  }

  // The contacts are looked at in groups of equal restitution, because q_hat depends on it. The
  // groups are runs of ws.indices, whose restitutions stand in ws.gamma_minus_all.
  static void group_by_restitution(StepWorkspace& ws) {
    ws.indices.clear();
    ws.gamma_minus_all.resize(ws.contacts.size());
    for (Index k = 0; k < ws.contacts.size(); ++k) {
      if (ws.contacts[k].position_rows == 0) continue;
      ws.indices.push_back(k);
      ws.gamma_minus_all[k] = ws.contacts[k].bilateral ? 0.0 : restitution(*ws.contacts[k].law);
    }
    // Not std::stable_sort: it allocates.
    std::sort(ws.indices.begin(), ws.indices.end(), [&](Index a, Index b) {
      const double e_a = ws.gamma_minus_all[a], e_b = ws.gamma_minus_all[b];
      return e_a < e_b || (e_a == e_b && a < b);
    });
    InclusionProblem& problem = ws.velocity.problem;
    problem.laws.clear();
    for (const Index k : ws.indices) problem.laws.push_back(ws.contacts[k].law);
  }

  static void guess_impulses(const State& state, double dt, StepWorkspace& ws) {
    Buffer& lambda = ws.velocity.result.lambda;
    lambda.clear();
    for (const Index k : ws.indices) {
      const Constraint& constraint = ws.contacts[k];
      const Index dim = constraint.law->dim(), row = lambda.size();
      lambda.resize(row + dim);
      std::size_t hint = 0;
      if (const double* impulse = state.impulses.find(constraint.id, dim, hint))
        for (Index r = 0; r < dim; ++r) lambda[row + r] = dt * impulse[r];
    }
  }

  // W at q_hat into ws.W_position, (1 + e) g(q_hat) into ws.gamma.
  static void look_at_contacts(const System& system, double t, const Vector& q, const Vector& q_m, const Vector& v,
                               StepWorkspace& ws) {
    ws.W_position.clear();
    ws.gamma.clear();
    for (std::size_t begin = 0; begin < ws.indices.size();) {
      const double e = ws.gamma_minus_all[ws.indices[begin]];
      std::size_t end = begin;
      ws.active.reset(ws.contacts);
      for (; end < ws.indices.size() && ws.gamma_minus_all[ws.indices[end]] == e; ++end) ws.active.add(ws.indices[end]);
      ws.dq = (q + e * q_m) / (1.0 + e);
      system.evaluate(t, ws.dq, v, Need::gap | Need::jacobian, ws.active, ws.at_q);
      ws.W_position.append(ws.at_q.W);
      for (const double g : ws.at_q.g) {
        ws.gamma.resize(ws.gamma.size() + 1);
        ws.gamma[ws.gamma.size() - 1] = (1.0 + e) * g;
      }
      begin = end;
    }
  }

  // |r + W P| <= tolerance (dt |M v| + dt^2 |h| + |W P|) + rounding |M q| in the A^-1 norm. The last term is
  // what the second difference of positions loses by cancellation, and rules when the step is short.
  bool converged(double dt, const Vector& q, const Vector& v, StepWorkspace& ws) const {
    ws.W_Lambda.setZero(v.size());
    if (ws.W_position.rows() > 0) ws.W_position.multiply_add(ws.velocity.result.lambda.data(), ws.W_Lambda.data());
    const auto norm = [&](const Vector& x) {
      ws.dv = x;
      ws.M_factor.solve(ws.dv.data());
      return std::sqrt(std::abs(x.dot(ws.dv)));
    };
    ws.increment = ws.force + ws.W_Lambda;
    const double error = norm(ws.increment);
    ws.increment.setZero();
    ws.at_mid.M.multiply_add(dt, v.data(), ws.increment.data());
    double scale = std::sqrt(std::abs(dt * v.dot(ws.increment)));
    scale += norm(ws.W_Lambda);
    ws.increment = dt * dt * ws.at_mid.h;
    scale += norm(ws.increment);
    if (error <= tolerance_ * scale) return true;
    ws.increment.setZero();
    ws.at_mid.M.multiply_add(1.0, q.data(), ws.increment.data());
    const double rounding = 8.0 * std::numeric_limits<double>::epsilon();
    return error <= tolerance_ * scale + rounding * std::sqrt(std::abs(q.dot(ws.increment)));
  }

  // Impulses P / dt with the velocities of the two half-open steps around q_0, in order of id.
  static void report(const State& state, double dt, const Vector& q, const Vector& q_m, StepWorkspace& ws,
                     StepResult& result) {
    report_no_contacts(result);
    const Buffer& P = ws.velocity.result.lambda;
    ws.gamma_minus.resize(ws.W_position.rows());
    ws.gamma.resize(ws.W_position.rows());
    ws.dq = (state.q - q_m) / dt;
    ws.W_position.transpose_multiply(ws.dq.data(), ws.gamma_minus.data());
    ws.dq = (q - state.q) / dt;
    ws.W_position.transpose_multiply(ws.dq.data(), ws.gamma.data());
    for (Index k = 0; k < ws.contacts.size(); ++k) {
      const auto found = std::find(ws.indices.begin(), ws.indices.end(), k);
      if (found == ws.indices.end()) continue;
      const ConstraintJacobian::Block& block = ws.W_position.block(static_cast<Index>(found - ws.indices.begin()));
      if (!ws.contacts[k].bilateral && P[block.row] == 0.0) continue;
      const Index row = result.impulse.size();
      result.contacts.push_back({ws.contacts[k], row});
      result.impulse.resize(row + block.rows);
      result.gamma_minus.resize(row + block.rows);
      result.gamma_plus.resize(row + block.rows);
      for (Index r = 0; r < block.rows; ++r) {
        result.impulse[row + r] = P[block.row + r] / dt;
        result.gamma_minus[row + r] = ws.gamma_minus[block.row + r];
        result.gamma_plus[row + r] = ws.gamma[block.row + r];
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
