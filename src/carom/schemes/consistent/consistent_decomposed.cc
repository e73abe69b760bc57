// Decomposed inertia, v = Q(q) q': the step of consistent_step.h without its impact. With Q and H at the start
// of the step, as in the reference, it is of first order where Q changes; at the midpoint of second, and the
// energy is exact either way. Frictionless contacts are elastic, as in consistent_elastic.
#include "carom/schemes/consistent/consistent_step.h"

namespace carom::inline schemes {

extern const SchemeEntry consistent_decomposed_entry;
const SchemeEntry consistent_decomposed_entry{
    .name = "consistent_decomposed",
    .title = "energy exact, joints on both levels; decomposed inertia, elastic contacts",
    .reference = "Moeller 2011, algorithm 4",
    .treats = {Feature::contacts, Feature::joints},
    .promises =
        {.orders = {2, 2, 1}, .position_level = true, .penetrates = true, .velocity_level = true, .conserves = true},
    .parameters = {inertia_at_spec()},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> {
      return make_consistent_scheme({.impact_step = false, .inertia_at_midpoint = p.word("inertia_at") == "midpoint"});
    },
    .orders_with = consistent_orders};

}  // namespace carom::inline schemes
