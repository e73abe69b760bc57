// An open circuit breaker: seven bodies held by three ideal joints, five pins with play and seven more contacts.
// Closed, the springs would open it, but for the friction of a latch: the point L of the hook on a face of the trip
// lever. A plunger turns the lever away, the hook slips off, and the carrier lifts the contact arm from its pad until
// it meets a stop.
//
//   handle --A-- link --B-- hook --H-- carrier --K-- lever      carrier --Q-- arm
//   handle, carrier: hinges on the case                        plunger: slides in it
//
// Data are ours, not those of a product: lengths in the closed position, springs T = tau_0 - k (phi_a - phi_b) - d
// (phi_a' - phi_b').
#pragma once

#include "carom/laws/contact_law.h"
#include "carom/model/model.h"

namespace carom::model {

struct CircuitBreaker {
  Space space = Space::planar;
  double play = 5e-5, pin_radius = 1e-3;
  double half_width = 3e-3;    // in space: pins and faces reach from -half_width to half_width along z
  double face_depth = 0.1e-3;  // of latch and plunger: a point that comes in from the side deeper below does not touch
  double latch_friction = 0.2;
  double trip_force = 6.0, trip_time = 20e-3;
  double gravity = 9.81;
};

// Contacts, in space twice each (points at both sides) or four times (both edges of a pin): handle_closed, handle_open,
// A, B, H, K, Q, pad, latch, plunger, carrier_stop, overtravel.
Model circuit_breaker(const CircuitBreaker& data);

}  // namespace carom::model
