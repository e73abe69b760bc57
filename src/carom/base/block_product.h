// y = A x for 3x3 blocks, written out: for one to three bodies nothing is cheaper. The sums are in the order in which
// packets of two rows and one more row make them, so that small and large models have the bits they always had.
#pragma once

#include "carom/base/types.h"

namespace carom::inline base {

struct BlockProduct {
  double x, y, z;

  BlockProduct(const Matrix3& A, const double* v) {
    const double* a = A.data();
    const double v0 = v[0], v1 = v[1], v2 = v[2];
    x = a[0] * v0 + a[3] * v1 + a[6] * v2;
    y = a[1] * v0 + a[4] * v1 + a[7] * v2;
    z = a[2] * v0 + (a[5] * v1 + a[8] * v2);
  }
};

}  // namespace carom::inline base
