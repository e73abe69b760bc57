// Nesterov's momentum for sweeps over contacts of three rows, each with a past of its own. With x_b the value that a
// sweep found and T_b the one it left,
//
//   x_b := T_b + beta_b (T_b - T_b^-),      beta_b = age_b / (age_b + 3),
//
// T^- of the sweep before. The age counts the sweeps since (T_b - x_b)'(T_b - T_b^-) was negative last: then the
// contact overshoots, and its momentum begins anew. The others keep theirs; one momentum for all either dies with every
// contact that slips or opens, or carries piles into oscillations. A loop of wedged spheres that sweeps move by a
// constant little is crossed in the square root of their number.
#pragma once

#include <algorithm>
#include <vector>

#include "carom/base/types.h"

namespace carom {

class LocalMomentum {
 public:
  void begin(Index contacts, const double* lambda) {
    contacts_.resize(static_cast<std::size_t>(contacts));
    for (Past& past : contacts_) {
      std::copy_n(lambda, 3, past.last);
      lambda += 3;
      std::fill_n(past.step, 3, 0.0);
      past.age = 0.0;
      past.moving = 0.0;
    }
  }

  // A sweep moved contact b from x to T.
  void push(Index b, const double* x, const double* T) {
    Past& past = contacts_[static_cast<std::size_t>(b)];
    double along = 0.0;
    for (int i = 0; i < 3; ++i) {
      past.step[i] = T[i] - past.last[i];
      along += (T[i] - x[i]) * past.step[i];
      past.last[i] = T[i];
    }
    if (along < 0.0) past.age = 0.0;
    const double beta = std::min(past.age / (past.age + 3.0), largest);
    for (double& step : past.step) step *= beta;
    past.moving = beta;
    past.age += 1.0;
  }

  // Contact b came to rest at T.
  void stop(Index b, const double* T) {
    Past& past = contacts_[static_cast<std::size_t>(b)];
    std::copy_n(T, 3, past.last);
    past.age = past.moving = 0.0;
  }

  // The step of contact b, once; false: none.
  bool take(Index b, double* step) {
    Past& past = contacts_[static_cast<std::size_t>(b)];
    if (past.moving == 0.0) return false;
    std::copy_n(past.step, 3, step);
    past.moving = 0.0;
    return true;
  }

 private:
  static constexpr double largest = 0.95;

  struct Past {
    double last[3];  // T^-
    double step[3];
    double age, moving;
  };
  std::vector<Past> contacts_;
};

}  // namespace carom
