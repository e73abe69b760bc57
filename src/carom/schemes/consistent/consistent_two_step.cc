// The whole step of consistent_step.h: an impact with any restitution and friction while q_0 is held, then a
// motion in which closed gaps do not shrink and friction does not drive. E never rises for contacts of one
// restitution (different ones can gain energy in the impact law itself), whatever the step: what a
// light body on a stiff spring needs. A sticking contact is held by its displacement, without dissipation:
// at large steps its velocity may alternate between +-v.
#include "carom/schemes/consistent/consistent_step.h"

namespace carom::inline schemes {

extern const SchemeEntry consistent_two_step_entry;
const SchemeEntry consistent_two_step_entry{
    .name = "consistent_two_step",
    .title = "energy never rises: any restitution, friction, damping; joints on both levels",
    .reference = "Moeller 2011, algorithm 6",
    .treats = {Feature::contacts, Feature::joints, Feature::friction, Feature::inelastic, Feature::spin_friction,
               Feature::exact_reservoir, Feature::two_phases, Feature::joint_friction},
    .promises = {.orders = {2, 2, 1},
                 .position_level = true,
                 .penetrates = true,
                 .velocity_level = true,
                 .implicit_force = true,
                 .conserves = true,
                 .alternates = true},
    .parameters = {contact_direction_spec(), inertia_at_spec(), nonlinear_spec(),
                   activation_tolerance_spec(rounding_activation)},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> {
      return make_consistent_scheme({.inertia_at_midpoint = p.word("inertia_at") == "midpoint",
                                     .discrete_directions = p.word("direction") == "discrete_gradient",
                                     .simultaneous = p.word("nonlinear") == "simultaneous",
                                     .activation_tolerance = p.number("activation_tolerance")});
    },
    .orders_with = consistent_orders};

}  // namespace carom::inline schemes
