// What the tests know of shapes, independently of the narrow phase: the furthest point along a direction and how far a
// point lies outside.
//
// Both prove distances. For any unit n the separation s(n) = min n.a - max n.b is a lower bound of the distance of two
// convex shapes, and |a - b| of any two of their points an upper bound; where they agree, both are the distance. For
// overlapping shapes minus the depth is the largest s(n).
#pragma once

#include <random>

#include "carom/base/rotation.h"
#include "carom/geometry/narrow_phase.h"

namespace carom::geometry::oracle {

inline double support_value(const Shape& shape, const Vector3& d) {  // max d.x in the frame of the shape
  switch (shape.kind()) {
    case ShapeKind::sphere: return shape.as<Sphere>().radius * d.norm();
    case ShapeKind::box: return shape.as<Box>().half_size.dot(d.cwiseAbs());
    case ShapeKind::capsule:
      return shape.as<Capsule>().half_length * std::abs(d.z()) + shape.as<Capsule>().radius * d.norm();
    case ShapeKind::cylinder:
      return shape.as<Cylinder>().half_length * std::abs(d.z()) +
             shape.as<Cylinder>().radius * std::hypot(d.x(), d.y());
    case ShapeKind::half_space: {
      const HalfSpace& h = shape.as<HalfSpace>();
      const double along = d.dot(h.normal);
      return (d - along * h.normal).norm() < 1e-9 && along > 0.0 ? along * h.offset
                                                                 : std::numeric_limits<double>::infinity();
    }
    case ShapeKind::convex_polyhedron: {
      double most = -std::numeric_limits<double>::infinity();
      for (const Vector3& v : shape.as<ConvexPolyhedron>().core->vertices) most = std::max(most, d.dot(v));
      return most;
    }
    case ShapeKind::disc: return shape.as<Disc>().radius * std::hypot(d.x(), d.y());
    case ShapeKind::polygon: {
      double most = -std::numeric_limits<double>::infinity();
      for (const Vector3& v : shape.as<Polygon>().sides->vertices) most = std::max(most, d.dot(v));
      return most;
    }
    case ShapeKind::half_plane: {
      const HalfPlane& h = shape.as<HalfPlane>();
      const double along = d.dot(h.normal);
      return (d - along * h.normal).norm() < 1e-9 && along > 0.0 ? along * h.offset
                                                                 : std::numeric_limits<double>::infinity();
    }
    default: return std::numeric_limits<double>::quiet_NaN();
  }
}

inline double outside(const Shape& shape, const Vector3& x) {  // at most the distance of x from the shape; <= 0 inside
  switch (shape.kind()) {
    case ShapeKind::sphere: return x.norm() - shape.as<Sphere>().radius;
    case ShapeKind::box: return (x.cwiseAbs() - shape.as<Box>().half_size).maxCoeff();
    case ShapeKind::capsule: {
      const double l = shape.as<Capsule>().half_length;
      return (x - Vector3(0, 0, std::clamp(x.z(), -l, l))).norm() - shape.as<Capsule>().radius;
    }
    case ShapeKind::cylinder:
      return std::max(std::hypot(x.x(), x.y()) - shape.as<Cylinder>().radius,
                      std::abs(x.z()) - shape.as<Cylinder>().half_length);
    case ShapeKind::half_space: return shape.as<HalfSpace>().normal.dot(x) - shape.as<HalfSpace>().offset;
    case ShapeKind::convex_polyhedron: {
      double most = -std::numeric_limits<double>::infinity();
      for (const auto& face : shape.as<ConvexPolyhedron>().core->faces)
        most = std::max(most, face.normal.dot(x) - face.offset);
      return most;
    }
    case ShapeKind::disc: return std::hypot(x.x(), x.y()) - shape.as<Disc>().radius;
    case ShapeKind::polygon: {
      const auto& sides = *shape.as<Polygon>().sides;
      double most = -std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < sides.vertices.size(); ++k)
        most = std::max(most, sides.normals[k].dot(x - sides.vertices[k]));
      return most;
    }
    case ShapeKind::half_plane: return shape.as<HalfPlane>().normal.dot(x) - shape.as<HalfPlane>().offset;
    default: return std::numeric_limits<double>::quiet_NaN();
  }
}

inline double separation(const Shape& a, const Pose& A, const Shape& b, const Pose& B,
                         const Vector3& n) {  // n from b to a
  const double top_b = support_value(b, B.local_direction(n)) + n.dot(B.x);
  const double bottom_a = -support_value(a, A.local_direction(-n)) + n.dot(A.x);
  return bottom_a - top_b;
}

using Random = std::mt19937;
inline double uniform(Random& random, double lower, double upper) {
  return std::uniform_real_distribution<double>(lower, upper)(random);
}
inline int below(Random& random, int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); }
inline Vector3 random_vector(Random& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random), y = normal(random), z = normal(random);
  return {x, y, z};
}
inline Vector3 random_direction(Random& random, bool planar) {
  Vector3 d = random_vector(random);
  if (planar) d.z() = 0.0;
  return d.normalized();
}
inline Matrix3 turn(const Vector3& phi) { return rotation_matrix(quaternion_exp(phi)); }

inline Matrix3 random_rotation(Random& random, bool planar) {
  if (planar) return turn(Vector3(0, 0, uniform(random, -3.2, 3.2)));
  const Vector3 axis = random_direction(random, false);
  return turn(uniform(random, -3.2, 3.2) * axis);
}

inline Shape random_shape(Random& random, ShapeKind kind) {
  const auto length = [&] { return uniform(random, 0.3, 1.2); };
  switch (kind) {
    case ShapeKind::sphere: return Sphere(length());
    case ShapeKind::box: {
      const double x = length(), y = length(), z = length();
      return Box(Vector3(x, y, z));
    }
    case ShapeKind::capsule: {
      const double r = length();
      return Capsule(r, length());
    }
    case ShapeKind::cylinder: {
      const double r = length();
      return Cylinder(r, length());
    }
    case ShapeKind::half_space: {
      const Vector3 n = random_vector(random);
      return HalfSpace(n, uniform(random, -1, 1));
    }
    case ShapeKind::disc: return Disc(length());
    case ShapeKind::half_plane: {
      const Vector3 n = random_vector(random);
      return HalfPlane(n.head<2>(), uniform(random, -1, 1));
    }
    case ShapeKind::polygon: {
      std::vector<Eigen::Vector2d> points;
      const int n = 3 + below(random, 6);
      for (int k = 0; k < n + 3; ++k)
        points.push_back(random_direction(random, true).head<2>() * uniform(random, 0.5, 1.0));
      return Polygon(points);
    }
    default: {
      std::vector<Vector3> points;
      switch (below(random, 3)) {
        case 0: {  // round
          const int n = 4 + below(random, 12);
          for (int k = 0; k < n; ++k) points.push_back(random_direction(random, false) * uniform(random, 0.6, 1.0));
          break;
        }
        case 1: {  // prism with many sides
          const int n = 3 + below(random, 7);
          const double h = length();
          for (int k = 0; k < n; ++k)
            for (const double z : {-h, h})
              points.emplace_back(std::cos(2 * M_PI * k / n), std::sin(2 * M_PI * k / n), z);
          break;
        }
        default: {  // wedge
          const double x = length(), y = length(), z = length();
          points = {{-x, -y, -z}, {x, -y, -z}, {x, y, -z}, {-x, y, -z}, {-x, 0, z}, {x, 0, z}};
        }
      }
      return ConvexPolyhedron(points);
    }
  }
}

// Two shapes whose separation along some direction is `gap`. Some pairs are aligned, exactly or almost: faces flat on
// faces, edges parallel.
struct Scene {
  Shape a, b;
  Pose A, B;
};

inline Scene random_scene(Random& random, ShapeKind ka, ShapeKind kb, double gap) {
  Scene scene{random_shape(random, ka), random_shape(random, kb), {}, {}};
  const bool planar = scene.a.planar();
  const auto axis = [&]() -> Vector3 {
    const int k = below(random, planar ? 2 : 3);
    return (below(random, 2) ? 1.0 : -1.0) * Vector3::Unit(k);
  };
  Vector3 d = random_direction(random, planar);
  scene.B.R = random_rotation(random, planar);
  scene.A.R = random_rotation(random, planar);
  if (below(random, 2) == 0) {
    d = scene.B.R * axis();
    const double tilts[] = {0.0, 1e-14, 1e-12, 1e-9, 1e-6, 1e-3, 0.03};
    const double tilt = tilts[below(random, 7)];
    Matrix3 aligned =
        scene.B.R * turn(planar ? Vector3(0, 0, M_PI / 2 * below(random, 4)) : Vector3(M_PI / 2 * axis()));
    if (!planar && below(random, 2) == 0) aligned = turn(uniform(random, -3, 3) * d) * aligned;  // yaw keeps faces flat
    scene.A.R = turn(planar ? Vector3(0, 0, tilt) : Vector3(tilt * random_direction(random, false))) * aligned;
  }
  if (kb == ShapeKind::half_space) d = scene.B.R * scene.b.as<HalfSpace>().normal;
  if (kb == ShapeKind::half_plane) d = scene.B.R * scene.b.as<HalfPlane>().normal;
  if (ka == ShapeKind::half_space) d = -(scene.A.R * scene.a.as<HalfSpace>().normal);
  if (ka == ShapeKind::half_plane) d = -(scene.A.R * scene.a.as<HalfPlane>().normal);
  scene.B.x = random_vector(random);
  if (planar) scene.B.x.z() = 0.0;
  scene.A.x = scene.B.x;
  const Vector3 side = random_direction(random, planar);
  scene.A.x += uniform(random, 0.0, 0.8) * (side - d.dot(side) * d);
  scene.A.x += (gap - separation(scene.a, scene.A, scene.b, scene.B, d)) * d;
  return scene;
}

// A better lower bound close to a good one: s is a roof whose ridge lies within `near` of n.
inline double improved_separation(Random& random, const Scene& s, Vector3 n, double near) {
  double best = separation(s.a, s.A, s.b, s.B, n);
  for (double step = near; step > 1e-15; step *= 0.8)
    for (int k = 0; k < 8; ++k) {
      const Vector3 m = (n + step * random_direction(random, s.a.planar())).normalized();
      const double there = separation(s.a, s.A, s.b, s.B, m);
      if (there > best) best = there, n = m;
    }
  return best;
}

// The largest separation of overlapping shapes over many directions, each improved by small turns.
inline double largest_separation(Random& random, const Scene& s, const Vector3& guess, bool planar) {
  double best = separation(s.a, s.A, s.b, s.B, guess);
  for (int trial = 0; trial < 40; ++trial) {
    Vector3 n = trial == 0 ? guess : random_direction(random, planar);
    double here = separation(s.a, s.A, s.b, s.B, n);
    for (double step = 0.3; step > 1e-8; step *= 0.7)
      for (int k = 0; k < 4; ++k) {
        const Vector3 m = (n + step * random_direction(random, planar)).normalized();
        const double there = separation(s.a, s.A, s.b, s.B, m);
        if (there > here) here = there, n = m;
      }
    best = std::max(best, here);
  }
  return best;
}

}  // namespace carom::geometry::oracle
