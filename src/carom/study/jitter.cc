#include "carom/study/jitter.h"

#include <cmath>
#include <numbers>

#include "carom/base/errors.h"

namespace carom::inline study {

std::vector<double> jittered_steps(double from, double to, int n, double spread) {
  if (!(from > 0.0) || !(to > 0.0) || n < 2) throw LogicError("jittered_steps: two positive ends, n >= 2");
  std::vector<double> steps;
  for (int i = 0; i < n; ++i) {
    const double u = std::fmod((i + 1) / std::numbers::phi, 1.0);
    const bool end = i == 0 || i == n - 1;
    const double x = (i + (end ? 0.0 : spread * (u - 0.5))) / (n - 1);
    steps.push_back(i == n - 1 ? to : from * std::pow(to / from, x));
  }
  return steps;
}

}  // namespace carom::inline study
