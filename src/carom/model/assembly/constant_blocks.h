// A constant sparse matrix of a part as blocks of the model's matrix.
#pragma once

#include "carom/base/constant_matrix.h"
#include "carom/base/matrix_assembly.h"

namespace carom::model {

// Runs of neighbouring entries of the columns of a constant matrix, as blocks of an assembly: visit(row, column,
// entries, count).
template <class Visit>
void each_run(const ConstantMatrix* matrix, Visit visit) {
  if (!matrix) return;
  const ConstantMatrix::Sparse& A = matrix->sparse();
  for (Index j = 0; j < A.outerSize(); ++j) {
    const auto begin = A.outerIndexPtr()[j], end = A.outerIndexPtr()[j + 1];
    for (auto first = begin; first < end;) {
      auto last = first + 1;
      while (last < end && A.innerIndexPtr()[last] == A.innerIndexPtr()[last - 1] + 1) ++last;
      visit(static_cast<Index>(A.innerIndexPtr()[first]), j, A.valuePtr() + first, static_cast<Index>(last - first));
      first = last;
    }
  }
}

inline void declare_runs(const ConstantMatrix* matrix, Index offset, MatrixAssembly& assembly) {
  each_run(matrix, [&](Index row, Index column, const double*, Index count) {
    assembly.declare({offset + row, offset + column, count, 1});
  });
}

inline void write_runs(const ConstantMatrix* matrix, MatrixAssembly::Writer& writer) {
  each_run(matrix, [&](Index, Index, const double* entries, Index) { writer.add(entries); });
}

}  // namespace carom::model
