// Which values the parameters of a sweep take.
//
//   c=0.1,0.2,0.5              these
//   c=1e-4:2e-3:20             20 values from 1e-4 to 2e-3, evenly
//   c=1e-4:2e-3:20:log         evenly in the logarithm
//   c=uniform(0.1, 0.2)        drawn; also normal(mean, deviation), loguniform(low, high)
//
// Grids combine every value with every other, the first axis slowest; lists take them side by side. Drawn designs are
// random or Latin hypercubes: each of n strata of equal probability is met once on every axis. A number may be followed
// by its unit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace carom::inline study {

struct SweepAxis {
  std::string name;
  std::vector<std::string> values;  // as --set takes them
  enum class Distribution { none, uniform, loguniform, normal } distribution = Distribution::none;
  double a = 0.0, b = 0.0;  // of the distribution
  std::string unit;
};

// InputError E0161 if it is none of the above.
SweepAxis parse_axis(const std::string& text);
SweepAxis list_axis(const std::string& name, const std::vector<double>& values);

enum class Design { grid, list, random, latin_hypercube };

// One list of values for each run, in the order of the axes. `samples` of drawn designs; the seed decides them, on
// every machine. InputError E0161 where axes and design do not go together.
std::vector<std::vector<std::string>> sweep_points(const std::vector<SweepAxis>& axes, Design design,
                                                   std::size_t samples, std::uint64_t seed);

// The x with probability p below it, of the standard normal distribution.
double normal_quantile(double p);

}  // namespace carom::inline study
