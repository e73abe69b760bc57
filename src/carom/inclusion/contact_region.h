// Most contacts of a large pile are solved long before the last. Those around the errors, the region of a few contacts'
// depth, are a pile of their own with all others held,
//
//   xi_R = G_RR lambda_R + (xi_R - G_RR lambda_R of before),
//
// which sweeps solve to the end before the whole is looked at again (the alternating method of Schwarz). Its own errors
// have regions in turn.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "carom/base/constraint_jacobian.h"
#include "carom/base/iteration_matrix.h"
#include "carom/inclusion/delassus_factory.h"
#include "carom/inclusion/near_errors.h"
#include "carom/inclusion/sweeps.h"

namespace carom::inline inclusion {

class ContactRegion {
 public:
  // Contacts of bodies at most `depth` contacts away from those whose error, as judged last, is above `limit`. Their
  // share of all.
  double find(const InclusionProblem& problem, double limit, int depth, const ResidualWorkspace& judged);

  // Sweeps over the region found last, from lambda with its xi. Changes lambda there; returns the sweeps that it took,
  // none where the bodies are not what sweeps take.
  int solve(const InclusionProblem& problem, const SweepOptions& options, const Buffer& xi, Buffer& lambda);

 private:
  struct Pair {
    std::int32_t first, second;
  };
  void read_pairs(const InclusionProblem& problem);
  bool number_bodies(const InclusionProblem& problem);
  void build(const InclusionProblem& problem, const Buffer& xi, const Buffer& lambda);

  // Bodies by the threes of velocities they begin with.
  std::vector<Pair> pairs_;
  NearErrors near_;
  std::vector<Index> blocks_;        // of the region
  std::vector<std::int32_t> place_;  // of threes in the region, or -1
  std::vector<Index> threes_;        // by place

  ConstraintJacobian W_;
  IterationMatrix A_;
  DelassusFactory factory_;
  InclusionProblem problem_;
  InclusionResult result_;
  Buffer response_;  // G_RR lambda_R
  std::shared_ptr<SolverWorkspace> workspace_;
};

}  // namespace carom::inline inclusion
