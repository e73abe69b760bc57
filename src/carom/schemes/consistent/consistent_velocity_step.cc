#include "carom/schemes/consistent/consistent_velocity_step.h"

#include <algorithm>
#include <cmath>

#include "carom/base/errors.h"
#include "carom/base/vector_kernels.h"
#include "carom/inclusion/dense_delassus.h"
#include "carom/schemes/consistent/discrete_gradient.h"
#include "carom/schemes/consistent/phase_guess.h"
#include "carom/schemes/impulse_problem.h"
#include "carom/schemes/newton_stop.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

constexpr int pass_cap = 60;

struct Memory final : SchemeMemory {
  Evaluation at_0, at_1, gaps;  // gaps of all contacts at q_0
  IterationMatrix M_factor;     // at q_0
  Buffer gamma_minus, gamma_plus;
  Buffer rates;  // scratch: velocities by rows
  Evaluation force, contact_start, contact_mid, contact_end;
  IterationMatrix A;
  ConstraintJacobian W;
  Vector v_C, v_mean, d, Md, q_mid, q_1, potential, gradient, change;
  Buffer impulse, P, delta, elastic_G, delta_G, one, shift;
  std::vector<RowRange> partition;
  DenseDelassus delassus, mass_delassus;
};

class ConsistentVelocityStep {
 public:
  ConsistentVelocityStep(const ConsistentVelocityOptions& options, const System& system, const InclusionSolver& solver,
                         const State& state, double dt, StepWorkspace& ws, Memory& memory, StepResult& result)
      : o_(options),
        system_(system),
        solver_(solver),
        state_(state),
        dt_(dt),
        ws_(ws),
        m_(memory),
        result_(result),
        energy_(*system.energetics()) {}

  void run() {
    begin_result(state_, dt_, result_);
    find_contacts(system_, state_, dt_, ws_);
    ws_.active.reset(ws_.contacts);
    if (!ws_.all.empty()) {
      system_.evaluate(state_.t, state_.q, state_.v, Need::gap, ws_.all, m_.gaps);
      activate_closed(ws_.all, m_.gaps, rounding_activation, ws_.active);
    }
    system_.evaluate(state_.t, state_.q, state_.v, Need::inertia | Need::gap | Need::jacobian, ws_.active, m_.at_0);
    if (!m_.M_factor.factor(m_.at_0.M)) {
      result_.status = StepStatus::singular;
      return;
    }
    impact();
    const bool found = move();
    result_.next.q = m_.q_1;
    report();
    if (!found && result_.status == StepStatus::ok) result_.status = StepStatus::newton_failed;
    check_finite(result_);
  }

 private:
  void impact() {
    m_.v_C = state_.v;
    m_.impulse.assign(ws_.active.rows(), 0.0);
    if (ws_.active.empty()) return;
    local_velocity(m_.at_0, state_.v, m_.gamma_minus);
    if (!o_.impact_step) return find_dissipation();
    if (!solve_impulses({ws_.active, m_.at_0, m_.at_0, m_.M_factor, 0.0, &m_.gamma_minus}, solver_, state_.impulses,
                        phase_guess, ws_, result_, m_.v_C))
      result_.status = StepStatus::solver_failed;
    m_.impulse = ws_.velocity.result.lambda;
  }

  // delta by rows, from what the law adds to a unit velocity.
  void find_dissipation() {
    m_.one.assign(ws_.active.rows(), 1.0);
    m_.delta.assign(ws_.active.rows(), 0.0);
    m_.shift.assign(ws_.active.rows(), 0.0);
    add_impact_shift(ws_.active, m_.one, m_.shift, m_.delta);
    for (double& e : m_.delta) e = (1.0 - e) / (1.0 + e);
  }

  bool move() {
    Vector& v_1 = result_.next.v;
    v_1 = m_.v_C;
    V_0_ = energy_.potential_energy(state_.t, state_.q);
    T_0_ = energy_.kinetic_energy(state_.t, state_.q, m_.v_C);
    guess_motion(o_.impact_step, ws_.active, state_.impulses, m_.P);
    double last = INFINITY, free_change = 0.0;
    for (int pass = 0; pass < pass_cap; ++pass) {
      place(v_1);
      if (!evaluate_force(pass == 0, v_1)) {
        result_.status = StepStatus::singular;
        return false;
      }
      if (pass == 0) free_change = m_.change.lpNorm<Eigen::Infinity>();  // what contacts may have to balance
      const bool solved = ws_.active.empty() || solve_contacts(v_1);
      v_1 += m_.change;
      ++result_.newton_iterations;
      const double change = m_.change.lpNorm<Eigen::Infinity>();
      const double size = std::max(v_1.lpNorm<Eigen::Infinity>(), free_change);
      const double rounding = 4e-16 * (size + m_.v_C.lpNorm<Eigen::Infinity>());
      if (!std::isfinite(change)) return false;
      // At rest, or as near to it as the contact solver lets it come.
      if (comes_to_rest(change, last, size, rounding, 1000.0) || (stands(change, last) && is_within_tolerance())) {
        place(v_1);
        if (!solved) result_.status = StepStatus::solver_failed;
        return true;
      }
      last = change;
    }
    place(v_1);
    return false;
  }

  // Whether the last change is no more than what the two last inclusions left open: a light body between heavy ones is
  // pressed by impulses that would give it a thousand times any speed here, and the solver's tolerance is relative to
  // these.
  bool is_within_tolerance() {
    if (ws_.active.empty()) return false;
    m_.rates.resize(m_.W.rows());
    m_.W.transpose_multiply(m_.change.data(), m_.rates.data());
    double largest = 0.0;
    for (const double gamma : m_.rates) largest = std::max(largest, std::abs(gamma));
    return largest <= 4.0 * (left_open_ + left_open_before_);
  }

  void place(const Vector& v_1) {
    m_.v_mean = 0.5 * (m_.v_C + v_1);
    m_.d = 0.5 * dt_ * m_.v_mean;
    system_.rational_move(state_.q, m_.d, m_.q_mid);
    m_.d *= 2.0;
    system_.rational_move(state_.q, m_.d, m_.q_1);
    m_.Md.setZero(m_.d.size());
    m_.at_0.M.multiply_add(1.0, m_.d.data(), m_.Md.data());
  }

  // change := A^-1 ( dt h - M (v_1 - v_C) ), the contacts' part not yet in it.
  bool evaluate_force(bool first, const Vector& v_1) {
    const double t_mid = state_.t + 0.5 * dt_;
    const Need need = first ? Need::force | Need::force_jacobian : Need::force;
    system_.evaluate(t_mid, m_.q_mid, m_.v_mean, need, ws_.none, m_.force);
    if (first && !m_.A.factor(m_.at_0.M, 0.5 * dt_, m_.force.dh_dv, 0.25 * dt_ * dt_, m_.force.dh_dq)) return false;
    const double V_1 = energy_.potential_energy(result_.next.t, m_.q_1);
    const double correction =
        gradient_correction(V_1 - V_0_, potential_slope(t_mid), m_.d.dot(m_.Md), std::abs(V_0_) + std::abs(V_1) + T_0_);
    m_.change = dt_ * (m_.force.h - correction * m_.Md);
    m_.potential = v_1 - m_.v_C;
    m_.at_0.M.multiply_add(-1.0, m_.potential.data(), m_.change.data());
    m_.A.solve(m_.change.data());
    return true;
  }

  // -d'h_V of the potential's part in h. Gyroscopic forces do no work along d, so that without other forces it is
  // that of h itself, and a gradient by differences need not be asked for.
  double potential_slope(double t_mid) {
    if (energy_.conservative()) return -m_.force.h.dot(m_.d);
    energy_.potential_gradient(t_mid, m_.q_mid, m_.gradient);
    system_.apply_T_transpose(m_.q_mid, m_.gradient, m_.potential);
    return m_.potential.dot(m_.d);
  }

  // W with normal rows as discrete gradients, and xi = W'(v_C + v_1) at the iterate.
  void evaluate_contacts(const Vector& v_1, Buffer& xi) {
    m_.W = m_.at_0.W;
    if (o_.discrete_directions) {
      const double t_mid = state_.t + 0.5 * dt_;
      system_.evaluate(t_mid, m_.q_mid, m_.v_mean, Need::jacobian, ws_.active, m_.contact_mid);
      system_.evaluate(result_.next.t, m_.q_1, v_1, Need::gap, ws_.active, m_.contact_end);
    }
    m_.change.swap(m_.gradient);  // keep the change; borrow memory for v_C + v_1
    m_.change = m_.v_C + v_1;
    for (Index b = 0; b < m_.W.block_count(); ++b) {
      const ConstraintJacobian::Block& block = m_.W.block(b);
      if (!o_.discrete_directions || ws_.active.constraint(b).position_rows == 0) continue;
      const double g_0 = m_.at_0.g[block.row], g_1 = m_.contact_end.g[block.row];
      double slope = 0.0, length = 0.0;
      const auto each = [&](auto visit) {
        const ConstraintJacobian::Block& mid = m_.contact_mid.W.block(b);
        for (Index s = 0; s < block.segment_end - block.segment_begin; ++s) {
          const ConstraintJacobian::Segment& to = m_.W.segment(block.segment_begin + s);
          const ConstraintJacobian::Segment& from = m_.contact_mid.W.segment(mid.segment_begin + s);
          visit(to.offset, to.size, m_.contact_mid.W.entries(from), m_.W.entries(to));
        }
      };
      each([&](Index offset, Index size, const double* from, double*) {
        for (Index i = 0; i < size; ++i) {
          slope += from[i] * m_.d[offset + i];
          length += m_.Md[offset + i] * m_.d[offset + i];
        }
      });
      const double correction =
          gradient_correction(g_1 - g_0, slope, length, gap_noise * ws_.active.constraint(b).length_scale);
      each([&](Index offset, Index size, const double* from, double* to) {
        for (Index i = 0; i < size; ++i) to[i] = from[i] + correction * m_.Md[offset + i];
      });
    }
    xi.resize(m_.W.rows());
    m_.W.transpose_multiply(m_.change.data(), xi.data());
    m_.change.swap(m_.gradient);
  }

  // change += A^-1 W P with P from the inclusion.
  bool solve_contacts(const Vector& v_1) {
    InclusionWork& work = ws_.velocity;
    evaluate_contacts(v_1, work.problem.c);
    m_.rates.resize(m_.W.rows());
    m_.W.transpose_multiply(m_.change.data(), m_.rates.data());
    for (Index r = 0; r < m_.rates.size(); ++r) work.problem.c[r] += m_.rates[r];
    set_laws(ws_.active, dt_, work.problem);
    work.problem.c_directions = &m_.W;
    work.problem.c_velocity = m_.v_C.data();  // c = W'(v_C + v_1), and cancels where the contact stands still
    work.problem.G = o_.impact_step ? &work.factory.build(m_.W, m_.A) : &dissipative_operator();
    work.result.lambda = m_.P;
    const bool solved = solve_and_count(solver_, work, result_);
    m_.P = work.result.lambda;
    left_open_before_ = left_open_;
    left_open_ = work.result.residual * reach(*work.problem.G);
    m_.potential.setZero(m_.change.size());
    m_.W.multiply_add(m_.P.data(), m_.potential.data());
    m_.A.solve(m_.potential.data());
    m_.change += m_.potential;
    return solved;
  }

  // The largest velocity that the impulses of one contact alone would give it.
  double reach(const Delassus& G) const {
    double largest = 0.0;
    for (Index b = 0; b < G.block_count(); ++b) {
      const RowRange& range = G.block(b);
      double square = 0.0;
      for (Index i = range.row; i < range.row + range.rows; ++i) square += m_.P[i] * m_.P[i];
      largest = std::max(largest, G.rho(b) * std::sqrt(square));
    }
    return largest;
  }

  // W'A^-1 W + delta W'M^-1 W, dense; not symmetric where restitutions differ.
  const Delassus& dissipative_operator() {
    const Index rows = m_.W.rows();
    m_.delassus.build(m_.W, m_.A, m_.W);
    m_.mass_delassus.build(m_.W, m_.M_factor, m_.W);
    m_.elastic_G.resize(rows * rows);
    m_.delta_G.resize(rows * rows);
    m_.delassus.to_dense(m_.elastic_G.data());
    m_.mass_delassus.to_dense(m_.delta_G.data());
    bool equal = true;
    for (Index j = 0; j < rows; ++j)
      for (Index i = 0; i < rows; ++i) m_.elastic_G[i + j * rows] += m_.delta[i] * m_.delta_G[i + j * rows];
    for (Index i = 1; i < rows; ++i) equal = equal && m_.delta[i] == m_.delta[0];
    m_.partition.clear();
    for (Index b = 0; b < m_.W.block_count(); ++b) m_.partition.push_back({m_.W.block(b).row, m_.W.block(b).rows});
    m_.delassus.assign(rows, m_.partition, m_.elastic_G.data(), equal && m_.A.symmetric());
    return m_.delassus;
  }

  void report() {
    if (ws_.active.empty()) return report_no_contacts(result_);
    // Work, row by row: of the impact along W(q_0)'(v_0 + v_C) / 2, of the motion along W'(v_C + v_1) / 2.
    const Index rows = ws_.active.rows();
    result_.work.resize(rows);
    local_velocity(m_.at_0, m_.v_C, m_.rates);
    for (Index r = 0; r < rows; ++r) result_.work[r] = 0.5 * m_.impulse[r] * (m_.gamma_minus[r] + m_.rates[r]);
    m_.W.transpose_multiply(m_.v_mean.data(), m_.rates.data());
    for (Index r = 0; r < rows; ++r) {
      result_.work[r] += m_.P[r] * m_.rates[r];
      m_.impulse[r] += m_.P[r];
    }
    system_.evaluate(result_.next.t, m_.q_1, result_.next.v, Need::jacobian, ws_.active, m_.at_1);
    local_velocity(m_.at_1, result_.next.v, m_.gamma_plus);
    ws_.velocity.shift.assign(ws_.active.rows(), 0.0);
    report_contacts(ws_.active, m_.impulse, m_.gamma_minus, m_.gamma_plus, ws_.velocity.shift, result_);
  }

  const ConsistentVelocityOptions& o_;
  const System& system_;
  const InclusionSolver& solver_;
  const State& state_;
  double dt_;
  StepWorkspace& ws_;
  Memory& m_;
  StepResult& result_;
  const Energetics& energy_;
  double V_0_ = 0.0, T_0_ = 0.0;
  double left_open_ = 0.0, left_open_before_ = 0.0;  // m/s, by the residuals of the last inclusions
};

class ConsistentVelocityScheme final : public SchemeWith<Memory> {
 public:
  explicit ConsistentVelocityScheme(const ConsistentVelocityOptions& options) : options_(options) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    if (!system.energetics()) throw LogicError("the consistent schemes need a system that knows its energies");
    ConsistentVelocityStep(options_, system, solver, state, dt, ws, memory_in(ws), result).run();
  }

 private:
  ConsistentVelocityOptions options_;
};

}  // namespace

std::unique_ptr<Scheme> make_consistent_velocity_scheme(const ConsistentVelocityOptions& options) {
  return std::make_unique<ConsistentVelocityScheme>(options);
}

}  // namespace carom::inline schemes
