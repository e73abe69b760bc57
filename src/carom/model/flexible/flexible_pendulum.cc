// A steel rod hinged at the origin, horizontal and at rest, that falls against a wall at x = wall: a planar
// geometrically exact beam (planar_beam.h) whose tip is the contact point.
//
// Reference: O. Bruels, V. Acary, A. Cardona, Simultaneous enforcement of constraints at position and velocity
// levels in the nonsmooth generalized-alpha scheme, Comput. Methods Appl. Mech. Engrg. 281 (2014) and its
// sequel of 2018 with all three levels. Gravity is not printed there; the printed time of the first contact
// wants 10 m/s^2.
#include <cmath>

#include "carom/base/errors.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/parts/planar_beam.h"

namespace carom::analytic {
namespace {

using namespace model;

Index element_number(double elements) {
  if (elements != std::round(elements))
    throw InputError({"E0126", "the number of elements is not whole", "elements", "use a whole number", {}, 0, 0, {}});
  return static_cast<Index>(elements);
}

Model make(const Parameters& p, const ContactParameters& contact) {
  PlanarBeamSpec beam;
  beam.elements = element_number(p.number("elements"));
  beam.length = p.number("length");
  const double E = p.number("youngs_modulus"), G = E / (2.0 * (1.0 + p.number("poisson_ratio")));
  beam.section = PlanarSection::of(E, G, p.number("area"), 5.0 / 6.0 * p.number("area"), p.number("second_moment"),
                                   p.number("density"));
  beam.gravity = {0.0, -p.number("gravity")};
  beam.damping = {p.number("mass_damping"), p.number("stiffness_damping")};
  beam.supports = {PlanarSupport::hinged(0)};
  beam.contacts = {
      {"wall", beam.length, 0.0, BeamObstacle::half_space({p.number("wall"), 0.0, 0.0}, Vector3::UnitX()), contact}};
  return make_planar_beam(beam);
}

}  // namespace

AnalyticEntry flexible_pendulum() {
  ParameterSpec poisson{"poisson_ratio", 0.3, "of the material", -1.0, 0.5};
  poisson.exclusive_min = true;
  return {"flexible_pendulum",
          "a flexible rod, hinged at one end, falling against a wall",
          "Bruels, Acary, Cardona 2018",
          true,
          {positive("length", 1.0, "of the rod, m"),
           positive("area", 1e-4, "of the section, m^2; 5/6 of it carries shear"),
           positive("second_moment", 8.33e-10, "of the section, m^4"),
           positive("youngs_modulus", 2.1e11, "Pa"),
           poisson,
           positive("density", 7800.0, "kg/m^3"),
           {"elements", 4.0, "beam elements", 1, 1e5},
           any("gravity", 10.0, "along -y, m/s^2"),
           any("wall", std::sqrt(0.5), "the tip stays at x >= wall, m"),
           not_negative("mass_damping", 0.0, "Rayleigh factor of the mass, 1/s"),
           not_negative("stiffness_damping", 0.0, "Rayleigh factor of the stiffness, s")},
          make};
}

}  // namespace carom::analytic
