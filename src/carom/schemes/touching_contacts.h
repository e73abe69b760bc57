// Who acts in a step, found by solving it, and with which velocity a contact meets the impact law.
//
//   I = joints, and contacts closed at the start that do not leave: g_0 <= 0 and g(q_0 (+) dt/2 v_0) <= 0
//   repeat   solve the step on I;   I <- I + { contacts with g(q_1) < 0 }   until I no longer grows
//
// A contact that joins touches within the step. Up to there its gap moved without it, from (g_0, gamma_0) to
// (g, gamma) at the end of the last pass. If forces did that, it meets the impact law with
//
//   gamma_touch = -sqrt(gamma_0^2 - 2 a g_0),   a = (gamma - gamma_0) / dt
//
// instead of gamma_0: the velocity of the fall that the position correction spares it, or of the rise it gives it.
// With g_1 = 0 where a contact pushes, one contact under a constant force then loses (1 - e^2) gamma_touch^2 / 2G,
// as an impact does, at any step (docs/theory/ggl.md). A contact that impacts of others have closed meets the law with
// gamma_0, as in Moreau's law for several impacts at a time: such velocities can always be met together, also between
// opposite walls. That it were forces is believed up to
//
//   |gamma - gamma_0| <= 2 (|W|' |v_free - v_0| + |gamma_free - gamma_0|)
//
// and for a contact that returns, gamma_0 > 0, if no other approaches with more than half its speed.
// Several contacts touch at different times of the step; where they would gain energy the step is solved again with
// all these velocities times a factor below 1.
#pragma once

#include "carom/schemes/ggl/midpoint_step.h"
#include "carom/schemes/projection/energy_guard.h"

namespace carom::inline schemes {

class TouchingContacts {
 public:
  // Measures the start of a step that has moved freely, sets ws.active to the first I. `tolerance` as
  // activation_tolerance.
  void begin(const MidpointStep& step, double tolerance);
  // Adds the contacts that result.next has closed by more than `tolerance` length_scale. Whether there were any.
  bool grow(const MidpointStep& step, double tolerance);

  // Where the step could not be solved: all velocities back to gamma_0. Whether that changed any.
  bool relent(const ActiveSet& active);

  const Vector& v_free() const { return v_free_; }

  // What the impact law takes for gamma_minus: gamma_0 of the active rows with the normal velocities above.
  void impact_velocities(const ActiveSet& active, const Buffer& gamma_0, Buffer& gamma_minus) const;

  // Whether the last solution gained energy and the step must be solved again with less restitution (energy_guard.h).
  // `shift` is the position correction.
  bool restrain(const MidpointStep& step, const Evaluation& mid, const Buffer& Lambda, const Vector& shift,
                double tolerance);

 private:
  void meet(const MidpointStep& step);
  double gain(const MidpointStep& step, const Evaluation& mid, const Buffer& Lambda, const Vector& shift);

  Evaluation start_, mid_, end_, joining_at_0_, joining_free_;
  ActiveSet joining_;
  Buffer gamma_end_;              // by joining contact
  Buffer g_0_, gamma_0_, touch_;  // by contact: normal gap and velocity at the start, gamma_touch
  std::vector<Index> members_;
  Buffer rates_;
  Vector v_free_, q_free_, v_h_, increment_;
  double closed_ = 0.0;  // activation_tolerance
  EnergyGuard guard_;
};

}  // namespace carom::inline schemes
