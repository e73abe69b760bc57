// The two-step member of consistent_velocity_step.h: an impact at q_0 with any restitution, then a motion in
// which closed gaps do not shrink. No joints: the bodies' only coordinates are their own.
#include "carom/schemes/consistent/consistent_step.h"
#include "carom/schemes/consistent/consistent_velocity_step.h"

namespace carom {

extern const SchemeEntry consistent_quaternion_two_step_entry;
const SchemeEntry consistent_quaternion_two_step_entry{
    .name = "consistent_quaternion_two_step",
    .title = "energy never rises, unit quaternions exactly, closed gaps never shrink; no joints",
    .reference = "Moeller 2011, algorithm 8",
    .orders = {2, 2, 1},
    .friction = true,
    .quaternions = true,
    .implicit_force = true,
    .joints = false,
    .alternates = true,
    .variable_inertia = false,
    .parameters = {contact_direction_spec()},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> {
      return make_consistent_velocity_scheme(
          {.impact_step = true, .discrete_directions = p.word("direction") == "discrete_gradient"});
    }};

}  // namespace carom
