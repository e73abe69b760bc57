// Passive restitution in a step. Newton's law with friction may bring in energy: a slender body that strikes obliquely
// is asked for a rebound its friction has no energy for (Kane and Levinson 1985). Here the contacts that an impact
// couples have one more number, the factor s of their restitution,
//
//   xi = G Lambda + c + s e gamma_minus,      P(s) = Lambda' (gamma_minus + gamma_plus)/2,
//
// and s is the largest in [0, 1] for which the work P of their impulses is not positive. It exists: without restitution
// xi = gamma_plus, Lambda' gamma_plus <= 0 (the cone of each law holds 0), and an impact alone has c = gamma_minus, so
//
//   P(0) = Lambda' gamma_plus - Lambda' G Lambda/2 <= 0.
//
// Without friction and with one e for all, P(1) <= 0 and s = 1: Newton's law as it is, to the last bit. So it is in
// every impact with friction that takes energy out. Contacts of bodies that do not act on each other have factors of
// their own.
#pragma once

#include <vector>

#include "carom/inclusion/block_sparse_delassus.h"
#include "carom/schemes/scheme.h"

namespace carom::inline schemes {

// The largest factor in [0, 1] at which a gain vanishes, by values of the gain: first with 1, then with 0, then within.
class LargestFactor {
 public:
  double factor() const { return factor_; }
  // The gain with factor(), and what of it is rounding. Whether another factor has to be tried.
  bool try_again(double gain, double rounding);

 private:
  bool settle(double factor);  // the last one

  enum class Phase { whole, nothing, between, settled } phase_ = Phase::whole;
  double factor_ = 1.0;
  double low_ = 0.0, high_ = 1.0;            // the gain is not positive at low, positive at high
  double gain_low_ = 0.0, gain_high_ = 0.0;  // halved where an end stays (Illinois)
  double size_ = 0.0;                        // of gains
  int tries_ = 0;
};

class PassiveImpact {
 public:
  // Whether a law of the problem is passive.
  static bool needed(const InclusionProblem& problem);
  // Solves the problem in `work`, whose c holds `shift` = e gamma_minus, and takes from both what is too much. Work is
  // that of the impulses on the mean of the velocities `before` and after.
  bool solve(const InclusionSolver& solver, const Buffer& before, Buffer& shift, InclusionWork& work,
             StepResult& result);

 private:
  struct Group {
    LargestFactor search;
    double gain = 0.0, rounding = 0.0, rebound = 0.0;
  };

  bool may_gain(const InclusionProblem& problem) const;  // some contact does work
  void find_groups(const InclusionProblem& problem);
  void book(const InclusionProblem& problem, const InclusionResult& solution, const Buffer& before,
            const Buffer& shift);

  std::vector<double> work_, rounding_, rebound_;  // by block
  std::vector<Index> group_;                       // by block
  std::vector<Group> groups_;
  BlockSparseDelassus pattern_;
  Buffer c_, shift_;
};

}  // namespace carom::inline schemes
