// How a sweep goes from the points x to the next ones, T being the images: the exact solutions contact by contact.
//
//   plain      x := T
//   momentum   x := T + beta (T - T_last),  beta = (age - 1) / (age + 2), every contact with an age of its own,
//              one sweep older each time, which begins anew where the contact turns: (T - x)'(T - T_last) < 0
//   calmed     the same with ages that are limited. Where friction turns impulses in circles, momentum feeds
//              them: with an eigenvalue w of the sweep, z^2 - (1 + beta) w z + beta w = 0, and for
//              w = 0.99 exp(0.1 i) and beta = 0.9 a circle grows by 1.17 a sweep. A contact that turns with
//              |T - x|^2 above half of that at its turn before gets no older than half of what it was;
//              otherwise twice as old as it might before
//   relaxed    x := x + relaxation (T - x), which spreads an error over the contacts around it
#pragma once

#include <limits>

namespace carom::inline inclusion {

enum class SweepWay { plain, momentum, calmed, relaxed };

constexpr double relaxation = 0.2;
constexpr double any_age = std::numeric_limits<double>::max();

}  // namespace carom::inline inclusion
