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
    W_.clear();
    chi_.clear();
    known_ = false;
  }
  bool any() const { return !held_.empty(); }

  // W was evaluated at q, by every pass that another one may hold to; and before it is evaluated anew.
  void evaluated(const Vector& q) { q_last_ = q; }
  void remember() {
    q_before_.swap(q_last_);
    known_ = true;
  }
  // What is held stays.
  void restore(Evaluation& at) const;

  // Holds the contacts that changed most of what the impulses do since the pass before (a tenth of the largest change
  // or more, in the norm of A^-1), at what they were then. Whether there were any: bodies only, never joints. W of that
  // pass is not kept, it is asked for again, piece by piece: it is large, and seldom wanted.
  bool hold(const System& system, double t, const Vector& v, const ActiveSet& active, const IterationMatrix& A,
            const Buffer& lambda, Evaluation& at);

 private:
  static constexpr Index nobody = -1;

  bool is_held(Index b) const { return !held_.empty() && held_[static_cast<std::size_t>(b)] != nobody; }
  void keep(Index b, Index in_piece, const ActiveSet& active);
  void restore(Index b, Evaluation& at) const;
  double change(Index in_piece, Index b, const Matrix3* inverse_blocks, const Buffer& lambda,
                const Evaluation& at) const;

  std::vector<Index> held_;  // by block: its number in W_; empty: none
  bool known_ = false;
  Vector q_last_, q_before_;  // where W of the last pass and of that before it were evaluated
  ConstraintJacobian W_;      // of what is held
  Buffer chi_, changes_;
  ActiveSet piece_;
  Evaluation before_;  // of a piece, in the pass before
};

}  // namespace carom::inline schemes
