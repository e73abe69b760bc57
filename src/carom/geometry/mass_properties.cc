#include "carom/geometry/mass_properties.h"

namespace carom::geometry {

MassProperties moved(const MassProperties& m, const Pose& pose) {
  return {m.volume, pose.point(m.centre), pose.R * m.inertia * pose.R.transpose()};
}

Matrix3 point_inertia(double mass, const Vector3& r) {
  return mass * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose());
}

MassProperties operator+(const MassProperties& a, const MassProperties& b) {
  const double volume = a.volume + b.volume;
  if (volume == 0.0) return {};
  const Vector3 centre = (a.volume * a.centre + b.volume * b.centre) / volume;
  return {
      volume, centre,
      a.inertia + b.inertia + point_inertia(a.volume, a.centre - centre) + point_inertia(b.volume, b.centre - centre)};
}

}  // namespace carom::geometry
