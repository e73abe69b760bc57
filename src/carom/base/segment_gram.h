// Wc' A^-1 Wf with all its entries, for A of 3x3 blocks and constraints of bodies: U = A^-1 Wf has the segments of Wf,
// and a block of the product is the sum over the bodies that both constraints touch. For mechanisms of a few bodies
// nothing is cheaper.
#pragma once

#include "carom/base/constraint_jacobian.h"

namespace carom::inline base {

// G: rows of Wc x rows of Wf, column after column; `U` is scratch. `symmetric`: Wc is Wf and A is symmetric. False, and
// G undefined, where segments are not those of bodies: not made of whole 3-blocks, or with some velocities in common
// but not all.
bool segment_gram(const ConstraintJacobian& Wc, const Matrix3* inverse_blocks, const ConstraintJacobian& Wf,
                  bool symmetric, Buffer& U, double* G);

}  // namespace carom::inline base
