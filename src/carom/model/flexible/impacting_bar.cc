#include "carom/model/flexible/impacting_bar.h"

#include <cmath>

#include "carom/base/errors.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/flexible/linear_structure.h"

namespace carom {

Model impacting_bar(const RodData& rod, double gap, double speed, const ContactParameters& contact) {
  LinearContact wall;
  wall.name = "wall";
  wall.gap = gap;
  wall.rows = {{{0, 1.0}}};
  wall.law = contact;
  wall.length_scale = rod.length;
  Model model;
  model.system = std::make_shared<LinearStructure>("bar", LinearDynamics(rod_matrices(rod)),
                                                   std::vector<LinearContact>{wall}, "m");
  model.initial.q.setZero(rod.elements + 1);
  model.initial.v.setConstant(rod.elements + 1, -speed);
  return model;
}

namespace analytic {

namespace {

constexpr double most_elements = 1e6;

Model make(const Parameters& p, const ContactParameters& contact) {
  RodData rod;
  const double elements = p.number("elements");
  if (elements != std::floor(elements))
    throw InputError({"E0126", "the number of elements is not whole", "elements", "use a whole number", {}, 0, 0, {}});
  rod.elements = static_cast<Index>(elements);
  rod.length = p.number("length");
  rod.section = p.number("section");
  rod.density = p.number("density");
  rod.youngs_modulus = p.number("youngs_modulus");
  rod.mass_damping = p.number("mass_damping");
  rod.stiffness_damping = p.number("stiffness_damping");
  return impacting_bar(rod, p.number("gap"), p.number("speed"), contact);
}

}  // namespace

AnalyticEntry bar_entry(const char* name, const char* title, const char* reference, const RodData& rod, double gap,
                        double speed) {
  return {name,
          title,
          reference,
          true,
          {{"elements", static_cast<double>(rod.elements), "linear rod elements", 1, most_elements},
           positive("length", rod.length, "m"),
           positive("section", rod.section, "area of the cross-section, m^2"),
           positive("density", rod.density, "kg/m^3"),
           positive("youngs_modulus", rod.youngs_modulus, "N/m^2"),
           not_negative("mass_damping", rod.mass_damping, "alpha of the damping alpha M + beta K, 1/s"),
           not_negative("stiffness_damping", rod.stiffness_damping, "beta of the damping alpha M + beta K, s"),
           any("gap", gap, "distance from the wall at the start, m"),
           any("speed", speed, "of all nodes towards the wall, m/s")},
          make};
}

}  // namespace analytic
}  // namespace carom
