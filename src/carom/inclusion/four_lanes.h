// Four numbers that one instruction treats alike. Every lane gets what the same operations on plain numbers give, bit
// by bit, whatever the width of the processor's registers.
#pragma once

#include <cmath>

namespace carom::inline inclusion {

using Lanes = double __attribute__((vector_size(32), aligned(32)));

// x' in place of x, seen as four rows.
[[gnu::always_inline]] inline void transpose(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
  const Lanes ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Lanes cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

[[gnu::always_inline]] inline void transpose(Lanes* rows) { transpose(rows[0], rows[1], rows[2], rows[3]); }

// Of four vectors of three each, lane by lane. (Results by reference: returned, they would depend on the processor.)
[[gnu::always_inline]] inline void cross(const Lanes* a, const Lanes* b, Lanes* y) {
  y[0] = a[1] * b[2] - a[2] * b[1];
  y[1] = a[2] * b[0] - a[0] * b[2];
  y[2] = a[0] * b[1] - a[1] * b[0];
}
[[gnu::always_inline]] inline void dot(const Lanes* a, const Lanes* b, Lanes& y) {
  y = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

[[gnu::always_inline]] inline void square_root(Lanes& x) {
  x = Lanes{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])};
}

}  // namespace carom::inline inclusion
