// The elastic bar that hits a wall, integrated by loops written for this one model: rods of equal elements, so
// that a tridiagonal product has three numbers and a solve two per row. The measuring stick of `carom bench
// flexible`; nothing else in Carom depends on it.
//
// Model: n elements of length l, q the displacements of the n + 1 nodes, gap g = gap_0 + q_0, no damping.
//
//   M = rho S l / 6 tridiag(1, 4, 1), K = E S / l tridiag(-1, 2, -1), halved diagonals at the free ends
//
// Schemes:
//
//   BarTrapezoid   half-explicit trapezoidal rule on velocity level (velocity Verlet where nothing touches):
//                  two products with K, two solves with M; M^-1 e_0 known
//   BarMoreauJean  theta = 1/2: one product with K, one solve with A = M + dt^2/4 K; A^-1 e_0 known
//   BarKernels     one solve with A and two products, nothing else: the least an implicit step can do
#pragma once

#include <vector>

namespace carom::hand_written {

// Factors of a symmetric tridiagonal matrix with constant off-diagonal entries but for the ends: L D L'.
struct Tridiagonal {
  std::vector<double> lower, inverse_pivot;
  void factor(int n, double diagonal, double end, double beside);
  void solve(double* x) const;
};

struct BarData {
  int elements = 1000;
  double length = 1.0, section = 3.141592653589793e-4, density = 7800.0, youngs_modulus = 2.1e11;
  double gap = 5e-5, speed = 0.1;
};

struct Bar {
  explicit Bar(const BarData& data);
  void restart();
  // y = -K x
  void force(const double* x, double* y) const;

  int n;  // nodes
  double gap, speed, stiffness, mass;
  double t = 0.0, deepest_gap = 1.0, impulse = 0.0;  // impulse: of the last step
  std::vector<double> q, v;
};

struct BarTrapezoid : Bar {
  explicit BarTrapezoid(const BarData& data);
  void step(double dt);

 private:
  Tridiagonal M_;
  std::vector<double> column_;  // M^-1 e_0
  std::vector<double> a0_, a1_, vs_;
};

struct BarMoreauJean : Bar {
  BarMoreauJean(const BarData& data, double dt);
  void step();

 private:
  double dt_;
  Tridiagonal A_;
  std::vector<double> column_;  // A^-1 e_0
  std::vector<double> mid_, dv_;
};

struct BarKernels : Bar {
  BarKernels(const BarData& data, double dt);
  void step();

 private:
  Tridiagonal A_;
  std::vector<double> x_, y_;
};

}  // namespace carom::hand_written
