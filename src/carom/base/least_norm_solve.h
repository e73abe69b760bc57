// J x = b by blocks where J may be singular: redundant rows. The factorisation tells; then J + delta I is factored, and
//
//   x <- x + (J + delta I)^-1 (b - J x),      x = 0 at first,
//
// leads to the solution of least norm: what lies in the range of J converges at the rate delta / (delta + its least
// singular value), the rest stays zero. Where the rows contradict each other there is no solution; then a larger delta
// is taken. J is to have entries of the order one.
#pragma once

#include <cmath>

#include "carom/base/block_lu.h"
#include "carom/base/buffer.h"

namespace carom::inline base {

struct LeastNormSolve {
  BlockLu lu;
  Buffer right_side, solution, remainder;
  Index missing = 0;  // rows found redundant

  static constexpr double rank_tolerance = 1e-13;
  static constexpr double least_delta = 1e-9, largest_delta = 1e-2;
  // Relative to the right-hand side: what counts as solved, and what as a solution at all.
  static constexpr double exact = 1e-12, usable = 1e-6;
  static constexpr int refinements = 4, regularised_refinements = 12;

  // fill(delta) sets the entries of lu to J + delta I; remaining() sets `remainder` to right_side - J solution and
  // returns its norm. Returns whether the solution is usable.
  template <class Fill, class Remaining>
  bool solve(Fill fill, Remaining remaining) {
    const double size = std::sqrt(right_side.vec().squaredNorm());
    fill(0.0);
    missing = lu.factor(rank_tolerance);
    if (missing == 0 && refine(refinements, size, remaining) <= usable * size) return true;
    for (double delta = least_delta; delta < largest_delta; delta *= 100.0) {
      fill(delta);
      lu.factor(0.0);
      if (refine(regularised_refinements, size, remaining) <= usable * size) return true;
    }
    return false;
  }

 private:
  template <class Remaining>
  double refine(int most, double size, Remaining remaining) {
    solution.assign(right_side.size(), 0.0);
    remainder = right_side;
    double last = size;
    for (int k = 0; k < most; ++k) {
      lu.solve(remainder.data());
      solution.vec() += remainder.vec();
      const double left = remaining();
      if (!(left < 0.5 * last) || left <= exact * size) return left;  // it will not get much better
      last = left;
    }
    return last;
  }
};

}  // namespace carom::inline base
