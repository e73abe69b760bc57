#include "carom/inclusion/contact_patches.h"

#include <algorithm>
#include <cmath>

#include "carom/base/constraint_jacobian.h"
#include "carom/inclusion/augmented_newton.h"
#include "carom/inclusion/semismooth_newton.h"

namespace carom::inline inclusion {

namespace {

constexpr Index body_size = 3;
constexpr Index most_rows = 120;        // of one patch
constexpr Index most_bad_share = 8;     // of all blocks, one in so many
constexpr double share_of_worst = 0.1;  // errors below this share of the worst belong to no patch
constexpr double closer = 0.1;          // a patch is solved to this share of the tolerance
constexpr int newton_steps = 10, augmented_steps = 60, least_steps = 3;

}  // namespace

bool ContactPatches::solve(const InclusionProblem& problem, double tolerance, const ResidualWorkspace& judged,
                           double budget, Buffer& lambda) {
  const Delassus& G = *problem.G;
  if (G.factors() == nullptr) return false;
  error_.resize(G.block_count());
  double worst = 0.0;
  for (Index b = 0; b < G.block_count(); ++b) {
    double square = 0.0;
    for (Index i = G.block(b).row; i < G.block(b).row + G.block(b).rows; ++i)
      square += judged.defect[i] * judged.defect[i];
    error_[b] = square > 0.0 ? G.rho(b) * std::sqrt(square) / judged.scale[b] : 0.0;
    worst = std::max(worst, error_[b]);
  }
  const double least = std::max(closer * tolerance, share_of_worst * worst);
  bad_.clear();
  state_.assign(static_cast<std::size_t>(G.block_count()), State::done);
  for (Index b = 0; b < G.block_count(); ++b)
    if (error_[b] > least) {
      bad_.push_back(b);
      state_[static_cast<std::size_t>(b)] = State::in_error;
    }
  if (most_bad_share * static_cast<Index>(bad_.size()) > G.block_count()) return false;
  std::sort(bad_.begin(), bad_.end(),
            [&](Index a, Index b) { return error_[a] != error_[b] ? error_[a] > error_[b] : a < b; });
  find_neighbours(problem);
  if (!workspace_) workspace_ = std::make_shared<SolverWorkspace>();
  G.sweep_begin(lambda.data(), running_);
  response_.assign(G.factors()->velocities, 0.0);
  for (const Index seed : bad_) {
    if (state_[static_cast<std::size_t>(seed)] != State::in_error) continue;
    grow(seed);
    const double step = patch_rows_ * patch_rows_ * (patch_rows_ / 3.0 + 10.0);
    if (budget < least_steps * step) break;
    build(lambda);
    const bool better = improve(closer * tolerance, static_cast<int>(std::min(1e3, budget / step)));
    budget -= (1 + result_.iterations) * step;
    if (!better) continue;
    for (std::size_t k = 0; k < patch_.size(); ++k) {
      double change[Law::max_dim];
      double* l = lambda.data() + G.block(patch_[k]).row;
      for (Index i = 0; i < partition_[k].rows; ++i) {
        change[i] = result_.lambda[partition_[k].row + i] - l[i];
        l[i] = result_.lambda[partition_[k].row + i];
      }
      G.sweep_update(patch_[k], change, running_);
    }
  }
  of_ = nullptr;
  return true;
}

void ContactPatches::find_neighbours(const InclusionProblem& problem) {
  of_ = &problem;
  const DelassusFactors& factors = *problem.G->factors();
  const ConstraintJacobian& W = *factors.W;
  begin_.assign(static_cast<std::size_t>(factors.velocities / body_size + 2), 0);
  const auto each = [&](auto&& act) {
    for (Index b = 0; b < W.block_count(); ++b)
      for (Index s = W.block(b).segment_begin; s < W.block(b).segment_end; ++s)
        act(b, static_cast<std::size_t>(W.segment(s).offset / body_size));
  };
  each([&](Index, std::size_t body) { ++begin_[body + 2]; });
  for (std::size_t k = 2; k < begin_.size(); ++k) begin_[k] += begin_[k - 1];
  contacts_.resize(static_cast<std::size_t>(begin_.back()));
  each([&](Index b, std::size_t body) { contacts_[static_cast<std::size_t>(begin_[body + 1]++)] = b; });
}

// The seed, what is in error and hangs together with it, nearest first, then all that acts on the same bodies: a closed
// loop of impulses crawls as a whole though few of its contacts show it.
void ContactPatches::grow(Index seed) {
  patch_.clear();
  patch_rows_ = 0;
  add(seed);
  for (std::size_t k = 0; k < patch_.size(); ++k) add_neighbours(k, false);
  const std::size_t in_error = patch_.size();
  for (std::size_t k = 0; k < in_error; ++k) add_neighbours(k, true);
  for (const Index b : patch_) state_[static_cast<std::size_t>(b)] = State::done;
}

void ContactPatches::add(Index b) {
  patch_.push_back(b);
  patch_rows_ += of_->G->block(b).rows;
  state_[static_cast<std::size_t>(b)] = State::listed;
}

void ContactPatches::add_neighbours(std::size_t k, bool all) {
  const ConstraintJacobian& W = *of_->G->factors()->W;
  const ConstraintJacobian::Block& block = W.block(patch_[k]);
  for (Index s = block.segment_begin; s < block.segment_end; ++s) {
    const std::size_t body = static_cast<std::size_t>(W.segment(s).offset / body_size);
    for (Index n = begin_[body]; n < begin_[body + 1]; ++n) {
      const Index b = contacts_[static_cast<std::size_t>(n)];
      const State state = state_[static_cast<std::size_t>(b)];
      const bool fits = patch_rows_ + of_->G->block(b).rows <= most_rows;
      if (fits && (all ? state != State::listed : state == State::in_error)) add(b);
    }
  }
}

// G_PP column by column: the velocities that a unit impulse makes, seen by the patch.
void ContactPatches::build(const Buffer& lambda) {
  const Delassus& G = *of_->G;
  partition_.clear();
  patch_problem_.laws.clear();
  for (Index row = 0; const Index b : patch_) {
    partition_.push_back({row, G.block(b).rows});
    patch_problem_.laws.push_back(of_->laws[static_cast<std::size_t>(b)]);
    row += G.block(b).rows;
  }
  entries_.resize(patch_rows_ * patch_rows_);
  double* column = entries_.data();
  for (const Index b : patch_)
    for (Index r = 0; r < G.block(b).rows; ++r, column += patch_rows_) {
      double unit[Law::max_dim] = {};
      unit[r] = 1.0;
      G.sweep_update(b, unit, response_);
      for (std::size_t k = 0; k < patch_.size(); ++k) G.sweep_product(patch_[k], response_, column + partition_[k].row);
      unit[r] = -1.0;
      G.sweep_update(b, unit, response_);
    }
  G_.assign(patch_rows_, partition_, entries_.data(), true);
  patch_problem_.G = &G_;
  result_.lambda.resize(patch_rows_);
  for (std::size_t k = 0; k < patch_.size(); ++k)
    std::copy_n(lambda.data() + G.block(patch_[k]).row, partition_[k].rows, result_.lambda.data() + partition_[k].row);
  patch_problem_.c.resize(patch_rows_);
  G_.multiply(result_.lambda.data(), patch_problem_.c.data());
  for (std::size_t k = 0; k < patch_.size(); ++k) {
    double xi[Law::max_dim];
    G.sweep_product(patch_[k], running_, xi);
    for (Index i = 0; i < partition_[k].rows; ++i) {
      double& c = patch_problem_.c[partition_[k].row + i];
      c = of_->c[G.block(patch_[k]).row + i] + (xi[i] - c);
    }
  }
}

bool ContactPatches::improve(double tolerance, int steps) {
  SolverWorkspace& w = *workspace_;
  w.residual.noise.clear();
  result_.iterations = 0;
  const double before = residual(patch_problem_, result_.lambda, result_.xi, w.residual);
  return newton(patch_problem_, {tolerance, std::min(steps, newton_steps)}, w, result_) ||
         augmented_newton(patch_problem_, {tolerance, std::min(steps - result_.iterations, augmented_steps)}, w,
                          result_) ||
         result_.residual < 0.5 * before;
}

}  // namespace carom::inline inclusion
