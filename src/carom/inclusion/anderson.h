// Anderson acceleration of a fixed-point map x -> T(x). With f = T(x) - x and the differences of the last few iterates,
//
//   gamma = argmin | f - dF gamma |_w,        x := T(x) - dT gamma,
//
// the minimum in the norm |f|_w^2 = sum w_i f_i^2 (an energy). Gram's matrix and dF'f are kept up to date: a new column
// costs one pass over the window, the next point another. A column that adds nothing drops out. The caller watches
// |f|_w and forgets the past when it grows.
#pragma once

#include <cmath>
#include <vector>

#include "carom/base/buffer.h"

namespace carom::inline inclusion {

class Anderson {
 public:
  static constexpr int most_columns = 16;

  void begin(Index n, int window, const double* weight) {
    n_ = n;
    window_ = window < most_columns ? window : most_columns;
    for (Buffer* columns : {&dF_, &dT_}) columns->resize(n * window_);
    for (Buffer* vector : {&f_, &last_f_, &last_T_, &root_}) vector->resize(n);
    for (Index i = 0; i < n; ++i) root_[i] = std::sqrt(weight[i]);
    forget();
  }
  void forget() { columns_ = next_ = seen_ = 0; }

  // |T - x|_w^2; what step() needs of it is kept.
  double distance(const double* x, const double* T) {
    for (Index i = 0; i < n_; ++i) f_[i] = root_[i] * (T[i] - x[i]);
    return dot(f_.data(), f_.data(), 0, n_);
  }

  // After distance(x, T): x becomes the next point at which the map is to be evaluated.
  void step(double* x, const double* T) {
    if (seen_++ > 0) add_column(T);
    for (Index i = 0; i < n_; ++i) {
      last_f_[i] = f_[i];
      last_T_[i] = T[i];
    }
    double gamma[most_columns] = {};
    for (int j = 0; j < columns_; ++j) gamma[j] = product_[j];
    solve_normal_equations(gamma);
    for (Index begin = 0; begin < n_; begin += chunk) {
      const Index end = begin + chunk < n_ ? begin + chunk : n_;
      for (Index i = begin; i < end; ++i) x[i] = T[i];
      for (int j = 0; j < columns_; ++j) {
        if (gamma[j] == 0.0) continue;
        const double* column = dT_.data() + j * n_;
        for (Index i = begin; i < end; ++i) x[i] -= gamma[j] * column[i];
      }
    }
  }

 private:
  // dF'f follows from that of the last call: f = last_f + the new column.
  void add_column(const double* T) {
    double* column_F = dF_.data() + next_ * n_;
    double* column_T = dT_.data() + next_ * n_;
    for (Index i = 0; i < n_; ++i) {
      column_F[i] = f_[i] - last_f_[i];
      column_T[i] = T[i] - last_T_[i];
    }
    columns_ = columns_ < window_ ? columns_ + 1 : columns_;
    double sums[most_columns] = {};
    product_[next_] = 0.0;
    for (Index begin = 0; begin < n_; begin += chunk) {
      const Index end = begin + chunk < n_ ? begin + chunk : n_;
      for (int j = 0; j < columns_; ++j) sums[j] += dot(dF_.data() + j * n_, column_F, begin, end);
      product_[next_] += dot(column_F, f_.data(), begin, end);
    }
    for (int j = 0; j < columns_; ++j) {
      gram_[j][next_] = gram_[next_][j] = sums[j];
      if (j != next_) product_[j] += sums[j];
    }
    next_ = (next_ + 1) % window_;
  }

  static double dot(const double* a, const double* b, Index begin, Index end) {
    double sum[4] = {};
    Index i = begin;
    for (; i + 3 < end; i += 4)
      for (int k = 0; k < 4; ++k) sum[k] += a[i + k] * b[i + k];
    for (; i < end; ++i) sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }

  // gamma := gram^-1 gamma by Cholesky's method, without the columns that depend on those before.
  void solve_normal_equations(double* gamma) const {
    double L[most_columns][most_columns] = {};
    bool used[most_columns] = {};
    for (int j = 0; j < columns_; ++j) {
      double pivot = gram_[j][j];
      for (int k = 0; k < j; ++k) pivot -= L[j][k] * L[j][k];
      used[j] = pivot > dependent * gram_[j][j] && pivot > 0.0;
      if (!used[j]) {
        for (int k = 0; k <= j; ++k) L[j][k] = 0.0;
        continue;
      }
      L[j][j] = std::sqrt(pivot);
      for (int i = j + 1; i < columns_; ++i) {
        double sum = gram_[i][j];
        for (int k = 0; k < j; ++k) sum -= L[i][k] * L[j][k];
        L[i][j] = sum / L[j][j];
      }
    }
    for (int j = 0; j < columns_; ++j) {
      if (!used[j]) {
        gamma[j] = 0.0;
        continue;
      }
      for (int k = 0; k < j; ++k) gamma[j] -= L[j][k] * gamma[k];
      gamma[j] /= L[j][j];
    }
    for (int j = columns_; j-- > 0;) {
      if (!used[j]) continue;
      for (int i = j + 1; i < columns_; ++i) gamma[j] -= L[i][j] * gamma[i];
      gamma[j] /= L[j][j];
    }
  }

  static constexpr double dependent = 1e-10;
  static constexpr Index chunk = 1024;  // rows that stay in the fastest memory

  Index n_ = 0;
  int window_ = 0, columns_ = 0, next_ = 0, seen_ = 0;
  Buffer dF_, dT_, f_, last_f_, last_T_, root_;                                // F and f times the root of the weights
  double gram_[most_columns][most_columns] = {}, product_[most_columns] = {};  // dF'dF, dF'f
};

}  // namespace carom::inline inclusion
