// A rigid body with spheres on its axis, above a floor: spinning tops, tippe tops, and without spheres a free
// body. A model of parts, in any formulation of the body (parts/spatial_bodies.h).
//
// With e3 the axis in the body, n = e3 the floor's normal, R the rotation, c the offset of a sphere's centre
// from the centre of mass along the axis and r its radius:
//
//     gap = n.(x + c R e3) - r          touching point: x + c R e3 - r n
//     rows N, T1, T2 of the velocity of that point, and R_bar n.omega
#pragma once

#include <string>
#include <vector>

#include "carom/laws/contact_law.h"
#include "carom/model/model.h"
#include "carom/model/parts/spatial_bodies.h"

namespace carom {

struct TopSphere {
  std::string name;
  double offset, radius;
};

struct Top {
  std::string name = "top";
  double mass = 1.0;
  Vector3 inertia = Vector3::Ones();  // principal moments, the third about the axis
  double gravity = 0.0;               // along -e3
  std::vector<TopSphere> spheres;
  ContactParameters contact;
};

Model make_top(const Top& top, model::Formulation formulation, const model::BodyStart& start = {});

}  // namespace carom
