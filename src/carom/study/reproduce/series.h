// Small measurements on recorded series.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom::inline study {

// Largest |x| while from <= t <= to.
inline double largest_within(const std::vector<double>& t, const std::vector<double>& x, double from, double to) {
  double largest = 0.0;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] >= from && t[i] <= to) largest = std::max(largest, std::abs(x[i]));
  return largest;
}

// Sum of x while from <= t <= to.
inline double sum_within(const std::vector<double>& t, const std::vector<double>& x, double from, double to) {
  double sum = 0.0;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] >= from && t[i] <= to) sum += x[i];
  return sum;
}

inline double largest_absolute(const std::vector<double>& x) {
  double largest = 0.0;
  for (const double value : x) largest = std::max(largest, std::abs(value));
  return largest;
}

inline double smallest(const std::vector<double>& x) { return *std::min_element(x.begin(), x.end()); }
inline double largest(const std::vector<double>& x) { return *std::max_element(x.begin(), x.end()); }

inline std::vector<double> scaled(std::vector<double> x, double factor) {
  for (double& value : x) value *= factor;
  return x;
}

inline std::vector<double> sum(std::vector<double> x, const std::vector<double>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
  return x;
}

}  // namespace carom::inline study
