// The velocity step of Moreau's midpoint rule, explicit in q_mid = q_0 (+) dt/2 v_0, t_mid = t_0 + dt/2, shared
// by the rule itself, by what is projected after it, and by the study of constraint levels:
//
//   M(q_mid) (v_1 - v_0) - dt h(t_mid, q_mid, v_0) = W(q_mid) Lambda
//
// The parts leave q_mid, M, h and W there and the factored M in the memory, and v_1 in result.next.v.
#pragma once

#include "carom/base/iteration_matrix.h"
#include "carom/schemes/scheme.h"

namespace carom::inline schemes {

class TouchingContacts;

struct MidpointMemory {
  Vector q_mid;
  Evaluation at_mid;
  IterationMatrix M_factor;
  Evaluation at_0;     // W(q_0) of the linearised form
  Evaluation gaps;     // of all contacts at q_mid
  Vector dq, dv;       // half a step of positions, a step of velocities
  Buffer gamma_0;      // velocities of the active rows at the start
  Buffer gamma_touch;  // the same as the impact law takes them, where they are not these
  Buffer extra;        // of the linearised form
};

struct MidpointStep {
  const System& system;
  const InclusionSolver& solver;
  const State& state;
  const double dt;
  StepWorkspace& ws;
  MidpointMemory& memory;
  StepResult& result;
  const double t_mid = state.t + 0.5 * dt;

  // Finds the contacts; v_1 = v_0 + dt M^-1 h. False, with the status set, if M is singular.
  bool move_freely() const;
  // Joints, and contacts with g(q_mid) <= tolerance length_scale.
  void activate(double tolerance) const;
  // Impulses on the active set, xi = gamma_1 + e gamma_0:
  //   midpoint:    gamma_0 = W(q_mid)' v_0 + chi,   gamma_1 = W(q_mid)' v_1 + chi
  //   linearised:  gamma_0 = W(q_0)' v_0 + chi_0,   gamma_1 = gamma_0 + W(q_mid)' (v_1 - v_0)
  // `touching` knows the velocities the impact law acts on, if they are not gamma_0.
  void apply_impulses(bool linearised, const TouchingContacts* touching = nullptr) const;
  // q_1 = q_mid (+) dt/2 v_1
  void place_end(Vector& q_1) const;
};

}  // namespace carom::inline schemes
