// The masses that ride on the steps of a tree: bodies held together by fixed joints are one mass.
#pragma once

#include <vector>

#include "carom/model/parts/tree_layout.h"

namespace carom::model {

// What rides on a step, in its frame.
struct Ballast {
  double mass = 0.0, heavy_mass = 0.0;  // of those with weight
  Vector3 centre = Vector3::Zero(), heavy_moment = Vector3::Zero();
  Matrix3 inertia = Matrix3::Zero();  // about the centre

  void add(const BodyData& body, const Pose& pose) {
    const double total = mass + body.mass;
    const Vector3 next = (mass * centre + body.mass * pose.x) / total;
    const auto shifted = [](double m, const Vector3& d) {
      return Matrix3(m * (d.squaredNorm() * Matrix3::Identity() - d * d.transpose()));
    };
    inertia +=
        shifted(mass, next - centre) + shifted(body.mass, next - pose.x) + pose.R * body.inertia * pose.R.transpose();
    mass = total;
    centre = next;
    if (body.weight == Vector3::Zero()) return;
    heavy_mass += body.mass;
    heavy_moment += body.mass * pose.x;
  }
};

// By step; what is fixed to the ground moves nothing and has a potential only.
struct TreeBallast {
  std::vector<Ballast> steps;
  Ballast grounded;

  explicit TreeBallast(const TreeLayout& layout) : steps(layout.steps.size()) {
    for (const TreeBody& body : layout.bodies)
      (body.step < 0 ? grounded : steps[static_cast<std::size_t>(body.step)]).add(body.data, body.pose);
  }
  // The first step that carries a mass: its frame is a good origin for moments.
  Index first_heavy() const {
    Index s = 0;
    while (s + 1 < static_cast<Index>(steps.size()) && steps[static_cast<std::size_t>(s)].mass == 0.0) ++s;
    return s;
  }
};

}  // namespace carom::model
