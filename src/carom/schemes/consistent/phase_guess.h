// The guess of the two contact problems of a step, impact and motion. A step remembers the sum of their impulses, and
// each begins from half of it: impulses that press bodies against each other without moving them (a sphere wedged in a
// rough corner) then stay what they are. From the whole of it both would keep them, and their sum would double in every
// step.
#pragma once

#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

constexpr double phase_guess = 0.5;

// Of the motion, which is alone where there is no impact phase.
inline void guess_motion(bool impact_step, const ActiveSet& contacts, const ContactMemory& memory, Buffer& P) {
  warm_start(contacts, memory, P);
  if (!impact_step) return;
  for (double& p : P) p *= phase_guess;
}

}  // namespace carom::inline schemes
