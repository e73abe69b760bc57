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
    Writer(const MatrixAssembly& assembly, StructuredMatrix& out);
    // The next block, rows x columns, column after column.
    void add(const double* entries);
    template <class Derived>
    void add(const Eigen::MatrixBase<Derived>& block) {
      const Eigen::Matrix<double, Derived::RowsAtCompileTime, Derived::ColsAtCompileTime, Eigen::ColMajor> plain =
          block;
      add(plain.data());
    }

   private:
    const MatrixAssembly& assembly_;
    StructuredMatrix& out_;
    std::size_t next_ = 0, slot_ = 0;
    double* values_ = nullptr;   // dense, sparse
    Matrix3* blocks_ = nullptr;  // block-diagonal
  };

 private:
  bool block_diagonal() const;

  std::vector<Block> blocks_;
  Structure structure_ = Structure::zero;
  Index size_ = 0;
  StructuredMatrix::Sparse pattern_;
  std::vector<int> slots_;  // sparse: where the entries of all blocks go, one after the other
};

}  // namespace carom::inline base
