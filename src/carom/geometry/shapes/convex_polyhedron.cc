#include "carom/geometry/shapes/convex_polyhedron.h"

#include "carom/geometry/convex_hull.h"
#include "carom/geometry/shapes/shape_check.h"

namespace carom::geometry {

ConvexPolyhedron::ConvexPolyhedron(const std::vector<Vector3>& points) : core(convex_hull(points)) {
  if (!core)
    bad_shape("convex_polyhedron", "the points enclose no volume",
              "give at least four that are not in one plane, all finite");
}

Bounds ConvexPolyhedron::bounds(const Pose& pose) const {
  Bounds box;
  for (const Vector3& v : core->vertices) box.add(pose.point(v));
  return box;
}

// The volume is cut into tetrahedra with one corner at a vertex of the hull (not at the origin, which may be far away).
// Over a tetrahedron with corners 0, a, b, c: volume V = a.(b x c) / 6, int x dV = V (a + b + c) / 4, int x x' dV = V /
// 20 (s s' + a a' + b b' + c c'), s = a + b + c.
MassProperties ConvexPolyhedron::mass_properties() const {
  const Vector3 origin = core->vertices.front();
  double volume = 0.0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  for (Index f = 0; f < static_cast<Index>(core->faces.size()); ++f) {
    const auto loop = core->loop(f);
    const Vector3 a = core->vertex(loop[0]) - origin;
    for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
      const Vector3 b = core->vertex(loop[k]) - origin, c = core->vertex(loop[k + 1]) - origin, s = a + b + c;
      const double v = a.dot(b.cross(c)) / 6.0;
      volume += v;
      first += v / 4.0 * s;
      second += v / 20.0 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
    }
  }
  const Vector3 centre = first / volume;
  const Matrix3 moments = second - volume * centre * centre.transpose();
  return {volume, origin + centre, moments.trace() * Matrix3::Identity() - moments};
}

}  // namespace carom::geometry
