// Where Newton's method ends although its residual does not: forces may be so stiff that rounding the positions
// alone breaks any relative test of them. Then the iteration is over when it moves the positions by no more than
// their rounding.
#pragma once

#include <limits>

#include "carom/base/types.h"

namespace carom::inline schemes {

// Whether a displacement is within the rounding of the positions it leads to.
inline bool within_rounding(double largest_displacement, const Vector& q) {
  return largest_displacement <= 16.0 * std::numeric_limits<double>::epsilon() * q.lpNorm<Eigen::Infinity>();
}
inline bool within_rounding(const Vector& displacement, const Vector& q) {
  return within_rounding(displacement.lpNorm<Eigen::Infinity>(), q);
}

}  // namespace carom::inline schemes
