// Extrapolated half-explicit Euler method: order K between impacts from K runs over the step.
//
//   run j = 1 .. K, in j substeps of length H = dt / j:
//     q_{m+1} = q_m + H v_m
//     v_{m+1} = v_m + H M(q_m)^-1 ( h(q_m, v_m) + W(q_m) lambda_m ),
//     -( W(q_{m+1})' v_{m+1} + chi ) in N_C(lambda_m)     on the contacts closed at q_0
//
//   Aitken-Neville over j on positions, velocities and impulses P = H sum_m lambda_m (n_j = j):
//     T_{j,k+1} = T_{j,k} + (T_{j,k} - T_{j-1,k}) / (n_j / n_{j-k} - 1)
//
//   The extrapolated velocity breaks the constraints by O(dt^(K+1)); it is projected on them by replacing
//   the extrapolated impulse of the contacts closed at q_1 by the one their law wants:
//     v_1 = v + M(q_1)^-1 W(q_1) (p - P),     -( W(q_1)' v_1 + chi ) in N_C(p)
//
// Extrapolation rests on an expansion in dt, and that on every contact doing the same in all substeps of all runs:
// open, sticking, or sliding without turning round. Otherwise the step is nonsmooth; differences of runs then tell
// when which run saw the change, extrapolation magnifies them (by up to 92 in order 5), and the finest run is taken
// as it is. An impact step takes its v_free from runs without forces.
//
// Reference: Hairer, Lubich, Roche, The numerical solution of differential-algebraic systems by Runge-Kutta
// methods (1989), and Lubich, h^2-extrapolation methods for differential-algebraic systems of index 2
// (1989), for the expansion in dt; Schindler, Rezaei, Kursawe, Acary (2015) for the impact step.

#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/base/errors.h"
#include "carom/base/vector_kernels.h"
#include "carom/schemes/half_explicit/half_explicit_step.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

constexpr int max_order = 6;

// The outcome of one run over the step.
struct Run {
  Vector dq, v;
  Buffer P;  // by rows of all contacts
};

struct ExtrapolationMemory final : HalfExplicitMemory {
  Run runs[max_order];
  Vector q, q_next;
  // What the contacts closed at q_0 did in the first substep, and with which impulses; whether some did otherwise
  // later.
  std::vector<ContactState> first;
  Buffer first_impulse;
  bool nonsmooth = false;
  // Impulses taken out of the books at the end, and what they did to the velocity.
  Buffer booked;
  Vector change;
};

class HalfExplicitExtrapolated final : public SchemeWith<ExtrapolationMemory> {
 public:
  explicit HalfExplicitExtrapolated(const Parameters& p)
      : order_(static_cast<int>(p.number("order"))), activation_tolerance_(p.number("activation_tolerance")) {
    if (p.number("order") != order_)
      throw InputError({"E0126",
                        "scheme half_explicit_extrapolated: order must be a whole number",
                        "order",
                        "1, 2, 3, 4, 5 or 6",
                        {},
                        0,
                        0,
                        {}});
  }

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    ExtrapolationMemory& m = memory_in(ws);
    HalfExplicitStep step(system, solver, state, dt, activation_tolerance_, ws, m, result);

    if (!extrapolate(step, true, m)) return;
    const Run& end = m.runs[order_ - 1];
    system.move(state.q, end.dq, result.next.q);
    scale(1.0, end.v, result.next.v);

    step.look(result.next.t, result.next.q);
    const bool impact = step.some_contact_closed();
    if (impact && !step.closed_at_start().empty()) {
      if (!extrapolate(step, false, m)) return;
      scale(1.0, m.runs[order_ - 1].v, result.next.v);
      step.look(result.next.t, result.next.q);
    }
    if (impact || !step.closed().empty())
      if (!step.free_acceleration(result.next.t, result.next.q, result.next.v, m.a)) return;  // M(q_1)
    if (impact)
      step.impact();
    else
      project(step, m.runs[order_ - 1].P, m);
    step.finish();
  }

 private:
  // m.runs[order - 1] becomes the extrapolated outcome. False: the step has failed.
  bool extrapolate(HalfExplicitStep& step, bool with_forces, ExtrapolationMemory& m) const {
    m.first.clear();
    m.nonsmooth = false;
    for (int j = 1; j <= order_; ++j)
      if (!run(step, j, with_forces, m, m.runs[j - 1])) return false;
    if (m.nonsmooth) return true;  // the last run is the finest
    // Column after column, from the back so that T_{j-1,k} is still there.
    for (int k = 1; k < order_; ++k)
      for (int j = order_; j > k; --j) {
        const double factor = 1.0 / (static_cast<double>(j) / (j - k) - 1.0);
        Run& T = m.runs[j - 1];
        const Run& before = m.runs[j - 2];
        combine(1.0 + factor, T.dq, -factor, before.dq, T.dq);
        combine(1.0 + factor, T.v, -factor, before.v, T.v);
        for (Index i = 0; i < T.P.size(); ++i) T.P[i] += factor * (T.P[i] - before.P[i]);
      }
    return true;
  }

  bool run(HalfExplicitStep& step, int substeps, bool with_forces, ExtrapolationMemory& m, Run& out) const {
    const System& system = step.system;
    const State& state = step.state;
    const double H = step.dt() / substeps;
    Vector& a = step.memory.a;
    Evaluation &force = step.memory.force, &constraint = step.memory.constraint;
    scale(1.0, state.q, m.q);
    scale(1.0, state.v, out.v);
    set_zero(system.nv(), out.dq);
    out.P.assign(step.ws.all.rows(), 0.0);
    for (int i = 0; i < substeps; ++i) {
      const double t = state.t + i * H, t_next = state.t + (i + 1) * H;
      if (!step.free_acceleration(t, m.q, out.v, a)) return false;
      combine(1.0, out.dq, H, out.v, out.dq);
      system.move(state.q, out.dq, m.q_next);
      combine(1.0, out.v, H, a, out.v);
      const ActiveSet& active = step.closed_at_start();
      if (with_forces && !active.empty()) {
        system.evaluate(t, m.q, out.v, Need::jacobian, active, force);
        system.evaluate(t_next, m.q_next, out.v, Need::jacobian, active, constraint);
        step.push({active, constraint, force, step.M(), H}, 1.0 / substeps, out.v);
        step.add_impulses(active, 1.0, out.P);
        compare_with_first(step.ws.velocity.problem, step.ws.velocity.result.lambda, m);
      }
      std::swap(m.q, m.q_next);
    }
    return true;
  }

  static void compare_with_first(const InclusionProblem& problem, const Buffer& p, ExtrapolationMemory& m) {
    const bool first = m.first.empty();
    if (first) m.first_impulse = p;
    Index row = 0;
    for (std::size_t i = 0; i < problem.laws.size(); ++i) {
      const Law& law = *problem.laws[i];
      const ContactState now = law.state(p.data() + row, nullptr);
      if (first) m.first.push_back(now);
      double along = 0.0;  // friction of the first substep: of a joint its last row
      for (Index r = law.is_contact() ? 1 : law.dim() - 1; r < law.dim(); ++r)
        along += p[row + r] * m.first_impulse[row + r];
      const bool turned = now != ContactState::stick && along < 0.0;
      m.nonsmooth = m.nonsmooth || turned || now != m.first[i];
      row += law.dim();
    }
  }

  // v_1 = v + M^-1 W (p - P) on the contacts closed at q_1; the others keep P.
  static void project(HalfExplicitStep& step, Buffer& P, ExtrapolationMemory& m) {
    const ActiveSet& closed = step.closed();
    if (!step.closed_at_start().empty()) step.book(P);
    if (closed.empty()) return;
    const Evaluation& at = step.directions(step.result.next.t);
    step.unbook(closed, m.booked);
    set_zero(step.system.nv(), m.change);
    at.W.multiply_add(m.booked.data(), m.change.data());
    step.M().solve(m.change.data());
    combine(1.0, step.result.next.v, -1.0, m.change, step.result.next.v);
    step.smooth_end(1.0);
  }

  int order_;
  double activation_tolerance_;
};

}  // namespace

extern const SchemeEntry half_explicit_extrapolated_entry;
const SchemeEntry half_explicit_extrapolated_entry{
    .name = "half_explicit_extrapolated",
    .title = "extrapolated half-explicit Euler method: order 5 (or 1 to 6) between impacts",
    .reference = "Hairer, Lubich, Roche 1989; Schindler, Rezaei, Kursawe, Acary 2015, appendix B",
    .treats = {Feature::contacts, Feature::joints, Feature::friction, Feature::inelastic, Feature::quaternions,
               Feature::variable_inertia, Feature::spin_friction, Feature::exact_reservoir, Feature::two_phases,
               Feature::joint_friction, Feature::rheonomic},
    .promises = {.orders = {5, 5, 1}, .velocity_level = true, .yields = true},
    .parameters = {{"order", 5.0, "runs over the step, and order between impacts: a whole number", 1, max_order},
                   activation_tolerance_spec(rounding_activation)},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> {
      return std::make_unique<HalfExplicitExtrapolated>(p);
    },
    .orders_with = [](const Parameters& p) -> Orders {
      return {p.number("order"), p.number("order"), 1};
    }};

}  // namespace carom::inline schemes
