#include "carom/schemes/alpha/past.h"

#include <algorithm>
#include <array>

#include "carom/base/vector_kernels.h"

namespace carom::inline schemes::alpha {

namespace {

// b lies in the direction of a at a distance that belongs to the old step.
void rescale(double ratio, Index n, const double* a, double* b) {
  if (ratio == 1.0) return;
  for (Index i = 0; i < n; ++i) b[i] = a[i] + ratio * (b[i] - a[i]);
}

}  // namespace

bool recall(const State& state, const ActiveSet& all, double dt, Index nv, Past& past) {
  past.lambda.assign(all.rows(), 0.0);
  past.eta.assign(all.rows(), 0.0);
  fit(nv, past.a);
  fit(nv, past.a_bar);
  if (state.memory.size() != 2 * nv + 1 || !(state.memory[0] > 0.0)) return false;
  const double ratio = dt / state.memory[0];
  std::copy_n(state.memory.data() + 1, nv, past.a.data());
  std::copy_n(state.memory.data() + 1 + nv, nv, past.a_bar.data());
  rescale(ratio, nv, past.a.data(), past.a_bar.data());

  std::size_t hint = 0;
  Index row = 0;
  for (Index k = 0; k < all.size(); ++k) {
    const Constraint& constraint = all.constraint(k);
    const Index dim = constraint.law->dim();
    if (const double* values = state.impulses.find(constraint.id, 3 * dim, hint)) {
      std::copy_n(values + dim, dim, past.lambda.data() + row);
      std::copy_n(values + 2 * dim, dim, past.eta.data() + row);
      rescale(ratio, dim, past.lambda.data() + row, past.eta.data() + row);
    }
    row += dim;
  }
  return true;
}

void remember(const Past& past, const ActiveSet& all, const Buffer& impulse, double dt, State& state) {
  const Index nv = static_cast<Index>(past.a.size());
  state.memory.resize(2 * nv + 1);
  state.memory[0] = dt;
  std::copy_n(past.a.data(), nv, state.memory.data() + 1);
  std::copy_n(past.a_bar.data(), nv, state.memory.data() + 1 + nv);

  state.impulses.clear();
  Index row = 0;
  for (Index k = 0; k < all.size(); ++k) {
    const Constraint& constraint = all.constraint(k);
    const Index dim = constraint.law->dim();
    std::array<double, 3 * Law::max_dim> values;
    bool some = false;
    for (Index r = 0; r < dim; ++r) {
      values[static_cast<std::size_t>(r)] = impulse[row + r];
      values[static_cast<std::size_t>(dim + r)] = past.lambda[row + r];
      values[static_cast<std::size_t>(2 * dim + r)] = past.eta[row + r];
      some = some || impulse[row + r] != 0.0 || past.lambda[row + r] != 0.0 || past.eta[row + r] != 0.0;
    }
    if (some) state.impulses.append(constraint.id, values.data(), 3 * dim);
    row += dim;
  }
}

}  // namespace carom::inline schemes::alpha
