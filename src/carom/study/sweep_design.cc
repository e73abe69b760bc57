#include "carom/study/sweep_design.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>
#include <optional>
#include <random>

#include "carom/base/errors.h"

namespace carom::inline study {

namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw InputError({"E0161",
                    fmt::format("--over {}: {}", text, why),
                    {},
                    "for example --over c=1e-4:2e-3:20, c=0.1,0.2, or c=uniform(0.1, 0.2) with --samples",
                    {},
                    0,
                    0,
                    {}});
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    parts.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

struct Quantity {
  double value;
  std::string unit;
};

std::optional<Quantity> quantity(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(value)) return std::nullopt;
  return Quantity{value, trimmed(end)};
}

std::string with_unit(double value, const std::string& unit) {
  return unit.empty() ? fmt::format("{}", value) : fmt::format("{} {}", value, unit);
}

// Two ends of one axis: the unit may stand at one or both.
std::string common_unit(const std::string& text, const Quantity& a, const Quantity& b) {
  if (!a.unit.empty() && !b.unit.empty() && a.unit != b.unit) refuse(text, "both ends must have the same unit");
  return a.unit.empty() ? b.unit : a.unit;
}

// As one would write it: 0.0008, not 0.0007999999999999999. `scale` is the size of the axis.
double rounded(double x, double scale) {
  const double quantum = std::pow(10.0, 14.0 - std::floor(std::log10(scale)));
  return std::isfinite(quantum) ? std::round(x * quantum) / quantum : x;
}

void read_range(const std::string& text, const std::vector<std::string>& parts, SweepAxis& axis) {
  const auto low = quantity(parts[0]), high = quantity(parts[1]);
  const auto count = quantity(parts[2]);
  const bool logarithmic = parts.size() == 4 && parts[3] == "log";
  if (!low || !high || !count || !count->unit.empty() || (parts.size() == 4 && !logarithmic))
    refuse(text, "a range is low:high:count or low:high:count:log");
  const auto n = static_cast<long>(count->value);
  if (n < 1 || static_cast<double>(n) != count->value || n > 1000000)
    refuse(text, "the count must be a whole number from 1 to a million");
  if (logarithmic && !(low->value > 0.0 && high->value > 0.0)) refuse(text, "logarithms need positive ends");
  axis.unit = common_unit(text, *low, *high);
  for (long i = 0; i < n; ++i) {
    const double s = n == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(n - 1);
    // The ends are met to the bit.
    const double x = i == 0        ? low->value
                     : i == n - 1  ? high->value
                     : logarithmic ? low->value * std::pow(high->value / low->value, s)
                                   : rounded(low->value + s * (high->value - low->value),
                                             std::max(std::abs(low->value), std::abs(high->value)));
    axis.values.push_back(with_unit(x, axis.unit));
  }
}

void read_distribution(const std::string& text, const std::string& word, const std::string& inside, SweepAxis& axis) {
  using enum SweepAxis::Distribution;
  axis.distribution = word == "uniform"      ? uniform
                      : word == "loguniform" ? loguniform
                      : word == "normal"     ? normal
                                             : none;
  if (axis.distribution == none)
    refuse(text, fmt::format("'{}' is no distribution: uniform, loguniform, normal", word));
  const std::vector<std::string> parts = split(inside, ',');
  const auto a = quantity(parts[0]), b = parts.size() == 2 ? quantity(parts[1]) : std::nullopt;
  if (!a || !b) refuse(text, fmt::format("{} wants two numbers", word));
  axis.unit = common_unit(text, *a, *b);
  axis.a = a->value;
  axis.b = b->value;
  if (axis.distribution == loguniform && !(axis.a > 0.0 && axis.b > 0.0)) refuse(text, "logarithms need positive ends");
  if (axis.distribution == normal && !(axis.b > 0.0)) refuse(text, "the deviation must be positive");
}

// The value below which a share p of an axis lies.
double quantile(const SweepAxis& axis, double p) {
  using enum SweepAxis::Distribution;
  switch (axis.distribution) {
    case uniform: return axis.a + p * (axis.b - axis.a);
    case loguniform: return axis.a * std::pow(axis.b / axis.a, p);
    case normal: return axis.a + axis.b * normal_quantile(p);
    case none: break;
  }
  return 0.0;
}

double uniform_number(std::mt19937_64& random) { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; }

// Not std::shuffle, whose order the standard leaves open.
void shuffle(std::vector<std::size_t>& list, std::mt19937_64& random) {
  for (std::size_t i = list.size(); i > 1; --i)
    std::swap(list[i - 1], list[static_cast<std::size_t>(uniform_number(random) * static_cast<double>(i))]);
}

std::vector<std::vector<std::string>> drawn(const std::vector<SweepAxis>& axes, bool latin, std::size_t samples,
                                            std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<std::string>> points(samples);
  std::vector<std::size_t> strata(samples);
  for (const SweepAxis& axis : axes) {
    const bool chosen = axis.distribution == SweepAxis::Distribution::none;  // from a list, each as likely
    std::iota(strata.begin(), strata.end(), std::size_t{0});
    if (latin) shuffle(strata, random);
    for (std::size_t i = 0; i < samples; ++i) {
      const double u = uniform_number(random);
      const double p = latin ? (static_cast<double>(strata[i]) + u) / static_cast<double>(samples) : u;
      const auto k =
          std::min(axis.values.size() - 1, static_cast<std::size_t>(p * static_cast<double>(axis.values.size())));
      points[i].push_back(chosen ? axis.values[k] : with_unit(quantile(axis, p), axis.unit));
    }
  }
  return points;
}

}  // namespace

double normal_quantile(double p) {
  // Newton on Phi(x) = p in the tail that is not close to 1, from the middle outwards.
  const double tail = std::min(p, 1.0 - p);
  double x = -std::sqrt(std::max(0.0, -2.0 * std::log(2.0 * tail)));
  for (int pass = 0; pass < 60; ++pass) {
    const double error = 0.5 * std::erfc(-x / std::numbers::sqrt2) - tail;
    const double density = std::exp(-0.5 * x * x) * 0.5 * std::numbers::inv_sqrtpi * std::numbers::sqrt2;
    const double ratio = error / density;
    const double step = ratio / (1.0 + 0.5 * x * ratio);  // Halley: the density's slope is -x times itself
    x -= step;
    if (std::abs(step) <= 1e-15 * (1.0 + std::abs(x))) break;
  }
  return p < 0.5 ? x : -x;
}

SweepAxis parse_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  SweepAxis axis;
  axis.name = trimmed(text.substr(0, equals));
  if (equals == std::string::npos || axis.name.empty()) refuse(text, "this is not name=values");
  const std::string spec = trimmed(text.substr(equals + 1));
  const std::size_t open = spec.find('(');
  if (spec.empty()) refuse(text, "there are no values");
  if (open != std::string::npos && spec.back() == ')') {
    read_distribution(text, trimmed(spec.substr(0, open)), spec.substr(open + 1, spec.size() - open - 2), axis);
    return axis;
  }
  if (const std::vector<std::string> parts = split(spec, ':'); parts.size() == 3 || parts.size() == 4) {
    read_range(text, parts, axis);
    return axis;
  }
  axis.values = split(spec, ',');
  if (std::any_of(axis.values.begin(), axis.values.end(), [](const std::string& value) { return value.empty(); }))
    refuse(text, "there is an empty value");
  return axis;
}

SweepAxis list_axis(const std::string& name, const std::vector<double>& values) {
  SweepAxis axis;
  axis.name = name;
  for (const double value : values) axis.values.push_back(with_unit(value, ""));
  return axis;
}

std::vector<std::vector<std::string>> sweep_points(const std::vector<SweepAxis>& axes, Design design,
                                                   std::size_t samples, std::uint64_t seed) {
  const auto drawn_axis = [](const SweepAxis& axis) { return axis.distribution != SweepAxis::Distribution::none; };
  if (axes.empty()) refuse("", "there is no axis");
  if (design == Design::random || design == Design::latin_hypercube) {
    if (samples == 0) refuse(axes[0].name, "a drawn design needs --samples");
    return drawn(axes, design == Design::latin_hypercube, samples, seed);
  }
  for (const SweepAxis& axis : axes)
    if (drawn_axis(axis)) refuse(axis.name, "a distribution needs --design random or latin_hypercube");
  std::vector<std::vector<std::string>> points;
  if (design == Design::list) {
    for (const SweepAxis& axis : axes)
      if (axis.values.size() != axes[0].values.size())
        refuse(axis.name, fmt::format("a list takes values side by side: {} here, {} of {}", axis.values.size(),
                                      axes[0].values.size(), axes[0].name));
    for (std::size_t i = 0; i < axes[0].values.size(); ++i)
      for (const SweepAxis& axis : axes) {
        if (&axis == &axes[0]) points.emplace_back();
        points.back().push_back(axis.values[i]);
      }
    return points;
  }
  points.emplace_back();
  for (const SweepAxis& axis : axes) {
    std::vector<std::vector<std::string>> longer;
    for (const auto& point : points)
      for (const std::string& value : axis.values) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    if (longer.size() > 10000000) refuse(axis.name, "these are more than ten million runs");
    points = std::move(longer);
  }
  return points;
}

}  // namespace carom::inline study
