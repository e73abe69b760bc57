#include "carom/laws/expansion_law.h"

#include "carom/laws/block_newton.h"

namespace carom::inline laws {

void ExpansionLaw::project(const double* x, double* y) const {
  double raised[max_dim];
  std::copy_n(x, dim(), raised);
  raised[0] = std::max(least_, x[0]);
  law_->project(raised, y);
}

void ExpansionLaw::project_derivative(const double* x, double* D) const {
  double raised[max_dim];
  std::copy_n(x, dim(), raised);
  raised[0] = std::max(least_, x[0]);
  law_->project_derivative(raised, D);
  if (x[0] <= least_ && least_ > 0.0) std::fill_n(D, dim(), 0.0);
}

bool ExpansionLaw::solve_local(const double* G, const double* c, double* lambda) const {
  switch (dim()) {
    case 1: lambda[0] = G[0] > 0.0 ? std::max(least_, -c[0] / G[0]) : least_; return G[0] > 0.0;
    case 2: return solve_block<2>(*this, G, c, lambda);
    case 3: return solve_block<3>(*this, G, c, lambda);
    case 4: return solve_block<4>(*this, G, c, lambda);
    default: return false;
  }
}

}  // namespace carom::inline laws
