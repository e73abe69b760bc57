// A sphere (body a) on a fixed plane: rho = -r n, and nothing of it changes as the sphere moves.
#pragma once

#include "carom/geometry/gaps.h"
#include "carom/model/contacts/contact_point.h"

namespace carom {

inline ContactPoint sphere_on_plane(const Vector3& x, double radius, const Plane& plane) {
  ContactPoint contact;
  contact.gap = sphere_plane_gap(x, radius, plane);
  contact.normal = plane.normal;
  contact.lever_a = -radius * plane.normal;
  contact.central = true;
  return contact;
}

}  // namespace carom
