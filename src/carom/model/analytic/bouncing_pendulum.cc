// A rigid pendulum that swings against a wall: pendulum_formulas.h with the contact g = x - x_wall. It bounces
// ever less and ends resting on the wall at cos(angle) = x_wall / length.
#include <numbers>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/analytic/pendulum_formulas.h"
#include "carom/model/analytic/sketch.h"

namespace carom::analytic {
namespace {

Model make(const Parameters& p, const ContactParameters& contact) {
  const double length = p.number("length"), angle = p.number("angle"), rate = p.number("rate");
  const double c = std::cos(angle), s = std::sin(angle);
  Model model;
  model.system = std::make_shared<LagrangianSystem<PendulumFormulas<true>>>(
      PendulumFormulas<true>{p.number("mass"), p.number("inertia"), length, p.number("gravity"), p.number("wall")},
      contact);
  model.initial = state({length * c, length * s, angle}, {-length * s * rate, length * c * rate, rate});
  model.drawing = pendulum_sketch(length, p.number("wall"));
  return model;
}

}  // namespace

AnalyticEntry bouncing_pendulum() {
  return {"bouncing_pendulum",
          "a rigid pendulum as a free body and a joint, swinging against a wall",
          "Bruels, Acary, Cardona 2018",
          true,
          {positive("mass", 1.0, "kg"), positive("inertia", 0.1, "about the centre of mass, kg m^2"),
           positive("length", 1.0, "from the joint to the centre of mass, m"),
           any("gravity", 10.0, "towards positive y, m/s^2"),
           any("wall", std::numbers::sqrt2 / 2.0, "where the wall stands, the centre of mass stays above this x, m"),
           any("angle", std::numbers::pi / 12.0, "at the start, from x towards y, rad"),
           any("rate", 0.0, "of the angle at the start, rad/s")},
          make};
}

}  // namespace carom::analytic
