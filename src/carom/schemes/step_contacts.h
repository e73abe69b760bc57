// What every event-capturing step does with its contacts before and after the scheme's own equations:
// find them, measure them, remember their impulses.
#pragma once

#include "carom/schemes/scheme.h"

namespace carom::inline schemes {

// Gaps up to this, relative to the length scale, count as closed by default: rounding must not decide whether a resting
// body is carried. The gaps of a stack at rest wander by some 1e-14 m a step; a contact that is left out for one step
// lets its body tip by g dt^2 / 2.
inline constexpr double rounding_activation = 1e-9;
ParameterSpec activation_tolerance_spec(double default_value);

// Joints, and what exists on velocity level only, act in every step.
inline bool always_acts(const Constraint& constraint) { return constraint.bilateral || constraint.position_rows == 0; }
// The one meaning of closed: a constraint that always acts, or a gap up to `tolerance` length scales.
inline bool is_closed(const Constraint& constraint, double gap, double tolerance) {
  return always_acts(constraint) || gap <= tolerance * constraint.length_scale;
}

// Detects the constraints of the step; prepares ws.all and ws.none.
void find_contacts(const System& system, const State& state, double dt, StepWorkspace& ws);

// gamma = W' v + chi for the rows of an evaluation.
void local_velocity(const Evaluation& evaluation, const Vector& v, Buffer& gamma);

// gamma' = W' a + zeta for the rows of an evaluation.
void local_acceleration(const Evaluation& evaluation, const Vector& a, Buffer& rate);

// The guess of an inclusion solve: the impulses remembered for the active constraints, else zero.
void warm_start(const ActiveSet& active, const ContactMemory& memory, Buffer& lambda);

// Sets the laws of an inclusion problem from the active constraints. `duration`: how long forces act in its impulses;
// 0 in a pure impact, 1 if it is a problem of forces.
void set_laws(const ActiveSet& active, double duration, InclusionProblem& problem);

// c += impact shift of every block, shift kept in `shift`. gamma_minus by rows of the active set.
void add_impact_shift(const ActiveSet& active, const Buffer& gamma_minus, Buffer& shift, Buffer& c);

// Solves the problem in `work`, and counts it in the result. Whether it was solved.
bool solve_and_count(const InclusionSolver& solver, InclusionWork& work, StepResult& result);

// Fills contacts, impulses and velocities of the result and the warm-start memory of the next state.
// gamma_plus = xi - shift.
void report_contacts(const ActiveSet& active, const Buffer& impulse, const Buffer& gamma_minus, const Buffer& xi,
                     const Buffer& shift, StepResult& result);

// Nothing active: empties the contact part of the result.
void report_no_contacts(StepResult& result);

// Resets the counters and the state of a result for a step of length dt.
void begin_result(const State& state, double dt, StepResult& result);
// Marks the result as not finite if it is.
void check_finite(StepResult& result);

}  // namespace carom::inline schemes
