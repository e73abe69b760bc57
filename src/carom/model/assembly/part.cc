#include "carom/model/assembly/part.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace carom::model {

void Part::inertia_and_force(double t, const double* q, const double* v, MatrixAssembly::Writer* M, double* h,
                             MatrixAssembly::Writer* dh_dq, MatrixAssembly::Writer* dh_dv) const {
  if (M != nullptr) inertia(q, *M);
  if (h != nullptr) add_force(t, q, v, h);
  if (dh_dq != nullptr) force_jacobian(t, q, v, *dh_dq, *dh_dv);
}

void Part::move(const double* q, const double* dq, double* q_next) const {
  for (Index i = 0, n = nq(); i < n; ++i) q_next[i] = q[i] + dq[i];
}

void Part::difference(const double* qa, const double* qb, double* dq) const {
  for (Index i = 0, n = nq(); i < n; ++i) dq[i] = qb[i] - qa[i];
}

void Part::apply_T(const double*, const double* v, double* dq) const { std::copy_n(v, nq(), dq); }

void Part::describe(Layout& layout) const {
  layout.add_by_names(*this, nq(), nv());
  for (Index f = 0; f < frame_count(); ++f) layout.add_frame(frame_name(f), StateFrame::Kind::general);
}

void Part::apply_T_transpose(const double*, const double* p, double* r) const { std::copy_n(p, nq(), r); }

void Part::add_potential_gradient(const double* q, double* out) const {
  static const double relative = std::cbrt(std::numeric_limits<double>::epsilon());
  thread_local std::vector<double> x;
  x.assign(q, q + nq());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double step = relative * (1.0 + std::abs(q[i]));
    x[i] = q[i] + step;
    const double above = potential_energy(x.data());
    x[i] = q[i] - step;
    out[i] += (above - potential_energy(x.data())) / (2.0 * step);
    x[i] = q[i];
  }
}

}  // namespace carom::model
