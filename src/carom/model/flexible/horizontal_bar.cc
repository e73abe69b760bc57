// A soft elastic bar of 10 m that hits a rigid wall with 10 m/s. Contact from 0.5 s on, for 2/3 s with 300 N.
#include "carom/model/flexible/impacting_bar.h"

namespace carom::analytic {

AnalyticEntry horizontal_bar() {
  RodData rod;
  rod.elements = 200;
  rod.length = 10.0;
  rod.section = 1.0;
  rod.density = 1.0;
  rod.youngs_modulus = 900.0;
  return bar_entry("horizontal_bar", "a soft bar hitting a rigid wall", "Bruels, Acary, Cardona 2018", rod, 5.0, 10.0);
}

}  // namespace carom::analytic
