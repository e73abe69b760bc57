#include "carom/model/flexible/linear_dynamics.h"

#include "carom/base/errors.h"
#include "carom/base/vector_kernels.h"

namespace carom {

namespace {

std::shared_ptr<const ConstantMatrix> negative(const Eigen::SparseMatrix<double>& A, Eigen::Index n) {
  if (A.nonZeros() == 0) return nullptr;
  if (A.rows() != n) throw LogicError("matrices of a structure have one size");
  return std::make_shared<const ConstantMatrix>(Eigen::SparseMatrix<double>(-A));
}

}  // namespace

LinearDynamics::LinearDynamics(StructureMatrices matrices, Vector f)
    : M_(std::make_shared<const ConstantMatrix>(matrices.M)),
      minus_C_(negative(matrices.C, matrices.M.rows())),
      minus_K_(negative(matrices.K, matrices.M.rows())),
      f_(std::move(f)) {
  if (f_.size() != 0 && f_.size() != size()) throw LogicError("the load of a structure has its size");
}

void LinearDynamics::force(const Vector& q, const Vector& v, Vector& h) const {
  if (f_.size() == 0)
    set_zero(size(), h);
  else
    scale(1.0, f_, h);
  if (minus_K_) minus_K_->multiply_add(1.0, q.data(), h.data());
  if (minus_C_) minus_C_->multiply_add(1.0, v.data(), h.data());
}

void LinearDynamics::potential_gradient(const Vector& q, Vector& out) const {
  if (f_.size() == 0)
    set_zero(size(), out);
  else
    scale(-1.0, f_, out);
  if (minus_K_) minus_K_->multiply_add(-1.0, q.data(), out.data());
}

void LinearDynamics::force_jacobian(ForceJacobian& dh_dq, ForceJacobian& dh_dv) const {
  if (minus_K_)
    dh_dq.share(minus_K_);
  else
    dh_dq.set_zero(size());
  if (minus_C_)
    dh_dv.share(minus_C_);
  else
    dh_dv.set_zero(size());
}

double LinearDynamics::kinetic_energy(const Vector& v) const { return 0.5 * M_->bilinear(v.data(), v.data()); }

double LinearDynamics::potential_energy(const Vector& q) const {
  return (minus_K_ ? -0.5 * minus_K_->bilinear(q.data(), q.data()) : 0.0) - (f_.size() == 0 ? 0.0 : dot(f_, q));
}

double LinearDynamics::damping_power(const Vector& v) const {
  return minus_C_ ? minus_C_->bilinear(v.data(), v.data()) : 0.0;
}

}  // namespace carom
