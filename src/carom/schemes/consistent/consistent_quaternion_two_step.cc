// The two-step member of consistent_velocity_step.h: an impact at q_0 with any restitution, then a motion in
// which closed gaps do not shrink. No joints: the bodies' only coordinates are their own.
#include "carom/schemes/consistent/consistent_step.h"
#include "carom/schemes/consistent/consistent_velocity_step.h"

namespace carom::inline schemes {

extern const SchemeEntry consistent_quaternion_two_step_entry;
const SchemeEntry consistent_quaternion_two_step_entry{
    .name = "consistent_quaternion_two_step",
    .title = "energy never rises, unit quaternions exactly, closed gaps never shrink; no joints",
    .reference = "Moeller 2011, algorithm 8",
    .treats = {Feature::contacts, Feature::friction, Feature::inelastic, Feature::quaternions, Feature::spin_friction,
               Feature::exact_reservoir, Feature::two_phases},
    .promises = {.orders = {2, 2, 1}, .implicit_force = true, .conserves = true, .alternates = true},
    .parameters = {contact_direction_spec()},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> {
      return make_consistent_velocity_scheme(
          {.impact_step = true, .discrete_directions = p.word("direction") == "discrete_gradient"});
    }};

}  // namespace carom::inline schemes
