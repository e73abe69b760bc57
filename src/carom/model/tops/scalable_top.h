// The top as a scalable body: q = (x, A) with a quaternion A of any length, points x + s R rho with s = |A|^2,
// and the rigidity s = 1 as a joint. v = (x', nu, omega), (nu, omega) = 2 A* A': nu = s' is the rate of
// scaling, omega for s = 1 the angular velocity in the body frame.
//
//     v = Q q',  Q = diag(I, 2 phi(A*))      M = diag(m I, tr(J)/2, J), constant
//     H(v) = [ 0 0 0 ; 0 0 -4 (J omega)' ; 0 4 J omega  -4 skew(J omega) ]     (independent of q and nu)
//     g_S = |A|^2 - 1,   gamma_S = nu
//
// In velocities: m x'' = F,  tr(J)/2 nu' - omega'J omega / s = S,  J omega' + (nu + omega x) J omega / s = torque.
//
// Nothing but the joint makes it rigid, and nothing in it is a constraint on velocities that the coordinates do
// not know: what the energy-consistent schemes with joints on both levels are made for.
//
// Reference: M. Moeller, Consistent integrators for non-smooth dynamical systems, ETH Zurich (2011), chapter 4.
#pragma once

#include "carom/model/tops/top.h"

namespace carom {

std::shared_ptr<const System> make_scalable_top(const Top& top);

}  // namespace carom
