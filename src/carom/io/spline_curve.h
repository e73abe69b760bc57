// A curve through measured points (x_i, y_i), x increasing: the natural cubic spline, twice differentiable, so that it
// can prescribe a motion. Before the first point and behind the last one it goes on along its tangent.
#pragma once

#include <string>
#include <vector>

#include "carom/base/dimension.h"

namespace carom::inline io {

class SplineCurve {
 public:
  // At least two points, x strictly increasing.
  SplineCurve(std::vector<double> x, std::vector<double> y);

  struct Jet {
    double value, slope, second;
  };
  Jet at(double x) const;
  double value(double x) const { return at(x).value; }

  const std::vector<double>& x() const { return x_; }
  const std::vector<double>& y() const { return y_; }

  Dimension of_x = Dimension::anything(), of_y = Dimension::anything();  // from the units in its header

 private:
  std::vector<double> x_, y_, bend_;  // second derivatives at the points
};

// Two columns of numbers. A first line of names may give units in brackets: `t [ms], lift [mm]`; then numbers are
// converted. Throws InputError.
SplineCurve read_curve(const std::string& file);

}  // namespace carom::inline io
