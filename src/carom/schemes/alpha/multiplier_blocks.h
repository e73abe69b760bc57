// The system of the multipliers of a correction, by blocks: a block is what one constraint has on one level.
#pragma once

#include <span>
#include <vector>

#include "carom/base/block_system.h"
#include "carom/base/gram_blocks.h"
#include "carom/base/stiff_directions.h"
#include "carom/system/system.h"

namespace carom::inline schemes::alpha {

struct Unknown;

class MultiplierBlocks {
 public:
  // W holds all constraints, the unknowns come in their order. M is block-diagonal, S falls apart; K and D where they
  // act.
  void set_pattern(std::span<const Unknown> unknowns, const ConstraintJacobian& W, const IterationMatrix& M,
                   const IterationMatrix& S, const ForceJacobian& K, const ForceJacobian& D);

  // The unknowns of constraint k.
  std::span<const Index> unknowns_of(Index k) const {
    const std::size_t b = static_cast<std::size_t>(k);
    return {order_.data() + constraint_begin_[b], constraint_begin_[b + 1] - constraint_begin_[b]};
  }
  // From here on rows and equations are those of constraint k.
  void begin_constraint(Index k);
  // What multipliers do to a row: w' M^-1 W, w' S^-1 W, w' S^-1 K M^-1 W, w' S^-1 D M^-1 W.
  struct Products {
    double M, S, K, D;
  };
  // visit(c, Products) of a row of constraint k with the unknowns of all it shares bodies with.
  template <class Visit>
  void each_unknown(Index row, Visit visit) const;
  // To the equation beside unknown j of constraint k.
  void add(Index j, Index c, double value);

  // x enters as right-hand side, both by unknowns.
  bool solve(Buffer& x);

 private:
  struct Neighbour {
    Index constraint, data;  // of its blocks
  };

  const ConstraintJacobian* W_ = nullptr;
  StiffDirections springs_, dampers_;
  GramBlocks gram_M_, gram_S_, gram_K_, gram_D_;
  // Unknowns sorted by constraint and level; where each stands.
  std::vector<Index> order_, row_of_;          // by unknown: the row of W
  std::vector<Index> block_of_, place_;        // by unknown
  std::vector<std::size_t> constraint_begin_;  // by constraint, into order_
  std::vector<Index> first_block_;             // by constraint, and one behind
  std::vector<Index> sizes_, columns_;
  std::vector<std::size_t> row_begin_;
  std::vector<Index> neighbours_;              // constraints, list after list
  std::vector<std::size_t> neighbours_begin_;  // by constraint
  // Of the constraint under way.
  Index constraint_ = 0;
  std::vector<Neighbour> now_;
  std::vector<Index> offset_;  // by block: how far behind the beginning of a block row it stands
  Buffer G_M_, G_S_, G_K_, G_D_;
  BlockSystem system_;
  Buffer root_, unknown_root_, right_side_, solution_;
};

template <class Visit>
void MultiplierBlocks::each_unknown(Index row, Visit visit) const {
  const ConstraintJacobian::Block& own = W_->block(constraint_);
  const Index r = row - own.row;
  for (const Neighbour& neighbour : now_) {
    const ConstraintJacobian::Block& other = W_->block(neighbour.constraint);
    for (const Index c : unknowns_of(neighbour.constraint)) {
      const Index entry = neighbour.data + r + (row_of_[static_cast<std::size_t>(c)] - other.row) * own.rows;
      visit(c, Products{G_M_[entry], G_S_[entry], G_K_[entry], G_D_[entry]});
    }
  }
}

}  // namespace carom::inline schemes::alpha
