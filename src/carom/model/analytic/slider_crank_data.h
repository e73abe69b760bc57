// The numbers of the slider-crank, shared by its three descriptions (three angles with clearance, two
// angles with an ideal guide, nine coordinates of the three free bodies).
#pragma once

#include <vector>

#include "carom/base/parameters.h"

namespace carom::analytic {

struct SliderCrankData {
  double l1, l2;                       // lengths of crank and rod
  double m1, m2, m3;                   // masses of crank, rod, slider
  double J1, J2, J3;                   // inertias about the centres
  double gravity;                      // along -y
  double a = 0, b = 0, clearance = 0;  // half length and half height of the slider; play on each side
};

// Parameters of all three, and those of a slider with corners in a guide.
std::vector<ParameterSpec> slider_crank_parameters(bool with_guide);
SliderCrankData slider_crank_data(const Parameters& parameters, bool with_guide);

}  // namespace carom::analytic
