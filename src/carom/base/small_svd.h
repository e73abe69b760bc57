// Singular values of small dense matrices, A = U diag(s) V', by one-sided rotations (Hestenes 1958): pairs of columns
// of A V are turned until all are orthogonal; their lengths are then s, their directions U. It is accurate also where A
// is nearly singular, needs no memory but its own, and no template.
#pragma once

namespace carom::inline base {

struct SmallSvd {
  static constexpr int max_size = 6;

  // A is n x n, column-major, n <= max_size.
  SmallSvd(const double* A, int n);

  double largest() const;
  double smallest() const;
  // x := A^+ x: the shortest of the least-squares solutions; singular values up to threshold * largest count as zero.
  void pseudo_solve(double* x, double threshold) const;

  int n;
  double U[max_size * max_size], V[max_size * max_size], s[max_size];  // columns of U with s = 0 are zero
};

}  // namespace carom::inline base
