#include "carom/inclusion/delassus_factory.h"

#include "carom/inclusion/dense_delassus.h"
#include "carom/inclusion/matrix_free_delassus.h"

namespace carom {

DelassusFactory::DelassusFactory()
    : dense_(std::make_unique<DenseDelassus>()), matrix_free_(std::make_unique<MatrixFreeDelassus>()) {}
DelassusFactory::~DelassusFactory() = default;

const Delassus& DelassusFactory::build(const ConstraintJacobian& Wc, const IterationMatrix& A,
                                       const ConstraintJacobian& Wf) {
  ++builds_;
  if (Wc.rows() > dense_limit && MatrixFreeDelassus::accepts(Wc, A) && MatrixFreeDelassus::accepts(Wf, A)) {
    matrix_free_->build(Wc, A, Wf);
    return *matrix_free_;
  }
  dense_->build(Wc, A, Wf);
  return *dense_;
}

}  // namespace carom
