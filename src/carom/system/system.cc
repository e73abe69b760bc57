#include "carom/system/system.h"

#include <atomic>
#include <cmath>
#include <limits>

namespace carom {

System::System() {
  static std::atomic<std::uint64_t> made{0};
  serial_ = ++made;
}

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

}  // namespace carom
