// A dense matrix, column after column, whose memory stays when it shrinks.
#pragma once

#include "carom/base/buffer.h"
#include "carom/base/constraint_jacobian.h"

namespace carom::inline schemes {

struct DenseBuffer {
  Index rows = 0, columns = 0;
  Buffer entries;

  void resize(Index r, Index c) {
    rows = r;
    columns = c;
    entries.assign(r * c, 0.0);
  }
  double& operator()(Index i, Index j) { return entries[i + j * rows]; }
  double operator()(Index i, Index j) const { return entries[i + j * rows]; }
  double* column(Index j) { return entries.data() + j * rows; }
  MatrixMap map() { return {entries.data(), rows, columns}; }
  ConstMatrixMap map() const { return {entries.data(), rows, columns}; }
};

// W' of n velocities, as rows x n. `columns` is scratch.
inline void to_rows(const ConstraintJacobian& W, Index n, Buffer& columns, DenseBuffer& rows) {
  W.to_columns(n, columns);
  rows.resize(W.rows(), n);
  rows.map() = ConstMatrixMap(columns.data(), n, W.rows()).transpose();
}

}  // namespace carom::inline schemes
