// A rigid pendulum as a body tied to a point: three coordinates, two equalities. Schemes show here how they hold
// a joint on position, velocity and acceleration level.
#include <numbers>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/analytic/pendulum_formulas.h"
#include "carom/model/analytic/sketch.h"

namespace carom::analytic {
namespace {

Model make(const Parameters& p, const ContactParameters&) {
  const double length = p.number("length"), angle = p.number("angle"), rate = p.number("rate");
  const double c = std::cos(angle), s = std::sin(angle);
  Model model;
  model.system = std::make_shared<LagrangianSystem<PendulumFormulas<false>>>(
      PendulumFormulas<false>{p.number("mass"), p.number("inertia"), length, p.number("gravity"), 0.0},
      ContactParameters{});
  model.initial = state({length * c, length * s, angle}, {-length * s * rate, length * c * rate, rate});
  model.drawing = pendulum_sketch(length, std::nullopt);
  return model;
}

}  // namespace

AnalyticEntry pendulum() {
  return {"pendulum",
          "a rigid pendulum as a free body and a joint",
          "Bruels, Acary, Cardona 2018",
          false,
          {positive("mass", 1.0, "kg"), positive("inertia", 0.1, "about the centre of mass, kg m^2"),
           positive("length", 1.0, "from the joint to the centre of mass, m"),
           any("gravity", 10.0, "towards positive y, m/s^2"),
           any("angle", std::numbers::pi / 6.0, "at the start, from x towards y, rad"),
           any("rate", 10.0, "of the angle at the start, rad/s")},
          make};
}

}  // namespace carom::analytic
