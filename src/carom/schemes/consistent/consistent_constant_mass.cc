// Constant inertia, joints on position and velocity level: the step of consistent_step.h with Q = I, H = 0 and
// without its impact. Frictionless contacts are elastic, as in consistent_elastic.
#include "carom/schemes/consistent/consistent_step.h"

namespace carom::inline schemes {

extern const SchemeEntry consistent_constant_mass_entry;
const SchemeEntry consistent_constant_mass_entry{
    .name = "consistent_constant_mass",
    .title = "energy exact, joints on both levels; constant inertia, elastic contacts",
    .reference = "Moeller 2011, algorithm 2",
    .treats = {Feature::contacts, Feature::joints},
    .promises =
        {.orders = {2, 2, 1}, .position_level = true, .penetrates = true, .velocity_level = true, .conserves = true},
    .parameters = {contact_direction_spec()},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> {
      return make_consistent_scheme(
          {.impact_step = false, .discrete_directions = p.word("direction") == "discrete_gradient"});
    }};

}  // namespace carom::inline schemes
