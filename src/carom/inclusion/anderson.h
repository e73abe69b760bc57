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
#include "carom/base/make_room.h"

namespace carom::inline inclusion {

class Anderson {
 public:
  static constexpr int most_columns = 16;
  static constexpr Index most_exact = 15000;

  // Weights for begin() may be written here.
  double* weights(Index n) { return root_.resized(n); }
  void begin(Index n, int window, const double* weight) {
    n_ = n;
    window_ = window < most_columns ? window : most_columns;
    const bool exact = n <= most_exact;
    exact_.resize(exact ? window_ : 0, n);
    rounded_.resize(exact ? 0 : window_, n);
    for (Buffer* vector : {&last_f_, &last_T_, &root_}) vector->resize(n);
    for (Index i = 0; i < n; ++i) root_[i] = std::sqrt(weight[i]);
    forget();
  }
  void forget() { columns_ = next_ = seen_ = 0; }
  // T of the last step, or what has been put there before the first.
  Buffer& last_image() { return last_T_; }

  // |T - x|_w^2
  double distance(const double* x, const double* T) const {
    const auto f = [&](Index i) { return root_[i] * (T[i] - x[i]); };
    return sum(0, n_, [&](Index i) { return f(i) * f(i); });
  }

  // x becomes the next point at which the map is to be evaluated.
  void step(double* x, const double* T) {
    if (exact_.count() > 0)
      step(exact_, x, T);
    else
      step(rounded_, x, T);
  }

 private:
  // Differences of f and of T, a column after the other in a place of its own.
  template <class Number>
  class Columns {
   public:
    // Room is made here, numbers when a column is written: many solves write a few.
    void resize(int count, Index n) {
      count_ = count;
      n_ = static_cast<std::size_t>(n);
      const auto columns = static_cast<std::size_t>(count);
      if (columns == 0 || columns > f_.size()) {  // of the others, whose turn it is now, none are kept
        f_.resize(columns);
        T_.resize(columns);
      }
      for (int j = 0; j < count; ++j) {
        make_room(f_[static_cast<std::size_t>(j)], n_);
        make_room(T_[static_cast<std::size_t>(j)], n_);
      }
    }
    int count() const { return count_; }
    Number* new_f(int j) { return made(f_[static_cast<std::size_t>(j)]); }
    Number* new_T(int j) { return made(T_[static_cast<std::size_t>(j)]); }
    const Number* f(int j) const { return f_[static_cast<std::size_t>(j)].data(); }
    const Number* T(int j) const { return T_[static_cast<std::size_t>(j)].data(); }

   private:
    Number* made(std::vector<Number>& column) {
      column.resize(n_);
      return column.data();
    }

    int count_ = 0;
    std::size_t n_ = 0;
    std::vector<std::vector<Number>> f_, T_;
  };

  template <class Number>
  void step(Columns<Number>& columns, double* x, const double* T) {
    if (seen_++ > 0) {
      add_column(columns, x, T);
    } else {
      for (Index i = 0; i < n_; ++i) {
        last_f_[i] = root_[i] * (T[i] - x[i]);
        last_T_[i] = T[i];
      }
    }
    double gamma[most_columns] = {};
    for (int j = 0; j < columns_; ++j) gamma[j] = product_[j];
    solve_normal_equations(gamma);
    for (Index begin = 0; begin < n_; begin += chunk) {
      const Index end = begin + chunk < n_ ? begin + chunk : n_;
      for (Index i = begin; i < end; ++i) x[i] = T[i];
      for (int j = 0; j < columns_; ++j) {
        if (gamma[j] == 0.0) continue;
        const Number* column = columns.T(j);
        for (Index i = begin; i < end; ++i) x[i] -= gamma[j] * column[i];
      }
    }
  }

  // dF'f follows from that of the last call: f = last_f + the new column.
  template <class Number>
  void add_column(Columns<Number>& columns, const double* x, const double* T) {
    Number* column_F = columns.new_f(next_);
    Number* column_T = columns.new_T(next_);
    for (Index i = 0; i < n_; ++i) {
      const double f = root_[i] * (T[i] - x[i]);
      column_F[i] = static_cast<Number>(f - last_f_[i]);
      column_T[i] = static_cast<Number>(T[i] - last_T_[i]);
      last_f_[i] = f;
      last_T_[i] = T[i];
    }
    columns_ = columns_ < window_ ? columns_ + 1 : columns_;
    double sums[most_columns] = {};
    product_[next_] = 0.0;
    for (Index begin = 0; begin < n_; begin += chunk) {
      const Index end = begin + chunk < n_ ? begin + chunk : n_;
      for (int j = 0; j < columns_; ++j) sums[j] += dot(columns.f(j), column_F, begin, end);
      product_[next_] += dot(column_F, last_f_.data(), begin, end);
    }
    for (int j = 0; j < columns_; ++j) {
      gram_[j][next_] = gram_[next_][j] = sums[j];
      if (j != next_) product_[j] += sums[j];
    }
    next_ = (next_ + 1) % window_;
  }

  // Four sums, so that none waits for the one before.
  template <class Term>
  static double sum(Index begin, Index end, const Term& term) {
    double sums[4] = {};
    Index i = begin;
    for (; i + 3 < end; i += 4)
      for (int k = 0; k < 4; ++k) sums[k] += term(i + k);
    for (; i < end; ++i) sums[0] += term(i);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
  template <class A, class B>
  static double dot(const A* a, const B* b, Index begin, Index end) {
    return sum(begin, end, [=](Index i) { return static_cast<double>(a[i]) * static_cast<double>(b[i]); });
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
  Columns<double> exact_;
  Columns<float> rounded_;
  Buffer last_f_, last_T_, root_;                                              // f times the root of the weights
  double gram_[most_columns][most_columns] = {}, product_[most_columns] = {};  // dF'dF, dF'f
};

}  // namespace carom::inline inclusion
