// A rod that flies along its axis against a rigid wall: its first node is a contact.
#pragma once

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/flexible/rod.h"

namespace carom {

// q: displacements of the nodes from the start, away from the wall; all nodes fly towards it with `speed`.
Model impacting_bar(const RodData& rod, double gap, double speed, const ContactParameters& contact);

namespace analytic {

// The same with its data as parameters; defaults from `rod`.
AnalyticEntry bar_entry(const char* name, const char* title, const char* reference, const RodData& rod, double gap,
                        double speed);

}  // namespace analytic
}  // namespace carom
