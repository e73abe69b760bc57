// Contacts that somebody has detected already for a step from this very state with this dt: a driver that judged the
// end of the step before has looked there. Kept in the step's workspace.
#pragma once

#include "carom/system/constraint.h"
#include "carom/system/state.h"

namespace carom::inline schemes {

struct ForeseenContacts {
  const ContactSet* contacts = nullptr;
  const State* state = nullptr;
  double dt = 0.0;
};

}  // namespace carom::inline schemes
