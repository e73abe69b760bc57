#include "carom/system/system.h"

#include <atomic>
#include <cmath>
#include <limits>

#include "carom/base/vector_kernels.h"
#include "carom/system/layout.h"

namespace carom::inline system {

System::System() {
  static std::atomic<std::uint64_t> made{0};
  serial_ = ++made;
}

void System::move(const Vector& q, const Vector& dq, Vector& q_next) const { combine(1.0, q, 1.0, dq, q_next); }
void System::difference(const Vector& qa, const Vector& qb, Vector& dq) const { combine(1.0, qb, -1.0, qa, dq); }
void System::apply_T(const Vector&, const Vector& v, Vector& dq) const { dq = v; }
void System::apply_T_transpose(const Vector&, const Vector& p, Vector& r) const { r = p; }
void System::describe(Layout& layout) const { layout.add_by_names(*this, nq(), nv()); }

void Energetics::potential_gradient(double t, const Vector& q, Vector& out) const {
  static const double relative = std::cbrt(std::numeric_limits<double>::epsilon());
  thread_local Vector x;  // energies are shared by threads
  x = q;
  out.resize(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const double step = relative * (1.0 + std::abs(q[i]));
    x[i] = q[i] + step;
    const double above = potential_energy(t, x);
    x[i] = q[i] - step;
    out[i] = (above - potential_energy(t, x)) / (2.0 * step);
    x[i] = q[i];
  }
}

}  // namespace carom::inline system
