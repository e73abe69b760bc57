// The slider-crank of Carom's runs as a Siconos model: data, dynamics, corner gaps (equations:
// benchmarks/hand_written/slider_crank.h). The model functions are C++ overrides of Siconos' virtual
// functions, not plug-in libraries opened at run time, so that no file search is part of anything.
#pragma once

#include <cmath>
#include <initializer_list>

#include <SiconosKernel.hpp>

namespace siconos_crank {

constexpr double pi = 3.14159265358979323846;

constexpr double l1 = 0.153, l2 = 0.306;
constexpr double half_length = 0.05, half_height = 0.025, clearance = 0.001;
constexpr double m1 = 0.038, m2 = 0.038, m3 = 0.076;
constexpr double J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6;
constexpr double gravity = 9.81;
constexpr double coupling = (m2 / 2 + m3) * l1 * l2;
constexpr double weight1 = (m1 / 2 + m2 + m3) * gravity * l1;
constexpr double weight2 = (m2 / 2 + m3) * gravity * l2;

class SliderCrank : public LagrangianDS {
 public:
  SliderCrank(SP::SiconosVector q0, SP::SiconosVector v0) : LagrangianDS(q0, v0) {
    _hasConstantMass = false;
    _mass.reset(new SimpleMatrix(3, 3));
    _mass->zero();
    // Siconos writes M dv/dt + F_int = 0: F_int is minus the force h of our notation. It takes the
    // derivatives into Newton's matrix when these matrices exist.
    _fInt.reset(new SiconosVector(3));
    _jacobianFIntq.reset(new SimpleMatrix(3, 3));
    _jacobianFIntq->zero();
    _jacobianFIntqDot.reset(new SimpleMatrix(3, 3));
    _jacobianFIntqDot->zero();
    init_forces();
    computeMass(_q[0]);
  }

  // Dense matrices are stored by columns; written as in a plug-in, through the bare array.
  void computeMass() override { computeMass(_q[0]); }
  void computeMass(SP::SiconosVector position) override {
    const double* q = position->getArray();
    double* M = _mass->getArray();
    M[0] = J1 + (m1 / 4 + m2 + m3) * l1 * l1;
    M[1] = M[3] = coupling * std::cos(q[0] - q[1]);
    M[4] = J2 + (m2 / 4 + m3) * l2 * l2;
    M[8] = J3;
  }

  void computeFInt(double time) override { computeFInt(time, _q[0], _q[1]); }
  void computeFInt(double, SP::SiconosVector position, SP::SiconosVector velocity) override {
    const double* q = position->getArray();
    const double* v = velocity->getArray();
    double* F = _fInt->getArray();
    const double k = coupling * std::sin(q[0] - q[1]);
    F[0] = k * v[1] * v[1] + weight1 * std::cos(q[0]);
    F[1] = -k * v[0] * v[0] + weight2 * std::cos(q[1]);
    F[2] = 0.0;
  }

  void computeJacobianFIntq(double time) override { computeJacobianFIntq(time, _q[0], _q[1]); }
  void computeJacobianFIntq(double, SP::SiconosVector position, SP::SiconosVector velocity) override {
    const double* q = position->getArray();
    const double* v = velocity->getArray();
    double* J = _jacobianFIntq->getArray();
    const double k = coupling * std::cos(q[0] - q[1]);
    J[0] = k * v[1] * v[1] - weight1 * std::sin(q[0]);
    J[1] = -k * v[0] * v[0];
    J[3] = -k * v[1] * v[1];
    J[4] = k * v[0] * v[0] - weight2 * std::sin(q[1]);
  }

  void computeJacobianFIntqDot(double time) override { computeJacobianFIntqDot(time, _q[0], _q[1]); }
  void computeJacobianFIntqDot(double, SP::SiconosVector position, SP::SiconosVector velocity) override {
    const double* q = position->getArray();
    const double* v = velocity->getArray();
    double* J = _jacobianFIntqDot->getArray();
    const double k = coupling * std::sin(q[0] - q[1]);
    J[1] = -2.0 * k * v[0];
    J[3] = 2.0 * k * v[1];
  }
};

inline double corner_gap(double q1, double q2, double q3, double sx, double sy) {
  const double y = l1 * std::sin(q1) + l2 * std::sin(q2);
  return half_height + clearance - sy * (y + sx * half_length * std::sin(q3) + sy * half_height * std::cos(q3));
}

inline constexpr double sides[4][2] = {{-1, 1}, {1, 1}, {-1, -1}, {1, -1}};

class Corner : public LagrangianScleronomousR {
 public:
  Corner(double sx, double sy) : sx_(sx), sy_(sy) {
    _jachq.reset(new SimpleMatrix(2, 3));
    _jachq->zero();
  }

  void computeh(const BlockVector& positions, BlockVector&, SiconosVector& y) override {
    const double* q = positions.vector(0)->getArray();
    double* out = y.getArray();
    out[0] = corner_gap(q[0], q[1], q[2], sx_, sy_);
    out[1] = l1 * std::cos(q[0]) + l2 * std::cos(q[1]) + sx_ * half_length * std::cos(q[2]) -
             sy_ * half_height * std::sin(q[2]);
  }

  void computeJachq(const BlockVector& positions, BlockVector&) override {
    const double* q = positions.vector(0)->getArray();
    const double s3 = std::sin(q[2]), c3 = std::cos(q[2]);
    double* H = _jachq->getArray();
    H[0] = -sy_ * l1 * std::cos(q[0]);
    H[1] = -l1 * std::sin(q[0]);
    H[2] = -sy_ * l2 * std::cos(q[1]);
    H[3] = -l2 * std::sin(q[1]);
    H[4] = -sy_ * sx_ * half_length * c3 + half_height * s3;
    H[5] = -sx_ * half_length * s3 - sy_ * half_height * c3;
  }

 private:
  double sx_, sy_;
};

inline SP::SiconosVector vector_of(std::initializer_list<double> values) {
  SP::SiconosVector result(new SiconosVector(values.size()));
  unsigned int i = 0;
  for (const double value : values) result->setValue(i++, value);
  return result;
}

}  // namespace siconos_crank
