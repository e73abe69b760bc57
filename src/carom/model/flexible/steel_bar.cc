// A steel bar of 1 m that hits a rigid wall with 0.1 m/s: the bar of Acary 2012 (gap 5e-5 m, undamped) and of
// Schindler et al. 2015 (gap 5.005e-6 m, stiffness damping 0 or 1000/E). Contact lasts 3.8545e-4 s with 1271.47 N.
#include "carom/model/flexible/impacting_bar.h"

namespace carom::analytic {

AnalyticEntry steel_bar() {
  return bar_entry("steel_bar", "a steel bar hitting a rigid wall", "Acary 2012; Schindler et al. 2015", steel_rod(),
                   5e-5, 0.1);
}

}  // namespace carom::analytic
