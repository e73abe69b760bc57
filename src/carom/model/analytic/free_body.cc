// A rigid body in free flight, in three formulations of one mass distribution: unit quaternion (Newton and Euler),
// scalable body, affine body. About its middle axis it tumbles; energy and angular momentum are constant.
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/analytic/top_sketch.h"
#include "carom/model/tops/top.h"

namespace carom::analytic {
namespace {

Model make(const Parameters& p, const ContactParameters&) {
  Top body;
  body.mass = p.number("mass");
  body.inertia = {p.number("J1"), p.number("J2"), p.number("J3")};
  body.gravity = p.number("gravity");
  const model::Formulation formulation = model::formulation_named(p.word("formulation"));
  Model model = make_top(body, formulation, {.spin = {p.number("spin1"), p.number("spin2"), p.number("spin3")}});
  if (formulation != model::Formulation::affine) model.drawing = top_sketch(body);
  return model;
}

}  // namespace

AnalyticEntry free_body() {
  return {"free_body",
          "a rigid body tumbling freely, as quaternion, scalable or affine body",
          "Moeller 2011, chapter 4",
          false,
          {positive("mass", 1.0, "kg"),
           positive("J1", 1.0, "principal moment, kg m^2"),
           positive("J2", 2.0, "principal moment, kg m^2"),
           positive("J3", 2.5, "principal moment, kg m^2"),
           any("gravity", 0.0, "m/s^2"),
           any("spin1", 0.3, "angular velocity in the body frame at the start, rad/s"),
           any("spin2", 4.0, "rad/s"),
           any("spin3", 0.2, "rad/s"),
           {"formulation",
            std::string("quaternion"),
            "coordinates of the body",
            0,
            0,
            {"quaternion", "scalable", "affine"}}},
          make};
}

}  // namespace carom::analytic
