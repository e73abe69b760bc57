// What happens at an instant: impacts, and the choice of the mode that follows.
//
// Impact, if a closed contact approaches: Newton's law of all closed contacts and joints at once,
//
//   v_plus = v_minus + M^-1 W Lambda,    xi = gamma_plus + e gamma_minus,    -xi in N_C(Lambda).
//
// Mode: an inclusion on acceleration level over joints and contacts that are closed and neither approach nor leave,
//
//   xi = gamma' = G lambda + c,   -xi in N_C(lambda)     joints, frictionless contacts, contacts without sliding
//                                 0 <= xi_N _|_ lambda_N >= 0 with friction along -gamma_T     sliding contacts
//
// A contact with lambda_N > 0 stays closed; one without sliding sticks where xi_T = 0 and begins to slide along xi_T
// otherwise. At an event of the smooth motion the inclusion is degenerate (a force is just zero, just on the disc):
// it is asked a moment later, with the state the old mode would lead to; there the old mode is no solution any more.
//
// Accumulation of impacts: a contact that was left with gamma_N > 0, would return (acceleration a < 0) and rise no
// higher than gamma_N^2 / (2 |a|) <= accumulation_gap length_scale is taken as closed. Impacts yet to come would take
// the time 2 gamma_N / (|a| (1 - e)); leaving them out costs velocities of the size gamma_N for that long and, after
// it, O(gamma_N^2 / |a|) in the positions.
#pragma once

#include "carom/schemes/event_driven/mode.h"
#include "carom/schemes/projection/position_projection.h"
#include "carom/schemes/scheme.h"

namespace carom::inline schemes::event_driven {

struct EventOptions {
  double relative_tolerance = 1e-12, absolute_tolerance = 1e-12;
  double closing_gap = 1e-12;       // a gap up to this is closed, relative to the length scale
  double accumulation_gap = 1e-13;  // see above
  long most_events = 100000;        // in one step
  bool stiff = false;
};

struct EventMemory final : SchemeMemory {
  Evaluation gaps;            // of all contacts at an instant
  Buffer gamma_minus, gamma;  // velocities by rows of the closed contacts, before and after an impact
  Evaluation at_0, at_1;      // of those that are reported
  ActiveSet reported;
  Buffer reported_minus, reported_plus;  // their velocities at both ends of the step
  ProjectionMemory projection;

  const InclusionWork* position_problem() const override { return &projection.position; }
};

// A step as far as it has come.
struct Progress {
  const System& system;
  const InclusionSolver& solver;
  const EventOptions& options;
  StepWorkspace& ws;
  EventMemory& memory;
  StepResult& result;
  VelocityResolution resolution;
  double t;
  Vector q, v;
  Buffer impulse, work;  // by rows of all constraints
  LocalDynamics local;

  bool fail(StepStatus status) {
    result.status = status;
    return false;
  }
  void report(EventKind kind, Index contact) { result.events.push_back({t, kind, ws.contacts[contact]}); }
};

// How the old mode came to its end, for a choice that looks a moment ahead.
struct Past {
  const Mode& mode;
  const Vector& acceleration;
  double moment;
};

// Of a contact in buffers by rows of all constraints.
Index first_row(const Progress& p, Index contact);

// Both return false and leave a status if they do not succeed.
bool resolve_impacts(Progress& p, bool& impacts);
bool choose_mode(Progress& p, const Mode* before, const Past* past, Mode& mode);

}  // namespace carom::inline schemes::event_driven
