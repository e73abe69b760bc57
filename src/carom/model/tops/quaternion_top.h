// The top in Newton and Euler's form: q = (x, p), p a unit quaternion, v = (x', Omega), Omega in the body frame.
//
//     M = diag(m I, J)      h = (-m g e3, -Omega x J Omega)      x' = x',  p' = 1/2 p (0, Omega)
#pragma once

#include "carom/model/tops/top.h"

namespace carom {

std::shared_ptr<const System> make_quaternion_top(const Top& top);

}  // namespace carom
