// The gap rates W'v + chi from an evaluation that holds W and chi: for systems without a shorter way.
#pragma once

#include "carom/system/system.h"

namespace carom::inline system {

void gap_rate_from_jacobian(const Vector& v, Evaluation& out);

}  // namespace carom::inline system
