#include "carom/model/analytic/slider_crank_data.h"

#include "carom/model/analytic/parameter_kinds.h"

namespace carom::analytic {

std::vector<ParameterSpec> slider_crank_parameters(bool with_guide) {
  std::vector<ParameterSpec> specs = {
      positive("l1", 0.153, "length of the crank, m"),
      positive("l2", 0.306, "length of the rod, m"),
      positive("m1", 0.038, "mass of the crank, kg"),
      positive("m2", 0.038, "mass of the rod, kg"),
      positive("m3", 0.076, "mass of the slider, kg"),
      positive("J1", 7.4e-5, "inertia of the crank about its centre, kg m^2"),
      positive("J2", 5.9e-4, "inertia of the rod about its centre, kg m^2"),
      any("gravity", 9.81, "gravity along -y, m/s^2"),
      any("crank_angle", 0.0, "at the start, rad"),
      any("rod_angle", 0.0, "at the start, rad"),
      any("crank_rate", 150.0, "at the start, rad/s"),
      any("rod_rate", -75.0, "at the start, rad/s"),
  };
  if (with_guide) {
    specs.push_back(positive("J3", 2.7e-6, "inertia of the slider about its centre, kg m^2"));
    specs.push_back(positive("a", 0.05, "half length of the slider, m"));
    specs.push_back(positive("b", 0.025, "half height of the slider, m"));
    specs.push_back(not_negative("clearance", 0.001, "play between slider and guide on each side, m"));
    specs.push_back(any("slider_angle", 0.0, "at the start, rad"));
    specs.push_back(any("slider_rate", 0.0, "at the start, rad/s"));
  }
  return specs;
}

SliderCrankData slider_crank_data(const Parameters& p, bool with_guide) {
  SliderCrankData data{p.number("l1"),     p.number("l2"), p.number("m1"), p.number("m2"),
                       p.number("m3"),     p.number("J1"), p.number("J2"), 0.0,
                       p.number("gravity")};
  if (with_guide) {
    data.J3 = p.number("J3");
    data.a = p.number("a");
    data.b = p.number("b");
    data.clearance = p.number("clearance");
  }
  return data;
}

}  // namespace carom::analytic
