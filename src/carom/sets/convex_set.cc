#include "carom/sets/convex_set.h"

#include "carom/base/errors.h"

namespace carom::inline sets {

double ConvexSet::distance(const double* x) const {
  double nearest[max_dim];
  project(x, nearest);
  return (ConstVectorMap(x, dim()) - ConstVectorMap(nearest, dim())).norm();
}

Index ConvexSet::checked_dim(Index n) {
  if (n < 1 || n > max_dim) throw LogicError("a convex set has 1 to 6 dimensions");
  return n;
}

}  // namespace carom::inline sets
