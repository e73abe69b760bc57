// The laws of contacts and joints, made from the two or three numbers a user gives.
#pragma once

#include <memory>

#include "carom/laws/law.h"

namespace carom::inline laws {

// Throws InputError naming every value out of range: e and e_T within 0 and 1, mu and spin_radius >= 0.
void check(const ContactParameters& parameters);

enum class Space { planar, spatial };

// Without friction: unilateral, one row. With: Coulomb, two rows (planar) or three (spatial), four with a
// spin radius (in a plane there is no spin, and asking for it an InputError).
std::shared_ptr<const Law> make_contact_law(Space space, const ContactParameters& parameters);
// The same law once more, for whoever outlives the first; null if it is none of those made here.
std::shared_ptr<const Law> remade(const Law& law);
// xi = 0 on `rows` rows.
std::shared_ptr<const Law> make_bilateral_law(Index rows);

}  // namespace carom::inline laws
