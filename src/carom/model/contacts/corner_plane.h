// A corner s of a body on a fixed plane: X = x + R s, the lever rho = R s turns with the body.
#pragma once

#include "carom/geometry/gaps.h"
#include "carom/model/contacts/contact_point.h"

namespace carom {

inline ContactPoint corner_on_plane(const Pose& body, const Vector3& corner, const Plane& plane) {
  ContactPoint contact;
  contact.lever_a = body.R * corner;
  contact.gap = point_plane_gap(body.x + contact.lever_a, plane);
  contact.normal = plane.normal;
  return contact;
}

inline ContactRates corner_on_plane_rates(const ContactPoint& contact, const Vector3& omega) {
  ContactRates rates;
  rates.lever_a = omega.cross(contact.lever_a);
  return rates;
}

}  // namespace carom
