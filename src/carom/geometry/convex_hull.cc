#include "carom/geometry/convex_hull.h"

#include <algorithm>
#include <cmath>
#include <map>

// Gift wrapping: a plane that supports the points is turned about an edge of a known face until it meets the next
// point. All points in the new plane make the next face, so that coplanar facets never arise. O(edges x points), which
// is nothing for what touches in a model.

namespace carom::geometry {

namespace {

using Loop = std::vector<Index>;

class Wrapper {
 public:
  explicit Wrapper(const std::vector<Vector3>& points) : points_(points) {
    Vector3 lower = points[0], upper = points[0];
    for (const Vector3& p : points) lower = lower.cwiseMin(p), upper = upper.cwiseMax(p);
    size_ = (upper - lower).norm();
    flat_ = 1e-10 * size_;
    middle_ = 0.5 * (lower + upper);
  }

  // Empty if there is no volume.
  std::vector<Loop> faces() {
    if (!(size_ > 0.0) || !start()) return {};
    std::vector<Loop> all;
    while (!open_.empty()) {
      const auto [edge, normal] = *open_.begin();  // in the order of vertices: nothing depends on addresses
      open_.erase(open_.begin());
      Vector3 next;
      if (!turned(edge.first, edge.second, normal, next)) return {};
      Loop loop = face(next);
      if (loop.size() < 3 || all.size() > 4 * points_.size()) return {};
      close(loop, next);
      all.push_back(std::move(loop));
    }
    return all;
  }

 private:
  const Vector3& p(Index k) const { return points_[static_cast<std::size_t>(k)]; }
  Index count() const { return static_cast<Index>(points_.size()); }

  // A first edge with a supporting plane: the lowest point, and the direction from it that leans out most.
  bool start() {
    Index first = 0;
    for (Index k = 1; k < count(); ++k) {
      const auto key = [&](Index j) { return std::make_tuple(p(j).z(), p(j).y(), p(j).x()); };
      if (key(k) < key(first)) first = k;
    }
    Index second = -1;
    double lowest = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < count(); ++k) {
      const Vector3 d = p(k) - p(first);
      const double across = d.norm();
      if (across <= flat_) continue;
      if (d.z() / across < lowest) lowest = d.z() / across, second = k;
    }
    if (second < 0) return false;
    // The plane through both points that contains a horizontal line: all points lie above it.
    const Vector3 d = (p(second) - p(first)).normalized();
    Vector3 horizontal = Vector3::UnitZ().cross(d);
    if (horizontal.norm() < 1e-12) horizontal = Vector3::UnitX();
    Vector3 normal = d.cross(horizontal).normalized();
    if (normal.z() > 0.0) normal = -normal;
    open_.emplace(std::make_pair(second, first), normal);
    return true;
  }

  // The plane through the edge b -> a of a face with outer normal n, turned about the edge until it meets the furthest
  // point on the other side. The edge is given as the neighbour sees it: start -> end counterclockwise in the new face.
  bool turned(Index start, Index end, const Vector3& normal, Vector3& next) const {
    const Vector3 axis = (p(end) - p(start)).normalized();
    const Vector3 out =
        normal.cross(axis).normalized();  // in the old plane, away from the old face, where the new face begins
    double best = -std::numeric_limits<double>::infinity();
    Index found = -1;
    for (Index k = 0; k < count(); ++k) {
      Vector3 d = p(k) - p(start);
      d -= axis.dot(d) * axis;
      const double reach = d.norm();
      if (reach <= flat_) continue;
      // cosine with `out`: the new plane passes through the point with the smallest angle from the continued old plane
      const double leaning = out.dot(d) / reach;
      if (leaning > best) best = leaning, found = k;
    }
    if (found < 0) return false;
    next = axis.cross(p(found) - p(start));
    const double length = next.norm();
    if (!(length > 0.0)) return false;
    next /= length;
    return true;
  }

  // The face in the supporting plane with this normal: hull of the points in it.
  Loop face(Vector3& normal) const {
    double offset = -std::numeric_limits<double>::infinity();
    for (const Vector3& q : points_) offset = std::max(offset, normal.dot(q));
    std::vector<Index> inside;
    for (Index k = 0; k < count(); ++k)
      if (normal.dot(p(k)) > offset - 10.0 * flat_) inside.push_back(k);
    const Vector3 e1 = normal.unitOrthogonal(), e2 = normal.cross(e1);
    const auto x = [&](Index k) { return e1.dot(p(k) - middle_); };
    const auto y = [&](Index k) { return e2.dot(p(k) - middle_); };
    std::sort(inside.begin(), inside.end(), [&](Index a, Index b) {
      return std::abs(x(a) - x(b)) > flat_ ? x(a) < x(b) : (std::abs(y(a) - y(b)) > flat_ ? y(a) < y(b) : a < b);
    });
    inside.erase(
        std::unique(inside.begin(), inside.end(), [&](Index a, Index b) { return (p(a) - p(b)).norm() <= flat_; }),
        inside.end());
    Loop chain;
    const auto extend = [&](Index k, std::size_t keep) {
      while (chain.size() > keep + 1) {
        const Index a = chain[chain.size() - 2], b = chain.back();
        const double ux = x(b) - x(a), uy = y(b) - y(a), vx = x(k) - x(a), vy = y(k) - y(a);
        if (ux * vy - uy * vx > flat_ * std::hypot(vx, vy)) break;  // b is further than flat_ from the line a k
        chain.pop_back();
      }
      chain.push_back(k);
    };
    for (const Index k : inside) extend(k, 0);
    const std::size_t lower = chain.size() - 1;
    for (std::size_t k = inside.size() - 1; k-- > 0;) extend(inside[k], lower);
    if (!chain.empty()) chain.pop_back();
    return chain;
  }

  void close(const Loop& loop, const Vector3& normal) {
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const Index a = loop[k], b = loop[(k + 1) % loop.size()];
      done_.insert({{a, b}, true});
      open_.erase({a, b});
      if (!done_.contains({b, a})) open_.emplace(std::make_pair(b, a), normal);
    }
  }

  const std::vector<Vector3>& points_;
  Vector3 middle_;
  double size_ = 0.0, flat_ = 0.0;
  std::map<std::pair<Index, Index>, Vector3> open_;  // edges that still lack the face in which they run start -> end
  std::map<std::pair<Index, Index>, bool> done_;
};

}  // namespace

SharedPolytope convex_hull(const std::vector<Vector3>& points) {
  if (points.size() < 4) return nullptr;
  for (const Vector3& point : points)
    if (!point.allFinite()) return nullptr;
  std::vector<Loop> faces = Wrapper(points).faces();
  if (faces.size() < 4) return nullptr;
  std::vector<Index> number(points.size(), -1);
  for (const Loop& loop : faces)
    for (const Index k : loop) number[static_cast<std::size_t>(k)] = 0;
  std::vector<Vector3> vertices;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (number[k] == 0) number[k] = static_cast<Index>(vertices.size()), vertices.push_back(points[k]);
  for (Loop& loop : faces) {
    for (Index& k : loop) k = number[static_cast<std::size_t>(k)];
    std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
  }
  std::sort(faces.begin(), faces.end());
  return polytope(std::move(vertices), faces);
}

}  // namespace carom::geometry
