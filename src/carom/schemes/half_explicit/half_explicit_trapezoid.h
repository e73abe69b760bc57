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

class HalfExplicitTrapezoid : public HalfExplicitStep {
 public:
  using HalfExplicitStep::HalfExplicitStep;

  // False: the step has failed.
  bool first_stage(const ActiveSet& active) {
    if (!free_acceleration(state.t, state.q, state.v, a_0)) return false;
    combine(1.0, state.v, dt(), a_0, v_s);
    if (!active.empty()) {
      const Evaluation* Wf = &memory.force;
      if (&active == &closed_at_start() || active.members() == closed_at_start().members())
        Wf = &directions_at_start();
      else
        system.evaluate(state.t, state.q, state.v, Need::jacobian, active, memory.force);
      scale(dt(), state.v, ws.increment);
      system.move(state.q, ws.increment, ws.q_theta);
      system.evaluate(result.next.t, ws.q_theta, state.v, Need::jacobian, active, memory.constraint);
      push({active, memory.constraint, *Wf, M(), dt()}, 1.0, v_s);
      book(active, 0.5);
    }
    combine(0.5 * dt(), state.v, 0.5 * dt(), v_s, ws.increment);
    system.move(state.q, ws.increment, result.next.q);
    return true;
  }

  // Closed contacts, inertia and force at q_1.
  bool look_at_end() { return look(result.next.t, result.next.q, v_s, a_1); }

  void end_with_impact() {
    combine(0.5 * dt(), a_0, 0.5 * dt(), a_1, ws.increment);
    add(ws.increment, result.next.v);
    impact();
  }

  void end_smoothly() {
    combine(0.5, v_s, 0.5 * dt(), a_1, ws.increment);
    combine(0.5, state.v, 1.0, ws.increment, result.next.v);
    smooth_end(0.5);
  }

 private:
  Vector &a_0 = ws.force, &v_s = ws.v_theta, &a_1 = ws.dq;
};

}  // namespace carom::inline schemes
