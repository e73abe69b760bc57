#include "carom/sets/product_set.h"

#include <utility>

namespace carom::inline sets {

namespace {

Index total_dim(const std::vector<std::shared_ptr<const ConvexSet>>& factors) {
  Index n = 0;
  for (const auto& factor : factors) n += factor->dim();
  return n;
}

}  // namespace

ProductSet::ProductSet(std::vector<std::shared_ptr<const ConvexSet>> factors)
    : factors_(std::move(factors)), n_(checked_dim(total_dim(factors_))) {}

void ProductSet::project(const double* x, double* y) const {
  for (const auto& factor : factors_) {
    factor->project(x, y);
    x += factor->dim();
    y += factor->dim();
  }
}

void ProductSet::project_derivative(const double* x, double* D) const {
  MatrixMap whole(D, n_, n_);
  whole.setZero();
  Index row = 0;
  for (const auto& factor : factors_) {
    const Index m = factor->dim();
    double block[max_dim * max_dim];
    factor->project_derivative(x + row, block);
    whole.block(row, row, m, m) = ConstMatrixMap(block, m, m);
    row += m;
  }
}

}  // namespace carom::inline sets
