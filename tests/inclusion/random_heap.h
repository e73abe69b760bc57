// Random heaps of bodies with three different moments of inertia, contacts at random places.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "carom/base/constraint_jacobian.h"
#include "carom/base/iteration_matrix.h"
#include "carom/inclusion/delassus_factory.h"
#include "carom/inclusion/inclusion_problem.h"
#include "carom/laws/bilateral_law.h"
#include "carom/laws/spatial_coulomb_law.h"
#include "carom/laws/unilateral_law.h"

namespace carom::testing {

// Layers of bodies, each on three of the layer below or on the ground, at random points and with tilted normals.
class RandomHeap {
 public:
  // Contacts with Coulomb's friction, or normals alone, one row each, every fifth of them an equality.
  enum class Contacts { with_friction, normals };

  // friction: of all contacts; below zero: random ones about 0.5.
  RandomHeap(unsigned seed, Index layers, Index across, double friction = -1.0,
             Contacts contacts = Contacts::with_friction)
      : random_(seed), rows_(contacts == Contacts::normals ? 1 : 3) {
    const Index bodies = layers * across;
    Inertia M;
    Matrix3* blocks = M.block_diagonal(6 * bodies);
    for (Index b = 0; b < bodies; ++b) {
      const double mass = std::pow(10.0, uniform());
      blocks[2 * b] = mass * Matrix3::Identity();
      const Vector3 moments = mass * 0.1 * Vector3(1.0 + 0.5 * uniform(), 1.0 + 0.5 * uniform(), 1.0 + 0.2 * uniform());
      const Matrix3 R =
          Eigen::Quaterniond(Eigen::Vector4d(normal(), normal(), normal(), normal()).normalized()).toRotationMatrix();
      blocks[2 * b + 1] = R * moments.asDiagonal() * R.transpose();
    }
    A_.factor(M);
    for (Index b = 0; b < bodies; ++b)
      for (Index k = 0; k < 3; ++k) {
        const Index column = (b % across + k) % across;
        add(b, b < across ? -1 : across * (b / across - 1) + column);
      }
    Vector v(6 * bodies);
    for (Index i = 0; i < v.size(); ++i) v[i] = (i % 6 == 2 ? -1.0 : 0.0) + (seed % 2 == 0 ? 0.0 : 0.3 * normal());
    problem.c.resize(W_.rows());
    W_.transpose_multiply(v.data(), problem.c.data());
    for (Index b = 0; b < W_.block_count(); ++b) {
      if (contacts == Contacts::with_friction)
        laws_.push_back(std::make_shared<SpatialCoulombLaw>(0.0, friction < 0.0 ? 0.5 + 0.4 * uniform() : friction));
      else if (b % 5 == 4)
        laws_.push_back(make_bilateral_law(1));
      else
        laws_.push_back(std::make_shared<UnilateralLaw>(0.0));
      problem.laws.push_back(laws_.back().get());
    }
    problem.G = &factory_.build(W_, A_);
  }
  double normal() { return std::normal_distribution<double>()(random_); }
  double uniform() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }

  InclusionProblem problem;

 private:
  void add(Index upper, Index lower) {
    const Vector3 n = Vector3(0.4 * uniform(), 0.4 * uniform(), 1.0).normalized();
    const Vector3 t = n.cross(Vector3::UnitX()).normalized();
    const Vector3 directions[3] = {n, t, n.cross(t)};
    W_.add_block(rows_);
    for (const auto& [body, sign] : {std::pair(upper, 1.0), std::pair(lower, -1.0)}) {
      if (body < 0) continue;
      const Vector3 lever(0.4 * uniform(), 0.4 * uniform(), -0.4 * sign);
      double* entries = W_.add_segment(6 * body, 6);
      for (Index r = 0; r < rows_; ++r) {
        Eigen::Map<Vector3>(entries + 6 * r) = sign * directions[r];
        Eigen::Map<Vector3>(entries + 6 * r + 3) = sign * lever.cross(directions[r]);
      }
    }
  }

  std::mt19937 random_;
  Index rows_;
  ConstraintJacobian W_;
  IterationMatrix A_;
  DelassusFactory factory_;
  std::vector<std::shared_ptr<const Law>> laws_;
};

}  // namespace carom::testing
