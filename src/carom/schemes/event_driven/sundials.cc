#include "carom/schemes/event_driven/sundials.h"

#include <algorithm>
#include <cmath>

#include "carom/base/errors.h"

namespace carom::inline schemes::event_driven {

OwnedContext make_context() {
  SUNContext context = nullptr;
  if (SUNContext_Create(nullptr, &context) != 0) throw LogicError("SUNDIALS: no context");
  return OwnedContext(context);
}

OwnedVector make_vector(Index n, const SUNContext& context) { return OwnedVector(N_VNew_Serial(n, context)); }

OwnedVector make_vector(const Vector& values, const SUNContext& context) {
  OwnedVector v = make_vector(static_cast<Index>(values.size()), context);
  std::copy_n(values.data(), values.size(), N_VGetArrayPointer(v.get()));
  return v;
}

double first_step(SmoothProblem& problem, double t, const Vector& y, double t_stop, const IntegratorOptions& options) {
  const Index n = problem.differential();
  const double interval = t_stop - t;
  Vector f(problem.size()), f_ahead(problem.size()), ahead = y;
  const auto norm = [&](const auto& x) {
    double sum = 0.0;
    for (Index i = 0; i < n; ++i) {
      const double w = options.relative_tolerance * std::abs(y[i]) + options.absolute_tolerance[i];
      sum += (x[i] / w) * (x[i] / w);
    }
    return std::sqrt(sum / std::max<Index>(n, 1));
  };
  double h = 1e-2 * interval;
  if (problem.rates(t, y.data(), f.data())) {
    const double size = norm(y), speed = norm(f);
    double probe = 1e-3 * interval;
    if (speed > 0.0 && size > 0.0) probe = std::min(probe, 1e-4 * size / speed);
    for (Index i = 0; i < n; ++i) ahead[i] += probe * f[i];
    if (problem.rates(t + probe, ahead.data(), f_ahead.data())) {
      const double bend = norm((f_ahead - f).eval()) / probe;
      if (bend > 0.0) h = std::min(h, 0.3 / std::sqrt(bend));
    }
  }
  if (options.first_step > 0.0) h = std::min(h, options.first_step);
  return std::max(h, std::min(interval, 1e-15 * std::max(std::abs(t), interval)));
}

}  // namespace carom::inline schemes::event_driven
