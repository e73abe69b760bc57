#include "carom/io/spectrum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>

namespace carom {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

// The definition, term by term.
double by_definition(const std::vector<double>& y, std::size_t k) {
  const auto n = static_cast<double>(y.size());
  double mean = 0.0;
  for (const double value : y) mean += value / n;
  std::complex<double> sum = 0.0;
  double windows = 0.0;
  for (std::size_t j = 0; j < y.size(); ++j) {
    const double w = 0.5 - 0.5 * std::cos(kTurn * static_cast<double>(j) / n);
    sum += w * (y[j] - mean) * std::polar(1.0, -kTurn * static_cast<double>(j * k) / n);
    windows += w;
  }
  return 2.0 / windows * std::abs(sum);
}

TEST(Spectrum, sine_has_its_amplitude_at_its_frequency) {
  // 64 times, which are even: nothing is interpolated. Five periods in T.
  std::vector<double> t, y;
  for (int j = 0; j < 64; ++j) {
    t.push_back(0.25 * j);
    y.push_back(7.0 + 3.0 * std::sin(kTurn * 5.0 * j / 64.0 + 0.4));
  }
  const Spectrum s = amplitude_spectrum(t, y);
  ASSERT_EQ(s.frequency.size(), 33u);
  EXPECT_NEAR(s.frequency[5], 5.0 / 16.0, 1e-14);
  EXPECT_NEAR(s.amplitude[5], 3.0, 1e-12);
  EXPECT_NEAR(s.amplitude[4], 1.5, 1e-12);
  EXPECT_NEAR(s.amplitude[6], 1.5, 1e-12);
  EXPECT_NEAR(s.amplitude[0], 0.0, 1e-12);  // the mean is away
  EXPECT_NEAR(s.amplitude[20], 0.0, 1e-12);
}

TEST(Spectrum, any_signal_as_defined) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::vector<double> t, y;
  for (int j = 0; j < 128; ++j) {
    t.push_back(1.0 + 0.5 * j);
    y.push_back(number(random));
  }
  const Spectrum s = amplitude_spectrum(t, y);
  for (std::size_t k = 0; k <= 64; ++k) EXPECT_NEAR(s.amplitude[k], by_definition(y, k), 1e-12) << k;
}

TEST(Spectrum, uneven_times_show_the_same_peak) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> shift(0.0, 0.9);
  std::vector<double> t, y;
  for (int j = 0; j < 3000; ++j) {
    t.push_back(1e-3 * (j + shift(random)));
    y.push_back(2.0 * std::cos(kTurn * 40.0 * t.back()));
  }
  const Spectrum s = amplitude_spectrum(t, y);
  const auto peak =
      static_cast<std::size_t>(std::max_element(s.amplitude.begin(), s.amplitude.end()) - s.amplitude.begin());
  // Within one line of 1/3 per second. The straight lines lose up to (pi f dt)^2 / 3 of it, a peak between two lines
  // up to 15 %.
  EXPECT_NEAR(s.frequency[peak], 40.0, 0.34);
  EXPECT_GT(s.amplitude[peak], 2.0 * 0.83);
  EXPECT_LT(s.amplitude[peak], 2.0);
}

TEST(Spectrum, nothing_to_see) {
  EXPECT_TRUE(amplitude_spectrum({0, 1, 2}, {1, 2, 3}).frequency.empty());
  EXPECT_TRUE(amplitude_spectrum({0, 0, 0, 0}, {1, 2, 3, 4}).frequency.empty());
  EXPECT_TRUE(amplitude_spectrum({0, 1, 2, 3}, {1, 2, std::numeric_limits<double>::quiet_NaN(), 4}).frequency.empty());
}

}  // namespace
}  // namespace carom
