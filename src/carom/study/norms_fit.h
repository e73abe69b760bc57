// The order of a scheme from its errors: a straight line through the points (log dt, log error),
//
//   log error = intercept + order log dt,
//
// by least squares, with the standard error of the order from the scatter of the points about the line.
#pragma once

#include <string>
#include <vector>

namespace carom::inline study {

struct OrderFit {
  enum class Quality {
    fitted,
    exact,      // errors are at the level of rounding: there is no order to measure
    scattered,  // the points do not lie on a line
    too_few     // fewer than three usable points
  };
  Quality quality = Quality::too_few;
  double order = 0, standard_error = 0;
  int points = 0;      // used; those at the level of rounding are not
  double decades = 0;  // of steps that these points span
};

// `rounding` holds for each step the error that rounding alone may cause. A scatter that leaves the
// order uncertain by more than `worst_standard_error` is not called an order.
OrderFit fit_order(const std::vector<double>& steps, const std::vector<double>& errors,
                   const std::vector<double>& rounding, double worst_standard_error = 0.1);

std::string to_text(const OrderFit& fit);  // "1.02 +- 0.03"

}  // namespace carom::inline study
