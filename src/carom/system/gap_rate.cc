#include "carom/system/gap_rate.h"

namespace carom::inline system {

void gap_rate_from_jacobian(const Vector& v, Evaluation& out) {
  out.W.transpose_multiply(v.data(), out.g_rate.resized(out.W.rows()));
  for (Index i = 0; i < out.g_rate.size(); ++i) out.g_rate[i] += out.chi[i];
}

}  // namespace carom::inline system
