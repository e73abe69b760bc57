#include "carom/study/reproduce/acary_2012.h"

#include "carom/model/analytic/analytic_model.h"

namespace carom::inline study::acary_2012 {

namespace {

std::string word(const char* text) { return text; }

// Tolerances of schemes are relative to the model's length scale: the slider-crank's is its crank.
constexpr double kCrank = 0.153;
constexpr double kViolationTolerance = 1e-10;  // m, printed

}  // namespace

Model bouncing_ball(double restitution, double height) {
  return make_analytic_model("bouncing_ball", {{"force", -2.0}, {"height", height}, {"velocity", 0.0}},
                             {.restitution = restitution});
}

Model impact_oscillator() { return make_analytic_model("impact_oscillator", {}, {.restitution = 0.8}); }

Model slider_crank(double rod_inertia) {
  return make_analytic_model("slider_crank", {{"l1", kCrank}, {"J2", rod_inertia}},
                             {.restitution = 0.4, .friction = 0.01});
}

SchemeParameters direct_explicit(double activation_gamma, double theta) {
  return {{"theta", theta},
          {"forecast", word("explicit")},
          {"activation_gamma", activation_gamma},
          {"metric", word("euclidean")},
          {"energy_guard", false}};
}

SchemeParameters direct_free(double theta) {
  return {{"theta", theta}, {"forecast", word("free")}, {"metric", word("euclidean")}, {"energy_guard", false}};
}

SchemeParameters combined(double theta) {
  return {{"theta", theta}, {"metric", word("euclidean")}, {"energy_guard", false}};
}

SchemeParameters moreau_jean(double theta) { return {{"theta", theta}, {"activation_gamma", 0.0}}; }

SchemeParameters table_3_moreau_jean(double newton_tolerance) {
  return {{"activation_gamma", 0.0},
          {"newton", word("full")},
          {"newton_test", word("absolute")},
          {"newton_tolerance", newton_tolerance}};
}

SchemeParameters table_3_combined(const Table3Settings& settings) {
  return {{"coupling", settings.coupling},
          {"metric", word("euclidean")},
          {"position_test", word("one_sided")},
          {"energy_guard", false},
          {"position_tolerance", kViolationTolerance / kCrank},
          {"newton", word("full")},
          {"newton_test", word("absolute")},
          {"newton_tolerance", settings.newton_tolerance}};
}

SchemeParameters table_3_direct(const Table3Settings& settings) {
  SchemeParameters parameters = table_3_combined(settings);
  parameters["forecast"] = word("explicit");
  parameters["activation_gamma"] = 0.0;
  parameters["activation_tolerance"] = settings.activation_tolerance / kCrank;
  return parameters;
}

}  // namespace carom::inline study::acary_2012
