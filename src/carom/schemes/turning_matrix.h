// Newton's matrix with what turns with the bodies (system/turning_directions.h): A - factor d(W x)/dq, as far as it
// stays within one body, where A falls apart into bodies. It then costs no more than A.
#pragma once

#include "carom/base/iteration_matrix.h"
#include "carom/system/system.h"

namespace carom::inline schemes {

struct TurningMemory {
  Inertia M;  // with what turns
  IterationMatrix A;
};

// What A = M - a dh_dv - a^2 dh_dq is made of.
struct NewtonTerms {
  const Inertia& M;
  const ForceJacobian &dh_dv, &dh_dq;
  double a;
};

// x by rows of the active set; places found at (t, q) are kept in `intermediates`. Null where A does not fall apart, or
// the system does not know what turns.
const IterationMatrix* turning_matrix(const System& system, const NewtonTerms& terms, double factor, double t,
                                      const Vector& q, const ActiveSet& active, const double* x,
                                      Intermediates& intermediates, TurningMemory& memory);

}  // namespace carom::inline schemes
