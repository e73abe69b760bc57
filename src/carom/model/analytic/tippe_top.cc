// The tippe top: spun on its round body it turns over and stands on its handle, until the spin is spent. A rigid
// body with two spheres on its axis (tops/top.h) and Coulomb-Contensou friction on a floor: what turns it over is the
// friction of a patch that slides and spins at once.
//
// Reference: M. Moeller, Consistent integrators for non-smooth dynamical systems, ETH Zurich (2011), section 6.5.
#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/analytic/top_sketch.h"
#include "carom/model/tops/top.h"

namespace carom::analytic {
namespace {

Model make(const Parameters& p, const ContactParameters& contact) {
  Top top;
  top.mass = p.number("mass");
  top.inertia = {p.number("J1"), p.number("J1"), p.number("J3")};
  top.gravity = p.number("gravity");
  top.spheres = {{"body", p.number("body_offset"), p.number("body_radius")},
                 {"handle", p.number("handle_offset"), p.number("handle_radius")}};
  top.contact = contact;
  const double half = 0.5 * p.number("inclination");
  Model model = make_top(top, model::formulation_named(p.word("formulation")),
                         {.position = {0.0, 0.0, p.number("height")},
                          .orientation = {std::cos(half), std::sin(half), 0.0, 0.0},
                          .spin = {0.0, 0.0, p.number("spin")}});
  model.drawing = top_sketch(top);
  return model;
}

}  // namespace

AnalyticEntry tippe_top() {
  return {"tippe_top",
          "the tippe top: a spinning body with a handle that turns over",
          "Moeller 2011, section 6.5",
          true,
          {positive("mass", 0.006, "kg"),
           positive("J1", 8e-7, "about axes across, kg m^2"),
           positive("J3", 7e-7, "about the axis of symmetry, kg m^2"),
           any("gravity", 9.81, "m/s^2"),
           any("body_offset", 0.003, "centre of the body's sphere along the axis, m"),
           positive("body_radius", 0.015, "m"),
           any("handle_offset", 0.016, "centre of the handle's sphere along the axis, m"),
           positive("handle_radius", 0.005, "m"),
           any("height", 1.2015e-2, "of the centre of mass at the start, m"),
           any("inclination", 0.1, "of the axis at the start, rad"),
           any("spin", 180.0, "about the axis at the start, rad/s"),
           {"formulation",
            std::string("quaternion"),
            "unit quaternion, or scalable body with rigidity as a joint",
            0,
            0,
            {"quaternion", "scalable"}}},
          make};
}

}  // namespace carom::analytic
