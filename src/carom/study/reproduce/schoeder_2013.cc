#include "carom/study/reproduce/schoeder_2013.h"

#include "carom/model/analytic/analytic_model.h"

namespace carom::inline study::schoeder_2013 {

Model slider_crank(double restitution) {
  return make_analytic_model("slider_crank", {{"clearance", kClearance}}, {.restitution = restitution});
}

SchemeParameters unified() {
  return {{"gap_evaluation", std::string("linearised")},
          {"metric", std::string("euclidean")},
          {"activation", std::string("forecast")}};
}

SchemeParameters reference_line() {
  SchemeParameters parameters = unified();
  parameters["position_constraint"] = false;
  return parameters;
}

SchemeParameters decoupled() { return {{"metric", std::string("euclidean")}, {"activation", std::string("forecast")}}; }

std::vector<double> slider_height(const Trace& trace) {
  std::vector<double> y;
  for (std::size_t i = 0; i < trace.t.size(); ++i) y.push_back(0.5 * (trace.gap[2][i] - trace.gap[0][i]));
  return y;
}

}  // namespace carom::inline study::schoeder_2013
