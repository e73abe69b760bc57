// What the explicit forms of Moreau-Jean keep.
#pragma once

#include "carom/base/iteration_matrix.h"
#include "carom/schemes/scheme.h"

namespace carom::inline schemes {

struct ExplicitMemory final : SchemeMemory {
  Evaluation at_0, at_1;
  IterationMatrix M_factor;
  Vector increment, dv;  // free motion of positions and velocities
  Buffer gamma_minus;
};

}  // namespace carom::inline schemes
