#include "carom/inclusion/delassus_factory.h"

#include <algorithm>

#include "carom/inclusion/dense_delassus.h"
#include "carom/inclusion/matrix_free_delassus.h"

namespace carom::inline inclusion {

namespace {

// A sum of up to this many columns is cheaper than a solve with a narrow band.
constexpr Index most_columns = 8;

}  // namespace

DelassusFactory::DelassusFactory()
    : dense_(std::make_unique<DenseDelassus>()), matrix_free_(std::make_unique<MatrixFreeDelassus>()) {}
DelassusFactory::~DelassusFactory() = default;

const Delassus& DelassusFactory::build(const ConstraintJacobian& Wc, const IterationMatrix& A,
                                       const ConstraintJacobian& Wf) {
  ++builds_;
  dense_built_ = false;
  if (Wc.rows() > dense_limit && MatrixFreeDelassus::accepts(Wc, A) && MatrixFreeDelassus::accepts(Wf, A)) {
    matrix_free_->build(Wc, A, Wf);
    return *matrix_free_;
  }
  dense_->build(Wc, A, Wf);
  dense_built_ = true;
  return *dense_;
}

void DelassusFactory::response(const IterationMatrix& A, const ConstraintJacobian& Wf, const double* lambda,
                               double* y) const {
  const Index n = A.size();
  std::fill_n(y, n, 0.0);
  const double* columns = dense_built_ && Wf.rows() <= most_columns ? dense_->response() : nullptr;
  if (columns == nullptr) {
    Wf.multiply_add(lambda, y);
    A.solve(y);
    return;
  }
  for (Index j = 0; j < Wf.rows(); ++j, columns += n)
    if (lambda[j] != 0.0)
      for (Index i = 0; i < n; ++i) y[i] += columns[i] * lambda[j];
}

}  // namespace carom::inline inclusion
