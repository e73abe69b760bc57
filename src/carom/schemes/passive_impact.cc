#include "carom/schemes/passive_impact.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

constexpr double rounding_of_work = 1e-10;  // of impulses times velocities
constexpr double least_rebound = 1e-3;      // of a gain: with less restitution behind it, it is not restitution's
constexpr double close_enough = 1e-12;      // of the gain with all or nothing
constexpr int most_tries = 60;

}  // namespace

bool LargestFactor::settle(double factor) {
  phase_ = Phase::settled;
  const bool again = factor != factor_;
  factor_ = factor;
  return again;
}

bool LargestFactor::try_again(double gain, double rounding) {
  switch (phase_) {
    case Phase::settled: return false;
    case Phase::whole:
      if (gain <= rounding) return settle(1.0);
      gain_high_ = size_ = gain;
      factor_ = 0.0;
      phase_ = Phase::nothing;
      return true;
    case Phase::nothing:
      if (gain >= gain_high_) return settle(1.0);  // it is not the restitution
      if (gain >= 0.0) return settle(0.0);
      gain_low_ = gain;
      size_ = std::max(size_, -gain);
      phase_ = Phase::between;
      break;
    case Phase::between:
      if (gain > 0.0) {
        high_ = factor_;
        gain_high_ = gain;
        gain_low_ *= 0.5;
      } else {
        low_ = factor_;
        gain_low_ = gain;
        gain_high_ *= 0.5;
      }
      // A gain that jumps has no zero: the search ends all the same.
      if (const bool last = ++tries_ >= most_tries || high_ - low_ <= close_enough; gain <= 0.0) {
        if (last || -gain <= close_enough * size_) return settle(factor_);
      } else if (last || gain <= rounding) {
        return settle(gain <= rounding ? factor_ : low_);
      }
      break;
  }
  factor_ = low_ + (high_ - low_) * (-gain_low_) / (gain_high_ - gain_low_);
  return true;
}

bool PassiveImpact::needed(const InclusionProblem& problem) {
  return std::any_of(problem.laws.begin(), problem.laws.end(), [](const Law* law) { return law->is_passive(); });
}

bool PassiveImpact::solve(const InclusionSolver& solver, const Buffer& before, Buffer& shift, InclusionWork& work,
                          StepResult& result) {
  InclusionProblem& problem = work.problem;
  const ConstraintJacobian* directions = problem.c_directions;
  const double* velocity = problem.c_velocity;
  bool solved = solve_and_count(solver, work, result);
  book(problem, work.result, before, shift);
  if (!solved || !may_gain(problem)) return solved;

  find_groups(problem);
  c_ = problem.c;
  shift_ = shift;
  for (;;) {
    for (Group& group : groups_) group.gain = group.rounding = group.rebound = 0.0;
    for (std::size_t b = 0; b < work_.size(); ++b) {
      Group& group = groups_[static_cast<std::size_t>(group_[b])];
      group.gain += work_[b];
      group.rounding += rounding_[b];
      group.rebound += rebound_[b];
    }
    bool again = false;
    for (Group& group : groups_) {
      const bool rebounds = group.search.factor() < 1.0 || group.rebound > least_rebound * group.gain;
      if (rebounds && group.search.try_again(group.gain, group.rounding)) again = true;
    }
    if (!again) return solved;

    for (std::size_t b = 0; b < problem.laws.size(); ++b) {
      const RowRange& rows = problem.G->block(static_cast<Index>(b));
      const double factor = groups_[static_cast<std::size_t>(group_[b])].search.factor();
      for (Index r = rows.row; r < rows.row + rows.rows; ++r) {
        const double less = problem.laws[b]->is_passive() ? factor : 1.0;
        shift[r] = less * shift_[r];
        problem.c[r] = c_[r] - (shift_[r] - shift[r]);
      }
    }
    problem.c_directions = directions;
    problem.c_velocity = velocity;
    solved = solve_and_count(solver, work, result);
    if (!solved) return false;
    book(problem, work.result, before, shift);
  }
}

void PassiveImpact::book(const InclusionProblem& problem, const InclusionResult& solution, const Buffer& before,
                         const Buffer& shift) {
  work_.assign(problem.laws.size(), 0.0);
  rounding_.assign(problem.laws.size(), 0.0);
  rebound_.assign(problem.laws.size(), 0.0);
  for (std::size_t b = 0; b < problem.laws.size(); ++b) {
    const RowRange& rows = problem.G->block(static_cast<Index>(b));
    if (!problem.laws[b]->is_contact()) continue;
    for (Index r = rows.row; r < rows.row + rows.rows; ++r) {
      const double Lambda = solution.lambda[r], plus = solution.xi[r] - shift[r];
      work_[b] += 0.5 * Lambda * (before[r] + plus);
      rounding_[b] += rounding_of_work * std::abs(Lambda) *
                      (std::abs(before[r]) + std::abs(plus) + problem.G->rho(static_cast<Index>(b)) * std::abs(Lambda));
      if (problem.laws[b]->is_passive()) rebound_[b] += std::abs(Lambda * shift[r]);
    }
  }
}

bool PassiveImpact::may_gain(const InclusionProblem& problem) const {
  for (std::size_t b = 0; b < problem.laws.size(); ++b)
    if (work_[b] > rounding_[b]) return true;
  return false;
}

// Contacts that G couples, directly or by others, are one group. A dense G has blocks for all pairs, zero where there
// is nothing between them.
void PassiveImpact::find_groups(const InclusionProblem& problem) {
  problem.G->to_block_sparse(pattern_);
  group_.resize(problem.laws.size());
  std::iota(group_.begin(), group_.end(), Index{0});
  const auto first = [&](Index b) {
    while (group_[static_cast<std::size_t>(b)] != b) b = group_[static_cast<std::size_t>(b)];
    return b;
  };
  for (Index b = 0; b < pattern_.block_count(); ++b)
    for (const BlockSparseDelassus::Block& block : pattern_.row(b)) {
      const double* entries = pattern_.entries(block);
      const Index count = pattern_.block(b).rows * pattern_.block(block.column).rows;
      if (std::all_of(entries, entries + count, [](double x) { return x == 0.0; })) continue;
      const Index one = first(b), other = first(block.column);
      group_[static_cast<std::size_t>(std::max(one, other))] = std::min(one, other);
    }
  groups_.clear();
  for (std::size_t b = 0; b < group_.size(); ++b) {
    if (group_[b] == static_cast<Index>(b)) {
      group_[b] = static_cast<Index>(groups_.size());
      groups_.emplace_back();
    } else {
      group_[b] = group_[static_cast<std::size_t>(group_[b])];  // an earlier block, already numbered
    }
  }
}

}  // namespace carom::inline schemes
