// One step of the energy-consistent family in velocities, for bodies with unit quaternions and constant
// inertia M: nothing but v_1 and the contact impulses is unknown.
//
//   two steps:  impact   M (v_C - v_0) = W(q_0) Lambda,     -( W'v_C + e W'v_0 ) in N_C(Lambda)
//   one step:   v_C = v_0
//
//   motion      M (v_1 - v_C) = dt h + W P,     d = dt v,  v = (v_C + v_1)/2
//               q_1 - q_0 = T((q_0 + q_1)/2) d              (System::rational_move: Cayley's map)
//               two steps:  -( W'(v_C + v_1) ) in N_C(P)
//               one step:   -( W'(v_0 + v_1) + delta W' M^-1 W P ) in N_C(P),    delta = (1 - e)/(1 + e)
//
// on the contacts closed at q_0. h is taken at the midpoint of the motion and v; its potential part is
// corrected along M d so that d'h_V = V_0 - V_1, and the normal rows of W likewise so that
// w'd = g_1 - g_0 (direction: start leaves W(q_0)). Both are discrete gradients in velocities, with the mass as
// metric: the reference takes them in coordinates, which differs by O(dt^2) and mixes lengths with quaternions.
//
// Then v'M(v_1 - v_C) = E_1 - E_C + ... gives: |p| = 1 for every quaternion, E never rises (contacts of one
// restitution; kept for e = 1 without friction), and with two steps a closed gap never shrinks. In one step
// a contact at rest with e < 1 sinks at delta dt/2 times its acceleration.
//
// Reference: M. Moeller, Consistent integrators for non-smooth dynamical systems, ETH Zurich (2011).
#pragma once

#include "carom/schemes/scheme.h"

namespace carom::inline schemes {

struct ConsistentVelocityOptions {
  bool impact_step = true;          // two steps
  bool discrete_directions = true;  // of contact normals
};

std::unique_ptr<Scheme> make_consistent_velocity_scheme(const ConsistentVelocityOptions& options);

}  // namespace carom::inline schemes
