// A flexible round rod in space, hung at its upper end by a ball joint, swings against a stop with friction: a
// spatial geometrically exact beam (spatial_beam.h) under gravity -z, the stop a fixed wall x >= stop.
//
// At the start the rod is straight, at `angle` from the vertical in the plane x, z, and turns about the vertical
// at `whirl`, so that it meets the stop aslant: friction at the skin of the rod bends it out of its plane and
// twists it. It may touch at its tip and at points spread evenly along its lower half.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/base/errors.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/parts/spatial_beam.h"

namespace carom::analytic {
namespace {

using namespace model;

Index whole_number(const Parameters& p, const std::string& name) {
  const double value = p.number(name);
  if (value != std::round(value))
    throw InputError({"E0126", name + " is not a whole number", name, "use a whole number", {}, 0, 0, {}});
  return static_cast<Index>(value);
}

Model make(const Parameters& p, const ContactParameters& contact) {
  const double radius = p.number("radius"), length = p.number("length"), E = p.number("youngs_modulus");
  SpatialBeamSpec rod;
  rod.elements = whole_number(p, "elements");
  rod.length = length;
  rod.section = SpatialSection::round(radius, E, E / (2.0 * (1.0 + p.number("poisson_ratio"))), p.number("density"));
  rod.gravity = {0.0, 0.0, -p.number("gravity")};
  rod.damping = {p.number("mass_damping"), p.number("stiffness_damping")};
  rod.supports = {SpatialSupport::hinged(0)};
  // The axis points down at `angle` from the vertical: a turn about y takes x there.
  rod.orientation = quaternion_exp({0.0, std::numbers::pi / 2.0 - p.number("angle"), 0.0});
  rod.spin = {0.0, p.number("swing"), p.number("whirl")};
  const BeamObstacle stop = BeamObstacle::half_space({p.number("stop"), 0.0, 0.0}, Vector3::UnitX());
  const Index points = whole_number(p, "points");
  for (Index k = 0; k < points; ++k) {
    const double at = length * (1.0 - 0.5 * k / points);
    rod.contacts.push_back({k == 0 ? std::string("stop.tip") : fmt::format("stop.c{}", k), at, radius, stop, contact});
  }
  return make_spatial_beam(rod);
}

}  // namespace

AnalyticEntry rod_hits_stop() {
  ParameterSpec poisson{"poisson_ratio", 0.35, "of the material", -1.0, 0.5};
  poisson.exclusive_min = true;
  return {"rod_hits_stop",
          "a flexible rod in space, hung by a ball joint, swinging against a stop with friction",
          "",
          true,
          {positive("length", 1.0, "of the rod, m"),
           positive("radius", 0.005, "of the rod, m"),
           positive("youngs_modulus", 3e9, "Pa"),
           poisson,
           positive("density", 1200.0, "kg/m^3"),
           {"elements", 8.0, "beam elements", 1, 1e5},
           {"points", 4.0, "contact points: the tip and points of the lower half", 1, 1e6},
           any("gravity", 9.81, "along -z, m/s^2"),
           any("angle", 0.8, "of the rod from the vertical at the start, towards +x, rad"),
           any("swing", 0.0, "about +y at the start, rad/s"),
           any("whirl", 2.0, "about +z at the start, rad/s"),
           any("stop", 0.05, "the rod's skin stays at x >= stop, m"),
           not_negative("mass_damping", 0.0, "Rayleigh factor of the mass, 1/s"),
           not_negative("stiffness_damping", 1e-4, "Rayleigh factor of the stiffness, s")},
          make};
}

}  // namespace carom::analytic
