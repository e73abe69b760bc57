// The half-explicit trapezoidal rule on velocity level, told in the order of its stages; the schemes that
// use it differ in who takes part in the first stage and in how an impact is noticed.
//
//   first stage:  v_s = v_0 + dt M(q_0)^-1 ( h(t_0, q_0, v_0) + W(q_0) lambda_plus )
//                 -( W(q_p)' v_s + chi ) in N_C(lambda_plus),     q_p = q_0 (+) dt v_0 only inside this W
//                 q_1 = q_0 (+) dt/2 (v_0 + v_s)
//   smooth end:   v_1 = v_0 + 1/2 (v_s - v_0) + dt/2 M(q_1)^-1 ( h(t_1, q_1, v_s) + W(q_1) lambda_minus )
//                 -( W(q_1)' v_1 + chi ) in N_C(lambda_minus)     on the contacts closed at q_1
//   impact:       v_free = v_0 + dt/2 ( M(q_0)^-1 h(t_0, q_0, v_0) + M(q_1)^-1 h(t_1, q_1, v_s) ),
//                 then the impact of half_explicit_step.h
//
// The force of the first stage pushes along W(q_0) and is asked to keep W(q_p)' v_s: its operator is not
// symmetric, and using W(q_p) for both would cost an order in persistent contact.
//
// Reference: Schindler, Rezaei, Kursawe, Acary (2015), section 4 and appendix A.
#pragma once

#include "carom/base/vector_kernels.h"
#include "carom/schemes/half_explicit/half_explicit_step.h"

namespace carom::inline schemes {

struct TrapezoidMemory final : HalfExplicitMemory {
  Vector a_0, v_s, a_1;  // free acceleration at both ends, velocity of the first stage
  Vector q_s;            // q_0 (+) dt v_0
};

class HalfExplicitTrapezoid : public HalfExplicitStep {
 public:
  HalfExplicitTrapezoid(const System& system_in, const InclusionSolver& solver_in, const State& state_in, double dt,
                        double tolerance, StepWorkspace& ws_in, TrapezoidMemory& memory_in, StepResult& result_in)
      : HalfExplicitStep(system_in, solver_in, state_in, dt, tolerance, ws_in, memory_in, result_in),
        a_0_(memory_in.a_0),
        v_s_(memory_in.v_s),
        a_1_(memory_in.a_1),
        q_s_(memory_in.q_s) {}

  // False: the step has failed.
  bool first_stage(const ActiveSet& active) {
    if (!free_acceleration(state.t, state.q, state.v, a_0_)) return false;
    combine(1.0, state.v, dt(), a_0_, v_s_);
    if (!active.empty()) {
      const Evaluation* Wf = &memory.force;
      if (&active == &closed_at_start() || active.members() == closed_at_start().members())
        Wf = &directions_at_start();
      else
        system.evaluate(state.t, state.q, state.v, Need::jacobian, active, memory.force);
      scale(dt(), state.v, memory.increment);
      system.move(state.q, memory.increment, q_s_);
      system.evaluate(result.next.t, q_s_, state.v, Need::jacobian, active, memory.constraint);
      push({active, memory.constraint, *Wf, M(), dt()}, 1.0, v_s_);
      book(active, 0.5);
    }
    combine(0.5 * dt(), state.v, 0.5 * dt(), v_s_, memory.increment);
    system.move(state.q, memory.increment, result.next.q);
    return true;
  }

  // Closed contacts, inertia and force at q_1.
  bool look_at_end() { return look(result.next.t, result.next.q, v_s_, a_1_); }

  void end_with_impact() {
    combine(0.5 * dt(), a_0_, 0.5 * dt(), a_1_, memory.increment);
    add(memory.increment, result.next.v);
    impact();
  }

  void end_smoothly() {
    combine(0.5, v_s_, 0.5 * dt(), a_1_, memory.increment);
    combine(0.5, state.v, 1.0, memory.increment, result.next.v);
    smooth_end(0.5);
  }

 private:
  Vector &a_0_, &v_s_, &a_1_, &q_s_;
};

}  // namespace carom::inline schemes
