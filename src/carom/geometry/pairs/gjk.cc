#include "carom/geometry/pairs/gjk.h"

#include <Eigen/Geometry>
#include <limits>

namespace carom::geometry {

namespace {

struct Weights {
  std::array<double, 4> of{};  // by position in the simplex
};

Vector3 combination(const GjkResult& s, const Weights& weights) {
  Vector3 v = Vector3::Zero();
  for (std::size_t k = 0; k < 4; ++k)
    if (weights.of[k] != 0.0) v += weights.of[k] * s.simplex[k].w;
  return v;
}

Weights closest_of_segment(const GjkResult& s, std::size_t i, std::size_t j) {
  const Vector3 &p = s.simplex[i].w, &q = s.simplex[j].w;
  const Vector3 d = q - p;
  const double square = d.squaredNorm();
  const double t = square > 0.0 ? std::clamp(-p.dot(d) / square, 0.0, 1.0) : 0.0;
  Weights w;
  w.of[i] = 1.0 - t;
  w.of[j] = t;
  return w;
}

void take_closer(const GjkResult& s, const Weights& candidate, Weights& best, double& least) {
  const double square = combination(s, candidate).squaredNorm();
  if (square < least) least = square, best = candidate;
}

// Inside the triangle by barycentric coordinates of the projected origin, otherwise on one of its sides.
void closest_of_triangle(const GjkResult& s, std::size_t i, std::size_t j, std::size_t k, Weights& best,
                         double& least) {
  const Vector3 &p = s.simplex[i].w, &q = s.simplex[j].w, &r = s.simplex[k].w;
  const Vector3 n = (q - p).cross(r - p);
  const double square = n.squaredNorm();
  if (square > 0.0) {
    const double a = n.dot(q.cross(r)) / square, b = n.dot(r.cross(p)) / square, c = n.dot(p.cross(q)) / square;
    if (a >= 0.0 && b >= 0.0 && c >= 0.0) {
      Weights w;
      const double sum = a + b + c;
      w.of[i] = a / sum;
      w.of[j] = b / sum;
      w.of[k] = c / sum;
      take_closer(s, w, best, least);
      return;
    }
  }
  take_closer(s, closest_of_segment(s, i, j), best, least);
  take_closer(s, closest_of_segment(s, j, k), best, least);
  take_closer(s, closest_of_segment(s, k, i), best, least);
}

bool origin_inside(const GjkResult& s) {
  const Vector3 &p = s.simplex[0].w, &q = s.simplex[1].w, &r = s.simplex[2].w, &t = s.simplex[3].w;
  const auto same_side = [](const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
    const Vector3 n = (b - a).cross(c - a);
    const double origin = -n.dot(a), other = n.dot(d - a);
    return (origin >= 0.0) == (other >= 0.0) && std::abs(other) > 1e-14 * n.norm() * d.norm();
  };
  return same_side(p, q, r, t) && same_side(p, r, t, q) && same_side(p, t, q, r) && same_side(q, t, r, p);
}

}  // namespace

bool closest_of_simplex(GjkResult& s) {
  Weights best;
  double least = std::numeric_limits<double>::infinity();
  switch (s.count) {
    case 1: best.of[0] = 1.0; break;
    case 2: best = closest_of_segment(s, 0, 1); break;
    case 3: closest_of_triangle(s, 0, 1, 2, best, least); break;
    default:
      if (origin_inside(s)) return false;
      closest_of_triangle(s, 0, 1, 2, best, least);
      closest_of_triangle(s, 0, 1, 3, best, least);
      closest_of_triangle(s, 0, 2, 3, best, least);
      closest_of_triangle(s, 1, 2, 3, best, least);
  }
  s.v = combination(s, best);
  int kept = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(s.count); ++k)
    if (best.of[k] > 0.0) {
      s.simplex[static_cast<std::size_t>(kept)] = s.simplex[k];
      s.weight[static_cast<std::size_t>(kept++)] = best.of[k];
    }
  s.count = kept;
  return true;
}

}  // namespace carom::geometry
