// Projected Gauss-Seidel on piles of bodies (projected_gauss_seidel.cc has the equations): velocities of bodies updated
// in place, contacts in compact records (body_contacts.h). The map T of a sweep is accelerated by Anderson's method in
// the norm of the energy, sum_b rho_b |lambda_b|^2. A sweep solves each contact exactly, whatever its lambda, so that
// an extrapolated lambda need not be feasible; what is judged is always an image of T.
//
// An extrapolation after which |T(lambda) - lambda| is larger than before is taken back: the past is forgotten, and a
// plain sweep goes on from the last image. That is what makes it reliable: allowed to grow by a factor of two, it
// stalls on random lattices.
//
// Problems of contacts alone are swept four contacts at a time, and other accelerations take turns with this one
// (round_sweeps.cc).
//
// Where the residual stops falling, the few contacts that hold it up are solved together (contact_patches.h).
#include <algorithm>
#include <cmath>

#include "carom/inclusion/large_memory.h"
#include "carom/inclusion/round_sweeps.h"
#include "carom/inclusion/sweeps.h"

namespace carom::inline inclusion {

namespace {

constexpr int window = 10, check_interval = 20;
// Patches are tried where the residual stays within this factor from check to check: as long as it moves, up or down,
// contacts still change their states, and patches would disturb the sweeps.
constexpr double steady = 2.0;
constexpr int patient_attempts = 6, most_doublings = 8;
// Multiplications of a sweep, per row, Anderson's sums among them: the patches are given four times as many as the
// sweeps between two checks.
constexpr double work_per_row = 100.0, patch_share = 4.0;

// Levers of round contacts may differ from what they are taken for by this share of the tolerance.
constexpr double model_error = 0.1;

class BodySweeps {
 public:
  BodySweeps(const InclusionProblem& problem, const SweepOptions& options, SolverWorkspace& w, Buffer& lambda)
      : problem_(problem), G_(*problem.G), options_(options), w_(w), m_(kept(w.body_sweeps)), lambda_(lambda) {
    m_.weight.resize(G_.rows());
    for (Index b = 0; b < G_.block_count(); ++b)
      for (Index i = 0; i < G_.block(b).rows; ++i) m_.weight[G_.block(b).row + i] = G_.rho(b);
    begin();
    m_.anderson.begin(m_.weight.size(), window, m_.weight.data());
    weigh();
  }

  // How the residual weighs changes of lambda, as it was judged last.
  void weigh() {
    m_.judged.resize(G_.block_count());
    for (Index b = 0; b < G_.block_count(); ++b) {
      const double weight = w_.residual.scale[b] > 0.0 ? G_.rho(b) / (options_.relaxation * w_.residual.scale[b]) : 0.0;
      m_.judged[b] = weight * weight;
    }
  }

  // lambda := T(lambda). The largest change, weighed by rho_b / scale_b.
  double image() {
    m_.before = lambda_;
    return sweep();
  }

  // Where the map is evaluated next.
  void extrapolate() {
    const double distance = m_.anderson.distance(m_.before.data(), lambda_.data());
    if (accelerated_ && distance > last_) {
      std::swap(lambda_, m_.image);
      restart();
      return;
    }
    last_ = distance;
    m_.image = lambda_;
    m_.anderson.step(m_.before.data(), lambda_.data());
    std::swap(m_.before, lambda_);
    accelerated_ = true;
    begin();
  }

  // Whether lambda was changed; it goes on from there.
  bool solve_patches() {
    if (!m_.patches.solve(problem_, options_.tolerance, w_.residual,
                          patch_share * check_interval * work_per_row * G_.rows(), lambda_))
      return false;
    restart();
    return true;
  }

 private:
  void restart() {
    m_.anderson.forget();
    accelerated_ = false;
    begin();
  }

  // The velocities of lambda, without the rounding of many updates.
  void begin() { G_.sweep_begin(lambda_.data(), w_.running); }

  double sweep() {
    double largest = 0.0;
    for (Index b = 0; b < G_.block_count(); ++b) {
      double change = 0.0;
      if (m_.contacts.has(b))
        change = m_.judged[b] *
                 m_.contacts.update(b, options_.relaxation, w_.running.data(), lambda_.data() + G_.block(b).row);
      else if (G_.rho(b) > 0.0)
        change = sweep_block(problem_, b, options_, options_.relaxation, w_.residual.scale, w_.running, lambda_);
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

bool single_sweeps(const InclusionProblem& problem, const SweepOptions& options, SolverWorkspace& w,
                   InclusionResult& result) {
  BestIterate best(w.best_lambda, result.residual, result.lambda);
  BodySweeps sweeps(problem, options, w, result.lambda);
  int last_progress = 0, last_check = 0, k = 0;
  double last_value = result.residual;
  int attempts = 0, pause = 0;  // of patches: checks to leave out after one, more and more where they do not help
  while (k < options.max_iterations) {
    const double change = sweeps.image();
    ++k;
    ++result.iterations;
    const bool near = change <= 2.0 * options.tolerance && k - last_check >= 2;
    if (near || k - last_check >= check_interval || k >= options.max_iterations) {
      result.residual = residual(problem, result.lambda, result.xi, w.residual);
      if (solves(problem, result.residual, options.tolerance, w.residual)) return true;
      if (best.offer(result.lambda, result.residual)) last_progress = k;
      if (!std::isfinite(result.residual) || k - last_progress >= options.patience) break;
      sweeps.weigh();
      const double ratio = result.residual / last_value;
      const bool patches = ratio * steady > 1.0 && ratio < steady && k - last_check >= check_interval && --pause < 0;
      last_check = k;
      last_value = result.residual;
      if (patches) {
        ++attempts;
        pause = attempts <= patient_attempts ? 1 : 1 << std::min(attempts - patient_attempts, most_doublings);
        if (sweeps.solve_patches()) continue;
      }
    }
    sweeps.extrapolate();
  }
  result.lambda = best.lambda();
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  return solves(problem, result.residual, options.tolerance, w.residual);
}

}  // namespace

bool body_sweeps(const InclusionProblem& problem, const SweepOptions& options, SolverWorkspace& w,
                 InclusionResult& result) {
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  if (solves(problem, result.residual, options.tolerance, w.residual)) return true;
  if (!std::isfinite(result.residual)) return false;
  BodySweepMemory& m = kept(w.body_sweeps);
  m.pile = BodySweepMemory::Pile::mixed;
  if (options.relaxation == 1.0 && m.round.build(problem, model_error * options.tolerance)) {
    m.pile = BodySweepMemory::Pile::round;
    return round_sweeps(problem, options, m, w, result);
  }
  if (options.relaxation == 1.0 && m.shaped.build(problem)) {
    m.pile = BodySweepMemory::Pile::shaped;
    return shaped_sweeps(problem, options, m, w, result);
  }
  if (options.relaxation == 1.0 && m.normal.build(problem)) {
    m.pile = BodySweepMemory::Pile::normal;
    return normal_sweeps(problem, options, m, w, result);
  }
  m.contacts.build(problem);
  return single_sweeps(problem, options, w, result);
}

bool frictionless_sweeps(const InclusionProblem& problem, const SweepOptions& options, SolverWorkspace& w,
                         InclusionResult& result) {
  BodySweepMemory& m = kept(w.body_sweeps);
  if (!m.normal.build(problem)) return false;
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  if (solves(problem, result.residual, options.tolerance, w.residual)) return true;
  return std::isfinite(result.residual) && normal_sweeps(problem, options, m, w, result);
}

}  // namespace carom::inline inclusion
