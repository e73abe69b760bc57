// LU factorisation with partial pivoting of small dense column-major matrices. Sizes up to 6 are
// unrolled by a switch, so that callers need not be templates.
#pragma once

namespace carom::inline base {

// Factors a (n x n, column-major) in place. False if a pivot vanishes.
bool lu_factor(double* a, int* pivots, int n);

// x := A^-1 x for `columns` right-hand sides of length n stored one after the other.
void lu_solve(const double* lu, const int* pivots, int n, double* x, int columns);

}  // namespace carom::inline base
