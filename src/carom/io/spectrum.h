// The amplitudes of a signal over frequency. Samples at any increasing times t_0 ... t_m are read off a straight line
// between neighbours at n = 2^k even times (n >= m + 1), the mean is taken away, and with Hann's window
// w_j = 1/2 - 1/2 cos(2 pi j / n)
//
//   a_k = 2 / (sum_j w_j) | sum_j w_j y_j exp(-2 pi i j k / n) |,   f_k = k / T,   k = 0 ... n/2,
//
// where T = n (t_m - t_0) / (n - 1). A sine of frequency f_k has its amplitude at f_k and half of it at both
// neighbours.
#pragma once

#include <vector>

namespace carom::inline io {

struct Spectrum {
  std::vector<double> frequency, amplitude;  // in 1/s, in the unit of y
};

// Empty if there are less than four times, or one is not a number.
Spectrum amplitude_spectrum(const std::vector<double>& t, const std::vector<double>& y);

}  // namespace carom::inline io
