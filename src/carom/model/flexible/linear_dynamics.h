// The linear part of a structure's equations of motion,
//
//     M v' = h,      h = f - C v - K q,
//
// with constant sparse matrices and a constant load: shared with whoever evaluates, never copied.
#pragma once

#include <memory>

#include "carom/base/structured_matrix.h"
#include "carom/model/flexible/structure_matrices.h"

namespace carom {

class LinearDynamics {
 public:
  // Square matrices of one size; C and K may be without entries, f empty.
  explicit LinearDynamics(StructureMatrices matrices, Vector f = {});

  Index size() const { return M_->size(); }

  void inertia(Inertia& M) const { M.share(M_); }
  void force(const Vector& q, const Vector& v, Vector& h) const;
  void force_jacobian(ForceJacobian& dh_dq, ForceJacobian& dh_dv) const;

  const Vector& load() const { return f_; }  // empty: none
  const ConstantMatrix& mass() const { return *M_; }
  // dh_dq and dh_dv, that is -K and -C; null where they vanish.
  const ConstantMatrix* minus_stiffness() const { return minus_K_.get(); }
  const ConstantMatrix* minus_damping() const { return minus_C_.get(); }

  double kinetic_energy(const Vector& v) const;                 // 1/2 v' M v
  double potential_energy(const Vector& q) const;               // 1/2 q' K q - f' q
  void potential_gradient(const Vector& q, Vector& out) const;  // K q - f
  double damping_power(const Vector& v) const;                  // -v' C v

 private:
  std::shared_ptr<const ConstantMatrix> M_, minus_C_, minus_K_;
  Vector f_;
};

}  // namespace carom
