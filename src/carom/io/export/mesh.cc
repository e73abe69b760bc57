#include "carom/io/export/mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom::inline io {

namespace {

constexpr int kRound = 32;

// A closed outline in the x-y plane, counterclockwise, between two heights; fanned from its middle.
void add_prism(const std::vector<Vector3>& outline, double low, double high, const Pose& pose, Mesh& mesh) {
  const int n = static_cast<int>(outline.size()), base = static_cast<int>(mesh.points.size());
  Vector3 middle = Vector3::Zero();
  for (const Vector3& p : outline) middle += p / n;
  for (const double z : {low, high}) {
    for (const Vector3& p : outline) mesh.points.push_back(pose.point({p.x(), p.y(), z}));
    mesh.points.push_back(pose.point({middle.x(), middle.y(), z}));
  }
  const int top = base + n + 1;
  for (int k = 0; k < n; ++k) {
    const int next = (k + 1) % n;
    mesh.triangles.push_back({base + n, base + next, base + k});
    mesh.triangles.push_back({top + n, top + k, top + next});
    mesh.triangles.push_back({base + k, base + next, top + next});
    mesh.triangles.push_back({base + k, top + next, top + k});
  }
}

std::vector<Vector3> circle(double radius) {
  std::vector<Vector3> points;
  for (int k = 0; k < kRound; ++k) {
    const double a = 2.0 * std::numbers::pi * k / kRound;
    points.push_back({radius * std::cos(a), radius * std::sin(a), 0.0});
  }
  return points;
}

std::vector<Vector3> rectangle(double x0, double x1, double y0, double y1) {
  return {{x0, y0, 0.0}, {x1, y0, 0.0}, {x1, y1, 0.0}, {x0, y1, 0.0}};
}

// A curve (radius, height) turned about z, from its lower end to its upper end.
void add_lathe(const std::vector<std::pair<double, double>>& curve, const Pose& pose, Mesh& mesh) {
  const int base = static_cast<int>(mesh.points.size()), rings = static_cast<int>(curve.size());
  for (const auto& [radius, z] : curve)
    for (const Vector3& p : circle(radius)) mesh.points.push_back(pose.point({p.x(), p.y(), z}));
  for (int r = 0; r + 1 < rings; ++r)
    for (int k = 0; k < kRound; ++k) {
      const int next = (k + 1) % kRound, low = base + r * kRound, high = low + kRound;
      mesh.triangles.push_back({low + k, low + next, high + next});
      mesh.triangles.push_back({low + k, high + next, high + k});
    }
}

void add_capsule(double radius, double half, const Pose& pose, Mesh& mesh) {
  std::vector<std::pair<double, double>> curve;
  constexpr int quarter = 8;
  for (int side : {-1, 1})
    for (int k = 0; k <= quarter; ++k) {
      const double a = 0.5 * std::numbers::pi * (side < 0 ? k - quarter : k) / quarter;
      curve.emplace_back(radius * std::cos(a), side * half + radius * std::sin(a));
    }
  add_lathe(curve, pose, mesh);
}

Pose along(const Vector3& from, const Vector3& to) {
  Pose pose;
  pose.x = 0.5 * (from + to);
  pose.R = Eigen::Quaterniond::FromTwoVectors(Vector3::UnitZ(), to - from).toRotationMatrix();
  return pose;
}

void add_polyhedron(const DrawnShape& shape, Mesh& mesh) {
  const int base = static_cast<int>(mesh.points.size());
  for (const Vector3& p : shape.points) mesh.points.push_back(shape.pose.point(p));
  for (const auto& face : shape.faces)
    for (std::size_t k = 1; k + 1 < face.size(); ++k)
      mesh.triangles.push_back({base + face[0], base + face[k], base + face[k + 1]});
}

void add_ring(double outer, double inner, double thick, const Pose& pose, Mesh& mesh) {
  add_lathe(
      {{inner, 0.5 * thick}, {inner, -0.5 * thick}, {outer, -0.5 * thick}, {outer, 0.5 * thick}, {inner, 0.5 * thick}},
      pose, mesh);
}

}  // namespace

Mesh mesh_of(const DrawnShape& shape, double scene_size) {
  Mesh mesh;
  const double thick = 0.04 * scene_size, wide = 3.0 * scene_size;
  const std::vector<double>& s = shape.size;
  const std::string& kind = shape.kind;
  if (kind == "sphere") add_capsule(s[0], 0.0, shape.pose, mesh);
  if (kind == "capsule") add_capsule(s[0], s[1], shape.pose, mesh);
  if (kind == "cylinder") add_prism(circle(s[0]), -s[1], s[1], shape.pose, mesh);
  if (kind == "box")
    add_prism(rectangle(-0.5 * s[0], 0.5 * s[0], -0.5 * s[1], 0.5 * s[1]), -0.5 * s[2], 0.5 * s[2], shape.pose, mesh);
  if (kind == "disc" && s.size() == 1) add_prism(circle(s[0]), -0.5 * thick, 0.5 * thick, shape.pose, mesh);
  if (kind == "disc" && s.size() > 1) add_ring(s[0], s[1], thick, shape.pose, mesh);
  if (kind == "half_space") add_prism(rectangle(-wide, wide, -wide, wide), -0.5 * thick, 0.0, shape.pose, mesh);
  if (kind == "half_plane") add_prism(rectangle(-wide, wide, -thick, 0.0), -thick, thick, shape.pose, mesh);
  if (kind == "polygon") add_prism(shape.points, -0.5 * thick, 0.5 * thick, shape.pose, mesh);
  if (kind == "polyhedron") add_polyhedron(shape, mesh);
  if (kind == "line")
    for (std::size_t k = 0; k + 1 < shape.points.size(); ++k) {
      const double width = s.empty() || s[0] == 0.0 ? 0.015 * scene_size : s[0],
                   length = (shape.points[k + 1] - shape.points[k]).norm();
      if (length > 0.0)
        add_capsule(0.5 * width, 0.5 * length, shape.pose * along(shape.points[k], shape.points[k + 1]), mesh);
    }
  return mesh;
}

}  // namespace carom::inline io
