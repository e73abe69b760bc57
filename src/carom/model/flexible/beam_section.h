// The section of a spatial beam element between its nodes: with phi the rotation vector from node 1 to node 2 and w the
// weight of node 2,
//
//   R = R_1 exp(w phi)      Omega = A_1 Omega_1 + A_2 Omega_2       (each in its own frame)
//   A_2 = w J_r(w phi) J    A_1 = exp(w phi)' - w J_r(w phi) J'     J = J_r(phi)^-1
//
// (in the middle these are the A_1, A_2 of spatial_beam_element.h). For any scalar: turned by theta_1 and theta_2 at
// the nodes, R_1 changes by R_1 theta_1^ and phi by J theta_2 - J' theta_1.
#pragma once

#include <cstddef>

#include "carom/base/types.h"
#include "carom/model/flexible/rotation_vector.h"

namespace carom {

template <class S>
struct BeamSection {
  Matrix3Of<S> R, A_1, A_2;

  BeamSection(const Matrix3Of<S>& R_1, const Vector3Of<S>& phi, double w) {
    const Vector3Of<S> part = S(w) * phi;
    const RotationSeries<S> whole(phi.dot(phi)), of_part(part.dot(part));
    const Matrix3Of<S> turn = rotation_exp<S>(part, of_part), J = right_jacobian_inverse<S>(phi, whole);
    const Matrix3Of<S> lead = S(w) * right_jacobian<S>(part, of_part);
    R = R_1 * turn;
    A_2 = lead * J;
    A_1 = Matrix3Of<S>(turn.transpose()) - lead * J.transpose();
  }
};

// The section with its derivatives in N directions, in each of which the nodes turn by theta_1 and theta_2.
template <int N>
BeamSection<Dual<N>> turned_section(const Matrix3& R_1, const Vector3& phi, double w, const Vector3* theta_1,
                                    const Vector3* theta_2) {
  const Matrix3 J = right_jacobian_inverse<double>(phi, RotationSeries<double>(phi.squaredNorm()));
  Matrix3Of<Dual<N>> R;
  Vector3Of<Dual<N>> p;
  for (int i = 0; i < 3; ++i) {
    p[i] = phi[i];
    for (int k = 0; k < 3; ++k) R(i, k) = R_1(i, k);
  }
  for (std::size_t n = 0; n < N; ++n) {
    const Vector3 change = J * theta_2[n] - J.transpose() * theta_1[n];
    const Matrix3 turn = R_1 * skew_of<double>(theta_1[n]);
    for (int i = 0; i < 3; ++i) {
      p[i].d[n] = change[i];
      for (int k = 0; k < 3; ++k) R(i, k).d[n] = turn(i, k);
    }
  }
  return {R, p, w};
}

}  // namespace carom
