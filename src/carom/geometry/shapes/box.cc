#include "carom/geometry/shapes/box.h"

#include "carom/geometry/shapes/shape_check.h"

namespace carom::geometry {

Box::Box(const Vector3& half)
    : half_size(positive(half.x(), "box", "half_size"), positive(half.y(), "box", "half_size"),
                positive(half.z(), "box", "half_size")),
      core(box_polytope(half_size)) {}

Bounds Box::bounds(const Pose& pose) const {
  const Vector3 reach = pose.R.cwiseAbs() * half_size;
  return {pose.x - reach, pose.x + reach};
}

MassProperties Box::mass_properties() const {
  const double volume = 8.0 * half_size.prod();
  const Vector3 squares = half_size.cwiseAbs2();
  const Vector3 moments(squares.y() + squares.z(), squares.z() + squares.x(), squares.x() + squares.y());
  return {volume, Vector3::Zero(), (volume / 3.0 * moments).asDiagonal()};
}

}  // namespace carom::geometry
