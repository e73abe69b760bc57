// Inertia that depends on the coordinates, v = q': the step of consistent_step.h with M(q_0), G and the
// discrete gradient of the kinetic energy, without its impact. First order; second
// where joints leave one degree of freedom, which has no gyroscopic force. Frictionless contacts are elastic, as
// in consistent_elastic (the reference leaves contacts out here).
#include "carom/schemes/consistent/consistent_step.h"

namespace carom::inline schemes {

extern const SchemeEntry consistent_variable_mass_entry;
const SchemeEntry consistent_variable_mass_entry{
    .name = "consistent_variable_mass",
    .title = "energy exact for inertia M(q); elastic contacts",
    .reference = "Moeller 2011, algorithm 3",
    .treats = {Feature::contacts, Feature::joints, Feature::variable_inertia},
    .promises =
        {.orders = {1, 1, 1}, .position_level = true, .penetrates = true, .velocity_level = true, .conserves = true},
    .parameters = {contact_direction_spec()},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> {
      return make_consistent_scheme({.impact_step = false,
                                     .variable_inertia = true,
                                     .discrete_directions = p.word("direction") == "discrete_gradient"});
    }};

}  // namespace carom::inline schemes
