// A body with spheres on its axis, standing on a floor; without spheres a box of its inertia.
#pragma once

#include <algorithm>

#include "carom/base/rotation.h"
#include "carom/model/analytic/sketch.h"
#include "carom/model/tops/top.h"

namespace carom::analytic {

inline Pose top_pose(const double* q) {
  const Quaternion turn = Quaternion(q[3], q[4], q[5], q[6]).normalized();  // of any length in the scalable formulation
  return {{q[0], q[1], q[2]}, rotation_matrix(turn)};
}

inline std::shared_ptr<const Drawing> top_sketch(const Top& top) {
  Scene scene;
  scene.frames.push_back("top");
  double low = 0.0, high = 0.0, thin = 1e300;
  for (const TopSphere& sphere : top.spheres) {
    scene.shapes.push_back({.frame = 1,
                            .name = sphere.name,
                            .kind = "sphere",
                            .pose = {{0.0, 0.0, sphere.offset}, Matrix3::Identity()},
                            .size = {sphere.radius}});
    low = std::min(low, sphere.offset);
    high = std::max(high, sphere.offset);
    thin = std::min(thin, sphere.radius);
  }
  if (top.spheres.size() > 1)  // what joins the spheres
    scene.shapes.push_back({.frame = 1,
                            .name = "stem",
                            .kind = "cylinder",
                            .pose = {{0.0, 0.0, 0.5 * (low + high)}, Matrix3::Identity()},
                            .size = {0.7 * thin, 0.5 * (high - low)}});
  if (top.spheres.empty()) {  // a box of this inertia
    const double J1 = top.inertia[0], J2 = top.inertia[1], J3 = top.inertia[2];
    const auto side = [&](double a, double b, double c) {
      return std::sqrt(std::max(1e-12, 6.0 * (b + c - a) / top.mass));
    };
    scene.shapes.push_back(
        {.frame = 1, .name = "top", .kind = "box", .size = {side(J1, J2, J3), side(J2, J1, J3), side(J3, J1, J2)}});
  } else {
    scene.shapes.push_back({.frame = 0, .name = "floor", .kind = "half_space"});
  }
  const std::vector<TopSphere> spheres = top.spheres;
  return sketch(
      scene, [](const double* q, Pose* frames) { frames[1] = top_pose(q); },
      [=](const double* q, const Constraint& c) -> std::optional<SketchedContact> {
        if (c.bilateral) return std::nullopt;
        const TopSphere& sphere = spheres[static_cast<std::size_t>(c.a)];
        const Vector3 point = top_pose(q).point({0.0, 0.0, sphere.offset}) - sphere.radius * Vector3::UnitZ();
        Vector3 t1, t2;
        tangents(Vector3::UnitZ(), t1, t2);
        return SketchedContact{point, Vector3::UnitZ(), t1, t2};
      });
}

}  // namespace carom::analytic
