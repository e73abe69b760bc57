#include "carom/model/assembly/part.h"

#include <algorithm>

namespace carom::model {

void Part::move(const double* q, const double* dq, double* q_next) const {
  for (Index i = 0; i < nq(); ++i) q_next[i] = q[i] + dq[i];
}

void Part::difference(const double* qa, const double* qb, double* dq) const {
  for (Index i = 0; i < nq(); ++i) dq[i] = qb[i] - qa[i];
}

void Part::apply_T(const double*, const double* v, double* dq) const { std::copy_n(v, nq(), dq); }

void Part::describe(Layout& layout) const {
  layout.add_by_names(*this, nq(), nv());
  for (Index f = 0; f < frame_count(); ++f) layout.add_frame(frame_name(f), StateFrame::Kind::general);
}

void Part::apply_T_transpose(const double*, const double* p, double* r) const { std::copy_n(p, nq(), r); }

}  // namespace carom::model
