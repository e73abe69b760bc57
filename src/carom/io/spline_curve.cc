#include "carom/io/spline_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "carom/base/errors.h"
#include "carom/base/units.h"
#include "carom/io/input_file.h"

namespace carom::inline io {

// The second derivatives m_i of the natural spline solve  h_{i-1} m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_i m_{i+1} = 6
// (s_i - s_{i-1}).
SplineCurve::SplineCurve(std::vector<double> x, std::vector<double> y)
    : x_(std::move(x)), y_(std::move(y)), bend_(x_.size(), 0.0) {
  const std::size_t n = x_.size();
  if (n < 3) return;
  std::vector<double> diagonal(n, 1.0), right(n, 0.0), above(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double h0 = x_[i] - x_[i - 1], h1 = x_[i + 1] - x_[i];
    const double rise = (y_[i + 1] - y_[i]) / h1 - (y_[i] - y_[i - 1]) / h0;
    const double eliminated = i == 1 ? 0.0 : h0 / diagonal[i - 1];
    diagonal[i] = 2.0 * (h0 + h1) - (i == 1 ? 0.0 : eliminated * above[i - 1]);
    above[i] = h1;
    right[i] = 6.0 * rise - (i == 1 ? 0.0 : eliminated * right[i - 1]);
  }
  for (std::size_t i = n - 2; i >= 1; --i) bend_[i] = (right[i] - above[i] * bend_[i + 1]) / diagonal[i];
}

SplineCurve::Jet SplineCurve::at(double x) const {
  const std::size_t last = x_.size() - 1;
  std::size_t i = static_cast<std::size_t>(std::upper_bound(x_.begin(), x_.end(), x) - x_.begin());
  i = std::clamp<std::size_t>(i, 1, last) - 1;
  const double h = x_[i + 1] - x_[i], s = (y_[i + 1] - y_[i]) / h;
  const auto inside = [&](double z) {
    const double a = x_[i + 1] - z, b = z - x_[i];
    return Jet{(bend_[i] * a * a * a + bend_[i + 1] * b * b * b) / (6.0 * h) + (y_[i] / h - bend_[i] * h / 6.0) * a +
                   (y_[i + 1] / h - bend_[i + 1] * h / 6.0) * b,
               (bend_[i + 1] * b * b - bend_[i] * a * a) / (2.0 * h) + s - h * (bend_[i + 1] - bend_[i]) / 6.0,
               (bend_[i] * a + bend_[i + 1] * b) / h};
  };
  const double held = std::clamp(x, x_.front(), x_.back());
  Jet jet = inside(held);
  if (x != held) jet = {jet.value + jet.slope * (x - held), jet.slope, 0.0};
  return jet;
}

namespace {

[[noreturn]] void refuse(const std::string& file, int line, const std::string& message, const std::string& hint) {
  throw InputError({"E0153", message, {}, hint, file, line, 1, {}});
}

// The unit in the brackets of "lift [mm]".
Unit unit_of(const std::string& file, std::string_view head) {
  const std::size_t open = head.find('['), close = head.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return {Dimension::anything(), 1.0, 0};
  const std::string_view word = head.substr(open + 1, close - open - 1);
  const auto unit = parse_unit(word);
  if (!unit) refuse(file, 1, fmt::format("unknown unit '{}'", word), unit_suggestion(word));
  return *unit;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

}  // namespace

SplineCurve read_curve(const std::string& file) {
  constexpr std::size_t most_points = 1000000;
  std::istringstream lines(
      read_input_file(file, scenario_bytes, "a table lies beside its model: two columns of numbers"));
  std::vector<double> x, y;
  Unit ux{Dimension::anything(), 1.0, 0}, uy = ux;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string_view text = trimmed(line);
    if (text.empty() || text.front() == '#') continue;
    const std::size_t cut = text.find_first_of(",;\t");
    if (cut == std::string_view::npos)
      refuse(file, number, "a line without a second column", "two columns, with a comma between them");
    const std::string_view left = trimmed(text.substr(0, cut)), right = trimmed(text.substr(cut + 1));
    double a = 0.0, b = 0.0;
    const auto end_a = std::from_chars(left.data(), left.data() + left.size(), a);
    const auto end_b = std::from_chars(right.data(), right.data() + right.size(), b);
    const bool good = end_a.ec == std::errc() && end_b.ec == std::errc() && end_a.ptr == left.data() + left.size() &&
                      end_b.ptr == right.data() + right.size() && std::isfinite(a) && std::isfinite(b);
    if (!good && x.empty()) {
      ux = unit_of(file, left);
      uy = unit_of(file, right);
      continue;
    }
    if (!good) refuse(file, number, "this is no pair of numbers", "two columns of finite numbers");
    a = with_unit(left, ux);
    b = with_unit(right, uy);
    if (!x.empty() && !(a > x.back()))
      refuse(file, number, "the first column does not increase", "sort the points; each place once");
    if (x.size() >= most_points) refuse(file, number, "too many points", fmt::format("at most {}", most_points));
    x.push_back(a);
    y.push_back(b);
  }
  if (x.size() < 2) refuse(file, 0, "a table needs two points at least", "two columns of numbers");
  SplineCurve curve(std::move(x), std::move(y));
  curve.of_x = ux.dimension;
  curve.of_y = uy.dimension;
  return curve;
}

}  // namespace carom::inline io
