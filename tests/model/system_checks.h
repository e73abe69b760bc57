// What must hold of every System at any state: derivatives against differences through `move`, energies against powers.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "carom/system/system.h"
#include "model/dense_view.h"

namespace carom::testing {

class SystemChecks {
 public:
  SystemChecks(const System& system, double t, const Vector& q, const Vector& v)
      : system_(system), t_(t), q_(q), v_(v) {
    system.detect(t, q, v, 1e-3, contacts_);
    all_.reset(contacts_);
    all_.add_all();
  }

  const ActiveSet& all() const { return all_; }

  Evaluation evaluated(double t, const Vector& q, const Vector& v) const {
    Evaluation out;
    system_.evaluate(t, q, v,
                     Need::inertia | Need::force | Need::force_jacobian | Need::gap | Need::jacobian |
                         Need::convective | Need::gap_rate,
                     all_, out);
    return out;
  }
  Vector moved(const Vector& dq) const {
    Vector next;
    system_.move(q_, dq, next);
    return next;
  }
  Vector gamma(double t, const Vector& q, const Vector& v) const {
    const Evaluation out = evaluated(t, q, v);
    Vector result(all_.rows());
    out.W.transpose_multiply(v.data(), result.data());
    return result + out.chi.vec();
  }

  // dg/dq = W' on the rows that exist on position level, and g' = W'v + chi with time running.
  void expect_rows_are_gradients(double tolerance) const {
    const Evaluation here = evaluated(t_, q_, v_);
    const Matrix Wt = to_dense(here.W, system_.nv());
    for (Index k = 0; k < system_.nv(); ++k) {
      const Vector dq = eps * Vector::Unit(system_.nv(), k);
      const Vector slope = (evaluated(t_, moved(dq), v_).g.vec() - evaluated(t_, moved(-dq), v_).g.vec()) / (2 * eps);
      each_position_row([&](Index row, const std::string& name) {
        EXPECT_NEAR(Wt(row, k), slope[row], tolerance) << name << " row " << row << " by " << system_.velocity_name(k);
      });
    }
    const Vector rate =
        (evaluated(t_ + eps, moved(eps * v_), v_).g.vec() - evaluated(t_ - eps, moved(-eps * v_), v_).g.vec()) /
        (2 * eps);
    const Vector found = gamma(t_, q_, v_);
    each_position_row([&](Index row, const std::string& name) {
      EXPECT_NEAR(found[row], rate[row], tolerance * (1.0 + v_.norm())) << name << " row " << row;
      EXPECT_NEAR(here.g_rate[row], found[row], 1e-12 * (1.0 + std::abs(found[row]))) << name << " gap rate";
    });
  }

  // gamma' = W'a + zeta along q (+) (s v + s^2 a/2), v + s a, t + s.
  void expect_convective_terms(const Vector& a, double tolerance) const {
    const auto along = [&](double s) { return gamma(t_ + s, moved(s * v_ + 0.5 * s * s * a), v_ + s * a); };
    const Vector rate = (along(eps) - along(-eps)) / (2 * eps);
    const Evaluation here = evaluated(t_, q_, v_);
    Vector Wa(all_.rows());
    here.W.transpose_multiply(a.data(), Wa.data());
    Index row = 0;
    for (Index i = 0; i < all_.size(); ++i)
      for (Index r = 0; r < all_.constraint(i).law->dim(); ++r, ++row)
        EXPECT_NEAR(Wa[row] + here.zeta[row], rate[row], tolerance)
            << system_.constraint_name(all_.constraint(i)) << " row " << r;
  }

  void expect_force_derivatives(double tolerance) const {
    const Evaluation here = evaluated(t_, q_, v_);
    const Index n = system_.nv();
    for (Index k = 0; k < n; ++k) {
      const Vector unit = Vector::Unit(n, k), e = eps * unit;
      const Vector by_q = (evaluated(t_, moved(e), v_).h - evaluated(t_, moved(-e), v_).h) / (2 * eps);
      const Vector by_v = (evaluated(t_, q_, v_ + e).h - evaluated(t_, q_, v_ - e).h) / (2 * eps);
      Vector found_q = Vector::Zero(n), found_v = Vector::Zero(n);
      here.dh_dq.multiply_add(1.0, unit.data(), found_q.data());
      here.dh_dv.multiply_add(1.0, unit.data(), found_v.data());
      for (Index i = 0; i < n; ++i) {
        EXPECT_NEAR(found_q[i], by_q[i], tolerance * (1.0 + std::abs(by_q[i])))
            << "dh_dq " << i << ", " << system_.velocity_name(k);
        EXPECT_NEAR(found_v[i], by_v[i], tolerance * (1.0 + std::abs(by_v[i])))
            << "dh_dv " << i << ", " << system_.velocity_name(k);
      }
    }
  }

  // d(T + V)/dt along the free motion M a = h is the power of what has no potential.
  void expect_energy_balance(double tolerance) const {
    const Evaluation here = evaluated(t_, q_, v_);
    const Index n = system_.nv();
    Matrix M = Matrix::Zero(n, n);
    for (Index k = 0; k < n; ++k) {
      const Vector unit = Vector::Unit(n, k);
      here.M.multiply_add(1.0, unit.data(), M.col(k).data());
    }
    EXPECT_NEAR((M - M.transpose()).norm(), 0.0, 1e-12 * M.norm());
    const Vector a = M.ldlt().solve(here.h);
    const Energetics& energy = *system_.energetics();
    const auto total = [&](double s) {
      const Vector q = moved(s * v_ + 0.5 * s * s * a), v = v_ + s * a;
      return energy.kinetic_energy(t_ + s, q, v) + energy.potential_energy(t_ + s, q);
    };
    EXPECT_NEAR(energy.kinetic_energy(t_, q_, v_), 0.5 * v_.dot(M * v_), 1e-12 * (1.0 + v_.dot(M * v_)));
    const double rate = (total(eps) - total(-eps)) / (2 * eps), power = energy.other_power(t_, q_, v_);
    EXPECT_NEAR(rate, power, tolerance * (1.0 + std::abs(power) + std::abs(here.h.dot(v_))));
  }

 private:
  static constexpr double eps = 1e-5;  // central differences: error about eps^2

  template <class Call>
  void each_position_row(Call call) const {
    Index row = 0;
    for (Index i = 0; i < all_.size(); ++i) {
      for (Index r = 0; r < all_.constraint(i).position_rows; ++r)
        call(row + r, system_.constraint_name(all_.constraint(i)));
      row += all_.constraint(i).law->dim();
    }
  }

  const System& system_;
  double t_;
  Vector q_, v_;
  ContactSet contacts_;
  ActiveSet all_;
};

}  // namespace carom::testing
