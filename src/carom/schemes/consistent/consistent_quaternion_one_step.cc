// The one-step member of consistent_velocity_step.h: one inclusion a step, with the restitution as
// dissipation delta = (1 - e)/(1 + e) in its operator. Resting contacts sink at delta dt/2 times the acceleration
// unless e = 1. No joints: the bodies' only coordinates are their own.
#include "carom/schemes/consistent/consistent_step.h"
#include "carom/schemes/consistent/consistent_velocity_step.h"

namespace carom::inline schemes {

extern const SchemeEntry consistent_quaternion_one_step_entry;
const SchemeEntry consistent_quaternion_one_step_entry{
    .name = "consistent_quaternion_one_step",
    .title = "energy never rises, unit quaternions exactly; one problem a step, resting contacts sink",
    .reference = "Moeller 2011, algorithm 7",
    .treats = {Feature::contacts, Feature::friction, Feature::inelastic, Feature::quaternions, Feature::spin_friction,
               Feature::exact_reservoir},
    .promises = {.orders = {2, 2, 1}, .implicit_force = true, .sinks = true, .conserves = true, .alternates = true},
    .parameters = {contact_direction_spec()},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> {
      return make_consistent_velocity_scheme(
          {.impact_step = false, .discrete_directions = p.word("direction") == "discrete_gradient"});
    }};

}  // namespace carom::inline schemes
