// The same mass distribution as every formulation wants it, about the centre of mass in body axes:
//
//     J   = -int skew(rho)^2 dm         classical inertia
//     E   = int rho rho' dm             Binet's tensor: J = tr(E) I - E,   E = tr(J)/2 I - J
#pragma once

#include "carom/base/types.h"

namespace carom {

inline Matrix3 binet_from_inertia(const Matrix3& J) { return 0.5 * J.trace() * Matrix3::Identity() - J; }
inline Matrix3 inertia_from_binet(const Matrix3& E) { return E.trace() * Matrix3::Identity() - E; }

}  // namespace carom
