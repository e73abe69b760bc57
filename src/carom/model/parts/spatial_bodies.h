// Rigid bodies in space by their formulation, that is by the coordinates they move in.
//
//   quaternion   q = (x, p), v = (x', Omega)                   six velocities, gyroscopic forces (rigid_bodies.h)
//   scalable     q = (x, A), v = (x', nu, omega)               seven, and one joint |A| = 1 (scalable_bodies.h)
//   affine       q = (x, d1, d2, d3), v = q'                   twelve, constant inertia, six joints (affine_bodies.h)
//
// The last two have as many velocities as coordinates: for the energy-consistent schemes in coordinates.
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "carom/base/rotation.h"
#include "carom/model/parts/rigid_bodies.h"

namespace carom::model {

enum class Formulation { quaternion, scalable, affine };
inline constexpr std::array<std::string_view, 3> formulation_names = {"quaternion", "scalable", "affine"};
// Of a name that is one of these.
Formulation formulation_named(std::string_view name);

std::shared_ptr<const Part> make_spatial_bodies(Formulation formulation, std::vector<BodyData> bodies);

// Where a body is and how it moves; the spin is in the body frame.
struct BodyStart {
  Vector3 position = Vector3::Zero();
  Quaternion orientation = {1.0, 0.0, 0.0, 0.0};
  Vector3 velocity = Vector3::Zero(), spin = Vector3::Zero();
};
// Appends its coordinates and velocities in a formulation.
void append_start(Formulation formulation, const BodyStart& start, std::vector<double>& q, std::vector<double>& v);

}  // namespace carom::model
