// Perfectly elastic frictionless contacts in one step: the step of consistent_step.h without its impact. The
// law acts on the displacement, -(g_N(q_1) - g_N(q_0)) in N_C(P_N), which is about dt/2 (gamma_0 + gamma_1): that
// is restitution 1 and nothing else. Energy is kept, and the gap of a closed contact never shrinks.
#include "carom/schemes/consistent/consistent_step.h"

namespace carom::inline schemes {

extern const SchemeEntry consistent_elastic_entry;
const SchemeEntry consistent_elastic_entry{
    .name = "consistent_elastic",
    .title = "energy exact with elastic contacts, in one step; e = 1, frictionless",
    .reference = "Moeller 2011, algorithm 5",
    .treats = {Feature::contacts, Feature::joints},
    .promises =
        {.orders = {2, 2, 1}, .position_level = true, .penetrates = true, .velocity_level = true, .conserves = true},
    .parameters = {contact_direction_spec(), inertia_at_spec(), nonlinear_spec()},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> {
      return make_consistent_scheme({.impact_step = false,
                                     .inertia_at_midpoint = p.word("inertia_at") == "midpoint",
                                     .discrete_directions = p.word("direction") == "discrete_gradient",
                                     .simultaneous = p.word("nonlinear") == "simultaneous"});
    },
    .orders_with = consistent_orders};

}  // namespace carom::inline schemes
