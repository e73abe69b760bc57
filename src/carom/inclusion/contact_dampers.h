// Every contact a damper, lambda_b = -B_b xi_b: the linear system that Newton's method, splittings and interior points
// share,
//
//   (I + G B) y = r,        B block-diagonal, B_b of any rank.
//
// Where G = W' A^-1 W has its factors it is solved with the bodies as nodes,
//
//   (A + W B W') v = W B r,      y = r - W'v,
//
// whose matrix is as sparse as the graph of touching bodies, regular for any redundancy, and never as large as the
// contacts. Otherwise I + G B is factored with the contacts as nodes. The pattern is analysed once per graph; the order
// is kept.
#pragma once

#include "carom/base/block_lu.h"
#include "carom/inclusion/block_sparse_delassus.h"

namespace carom::inline inclusion {

class ContactDampers {
 public:
  // The operator must outlive this, or the next begin.
  void begin(const Delassus& G);
  // Entries of B_b, rows x rows column-major, to be set before factor().
  double* damper(Index b) {
    if (B_.empty()) B_.assign(size_, 0.0);
    return B_.data() + begin_[static_cast<std::size_t>(b)];
  }
  void factor();
  // y = (I + G B)^-1 r, improved `refinements` times; r and y may not be the same.
  void solve(const double* r, double* y, int refinements = 0);
  // y = B x
  void apply(const double* x, double* y) const;

  // Multiplications of one factorisation, of one solve, and of one product with G, for estimates of their cost.
  double factor_work() const { return lu_.factor_work(); }
  double solve_work() const { return lu_.solve_work(); }
  double product_work() const;
  std::size_t bytes() const {
    return lu_.bytes() + static_cast<std::size_t>(B_.size()) * sizeof(double) + places_.size() * sizeof(std::size_t);
  }

 private:
  // Columns of a contact's W that belong to one node.
  struct Piece {
    Index node, column, columns;  // column: of the node's own
    Index entries, stride;        // of W
    Index velocity;
  };

  void begin_bodies(const DelassusFactors& factors);
  void begin_contacts();
  void find_nodes(const DelassusFactors& factors);
  void factor_bodies();
  void factor_contacts();
  void solve_once(const double* r, double* y);

  const Delassus* G_ = nullptr;
  const DelassusFactors* factors_ = nullptr;
  std::vector<Index> begin_;  // of the blocks in B
  Index size_ = 0;
  Buffer B_;  // made when one is set: who asks for the work of a factorisation may find it too much
  BlockLu lu_;
  std::vector<Index> sizes_, columns_;  // pattern
  std::vector<std::size_t> row_begin_;
  // Bodies as nodes.
  std::vector<Index> node_of_, node_velocity_;  // node of a 3-block; first velocity of a node
  std::vector<Piece> pieces_;
  std::vector<std::size_t> piece_begin_, places_;  // places: entry of the pattern by pair of pieces
  std::vector<std::vector<Index>> neighbours_;
  // Contacts as nodes.
  BlockSparseDelassus blocks_;
  Buffer velocity_, scratch_, remainder_, correction_;
};

}  // namespace carom::inline inclusion
