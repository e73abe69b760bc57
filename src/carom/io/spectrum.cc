#include "carom/io/spectrum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

namespace carom::inline io {

namespace {

using Complex = std::complex<double>;

// In place, of 2^k numbers: first in the order of reversed bits, then pairs, fours, eights, ...
void transform(std::vector<Complex>& x) {
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (std::size_t length = 2; length <= n; length *= 2) {
    const double angle = -2.0 * std::numbers::pi / static_cast<double>(length);
    for (std::size_t k = 0; k < length / 2; ++k) {
      const Complex turn = std::polar(1.0, angle * static_cast<double>(k));
      for (std::size_t begin = 0; begin < n; begin += length) {
        const Complex even = x[begin + k], odd = turn * x[begin + k + length / 2];
        x[begin + k] = even + odd;
        x[begin + k + length / 2] = even - odd;
      }
    }
  }
}

}  // namespace

Spectrum amplitude_spectrum(const std::vector<double>& t, const std::vector<double>& y) {
  Spectrum spectrum;
  const auto finite = [](double value) { return std::isfinite(value); };
  if (t.size() < 4 || !(t.back() > t.front()) || !std::all_of(y.begin(), y.end(), finite)) return spectrum;
  const std::size_t n = std::bit_ceil(t.size());
  const double step = (t.back() - t.front()) / static_cast<double>(n - 1);
  std::vector<double> even(n);
  for (std::size_t j = 0, k = 0; j < n; ++j) {
    const double at = std::min(t.back(), t.front() + step * static_cast<double>(j));
    while (k + 2 < t.size() && t[k + 1] <= at) ++k;
    const double share = t[k + 1] > t[k] ? (at - t[k]) / (t[k + 1] - t[k]) : 0.0;
    even[j] = y[k] + share * (y[k + 1] - y[k]);
  }
  const double mean = std::accumulate(even.begin(), even.end(), 0.0) / static_cast<double>(n);
  std::vector<Complex> x(n);
  for (std::size_t j = 0; j < n; ++j)
    x[j] = (even[j] - mean) *
           (0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(n)));
  transform(x);
  const double windows = 0.5 * static_cast<double>(n);  // the sum of all w_j
  for (std::size_t k = 0; k <= n / 2; ++k) {
    spectrum.frequency.push_back(static_cast<double>(k) / (static_cast<double>(n) * step));
    spectrum.amplitude.push_back(2.0 / windows * std::abs(x[k]));
  }
  return spectrum;
}

}  // namespace carom::inline io
