// Which contacts may act in a theta step, by one of two forecasts of their gap at its end:
//
//   explicit:  g_0 + activation_gamma dt gamma_0 <= tolerance
//   free:      the gap at the end of the step without contact forces <= tolerance
#pragma once

#include "carom/schemes/step_contacts.h"
#include "carom/schemes/theta/theta_step.h"

namespace carom::inline schemes {

class ContactForecast {
 public:
  explicit ContactForecast(const Parameters& p)
      : free_(p.word("forecast") == "free"),
        activation_gamma_(p.number("activation_gamma")),
        tolerance_(p.number("activation_tolerance")) {}

  static void add_parameters(const std::string& forecast, double activation_gamma, double tolerance,
                             std::vector<ParameterSpec>& specs) {
    specs.push_back({"forecast", forecast, "which contacts may act in a step", 0, 0, {"explicit", "free"}});
    specs.push_back({"activation_gamma", activation_gamma, "look-ahead of the explicit forecast, in steps", 0, 2});
    specs.push_back(activation_tolerance_spec(tolerance));
  }

  void activate(ThetaStep& step) const {
    if (free_)
      step.activate_free(tolerance_);
    else
      step.activate_explicit(activation_gamma_, tolerance_);
  }

 private:
  bool free_;
  double activation_gamma_;
  double tolerance_;
};

}  // namespace carom::inline schemes
