// What a generalized-alpha scheme remembers of the step before: the smooth acceleration a and its filtered copy
// a_bar, and for every constraint the smooth multiplier lambda with its filtered copy eta and the impulse.
//
//   State::memory    dt, a, a_bar
//   State::impulses  per constraint: Lambda (total), lambda, eta
//
// a_bar stands for the acceleration at t + (alpha_m - alpha_f) dt. When the step changes, the distance
// a_bar - a is therefore scaled with it, and eta - lambda likewise: the order is kept, nothing is restarted.
#pragma once

#include "carom/system/constraint.h"
#include "carom/system/state.h"

namespace carom::inline schemes::alpha {

struct Past {
  Vector a, a_bar;
  Buffer lambda, eta;  // by rows of the active set they were asked for
};

// False if the state has no past of this kind.
bool recall(const State& state, const ActiveSet& all, double dt, Index nv, Past& past);
// Constraints without a past or an impulse take no room.
void remember(const Past& past, const ActiveSet& all, const Buffer& impulse, double dt, State& state);

}  // namespace carom::inline schemes::alpha
