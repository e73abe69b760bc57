// What tells the members of the generalized-alpha family apart: on which levels constraints are imposed.
//
//   motion      q = q_0 (+) ( dt v_0 + position part of a_bar + u ),   v = v_0 + velocity part of a_bar + w
//   smooth      M a - W lambda = h           lambda by one equation per joint (and contact, in PVA)
//   position    M u - W nu = 0               g = 0 on A
//   velocity    M w - W Lambda = 0           W'v + chi + shift = 0 on B
//
// u and w are what the constraints take from a motion whose acceleration alone cannot keep them.
#pragma once

namespace carom::inline schemes::alpha {

// The equation that determines the smooth multiplier of a joint.
enum class SmoothRow {
  none,             // lambda = 0: the joint acts through the corrections only
  position,         // g / dt^2 = 0
  velocity,         // (W'v + chi) / dt = 0
  smooth_velocity,  // the same without the correction w
  acceleration,     // W'a + zeta = 0
  baumgarte         // W'a + zeta + 2 damping (W'v + chi) + stiffness^2 g = 0
};

struct Levels {
  SmoothRow joints = SmoothRow::acceleration;
  bool contacts = true;  // closed contacts have a smooth multiplier too, on acceleration level
  bool position = true;  // the correction u
  bool velocity = true;  // the correction w
  // The position correction of Gear, Gupta and Leimkuhler as it was first used: u = W(q_0) nu.
  bool original_correction = false;
  double baumgarte_damping = 0.0, baumgarte_stiffness = 0.0;  // 1/s
};

// What an inactive contact keeps: nothing, or what the filter eta still holds (adhesive for some steps).
enum class Inactive { total, relative };
enum class Solution { sequential, monolithic };
enum class StartRule {
  consistent,  // a_bar = a = the acceleration of the constrained system
  shifted,     // a_bar at t + (alpha_m - alpha_f) dt
  zero         // a_bar = a = 0: what an impact leaves
};

struct Options {
  double spectral_radius = 0.9;
  Levels levels;
  Inactive inactive = Inactive::total;
  Solution solution = Solution::sequential;
  StartRule start = StartRule::consistent;
  double tolerance = 1e-10;
};

}  // namespace carom::inline schemes::alpha
