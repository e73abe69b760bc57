// A square matrix put together from small dense blocks that always lie at the same places: inertia and force
// derivatives of a model made of parts. The places are declared once, in the order in which the entries will come; the
// structure (block-diagonal, dense, sparse) follows from them, and writing touches no pattern and allocates nothing.
#pragma once

#include <vector>

#include "carom/base/structured_matrix.h"

namespace carom::inline base {

class MatrixAssembly {
 public:
  struct Block {
    Index row, column, rows, columns;
  };

  // Entries at [row, row + rows) x [column, column + columns). Blocks may overlap: entries add up.
  void declare(const Block& block) { blocks_.push_back(block); }
  // Ends the declarations. Without blocks the matrix is zero; within the diagonal 3x3 blocks it is block-diagonal; up
  // to `dense_limit` rows it is dense, above sparse.
  void finish(Index size, Index dense_limit);

  Structure structure() const { return structure_; }
  const std::vector<Block>& blocks() const { return blocks_; }

  // Adds the entries of one block after the other.
  class Writer {
   public:
    Writer(const MatrixAssembly& assembly, StructuredMatrix& out) : assembly_(assembly), out_(out) {
      if (!assembly.one_block_)
        begin();
      else if (assembly.structure_ == Structure::dense)
        values_ = out.dense(assembly.size_);
      else
        values_ = out.block_diagonal(assembly.size_)->data();
    }
    // The next block, rows x columns, column after column.
    void add(const double* entries);
    // Where the next block is the whole matrix: its entries, to be set in place of `add`. Else null.
    double* take() {
      if (!assembly_.one_block_) return nullptr;
      ++next_;
      return values_;
    }
    template <class Derived>
    void add(const Eigen::MatrixBase<Derived>& block) {
      const Eigen::Matrix<double, Derived::RowsAtCompileTime, Derived::ColsAtCompileTime, Eigen::ColMajor> plain =
          block;
      add(plain.data());
    }

   private:
    void begin();  // all zero

    const MatrixAssembly& assembly_;
    StructuredMatrix& out_;
    std::size_t next_ = 0, slot_ = 0;
    double* values_ = nullptr;   // dense, sparse, one block
    Matrix3* blocks_ = nullptr;  // block-diagonal
  };

 private:
  bool block_diagonal() const;

  std::vector<Block> blocks_;
  Structure structure_ = Structure::zero;
  Index size_ = 0;
  bool one_block_ = false;  // it is the whole matrix, and its entries lie one after the other
  StructuredMatrix::Sparse pattern_;
  std::vector<int> slots_;  // sparse: where the entries of all blocks go, one after the other
};

}  // namespace carom::inline base
