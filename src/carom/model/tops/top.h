// A rigid body with spheres on its axis, above a floor: spinning tops, tippe tops, and without spheres a free
// body. One description, two formulations of the same mechanics (quaternion_top.h, scalable_top.h).
//
// With e3 the axis in the body, n = e3 the floor's normal, R the rotation, c the offset of a sphere's centre
// from the centre of mass along the axis and r its radius:
//
//     gap = n.(x + c R e3) - r          touching point: x + c R e3 - r n
//     rows N, T1, T2 of the velocity of that point, and R_bar n.omega
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/laws/contact_law.h"
#include "carom/system/system.h"

namespace carom {

struct TopSphere {
  std::string name;
  double offset, radius;
};

struct Top {
  double mass = 1.0;
  Vector3 inertia = Vector3::Ones();  // principal moments, the third about the axis
  double gravity = 0.0;               // along -e3
  std::vector<TopSphere> spheres;
  ContactParameters contact;
};

// The constraints of all spheres, with ids from `first_id`.
inline void add_sphere_constraints(const Top& top, const Law* law, std::uint64_t first_id,
                                   std::vector<Constraint>& constraints) {
  for (std::size_t k = 0; k < top.spheres.size(); ++k) {
    Constraint c;
    c.id = first_id + k;
    c.law = law;
    c.length_scale = top.spheres[k].radius;
    c.element = 1;
    c.a = static_cast<Index>(k);
    constraints.push_back(c);
  }
}

}  // namespace carom
