#include "carom/schemes/consistent/consistent_step.h"

#include <algorithm>
#include <cmath>

#include "carom/base/errors.h"
#include "carom/base/vector_kernels.h"
#include "carom/schemes/consistent/contact_equations.h"
#include "carom/schemes/consistent/discrete_gradient.h"
#include "carom/schemes/consistent/pass_matrix.h"
#include "carom/schemes/consistent/phase_guess.h"
#include "carom/schemes/impulse_problem.h"
#include "carom/schemes/newton_stop.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

constexpr int pass_cap = 30, simultaneous_cap = 1000;

struct ConsistentMemory final : SchemeMemory {
  Evaluation at_0, at_1;
  IterationMatrix M_factor;  // at q_0
  Buffer gamma_minus, gamma_C, gamma_plus;

  // The kind of inertia, and what it was chosen for.
  std::unique_ptr<StepInertia> inertia;
  std::uint64_t inertia_of = 0;
  bool variable_inertia = false, inertia_at_midpoint = true;

  ActiveSet joint_set, contact_set;  // the active constraints, told apart
  Buffer impulse;                    // of both parts of the step, by rows of the active set
  ConsistentMotion motion;
  JointEquations joints;
  ContactEquations contacts;
  PassMatrix J;

  Vector DV, potential_gradient, v_mean, other_force;
  Evaluation forces;
  Buffer f;            // residuals of the rows for d, S, kappa
  DenseBuffer X;       // J^-1 (f, B)
  Buffer step_change;  // of (d, S, kappa) in a pass
};

StepInertia& inertia_for(const System& system, const ConsistentOptions& o, ConsistentMemory& m) {
  if (m.inertia_of != system.serial() || m.variable_inertia != o.variable_inertia ||
      m.inertia_at_midpoint != o.inertia_at_midpoint) {
    m.inertia = make_step_inertia(system, o.variable_inertia, o.inertia_at_midpoint);
    m.inertia_of = system.serial();
    m.variable_inertia = o.variable_inertia;
    m.inertia_at_midpoint = o.inertia_at_midpoint;
  }
  return *m.inertia;
}

class ConsistentStep {
 public:
  ConsistentStep(const ConsistentOptions& options, const System& system, const InclusionSolver& solver,
                 const State& state, double dt, StepWorkspace& ws, ConsistentMemory& memory, StepResult& result)
      : o_(options),
        system_(system),
        solver_(solver),
        state_(state),
        ws_(ws),
        m_(memory),
        motion_(m_.motion),
        joints_(m_.joints),
        contacts_(m_.contacts),
        result_(result),
        energy_(*system.energetics()),
        inertia_(inertia_for(system, options, m_)) {
    const Constancy constancy = system.constancy();
    linear_ = inertia_.linear() && constancy.inertia && constancy.affine_force && constancy.jacobian;
    begin_result(state, dt, result);
    motion_.n = system.nv();
    motion_.dt = dt;
    motion_.t_0 = state.t;
    motion_.t_1 = result.next.t;
    motion_.t_mid = 0.5 * (state.t + motion_.t_1);
    motion_.q_0 = state.q;
  }

  void run() {
    find_contacts(system_, state_, motion_.dt, ws_);
    look_at_start();
    if (!m_.M_factor.factor(m_.at_0.M)) {
      result_.status = StepStatus::singular;
      return;
    }
    impact();
    prepare_motion();
    const bool found = move();
    result_.next.q = motion_.q_1;
    result_.next.v = motion_.v_1;
    report();
    if (!found && result_.status == StepStatus::ok) result_.status = StepStatus::newton_failed;
    check_finite(result_);
  }

 private:
  // Constraints that hold at q_0: joints on position level, and the rest, whose laws act on d.
  void look_at_start() {
    ws_.active.reset(ws_.contacts);
    m_.joint_set.reset(ws_.contacts);
    m_.contact_set.reset(ws_.contacts);
    if (!ws_.all.empty()) {
      system_.evaluate(state_.t, state_.q, state_.v, Need::gap, ws_.all, m_.at_0);
      activate_closed(ws_.all, m_.at_0, o_.activation_tolerance, ws_.active);
    }
    for (Index i = 0; i < ws_.active.size(); ++i) {
      const Constraint& constraint = ws_.active.constraint(i);
      const bool holds = constraint.bilateral && constraint.position_rows == constraint.law->dim();
      (holds ? m_.joint_set : m_.contact_set).add(ws_.active[i]);
    }
    system_.evaluate(state_.t, state_.q, state_.v, Need::inertia | Need::jacobian, ws_.active, m_.at_0);
  }

  void impact() {
    motion_.v_C = state_.v;
    if (!ws_.active.empty()) local_velocity(m_.at_0, state_.v, m_.gamma_minus);
    m_.impulse.assign(ws_.active.rows(), 0.0);
    result_.work.assign(ws_.active.rows(), 0.0);
    if (!o_.impact_step || m_.contact_set.empty()) return;
    if (!solve_impulses({ws_.active, m_.at_0, m_.at_0, m_.M_factor, 0.0, &m_.gamma_minus}, solver_, state_.impulses,
                        phase_guess, ws_, result_, motion_.v_C))
      result_.status = StepStatus::solver_failed;
    m_.impulse = ws_.velocity.result.lambda;
    local_velocity(m_.at_0, motion_.v_C, m_.gamma_C);
    for (Index r = 0; r < ws_.active.rows(); ++r)
      result_.work[r] = 0.5 * m_.impulse[r] * (m_.gamma_minus[r] + m_.gamma_C[r]);
  }

  // What does not change during the passes.
  void prepare_motion() {
    motion_.V_0 = energy_.potential_energy(state_.t, state_.q);
    motion_.T_0 = energy_.kinetic_energy(state_.t, state_.q, motion_.v_C);
    inertia_.begin(system_, m_.at_0.M, motion_);
    joints_.begin(system_, m_.joint_set, o_.velocity_level, m_.M_factor, motion_);
    contacts_.begin(system_, m_.contact_set, o_.discrete_directions, motion_);
  }

  // Passes from the motion of v_C; where they do not come to rest, or meet a linearised problem that has no
  // solution, from standing still in shorter and shorter steps. Whether d came to rest.
  bool move() {
    if (linear_) {
      start_passes(true);
      return pass_until_rest(1.0);
    }
    simultaneous_ = o_.simultaneous && !m_.contact_set.empty();
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
    if (moving)
      inertia_.free_displacement(motion_);
    else
      set_zero(motion_.n, motion_.d);
    joints_.start();
    guess_motion(o_.impact_step, m_.contact_set, state_.impulses, contacts_.P);
  }

  bool pass_until_rest(double damping) {
    double last = INFINITY, free_change = 0.0;  // the second: what contacts may have to balance
    const int cap = simultaneous_ ? simultaneous_cap : static_cast<int>(pass_cap / damping);
    for (int pass = 0; pass < cap; ++pass) {
      evaluate();
      if (!m_.J.factor(system_, m_.at_0.M, motion_, inertia_, joints_, linear_)) {
        result_.status = StepStatus::singular;
        return false;
      }
      const bool solved = linear_pass(damping);
      ++result_.newton_iterations;
      const double change = m_.step_change.vec().head(motion_.n).lpNorm<Eigen::Infinity>() + projected_change_;
      if (pass == 0) free_change = m_.X.map().col(0).head(motion_.n).lpNorm<Eigen::Infinity>();
      const double size = std::max(motion_.d.lpNorm<Eigen::Infinity>(), free_change);
      if (!std::isfinite(change)) return false;
      if (at_rest(change, last, size)) {
        place();
        if (!solved) result_.status = StepStatus::solver_failed;
        return solved;
      }
      last = change;
    }
    place();
    return false;
  }

  bool at_rest(double change, double last, double size) const {
    const double rounding = 1e-16 * (10.0 * size + state_.q.lpNorm<Eigen::Infinity>());
    if (linear_ || change <= rounding) return true;
    if (!simultaneous_) return comes_to_rest(change, last, size, rounding, 100.0);
    // Simultaneous passes converge linearly: what is still to come is a geometric series.
    const double to_come = change / std::max(1.0 - change / last, 1e-3);
    return holds(to_come, 1e-12, size, rounding);
  }

  // q_mid, q_1, and v_1 = 2/dt ( Q d + M^-1 W_S kappa ) - v_C; Q d.
  const Vector& place() {
    motion_.place();
    const Vector& Qd = inertia_.place(motion_);
    motion_.v_1 = Qd;
    joints_.add_velocity(motion_.v_1);
    motion_.v_1 = (2.0 / motion_.dt) * motion_.v_1 - motion_.v_C;
    return Qd;
  }

  Index unknowns() const { return motion_.n + joints_.unknowns(); }

  // All residuals without contact impulses, and the rows the matrix is made of.
  void evaluate() {
    const Vector& Qd = place();
    m_.f.assign(unknowns(), 0.0);
    VectorMap f1(m_.f.data(), motion_.n);
    inertia_.momentum(motion_, f1);
    energy_.potential_gradient(motion_.t_mid, motion_.q_mid, m_.DV);
    const double V_1 = energy_.potential_energy(motion_.t_1, motion_.q_1);
    make_discrete(V_1 - motion_.V_0, std::abs(motion_.V_0) + std::abs(V_1) + motion_.T_0, motion_.n, motion_.d.data(),
                  1, m_.DV.data());
    f1 += motion_.dt * m_.DV;
    inertia_.add_convective(motion_, f1);
    if (!energy_.conservative()) add_other_forces(Qd, f1);
    joints_.evaluate(motion_, inertia_, f1, m_.f.data() + motion_.n);
    contacts_.evaluate(motion_, inertia_);
  }

  // f = h + inertia terms + dV/dq at the midpoint and d/dt: what is left has neither inertia nor potential.
  void add_other_forces(const Vector& Qd, VectorMap& f1) {
    m_.v_mean = Qd / motion_.dt;
    system_.evaluate(motion_.t_mid, motion_.q_mid, m_.v_mean, Need::force, ws_.none, m_.forces);
    inertia_.other_forces(motion_, m_.v_mean, m_.forces.h, m_.other_force);
    energy_.potential_gradient(motion_.t_mid, motion_.q_mid, m_.potential_gradient);
    m_.other_force += m_.potential_gradient;
    f1 -= motion_.dt * m_.other_force;
  }

  // x <- x + damping (-J^-1 f + J^-1 B P) with P from the contacts; step_change holds the whole change.
  bool linear_pass(double damping) {
    const Index N = unknowns(), n = motion_.n, rows = contacts_.rows();
    m_.X.resize(N, 1 + rows);
    m_.X.map().col(0) = m_.f.vec();
    for (Index r = 0; r < rows; ++r) m_.X.map().col(1 + r).head(n) = contacts_.directions().col(r);
    m_.J.solve(m_.X.entries.data(), 1 + rows);
    m_.step_change.resize(N);
    m_.step_change.vec() = -m_.X.map().col(0);
    bool solved = true;
    if (rows > 0) {
      contacts_.set_up(motion_, m_.X);
      if (!simultaneous_) solved = contacts_.solve(solver_, result_);
      for (Index r = 0; r < rows; ++r) m_.step_change.vec() += contacts_.P[r] * m_.X.map().col(1 + r);
      projected_change_ = simultaneous_ ? contacts_.project(motion_, m_.X) : 0.0;
    }
    motion_.d += damping * m_.step_change.vec().head(n);
    joints_.move(damping, m_.step_change.data() + n);
    return solved;
  }

  // Impulses of both parts together, the work of the motion along its discrete directions; velocities before and
  // after, seen from q_0 and q_1.
  void report() {
    if (ws_.active.empty()) return report_no_contacts(result_);
    Index row = 0, joint_row = 0, contact_row = 0;
    std::size_t joint = 0;
    for (Index i = 0; i < ws_.active.size(); ++i) {
      const Index dim = ws_.active.constraint(i).law->dim();
      const bool is_joint = joint < m_.joint_set.members().size() && m_.joint_set.members()[joint] == ws_.active[i];
      for (Index r = 0; r < dim; ++r) {
        const double impulse = is_joint ? joints_.impulse(joint_row + r) : contacts_.P[contact_row + r];
        const double way = is_joint ? joints_.way(joint_row + r, motion_.d) : contacts_.way(contact_row + r, motion_.d);
        m_.impulse[row + r] += impulse;
        result_.work[row + r] += impulse * way / motion_.dt;
      }
      (is_joint ? joint_row : contact_row) += dim;
      if (is_joint) ++joint;
      row += dim;
    }
    system_.evaluate(motion_.t_1, motion_.q_1, motion_.v_1, Need::jacobian, ws_.active, m_.at_1);
    local_velocity(m_.at_1, motion_.v_1, m_.gamma_plus);
    ws_.velocity.shift.assign(ws_.active.rows(), 0.0);
    report_contacts(ws_.active, m_.impulse, m_.gamma_minus, m_.gamma_plus, ws_.velocity.shift, result_);
  }

  const ConsistentOptions& o_;
  const System& system_;
  const InclusionSolver& solver_;
  const State& state_;
  StepWorkspace& ws_;
  ConsistentMemory& m_;
  ConsistentMotion& motion_;
  JointEquations& joints_;
  ContactEquations& contacts_;
  StepResult& result_;
  const Energetics& energy_;
  StepInertia& inertia_;
  bool linear_ = false;  // all but the contact laws: the first pass is the solution, and every step has the same matrix
  bool simultaneous_ = false;
  double projected_change_ = 0.0;  // by the contacts of a simultaneous pass
};

class ConsistentScheme final : public SchemeWith<ConsistentMemory> {
 public:
  explicit ConsistentScheme(const ConsistentOptions& options) : options_(options) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    if (!system.energetics() || system.nq() != system.nv())
      throw LogicError("the consistent schemes in coordinates need energies and as many velocities as coordinates");
    ConsistentStep(options_, system, solver, state, dt, ws, memory_in(ws), result).run();
  }

 private:
  ConsistentOptions options_;
};

}  // namespace

ParameterSpec contact_direction_spec() {
  return {"direction", std::string("discrete_gradient"), "contact normals over the step, or at its start", 0,
          0,           {"discrete_gradient", "start"}};
}
ParameterSpec nonlinear_spec() {
  return {"nonlinear", std::string("nested"),     "contacts solved in every pass, or projected once", 0,
          0,           {"nested", "simultaneous"}};
}
ParameterSpec inertia_at_spec() {
  return {"inertia_at",         std::string("midpoint"), "where Q and H of decomposed inertia are taken", 0, 0,
          {"midpoint", "start"}};
}

Orders consistent_orders(const Parameters& p) {
  const double order = p.word("inertia_at") == "start" ? 1 : 2;
  return {order, order, 1};
}

std::unique_ptr<Scheme> make_consistent_scheme(const ConsistentOptions& options) {
  return std::make_unique<ConsistentScheme>(options);
}

}  // namespace carom::inline schemes
