#include "carom/study/norms_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace carom::inline study {

OrderFit fit_order(const std::vector<double>& steps, const std::vector<double>& errors,
                   const std::vector<double>& rounding, double worst_standard_error) {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!(errors[i] > rounding[i]) || !std::isfinite(errors[i])) continue;
    x.push_back(std::log10(steps[i]));
    y.push_back(std::log10(errors[i]));
  }
  OrderFit fit;
  fit.points = static_cast<int>(x.size());
  const bool any_finite = std::any_of(errors.begin(), errors.end(), [](double e) { return std::isfinite(e); });
  if (fit.points < 3) {
    // Most errors at the level of rounding: not "too few runs", but nothing to see.
    if (any_finite && 2 * x.size() < steps.size()) fit.quality = OrderFit::Quality::exact;
    return fit;
  }
  const auto [first, last] = std::minmax_element(x.begin(), x.end());
  fit.decades = *last - *first;
  const double n = fit.points;
  double x_mean = 0, y_mean = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x_mean += x[i] / n;
    y_mean += y[i] / n;
  }
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - x_mean) * (x[i] - x_mean);
    xy += (x[i] - x_mean) * (y[i] - y_mean);
  }
  if (xx == 0.0) return fit;
  fit.order = xy / xx;
  double squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) squares += std::pow(y[i] - y_mean - fit.order * (x[i] - x_mean), 2);
  fit.standard_error = std::sqrt(squares / (n - 2.0) / xx);
  fit.quality = fit.standard_error > worst_standard_error ? OrderFit::Quality::scattered : OrderFit::Quality::fitted;
  return fit;
}

std::string to_text(const OrderFit& fit) {
  switch (fit.quality) {
    case OrderFit::Quality::fitted: return fmt::format("{:.2f} +- {:.2f}", fit.order, fit.standard_error);
    case OrderFit::Quality::exact: return "exact";
    case OrderFit::Quality::scattered:
      return fmt::format("scattered ({:.1f} +- {:.1f})", fit.order, fit.standard_error);
    case OrderFit::Quality::too_few: return "too few points";
  }
  return "";
}

}  // namespace carom::inline study
