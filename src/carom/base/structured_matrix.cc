#include "carom/base/structured_matrix.h"

#include "carom/base/block_product.h"
#include "carom/base/scalar_code.h"

namespace carom::inline base {

namespace {

// y += factor A x for column-major A; N > 0: size known to the compiler. Not inlined: the registers
// that the larger sizes need would be saved for the small ones as well.
template <int N>
[[gnu::noinline]] CAROM_SCALAR_CODE void dense_multiply_add(Index n_runtime, double factor, const double* A,
                                                            const double* x, double* y) {
  const Index n = N > 0 ? N : n_runtime;
  double known_size[N > 0 ? N : 1];  // stays in registers, where y might overlap A
  double* sum = N > 0 ? known_size : y;
  for (int i = 0; i < N; ++i) sum[i] = y[i];
  for (Index j = 0; j < n; ++j) {
    const double scaled = factor * x[j];
    for (Index i = 0; i < n; ++i) sum[i] += A[i + j * n] * scaled;
  }
  for (int i = 0; i < N; ++i) y[i] = sum[i];
}

void dense_multiply_add(Index n, double factor, const double* A, const double* x, double* y) {
  switch (n) {
    case 1: return dense_multiply_add<1>(n, factor, A, x, y);
    case 2: return dense_multiply_add<2>(n, factor, A, x, y);
    case 3: return dense_multiply_add<3>(n, factor, A, x, y);
    case 4: return dense_multiply_add<4>(n, factor, A, x, y);
    case 5: return dense_multiply_add<5>(n, factor, A, x, y);
    case 6: return dense_multiply_add<6>(n, factor, A, x, y);
    default: return dense_multiply_add<0>(n, factor, A, x, y);
  }
}

CAROM_SCALAR_CODE void blocks_multiply_add(const std::vector<Matrix3>& blocks, double factor, const double* x,
                                           double* y) {
  for (const Matrix3& block : blocks) {
    const BlockProduct product(block, x);
    y[0] += factor * product.x;
    y[1] += factor * product.y;
    y[2] += factor * product.z;
    x += 3;
    y += 3;
  }
}

}  // namespace

void StructuredMatrix::multiply_add(double factor, const double* x, double* y) const {
  switch (structure_) {
    case Structure::zero: return;
    case Structure::dense: dense_multiply_add(size_, factor, dense_.data(), x, y); return;
    case Structure::block_diagonal: blocks_multiply_add(blocks_, factor, x, y); return;
    case Structure::sparse:
      if (constant_)
        constant_->multiply_add(factor, x, y);
      else
        sparse_multiply_add(sparse_, factor, x, y);
      return;
  }
}

}  // namespace carom::inline base
