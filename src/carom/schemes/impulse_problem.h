// The stage problem of explicit and half-explicit schemes: given a velocity v without contact forces,
//
//   v <- v + A^-1 Wf p,     xi = Wc' v + chi + extra + shift,     -xi in N_C(p)
//
// p is an impulse; a force lambda that acts over a time s has p = s lambda, and the laws do not mind
// (their sets are cones; of bounds that are forces the problem says s). Wc != Wf is legal: constraint and force may
// look at different positions.
//
// On acceleration level the same with an acceleration a for v, zeta for chi and a force for p:
//
//   a <- a + A^-1 W lambda,     xi = W' a + zeta,     -xi in N_C(lambda)
#pragma once

#include "carom/schemes/scheme.h"

namespace carom::inline schemes {

enum class Level { velocity, acceleration };

struct ImpulseProblem {
  const ActiveSet& active;
  const Evaluation& constraint;  // Wc, and chi or zeta
  const Evaluation& force;       // Wf
  const IterationMatrix& A;
  double duration;                      // s; 0 in a pure impact
  const Buffer* gamma_minus = nullptr;  // velocities before an impact; null: no restitution
  const Buffer* extra = nullptr;        // what the scheme adds to the velocities; null: nothing
  Level level = Level::velocity;
};

// Whether it was solved. ws.velocity.result holds p and xi, ws.velocity.shift the shift (zero without impact),
// ws.velocity.response what was added to v.
// The guess comes from `memory`, times `scale`.
bool solve_impulses(const ImpulseProblem& problem, const InclusionSolver& solver, const ContactMemory& memory,
                    double scale, StepWorkspace& ws, StepResult& result, Vector& v);

// The impact of an explicit step, problem.gamma_minus given: impulses on result.next.v, status and report.
void apply_impact(const ImpulseProblem& problem, const InclusionSolver& solver, const ContactMemory& memory,
                  StepWorkspace& ws, StepResult& result);

// Contacts closed at an evaluation that holds the gaps of all: joints, and g <= tolerance length_scale.
void activate_closed(const ActiveSet& all, const Evaluation& gaps, double tolerance, ActiveSet& active);

}  // namespace carom::inline schemes
