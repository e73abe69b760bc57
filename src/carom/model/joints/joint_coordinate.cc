#include "carom/model/joints/joint_coordinate.h"

namespace carom::model {

double convective(const RowOf<Dual<1>>& row, const Placement& place, Index a, Index b) {
  const Twist& twist_a = place.twists[static_cast<std::size_t>(a)];
  const Twist& twist_b = place.twists[static_cast<std::size_t>(b)];
  RowOf<double> now, rate;
  for (int k = 0; k < 3; ++k) {
    now.f[k] = row.f[k].value;
    now.tau_a[k] = row.tau_a[k].value;
    now.tau_b[k] = row.tau_b[k].value;
    rate.f[k] = row.f[k].d[0];
    rate.tau_a[k] = row.tau_a[k].d[0];
    rate.tau_b[k] = row.tau_b[k].d[0];
  }
  double zeta = rate_of(rate, twist_a, twist_b);
  if (place.bent)
    zeta += rate_of(now, place.rates[static_cast<std::size_t>(a)], place.rates[static_cast<std::size_t>(b)]);
  return zeta;
}

}  // namespace carom::model
