// Unified Gear-Gupta-Leimkuhler: the implicit midpoint rule with impact law on velocities and non-penetration
// of positions as one problem. The equations phi1, phi2, xi, g in the unknowns (d, v, Lambda, Psi) stand in
// ggl_equations.h. activation = touch: the active set is found by solving, as touching_contacts.h says, and contacts
// that push, rho Lambda_N > xi_N, are held at g = 0. activation = forecast, as published: joints and contacts with
// g(q_0 (+) dt/2 v_0) <= 0; then bodies overshoot the first touch, and do not come to rest for 0 < e < 1.
//
// Josephy-Newton: phi1 = phi2 = 0, xi and g are linearised, the laws are kept as they are; what is left of a step is
// one linear inclusion for both multipliers (ggl_elimination.h).
//
// It stops when in the norm of kinetic energy, s = |M v_0| + |M v| + dt |h| + |W Lambda|,
//
//   |phi2| <= tolerance s,   |phi1| <= tolerance dt s,
//   rho |Lambda - P_C(Lambda - xi / rho)| <= tolerance sqrt(rho) s        every block, rho as in residual.h
//   |min(g, rho Psi)| <= position_tolerance length_scale                  every row; joints, held contacts: |g|
//
// The last two judge the nonlinear equations, so that redundant contacts whose linear problem has no
// exact solution in rounded numbers are no failure. Where forces are so stiff that rounding of q alone breaks
// the first two, they are dropped once an iteration moves q by no more than rounding.
//
// position_constraint = false drops Psi and g: the "reference line" of the publication.
//
// Reference: Schoeder, Ulbrich, Schindler (2013), equations 36 to 52. Departures: kinetic metric, exact gaps and
// contacts found by touching by default; closed is g <= 0; joints; friction: its rows act with Lambda on velocity
// level, the Coulomb disc has the radius mu Lambda_N, and Psi is frictionless (docs/theory/ggl.md).

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/vector_kernels.h"
#include "carom/schemes/ggl/ggl_elimination.h"
#include "carom/schemes/ggl/position_holds.h"
#include "carom/schemes/newton_stop.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

constexpr int newton_cap = 30;

struct GglMemory final : SchemeMemory {
  MidpointMemory midpoint;
  IterationMatrix identity;  // of the euclidean metric
  GglEquations equations;
  GglUnknowns x;
  GglElimination elimination;
  TouchingContacts touching;
  PositionHolds holds;
  std::vector<RowRange> partition;  // of the inclusion: the active constraints, then their position rows
  Vector v_free;
  Vector difference, product;  // of velocities, and its image under M or M^-1
  Vector mean_motion, push;    // dt v_h and N W_p Psi
};

// |v| = sqrt(v' M v); y is scratch.
double energy_norm(const Inertia& M, const Vector& v, Vector& y) {
  set_zero(M.size(), y);
  M.multiply_add(1.0, v.data(), y.data());
  return std::sqrt(std::abs(dot(v, y)));
}

class GglUnified final : public SchemeWith<GglMemory> {
 public:
  explicit GglUnified(const Parameters& p)
      : options_{p.word("gap_evaluation") == "exact", p.flag("position_constraint")},
        judge_(PositionProjection::metric_of(p), p.number("position_tolerance")),
        touch_(p.word("activation") == "touch" && options_.position_constraint),
        newton_tolerance_(p.number("newton_tolerance")),
        activation_tolerance_(p.number("activation_tolerance")) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    GglMemory& memory = memory_in(ws);
    const MidpointStep midpoint{system, solver, state, dt, ws, memory.midpoint, result};
    if (!midpoint.move_freely()) return;
    memory.v_free = result.next.v;
    if (touch_) {
      TouchingContacts& touching = memory.touching;
      touching.begin(midpoint, activation_tolerance_);
      do {
        solve_on_active_set(midpoint, memory);
      } while (result.status == StepStatus::ok
                   ? touching.grow(midpoint, judge_.tolerance()) || restrain(midpoint, memory)
                   : result.status != StepStatus::singular && touching.relent(ws.active));
    } else {
      midpoint.activate(activation_tolerance_);
      solve_on_active_set(midpoint, memory);
    }
    if (result.status == StepStatus::singular) return;
    report(memory.equations, memory.x, ws, result);
    check_finite(result);
  }

 private:
  // Newton, with pushing contacts held at g = 0 where the active set is found by touching. Where they cannot all be
  // held, with inequalities alone; where the linearised problems have no solution, once more without curvature.
  void solve_on_active_set(const MidpointStep& midpoint, GglMemory& memory) const {
    memory.equations.begin(options_, midpoint, judge_.metric_matrix(midpoint.memory.M_factor, memory.identity),
                           touch_ ? &memory.touching : nullptr);
    const auto failed = [&](bool hold_pushing) {
      return !solve(midpoint, memory, hold_pushing) && midpoint.result.status != StepStatus::singular;
    };
    if (!failed(touch_) || (touch_ && !failed(false))) return;
    memory.equations.leave_out_curvature();
    if (failed(touch_) && touch_) solve(midpoint, memory, false);
  }

  bool solve(const MidpointStep& midpoint, GglMemory& memory, bool hold_pushing) const {
    StepWorkspace& ws = midpoint.ws;
    StepResult& result = midpoint.result;
    GglEquations& equations = memory.equations;
    GglUnknowns& x = memory.x;
    result.status = StepStatus::ok;
    guess(midpoint, memory);
    memory.holds.reset(ws.active);
    if (hold_pushing) memory.holds.guess(ws.active, x.Lambda);
    set_laws(midpoint.dt, memory, ws);
    const Constancy constancy = midpoint.system.constancy();
    const bool linear = constancy.inertia && constancy.affine_force && constancy.jacobian;

    bool solved = true, settled = true;
    for (int iteration = 0; iteration <= newton_cap; ++iteration) {
      equations.evaluate(x, iteration == 0);
      if (iteration > 0 && settled && ((linear && solved) || converged(midpoint, memory))) break;
      if (iteration == newton_cap) {
        result.status = solved ? StepStatus::newton_failed : StepStatus::solver_failed;
        break;
      }
      ++result.newton_iterations;
      equations.linearise(x);
      if (!memory.elimination.eliminate(midpoint, equations, x)) {
        result.status = StepStatus::singular;
        return false;
      }
      solved = ws.active.empty() || memory.elimination.solve_multipliers(midpoint, equations, memory.partition, x);
      memory.elimination.move(0.5 * midpoint.dt, equations, x);
      if (hold_pushing && !ws.active.empty()) {
        settled = !memory.holds.update(ws.active, *ws.velocity.problem.G, ws.velocity.result);
        if (!settled) set_laws(midpoint.dt, memory, ws);
      }
    }
    result.next.q = equations.q_1;
    result.next.v = x.v;
    return result.status == StepStatus::ok;
  }

  // The free motion, and the impulses of the last step. Where the free motion of a step exceeds the motion so
  // far, forces are stiff and it is no guess: then the motion so far.
  static void guess(const MidpointStep& midpoint, GglMemory& memory) {
    GglUnknowns& x = memory.x;
    const Vector &v_0 = midpoint.state.v, &v_free = memory.v_free;
    const Inertia& M = memory.equations.M();
    combine(1.0, v_free, -1.0, v_0, memory.difference);
    const bool stiff = energy_norm(M, memory.difference, memory.product) > energy_norm(M, v_0, memory.product);
    scale(1.0, stiff ? v_0 : v_free, x.v);
    const double half = 0.5 * midpoint.dt;
    combine(half, v_0, half, x.v, x.d);
    warm_start(midpoint.ws.active, midpoint.state.impulses, x.Lambda);
    x.Psi.assign(memory.equations.position_rows(), 0.0);
  }

  bool restrain(const MidpointStep& midpoint, GglMemory& memory) const {
    const GglUnknowns& x = memory.x;
    const double half = 0.5 * midpoint.dt;
    combine(half, midpoint.state.v, half, x.v, memory.mean_motion);
    combine(1.0, x.d, -1.0, memory.mean_motion, memory.push);
    return memory.touching.restrain(midpoint, memory.equations.mid, x.Lambda, memory.push, judge_.tolerance());
  }

  // Blocks of the inclusion: the active constraints with their laws, then their position rows.
  static void set_laws(double dt, GglMemory& memory, StepWorkspace& ws) {
    InclusionProblem& problem = ws.velocity.problem;
    problem.laws.clear();
    problem.timed.clear();
    memory.partition.clear();
    Index row = 0;
    const auto add = [&](const Law& law) {
      problem.laws.push_back(&law);
      memory.partition.push_back({row, law.dim()});
      row += law.dim();
    };
    for (Index i = 0; i < ws.active.size(); ++i) add(*problem.timed.over(dt, ws.active.constraint(i).law));
    if (memory.equations.position_rows() == 0) return;
    for (Index i = 0; i < ws.active.size(); ++i) {
      const Constraint& constraint = ws.active.constraint(i);
      if (constraint.position_rows > 0)
        add(position_law(memory.holds.held(constraint, i) ? ProjectionRole::equality : ProjectionRole::inequality,
                         constraint.position_rows));
    }
  }

  // s = |M v_0| + |M v| + dt |h| + |W Lambda| in the norm of kinetic energy.
  static double momentum_scale(const MidpointStep& midpoint, GglMemory& memory) {
    const GglEquations& equations = memory.equations;
    double s = momentum(memory, midpoint.state.v) + momentum(memory, memory.x.v) +
               midpoint.dt * impulse(midpoint, memory, equations.mid.h);
    if (!midpoint.ws.active.empty()) s += impulse(midpoint, memory, equations.W_Lambda);
    return s;
  }
  static double momentum(GglMemory& memory, const Vector& velocity) {
    return energy_norm(memory.equations.M(), velocity, memory.product);
  }
  static double impulse(const MidpointStep& midpoint, GglMemory& memory, const Vector& p) {
    scale(1.0, p, memory.product);
    midpoint.memory.M_factor.solve(memory.product.data());
    return std::sqrt(std::abs(dot(p, memory.product)));
  }

  bool converged(const MidpointStep& midpoint, GglMemory& memory) const {
    const GglEquations& equations = memory.equations;
    const double limit = newton_tolerance_ * momentum_scale(midpoint, memory);
    const bool equations_hold = (holds(impulse(midpoint, memory, equations.phi2), 1.0, limit) &&
                                 holds(momentum(memory, equations.phi1), midpoint.dt, limit)) ||
                                within_rounding(memory.elimination.displacement(), equations.q_1);
    return equations_hold && laws_hold(memory, midpoint.ws, limit) && positions_hold(memory, midpoint.ws);
  }

  // rho |Lambda - P_C(Lambda - xi / rho)| <= sqrt(rho) limit, where the last digit of Lambda hides no more than that.
  static bool laws_hold(const GglMemory& memory, const StepWorkspace& ws, double limit) {
    const GglEquations& equations = memory.equations;
    const GglUnknowns& x = memory.x;
    for (Index i = 0; i < ws.active.size(); ++i) {
      const Law& law = *ws.velocity.problem.laws[static_cast<std::size_t>(i)];
      const Index row = memory.partition[static_cast<std::size_t>(i)].row;
      const double rho = ws.velocity.problem.G->rho(i);
      if (!(rho > 0.0)) continue;
      constexpr double rounding = std::numeric_limits<double>::epsilon();
      double y[Law::max_dim], square = 0.0;
      for (Index r = 0; r < law.dim(); ++r) square += rounding * rounding * x.Lambda[row + r] * x.Lambda[row + r];
      for (Index r = 0; r < law.dim(); ++r) y[r] = x.Lambda[row + r] - equations.xi[row + r] / rho;
      law.project(y, y);
      for (Index r = 0; r < law.dim(); ++r) square += (x.Lambda[row + r] - y[r]) * (x.Lambda[row + r] - y[r]);
      if (!(rho * square <= limit * limit)) return false;
    }
    return true;
  }

  bool positions_hold(const GglMemory& memory, const StepWorkspace& ws) const {
    const GglEquations& equations = memory.equations;
    const GglUnknowns& x = memory.x;
    if (equations.position_rows() == 0) return true;
    Index row = 0, block = ws.active.size();
    for (Index i = 0; i < ws.active.size(); ++i) {
      const Constraint& constraint = ws.active.constraint(i);
      if (constraint.position_rows == 0) continue;
      const double* diagonal = ws.velocity.problem.G->diagonal_block(block++);
      for (Index r = 0; r < constraint.position_rows; ++r, ++row) {
        const double rho_Psi = diagonal[r + r * constraint.position_rows] * x.Psi[row];
        if (!(judge_.violation(equations.g[row], rho_Psi, memory.holds.held(constraint, i)) <=
              judge_.tolerance() * constraint.length_scale))
          return false;
      }
    }
    return true;
  }

  static void report(const GglEquations& equations, const GglUnknowns& x, StepWorkspace& ws, StepResult& result) {
    if (ws.active.empty()) return report_no_contacts(result);
    report_contacts(ws.active, x.Lambda, equations.gamma_0, equations.xi, equations.shift, result);
    for (const double Psi : x.Psi)
      result.largest_position_multiplier = std::max(result.largest_position_multiplier, std::abs(Psi));
  }

  GglOptions options_;
  PositionProjection judge_;
  bool touch_;
  double newton_tolerance_;
  double activation_tolerance_;
};

}  // namespace

extern const SchemeEntry ggl_unified_entry;
const SchemeEntry ggl_unified_entry{
    .name = "ggl_unified",
    .title = "implicit midpoint rule with impact law and non-penetration in one problem: no drift, order 2",
    .reference = "Schoeder, Ulbrich, Schindler 2013; friction: docs/theory/ggl.md",
    .treats = {Feature::contacts, Feature::joints, Feature::friction, Feature::inelastic, Feature::quaternions,
               Feature::variable_inertia, Feature::spin_friction, Feature::exact_reservoir, Feature::joint_friction,
               Feature::rheonomic},
    .promises = {.orders = {2, 2, 1},
                 .position_level = true,
                 .velocity_level = true,
                 .impact_law = true,
                 .yields = true,
                 .implicit_force = true,
                 .passive = true},
    .parameters = {{"gap_evaluation",
                    std::string("exact"),
                    "gaps and their rates at the end of the step, or expanded "
                    "about its middle",
                    0,
                    0,
                    {"exact", "linearised"}},
                   PositionProjection::metric_spec(),
                   {"position_constraint", true, "false: velocities only, gaps may drift"},
                   {"activation",
                    std::string("touch"),
                    "contacts that touch within the step, or those the published "
                    "forecast sees",
                    0,
                    0,
                    {"touch", "forecast"}},
                   {"newton_tolerance", 1e-10, "relative residual at which Newton stops", 0, 1, {}, true},
                   PositionProjection::tolerance_spec(),
                   activation_tolerance_spec(rounding_activation)},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> { return std::make_unique<GglUnified>(p); }};

}  // namespace carom::inline schemes
