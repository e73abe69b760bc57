// Constant inertia, joints on position level: the step of consistent_step.h without kappa and without
// gamma_S = 0. Only Dg (v_0 + v_1) = 0 is asked of the velocities, so an error of gamma changes its sign in
// every step and stays or grows. Energy is exact all the same: shown beside consistent_constant_mass to tell what
// the second level is for. Frictionless contacts are elastic, as in consistent_elastic.
#include "carom/schemes/consistent/consistent_step.h"

namespace carom::inline schemes {

extern const SchemeEntry consistent_displacement_entry;
const SchemeEntry consistent_displacement_entry{
    .name = "consistent_displacement",
    .title = "energy exact, joints on position level only: velocities flip; a negative example",
    .reference = "Moeller 2011, algorithm 1",
    .treats = {Feature::contacts, Feature::joints},
    .promises = {.orders = {2, 2, 1}, .position_level = true, .penetrates = true, .conserves = true},
    .parameters = {contact_direction_spec()},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> {
      return make_consistent_scheme({.velocity_level = false,
                                     .impact_step = false,
                                     .discrete_directions = p.word("direction") == "discrete_gradient"});
    }};

}  // namespace carom::inline schemes
