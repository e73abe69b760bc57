// Anderson acceleration of a fixed-point map x -> T(x). With f = T(x) - x and the differences of the last few iterates,
//
//   gamma = argmin | f - dF gamma |_w,        x := T(x) - dT gamma,
//
// the minimum over the weights w of the entries (their norm is that of an energy). The normal equations are kept, one
// row a call; a column that adds nothing to them drops out. The caller watches |f|_w and forgets the past when it
// grows.
#pragma once

#include <cmath>
#include <vector>

#include "carom/base/buffer.h"

namespace carom {

class Anderson {
 public:
  static constexpr int most_columns = 16;

  void begin(Index n, int window) {
    n_ = n;
    window_ = window < most_columns ? window : most_columns;
    dF_.resize(n * window_);
    dT_.resize(n * window_);
    last_f_.resize(n);
    last_T_.resize(n);
    forget();
  }
  void forget() { columns_ = next_ = seen_ = 0; }

  // |T - x|_w^2
  static double distance(Index n, const double* x, const double* T, const double* weight) {
    double sum = 0.0;
    for (Index i = 0; i < n; ++i) sum += weight[i] * (T[i] - x[i]) * (T[i] - x[i]);
    return sum;
  }

  // x becomes the next point at which the map is to be evaluated.
  void step(double* x, const double* T, const double* weight) {
    if (seen_++ > 0) {
      double* column_F = dF_.data() + next_ * n_;
      double* column_T = dT_.data() + next_ * n_;
      for (Index i = 0; i < n_; ++i) {
        const double f = T[i] - x[i];
        column_F[i] = f - last_f_[i];
        column_T[i] = T[i] - last_T_[i];
      }
      columns_ = columns_ < window_ ? columns_ + 1 : columns_;
      for (int j = 0; j < columns_; ++j) gram_[j][next_] = gram_[next_][j] = dot(dF_.data() + j * n_, column_F, weight);
      next_ = (next_ + 1) % window_;
    }
    for (Index i = 0; i < n_; ++i) {
      last_f_[i] = T[i] - x[i];
      last_T_[i] = T[i];
    }
    double gamma[most_columns] = {};
    for (int j = 0; j < columns_; ++j) gamma[j] = dot(dF_.data() + j * n_, last_f_.data(), weight);
    solve_normal_equations(gamma);
    for (Index i = 0; i < n_; ++i) x[i] = T[i];
    for (int j = 0; j < columns_; ++j) {
      if (gamma[j] == 0.0) continue;
      const double* column = dT_.data() + j * n_;
      for (Index i = 0; i < n_; ++i) x[i] -= gamma[j] * column[i];
    }
  }

 private:
  double dot(const double* a, const double* b, const double* weight) const {
    double even = 0.0, odd = 0.0;
    Index i = 0;
    for (; i + 1 < n_; i += 2) {
      even += weight[i] * a[i] * b[i];
      odd += weight[i + 1] * a[i + 1] * b[i + 1];
    }
    return i < n_ ? even + odd + weight[i] * a[i] * b[i] : even + odd;
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

  Index n_ = 0;
  int window_ = 0, columns_ = 0, next_ = 0, seen_ = 0;
  Buffer dF_, dT_, last_f_, last_T_;
  double gram_[most_columns][most_columns] = {};
};

}  // namespace carom
