#include "carom/io/joint_errors.h"

#include <algorithm>
#include <cmath>

namespace carom::inline io {

void JointErrors::look(const System& system, const State& state) {
  gap_ = rate_ = 0.0;
  system.detect(state.t, state.q, state.v, 0.0, contacts_);
  joints_.reset(contacts_);
  for (Index k = 0; k < contacts_.size(); ++k)
    if (contacts_[k].bilateral) joints_.add(k);
  if (joints_.rows() == 0) return;
  system.evaluate(state.t, state.q, state.v, Need::gap | Need::jacobian, joints_, at_);
  rates_.resize(joints_.rows());
  at_.W.transpose_multiply(state.v.data(), rates_.data());
  Index row = 0;
  for (Index i = 0; i < joints_.size(); ++i) {
    const Constraint& joint = joints_.constraint(i);
    for (Index r = row; r < row + joint.position_rows; ++r) {
      gap_ = std::max(gap_, std::abs(at_.g[r]));
      rate_ = std::max(rate_, std::abs(rates_[r] + at_.chi[r]));
    }
    row += joint.law->dim();
  }
}

}  // namespace carom::inline io
