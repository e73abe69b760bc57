#include "carom/laws/joint_friction_law.h"

#include <algorithm>
#include <cmath>

#include "carom/base/errors.h"
#include "carom/laws/block_newton.h"
#include "carom/laws/contact_law.h"

namespace carom::inline laws {

JointFrictionLaw::JointFrictionLaw(Index holding_rows, Index pressing_rows, double friction, double constant)
    : Law(holding_rows + 1, constant > 0.0), pressing_(pressing_rows), mu_(friction), constant_(constant) {
  check(ContactParameters{.friction = friction});
  if (!(constant >= 0.0) || !std::isfinite(constant))
    throw InputError({"E0120",
                      "constant friction of a joint is not a finite number >= 0",
                      "friction",
                      "a preload, a torque or a force is at least 0",
                      {},
                      0,
                      0,
                      {}});
  if (dim() > max_dim || pressing_rows < (holding_rows > 0) || pressing_rows > holding_rows)
    throw LogicError("rows of a joint with friction");
}

JointFrictionLaw JointFrictionLaw::over(double duration) const {
  JointFrictionLaw timed = *this;
  timed.impulse_ = duration * constant_;
  return timed;
}

double JointFrictionLaw::pressed(const double* x) const {
  double square = 0.0;
  for (Index i = 0; i < pressing_; ++i) square += x[i] * x[i];
  return mu_ * std::sqrt(square);
}

ContactState JointFrictionLaw::state(const double* lambda, const double* xi) const {
  const Index f = dim() - 1;
  const bool at_its_limit = (1.0 + state_rounding) * std::abs(lambda[f]) > reach(lambda);
  return at_its_limit && (!xi || xi[f] != 0.0) ? ContactState::slip : ContactState::stick;
}

void JointFrictionLaw::project(const double* x, double* y) const {
  const Index f = dim() - 1;
  const double bound = reach(x), along = std::clamp(x[f], -bound, bound);
  std::copy_n(x, f, y);
  y[f] = along;
}

void JointFrictionLaw::project_derivative(const double* x, double* D) const {
  const Index n = dim(), f = n - 1;
  std::fill_n(D, n * n, 0.0);
  for (Index i = 0; i < f; ++i) D[i + i * n] = 1.0;
  const double share = pressed(x);
  if (std::abs(x[f]) <= share + impulse_) {
    D[f + f * n] = 1.0;
    return;
  }
  if (!(share > 0.0)) return;
  const double scale = std::copysign(mu_ * mu_ / share, x[f]);  // mu / |x_P|
  for (Index i = 0; i < pressing_; ++i) D[f + i * n] = scale * x[i];
}

void JointFrictionLaw::impact_shift(const double*, double* shift) const { std::fill_n(shift, dim(), 0.0); }

bool JointFrictionLaw::solve_local(const double* G, const double* c, double* lambda) const {
  switch (dim()) {
    case 1: lambda[0] = G[0] > 0.0 ? std::clamp(-c[0] / G[0], -impulse_, impulse_) : 0.0; return G[0] > 0.0;
    case 2: return solve_block<2>(*this, G, c, lambda);
    case 3: return solve_block<3>(*this, G, c, lambda);
    case 4: return solve_block<4>(*this, G, c, lambda);
    case 5: return solve_block<5>(*this, G, c, lambda);
    case 6: return solve_block<6>(*this, G, c, lambda);
    default: return false;
  }
}

}  // namespace carom::inline laws
