// The top as a rigid body with two spheres on a floor, a model of parts: q = (x, p), p a unit quaternion, v = (x',
// Omega), Omega in the body frame.
#pragma once

#include "carom/model/tops/top.h"

namespace carom {

std::shared_ptr<const System> make_quaternion_top(const Top& top);

}  // namespace carom
