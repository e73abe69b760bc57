// Decoupled nonsmooth generalized-alpha: three problems in sequence instead of one Newton iteration over all.
//
//   1 smooth    generalized-alpha without contacts, joints on position level   -> a, lambda, q_smooth, v_smooth
//   2 position  M u = dt^2 f_p + dt/2 W_T Lambda_T + W nu,     q = q_smooth (+) u
//               joints g = 0,  contacts 0 <= g _|_ nu >= 0
//   3 velocity  M w = dt f_v + W Lambda,                       v = v_smooth + w
//               -( W'v + chi + shift ) in N_C(Lambda)  on joints and on the contacts that are closed after 2
//
// f_p and f_v are the forces the smooth motion could not see, because contacts have moved the bodies since:
//
//   f_p = h(q, v_smooth) + W(q) lambda - M(q) a,      f_v = h(q, v) + W(q) lambda - M(q) a
//
// (zero at q_smooth, v_smooth; backward Euler). They keep stiff bodies from gaining energy in a contact;
// force_correction = false leaves them out.
//
// Friction enters in 3; the body moves by half of the velocity it changes, which is where 2 needs Lambda_T: it
// takes that of the last step, and 2 and 3 are repeated until they agree. Without friction each is solved once. A
// contact that pushes in 3 is an equality of 2 when 2 is repeated: friction at several contacts may ask for a pull
// in 2 where 3 asks for a push, and neither would give in. 2 and 3 are inclusion problems for the solver,
// linearised about their last iterate as in any implicit step.
//
// Departure: the publications leave the factors of f_p and f_v and the place of Lambda_T in 2 open; those above
// make constant forces exact.
//
// Reference: Cosimo, Galvez, Cavalieri, Cardona, Bruels (2020); Galvez et al. (2020).

#include <algorithm>
#include <cmath>

#include "carom/base/vector_kernels.h"
#include "carom/schemes/alpha/parameters.h"
#include "carom/schemes/alpha/step.h"
#include "carom/schemes/impulse_problem.h"
#include "carom/schemes/newton_stop.h"
#include "carom/schemes/projection/position_projection.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

constexpr int newton_cap = 30, pass_cap = 30;
// Increments below this, relative to lengths and velocities, end a Newton iteration: the next is its square.
constexpr double increment_tolerance = 1e-11;
constexpr double friction_tolerance = 1e-12;  // of the impulse 2 assumed, relative to the largest

struct DecoupledWork final : SchemeMemory {
  alpha::Work smooth;
  Vector q_smooth, v_smooth, u, w, force, increment;
  Buffer friction, found,
      impulse;             // by rows of all constraints: Lambda_T assumed, Lambda found, impulse reported
  std::vector<char> held;  // by constraint: an equality of 2
  Buffer multiplier;
  IterationMatrix A;
  Evaluation at_q, at_1;
  InclusionWork position;
  ConstraintJacobian W_position;
  std::vector<Index> indices, row_counts;
  Vector v_before, change;  // of an iteration
  Buffer gamma_minus, gamma_plus;

  const InclusionWork* position_problem() const override { return &position; }
};

class Decoupled final : public SchemeWith<DecoupledWork> {
 public:
  explicit Decoupled(const Parameters& p) : force_correction_(p.flag("force_correction")) {
    smooth_.spectral_radius = p.number("spectral_radius");
    smooth_.levels.joints = alpha::SmoothRow::position;
    smooth_.levels.contacts = smooth_.levels.position = smooth_.levels.velocity = false;
    smooth_.solution = alpha::Solution::monolithic;
    smooth_.tolerance = p.number("newton_tolerance");
  }

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    DecoupledWork& d = memory_in(ws);
    alpha::Step(system, solver, state, dt, smooth_, ws, d.smooth, result).run();
    if (result.status != StepStatus::ok) return;
    d.q_smooth = result.next.q;
    d.v_smooth = result.next.v;
    recall_friction(state, ws, d);
    d.held.assign(static_cast<std::size_t>(ws.all.size()), 0);
    for (int pass = 0;; ++pass) {
      if (!solve_positions(system, solver, dt, ws, d, result)) return;
      if (!solve_velocities(system, solver, state, dt, ws, d, result)) return;
      if (friction_agrees(ws, d)) break;
      if (pass == pass_cap) {
        result.status = StepStatus::newton_failed;
        return;
      }
    }
    report(system, dt, ws, d, result);
    check_finite(result);
  }

 private:
  // force = h + W lambda - M a, from an evaluation of all constraints.
  static void unseen_force(const Evaluation& at, const alpha::Work& smooth, Vector& force) {
    force = at.h;
    at.W.multiply_add(smooth.next.lambda.data(), force.data());
    at.M.multiply_add(-1.0, smooth.next.a.data(), force.data());
  }

  bool solve_positions(const System& system, const InclusionSolver& solver, double dt, StepWorkspace& ws,
                       DecoupledWork& d, StepResult& result) const {
    const Index nv = system.nv();
    const alpha::Work& smooth = d.smooth;
    set_zero(nv, d.u);
    result.next.q = d.q_smooth;
    if (ws.all.empty()) return true;
    InclusionWork& work = d.position;
    list_position_rows(ws, d, work);
    work.result.lambda.assign(work_rows(d), 0.0);
    double length = ws.all.constraint(0).length_scale;
    for (Index k = 1; k < ws.all.size(); ++k) length = std::min(length, ws.all.constraint(k).length_scale);

    for (int iteration = 0; iteration < newton_cap; ++iteration) {
      system.evaluate(result.next.t, result.next.q, d.v_smooth,
                      Need::inertia | Need::force | Need::force_jacobian | Need::gap | Need::jacobian, ws.all, d.at_q);
      if (!d.A.factor(d.at_q.M, 0.0, d.at_q.dh_dv, force_correction_ ? dt * dt : 0.0, d.at_q.dh_dq))
        return fail(StepStatus::singular, result);
      set_zero(nv, d.increment);
      if (force_correction_) {
        unseen_force(d.at_q, smooth, d.force);
        scale(dt * dt, d.force, d.increment);
      }
      d.at_q.W.multiply_add(half_friction(dt, d), d.increment.data());
      d.at_q.M.multiply_add(-1.0, d.u.data(), d.increment.data());
      d.A.solve(d.increment.data());

      d.W_position.assign_leading_rows(d.at_q.W, d.indices, d.row_counts);
      Buffer& c = work.problem.c;
      d.W_position.transpose_multiply(d.increment.data(), c.resized(d.W_position.rows()));
      Index row = 0, source = 0;
      for (Index k = 0; k < ws.all.size(); ++k) {
        for (Index r = 0; r < ws.all.constraint(k).position_rows; ++r) c[row++] += d.at_q.g[source + r];
        source += ws.all.constraint(k).law->dim();
      }
      work.problem.G = &work.factory.build(d.W_position, d.A);
      const bool solved = solve_and_count(solver, work, result);
      ++result.projection_iterations;
      set_zero(nv, d.change);
      d.W_position.multiply_add(work.result.lambda.data(), d.change.data());
      d.A.solve(d.change.data());
      add(d.increment, d.change);
      add(d.change, d.u);
      system.move(d.q_smooth, d.u, result.next.q);
      if (!holds(d.change.lpNorm<Eigen::Infinity>(), increment_tolerance, length)) continue;
      result.largest_position_multiplier =
          work.result.lambda.empty() ? 0.0 : work.result.lambda.vec().lpNorm<Eigen::Infinity>();
      return solved || fail(StepStatus::projection_failed, result);
    }
    return fail(StepStatus::projection_failed, result);
  }

  // Closed after 2: joints, contacts that were pushed or have no gap.
  static void activate(const System& system, DecoupledWork& d, StepWorkspace& ws, StepResult& result) {
    ws.active.reset(ws.contacts);
    if (ws.all.empty()) return;
    system.evaluate(result.next.t, result.next.q, result.next.v, Need::gap, ws.all, d.at_q);
    Index row = 0, source = 0;
    for (Index k = 0; k < ws.all.size(); ++k) {
      const Constraint& c = ws.all.constraint(k);
      const bool pushed = c.position_rows > 0 && d.position.result.lambda[row] > 0.0;
      if (c.bilateral || pushed || d.held[static_cast<std::size_t>(k)] ||
          d.at_q.g[source] <= rounding_activation * c.length_scale)
        ws.active.add(k);
      row += c.position_rows;
      source += c.law->dim();
    }
  }

  bool solve_velocities(const System& system, const InclusionSolver& solver, const State& state, double dt,
                        StepWorkspace& ws, DecoupledWork& d, StepResult& result) const {
    const Index nv = system.nv();
    const alpha::Work& smooth = d.smooth;
    Vector& v = result.next.v;
    v = d.v_smooth;
    set_zero(nv, d.w);
    d.found.assign(ws.all.rows(), 0.0);
    activate(system, d, ws, result);
    const bool unpushed = ws.active.empty() && d.u.isZero(0.0);
    if (unpushed) return true;  // the smooth motion itself
    gather(ws, smooth.gamma_minus, d.gamma_minus);

    const bool linear = system.constancy().affine_force || !force_correction_;
    for (int iteration = 0; iteration < newton_cap; ++iteration) {
      system.evaluate(result.next.t, result.next.q, v,
                      Need::inertia | Need::force | Need::force_jacobian | Need::jacobian, ws.all, d.at_q);
      if (!d.A.factor(d.at_q.M, force_correction_ ? dt : 0.0, d.at_q.dh_dv, 0.0, d.at_q.dh_dq))
        return fail(StepStatus::singular, result);
      set_zero(nv, d.increment);
      if (force_correction_) {
        unseen_force(d.at_q, smooth, d.force);
        scale(dt, d.force, d.increment);
      }
      d.at_q.M.multiply_add(-1.0, d.w.data(), d.increment.data());
      d.A.solve(d.increment.data());
      d.v_before = v;
      add(d.increment, v);
      bool solved = true;
      if (!ws.active.empty()) {
        system.evaluate(result.next.t, result.next.q, v, Need::jacobian, ws.active, d.at_1);
        solved = solve_impulses({ws.active, d.at_1, d.at_1, d.A, 0.0, &d.gamma_minus}, solver, state.impulses, 1.0, ws,
                                result, v);
      }
      d.change = v - d.v_before;
      add(d.change, d.w);
      ++result.newton_iterations;
      const double speed = v.lpNorm<Eigen::Infinity>() + state.v.lpNorm<Eigen::Infinity>();
      if (!linear && !holds(d.change.lpNorm<Eigen::Infinity>(), increment_tolerance, speed)) continue;
      scatter(ws, ws.velocity.result.lambda, d.found);
      return solved || fail(StepStatus::solver_failed, result);
    }
    return fail(StepStatus::newton_failed, result);
  }

  // Impulses of the tangential rows, as position multipliers.
  static const double* half_friction(double dt, DecoupledWork& d) {
    d.multiplier.resize(d.friction.size());
    for (Index i = 0; i < d.friction.size(); ++i) d.multiplier[i] = 0.5 * dt * d.friction[i];
    return d.multiplier.data();
  }

  // d.friction becomes what 3 has found; whether that is what 2 assumed.
  static bool friction_agrees(const StepWorkspace& ws, DecoupledWork& d) {
    double difference = 0.0, largest = 0.0;
    Index row = 0;
    for (Index k = 0; k < ws.all.size(); ++k) {
      const Constraint& c = ws.all.constraint(k);
      d.held[static_cast<std::size_t>(k)] |= d.found[row] > 0.0;
      for (Index r = 0; r < c.law->dim(); ++r, ++row) {
        largest = std::max(largest, std::abs(d.found[row]));
        if (r < c.position_rows) continue;
        difference = std::max(difference, std::abs(d.found[row] - d.friction[row]));
        d.friction[row] = d.found[row];
      }
    }
    return difference <= friction_tolerance * largest;
  }

  static void recall_friction(const State& state, const StepWorkspace& ws, DecoupledWork& d) {
    d.friction.assign(ws.all.rows(), 0.0);
    std::size_t hint = 0;
    Index row = 0;
    for (Index k = 0; k < ws.all.size(); ++k) {
      const Constraint& c = ws.all.constraint(k);
      const Index dim = c.law->dim();
      if (const double* values = state.impulses.find(c.id, 3 * dim, hint); values != nullptr && !c.bilateral)
        for (Index r = c.position_rows; r < dim; ++r) d.friction[row + r] = values[r];
      row += dim;
    }
  }

  static void list_position_rows(const StepWorkspace& ws, DecoupledWork& d, InclusionWork& work) {
    d.indices.clear();
    d.row_counts.clear();
    work.problem.laws.clear();
    for (Index k = 0; k < ws.all.size(); ++k) {
      const Constraint& c = ws.all.constraint(k);
      if (c.position_rows == 0) continue;
      d.indices.push_back(k);
      d.row_counts.push_back(c.position_rows);
      const bool equality = c.bilateral || d.held[static_cast<std::size_t>(k)];
      work.problem.laws.push_back(
          &position_law(equality ? ProjectionRole::equality : ProjectionRole::inequality, c.position_rows));
    }
  }
  static Index work_rows(const DecoupledWork& d) {
    Index rows = 0;
    for (const Index count : d.row_counts) rows += count;
    return rows;
  }

  // Rows of the active constraints out of rows of all, and back.
  template <class Copy>
  static void for_active_rows(const StepWorkspace& ws, Copy copy) {
    Index row = 0, source = 0, next = 0;
    for (Index k = 0; k < ws.all.size(); ++k) {
      const Index dim = ws.all.constraint(k).law->dim();
      if (next < ws.active.size() && ws.active[next] == k) {
        for (Index r = 0; r < dim; ++r) copy(row + r, source + r);
        row += dim;
        ++next;
      }
      source += dim;
    }
  }
  static void gather(const StepWorkspace& ws, const Buffer& all, Buffer& active) {
    active.resize(ws.active.rows());
    for_active_rows(ws, [&](Index row, Index source) { active[row] = all[source]; });
  }
  static void scatter(const StepWorkspace& ws, const Buffer& active, Buffer& all) {
    for_active_rows(ws, [&](Index row, Index source) { all[source] = active[row]; });
  }

  static void report(const System& system, double dt, StepWorkspace& ws, DecoupledWork& d, StepResult& result) {
    const alpha::Work& smooth = d.smooth;
    d.impulse.resize(ws.all.rows());
    for (Index i = 0; i < d.impulse.size(); ++i) d.impulse[i] = d.found[i] + smooth.Lambda_total[i];  // of the joints
    if (ws.active.empty()) {
      report_no_contacts(result);
    } else {
      system.evaluate(result.next.t, result.next.q, result.next.v, Need::jacobian, ws.active, d.at_1);
      local_velocity(d.at_1, result.next.v, d.gamma_plus);
      gather(ws, d.impulse, d.multiplier);
      ws.velocity.shift.assign(ws.active.rows(), 0.0);
      report_contacts(ws.active, d.multiplier, d.gamma_minus, d.gamma_plus, ws.velocity.shift, result);
    }
    remember(smooth.next, ws.all, d.impulse, dt, result.next);
  }

  static bool fail(StepStatus status, StepResult& result) {
    result.status = status;
    return false;
  }

  bool force_correction_;
  alpha::Options smooth_;
};

}  // namespace

extern const SchemeEntry nonsmooth_generalized_alpha_decoupled_entry;
const SchemeEntry nonsmooth_generalized_alpha_decoupled_entry{
    .name = "nonsmooth_generalized_alpha_decoupled",
    .title = "generalized-alpha, then positions, then velocities: three problems in sequence",
    .reference = "Cosimo, Galvez, Cavalieri, Cardona, Bruels 2020",
    .treats = {Feature::contacts, Feature::joints, Feature::friction, Feature::inelastic, Feature::variable_inertia,
               Feature::spin_friction, Feature::exact_reservoir, Feature::two_phases, Feature::rheonomic},
    .promises = {.orders = {2, 1, 1},
                 .position_level = true,
                 .velocity_level = true,
                 .impact_law = true,
                 .implicit_force = true},
    .parameters = {{"force_correction", true, "whether the corrections see how forces change with them"},
                   alpha::spectral_radius_spec(),
                   alpha::newton_tolerance_spec()},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> { return std::make_unique<Decoupled>(p); }};

}  // namespace carom::inline schemes
