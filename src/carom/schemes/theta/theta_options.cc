#include "carom/schemes/theta/theta_step.h"

namespace carom::inline schemes {

std::vector<ParameterSpec> ThetaOptions::parameters() {
  return {
      {"theta", 0.5, "0.5: energy kept between impacts; towards 1: more damping", 0.5, 1},
      {"newton_tolerance", 1e-10, "residual of the velocity equation at which Newton stops", 0, 1, {}, true},
      {"newton_test",
       std::string("relative"),
       "relative to the momenta, or absolute in N s",
       0,
       0,
       {"relative", "absolute"}},
      {"newton",
       std::string("simplified"),
       "one matrix a step, or from the step's start with the matrix of each iterate",
       0,
       0,
       {"simplified", "full"}},
      {"directions",
       std::string("end"),
       "where in the step W is taken. end: joints lose energy in proportion to the step. midpoint: those of joints "
       "half way, energy lost in proportion to its square. start: curved constraints drift by the order of the step",
       0,
       0,
       {"end", "midpoint", "start"}}};
}

Orders ThetaOptions::orders(const Parameters& p) {
  const double smooth = p.number("theta") == 0.5 ? 2.0 : 1.0;
  return {smooth, 1, 1, p.word("directions") == "midpoint" ? smooth : 1.0};
}

ThetaOptions ThetaOptions::from(const Parameters& p) {
  ThetaOptions options;
  options.theta = p.number("theta");
  options.newton_tolerance = p.number("newton_tolerance");
  options.absolute_test = p.word("newton_test") == "absolute";
  options.full_newton = p.word("newton") == "full";
  options.midpoint_joints = p.word("directions") == "midpoint";
  options.directions_at_start = p.word("directions") == "start";
  return options;
}

}  // namespace carom::inline schemes
