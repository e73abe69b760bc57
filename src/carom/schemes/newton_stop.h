// Where Newton's method, and passes like it, end. One idea for all: what is left is small beside what it is the
// difference of; and where rounding forbids that, the iteration is over when it gets nowhere any more.
//
//   a residual holds       |f| <= tolerance (size of its terms) + rounding
//   a move is rounding     |dq| <= 16 epsilon |q|: forces may be so stiff that rounding of the positions alone breaks
//                          any relative test of them
//   an iteration stands    what it does is not halved by the next pass
//
// Sizes are those of the quantities in the step, never numbers with a unit. Tolerances differ: an increment of a method
// that converges quadratically may be large where a residual may not.
#pragma once

#include <limits>

#include "carom/base/types.h"

namespace carom::inline schemes {

inline bool holds(double left, double tolerance, double size, double rounding = 0.0) {
  return left <= tolerance * size + rounding;
}

// Whether a displacement is within the rounding of the positions it leads to.
inline bool within_rounding(double largest_displacement, const Vector& q) {
  return largest_displacement <= 16.0 * std::numeric_limits<double>::epsilon() * q.lpNorm<Eigen::Infinity>();
}
inline bool within_rounding(const Vector& displacement, const Vector& q) {
  return within_rounding(displacement.lpNorm<Eigen::Infinity>(), q);
}

// Whether a measure of the last pass, a residual or a move, is no longer halved by this one.
inline bool stands(double now, double before) { return now >= 0.5 * before; }

// A residual that holds, or cannot become smaller: it stands, and positions move by rounding only.
inline bool holds_as_rounding_allows(double left, double before, double tolerance, double last_move, const Vector& q) {
  return left <= tolerance || (stands(left, before) && within_rounding(last_move, q));
}

// Of iterations known by their increments: at rest, or as near to it as `roundings` times the rounding (and differences
// in place of derivatives) let it come.
inline bool comes_to_rest(double increment, double before, double size, double rounding, double roundings) {
  constexpr double tolerance = 1e-10;
  return increment <= rounding ||
         (stands(increment, before) && holds(increment, tolerance, size, roundings * rounding));
}

}  // namespace carom::inline schemes
