// C = C_1 x C_2 x ...: in the Euclidean norm the factors do not see each other,
//
//     prox(x_1, x_2, ...) = (prox_1(x_1), prox_2(x_2), ...)      D = blockdiag(D_1, D_2, ...)
#pragma once

#include <memory>
#include <vector>

#include "carom/sets/convex_set.h"

namespace carom::inline sets {

class ProductSet final : public ConvexSet {
 public:
  explicit ProductSet(std::vector<std::shared_ptr<const ConvexSet>> factors);

  Index dim() const override { return n_; }
  void project(const double* x, double* y) const override;
  void project_derivative(const double* x, double* D) const override;

 private:
  std::vector<std::shared_ptr<const ConvexSet>> factors_;
  Index n_;
};

}  // namespace carom::inline sets
