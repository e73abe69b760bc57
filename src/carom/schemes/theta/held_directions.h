// Contacts whose directions circle. Passes ask for W at the positions the last pass led to. Where two edges are nearly
// parallel, their point of contact runs along them by many times what the bodies move, and with it the lever of the
// impulse: the passes circle, or diverge, for one contact among thousands. Smaller steps do not help where the edges
// come closer to parallel. Such a contact keeps the directions of the last pass but one, which are those of positions
// within this step: an error of the order of the step, as with directions = start, at this contact alone.
// (Not where positions are projected: gaps are closed at the end of the step, where directions would be others.)
#pragma once

#include <vector>

#include "carom/base/iteration_matrix.h"
#include "carom/system/constraint.h"
#include "carom/system/system.h"

namespace carom::inline schemes {

class HeldDirections {
 public:
  // A step begins: nobody is held.
  void clear() {
    held_.clear();
    known_ = false;
  }
  bool any() const { return !held_.empty(); }

  // Before W is evaluated anew, and after: what is held stays.
  void remember(const Evaluation& at);
  void restore(Evaluation& at) const;

  // Holds the contacts that changed most of what the impulses do (a tenth of the largest change or more, in the norm of
  // A^-1), at what was remembered. Whether there were any: bodies only, never joints.
  bool hold(const ActiveSet& active, const IterationMatrix& A, const Buffer& lambda, Evaluation& at);

 private:
  void restore(Index b, Evaluation& at) const;
  double change(Index b, const Matrix3* inverse_blocks, const Buffer& lambda, const Evaluation& at) const;

  std::vector<char> held_;  // by block; empty: none
  bool known_ = false;
  ConstraintJacobian W_;  // of the pass before
  Buffer chi_, changes_;
};

}  // namespace carom::inline schemes
