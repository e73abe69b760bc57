// Coefficients of half-explicit Runge-Kutta methods, as data. Row l = 1 .. s of `a` weighs the stages
// 0 .. l-1; the last row is b, and c_l the sum of row l.
//
// Keeping a velocity constraint asks for more order conditions than ordinary Runge-Kutta methods fulfil, and
// unilateral contacts ask for a_{l,l-1} > 0 in every row: a force found in a stage must push the way it acts.
//
// Reference: Brasey, Hairer, Half-explicit Runge-Kutta methods for differential-algebraic systems of index 2,
// SIAM J. Numer. Anal. 30 (1993); Schindler, Rezaei, Kursawe, Acary (2015), appendix B.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carom::inline schemes {

struct HalfExplicitTableau {
  static constexpr int max_stages = 5;

  const char* name;
  int order;
  int stages;
  std::array<std::array<double, max_stages>, max_stages> a;  // row l is a[l - 1]

  const double* row(int l) const { return a[static_cast<std::size_t>(l - 1)].data(); }
  double weight(int l, int k) const { return row(l)[k]; }
  double b(int k) const { return weight(stages, k); }
  double c(int l) const {
    double sum = 0.0;
    for (int k = 0; k < l; ++k) sum += weight(l, k);
    return sum;
  }
};

std::span<const HalfExplicitTableau> half_explicit_tableaus();
// By one of the names above; throws LogicError otherwise.
const HalfExplicitTableau& half_explicit_tableau(std::string_view name);
std::vector<std::string> half_explicit_tableau_names();

}  // namespace carom::inline schemes
