#include "carom/base/structured_matrix.h"

namespace carom {

void StructuredMatrix::multiply_add(double factor, const double* x, double* y) const {
  switch (structure_) {
    case Structure::zero:
      return;
    case Structure::dense: {
      const double* column = dense_.data();
      for (Index j = 0; j < size_; ++j, column += size_) {
        const double scaled = factor * x[j];
        for (Index i = 0; i < size_; ++i) y[i] += column[i] * scaled;
      }
      return;
    }
    case Structure::block_diagonal:
      for (std::size_t b = 0; b < blocks_.size(); ++b)
        Eigen::Map<Vector3>(y + 3 * b) += factor * (blocks_[b] * Eigen::Map<const Vector3>(x + 3 * b));
      return;
    case Structure::sparse:
      VectorMap(y, size_) += factor * (sparse_ * ConstVectorMap(x, size_));
      return;
  }
}

}  // namespace carom
