// Two spheres: n = (x_a - x_b) / d,  rho_a = -r_a n,  rho_b = r_b n;  as they pass each other the
// normal turns with  n' = (I - n n') (x_a' - x_b') / d.
#pragma once

#include "carom/geometry/gaps.h"
#include "carom/model/contacts/contact_point.h"

namespace carom {

inline ContactPoint sphere_on_sphere(const Vector3& xa, double ra, const Vector3& xb, double rb) {
  ContactPoint contact;
  contact.gap = sphere_sphere_gap(xa, ra, xb, rb);
  contact.normal = sphere_sphere_normal(xa, xb);
  contact.lever_a = -ra * contact.normal;
  contact.lever_b = rb * contact.normal;
  contact.central = true;
  return contact;
}

inline ContactRates sphere_on_sphere_rates(const ContactPoint& contact, double ra, double rb,
                                           const Vector3& relative_velocity) {
  const double distance = contact.gap + (ra + rb);
  ContactRates rates;
  if (!(distance > 0.0)) return rates;
  const Vector3& n = contact.normal;
  rates.normal = (relative_velocity - n.dot(relative_velocity) * n) / distance;
  rates.lever_a = -ra * rates.normal;
  rates.lever_b = rb * rates.normal;
  return rates;
}

}  // namespace carom
