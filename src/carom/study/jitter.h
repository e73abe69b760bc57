// Step sizes of a convergence study: equal ratios, jittered.
//
// Steps that divide the time of an event meet it at a step end again and again, and the error of such a
// step is not typical. So the exponents of a geometric series are moved inside their cells by the
// golden-ratio sequence u_i = frac((i + 1) / phi), which is spread evenly and depends on nothing:
//
//   dt_i = from (to / from)^(x_i),   x_i = (i + spread (u_i - 1/2)) / (n - 1),   i = 0 ... n - 1
//
// The first and the last step are `from` and `to` themselves: the range is what was asked for.
#pragma once

#include <vector>

namespace carom::inline study {

// 0: the plain geometric series; below 1 the steps keep their order.
std::vector<double> jittered_steps(double from, double to, int n, double spread = 0.8);

}  // namespace carom::inline study
