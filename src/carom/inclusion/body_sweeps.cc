// Projected Gauss-Seidel on piles of bodies (projected_gauss_seidel.cc has the equations): velocities of bodies updated
// in place, contacts in compact records (body_contacts.h), forward and backward in turn. The map T of such a pair of
// sweeps is accelerated by Anderson's method in the norm of the energy, sum_b rho_b |lambda_b|^2. A sweep solves each
// contact exactly, whatever its lambda, so that an extrapolated lambda need not be feasible; what is judged is always
// an image of T.
//
// An extrapolation after which |T(lambda) - lambda| is larger than before is taken back: the past is forgotten, and a
// plain sweep goes on from the last image. That is what makes it reliable: allowed to grow by a factor of two, it
// stalls on random lattices.
#include <algorithm>
#include <cmath>

#include "carom/inclusion/large_memory.h"
#include "carom/inclusion/sweeps.h"

namespace carom {

namespace {

constexpr int window = 10, check_interval = 20;

class BodySweeps {
 public:
  BodySweeps(const InclusionProblem& problem, const SweepOptions& options, SolverWorkspace& w, Buffer& lambda)
      : problem_(problem), G_(*problem.G), options_(options), w_(w), m_(kept(w.body_sweeps)), lambda_(lambda) {
    m_.contacts.build(problem);
    m_.anderson.begin(G_.rows(), window);
    m_.weight.resize(G_.rows());
    for (Index b = 0; b < G_.block_count(); ++b)
      for (Index i = 0; i < G_.block(b).rows; ++i) m_.weight[G_.block(b).row + i] = G_.rho(b);
    begin();
  }

  // The velocities of lambda, without the rounding of many updates.
  void begin() {
    if (m_.contacts.count() < G_.block_count()) {
      G_.sweep_begin(lambda_.data(), w_.running);
    } else {
      w_.running.assign(G_.factors()->velocities, 0.0);
      m_.contacts.add_velocity(lambda_.data(), w_.running.data());
    }
  }

  // lambda := T(lambda), or one forward sweep. The largest change of the last sweep, weighed by rho_b / scale_b.
  double image(bool pair) {
    m_.before = lambda_;
    const double change = sweep(0, G_.block_count(), 1);
    return pair ? sweep(G_.block_count() - 1, -1, -1) : change;
  }

  // Where the map is evaluated next.
  void extrapolate() {
    const double distance = Anderson::distance(G_.rows(), m_.before.data(), lambda_.data(), m_.weight.data());
    if (accelerated_ && distance > last_) {
      std::swap(lambda_, m_.image);
      m_.anderson.forget();
      accelerated_ = false;
      begin();
      return;
    }
    last_ = distance;
    m_.image = lambda_;
    m_.anderson.step(m_.before.data(), lambda_.data(), m_.weight.data());
    std::swap(m_.before, lambda_);
    accelerated_ = true;
    begin();
  }

 private:
  double sweep(Index first, Index end, Index step) {
    double largest = 0.0;
    for (Index b = first; b != end; b += step) {
      double change = 0.0;
      if (m_.contacts.has(b)) {
        change = m_.contacts.update(b, options_.relaxation, w_.running.data(), lambda_.data() + G_.block(b).row);
        if (change == 0.0) continue;
        const double weight = G_.rho(b) / (options_.relaxation * w_.residual.scale[b]);
        change *= weight * weight;
      } else if (G_.rho(b) > 0.0) {
        change = sweep_block(problem_, b, options_, options_.relaxation, w_.residual.scale, w_.running, lambda_);
      }
      if (!(change <= largest)) largest = change;
    }
    return std::sqrt(largest);
  }

  const InclusionProblem& problem_;
  const Delassus& G_;
  const SweepOptions& options_;
  SolverWorkspace& w_;
  BodySweepMemory& m_;
  Buffer& lambda_;
  double last_ = 0.0;
  bool accelerated_ = false;
};

}  // namespace

bool body_sweeps(const InclusionProblem& problem, const SweepOptions& options, SolverWorkspace& w,
                 InclusionResult& result) {
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  if (solves(problem, result.residual, options.tolerance, w.residual)) return true;
  if (!std::isfinite(result.residual)) return false;
  BestIterate best(w.best_lambda, result.residual, result.lambda);
  BodySweeps sweeps(problem, options, w, result.lambda);
  int last_progress = 0, last_check = 0;
  for (int k = 0; k < options.max_iterations;) {
    const bool pair = k + 2 <= options.max_iterations;
    const double change = sweeps.image(pair);
    const int taken = pair ? 2 : 1;
    k += taken;
    result.iterations += taken;
    const bool near = change <= 2.0 * options.tolerance;
    if (near || k - last_check >= check_interval || k >= options.max_iterations) {
      last_check = k;
      result.residual = residual(problem, result.lambda, result.xi, w.residual);
      if (solves(problem, result.residual, options.tolerance, w.residual)) return true;
      if (best.offer(result.lambda, result.residual)) last_progress = k;
      if (!std::isfinite(result.residual) || k - last_progress >= options.patience) break;
    }
    sweeps.extrapolate();
  }
  result.lambda = best.lambda();
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  return solves(problem, result.residual, options.tolerance, w.residual);
}

}  // namespace carom
