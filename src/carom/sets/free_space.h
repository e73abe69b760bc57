// C = R^n: nothing is excluded, N_C = {0}. The set of bilateral forces.
//
//     prox(x) = x      D = I
#pragma once

#include <algorithm>

#include "carom/sets/convex_set.h"

namespace carom::inline sets {

class FreeSpace final : public ConvexSet {
 public:
  explicit FreeSpace(Index n) : n_(checked_dim(n)) {}

  Index dim() const override { return n_; }
  void project(const double* x, double* y) const override {
    if (x != y) std::copy(x, x + n_, y);
  }
  void project_derivative(const double*, double* D) const override { MatrixMap(D, n_, n_).setIdentity(); }

 private:
  Index n_;
};

}  // namespace carom::inline sets
