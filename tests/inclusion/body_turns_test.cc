// Sweeps with momentum over bodies of any shape (body_contacts.h, round_sweeps.cc): random heaps of bodies with three
// different moments of inertia, contacts at random places.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "carom/inclusion/body_contacts.h"
#include "carom/inclusion/delassus_factory.h"
#include "carom/inclusion/inclusion_solver.h"
#include "carom/inclusion/sweeps.h"
#include "carom/laws/spatial_coulomb_law.h"

namespace carom {
namespace {

// Layers of bodies, each on three of the layer below or on the ground, at random points and with tilted normals.
class Heap {
 public:
  Heap(unsigned seed, Index layers, Index across) : random_(seed) {
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
      laws_.push_back(std::make_shared<SpatialCoulombLaw>(0.0, 0.5 + 0.4 * uniform()));
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
    W_.add_block(3);
    for (const auto& [body, sign] : {std::pair(upper, 1.0), std::pair(lower, -1.0)}) {
      if (body < 0) continue;
      const Vector3 lever(0.4 * uniform(), 0.4 * uniform(), -0.4 * sign);
      double* entries = W_.add_segment(6 * body, 6);
      for (int r = 0; r < 3; ++r) {
        Eigen::Map<Vector3>(entries + 6 * r) = sign * directions[r];
        Eigen::Map<Vector3>(entries + 6 * r + 3) = sign * lever.cross(directions[r]);
      }
    }
  }

  std::mt19937 random_;
  ConstraintJacobian W_;
  IterationMatrix A_;
  DelassusFactory factory_;
  std::vector<std::shared_ptr<const Law>> laws_;
};

// Velocities are kept up to date contact by contact, what momentum adds waits for the next sweep: made anew from the
// points at any moment they are the same, so that the next sweep leads to the same images.
TEST(BodyTurns, VelocitiesFollowThePointsOfMomentum) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    Heap heap(seed, 5, 6);
    const Index rows = heap.problem.rows(), blocks = heap.problem.block_count();
    BodyContacts contacts;
    contacts.build(heap.problem);
    ASSERT_TRUE(contacts.all());
    std::vector<double> points(static_cast<std::size_t>(rows), 0.0), images = points;
    std::vector<double> ages(static_cast<std::size_t>(blocks), 1.0), weight = ages;
    contacts.begin(points.data());
    for (int k = 0; k < 40; ++k)
      contacts.sweep_points(SweepWay::momentum, weight.data(), points.data(), images.data(), ages.data());
    double ahead = 0.0, size = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      ahead = std::max(ahead, std::abs(points[i] - images[i]));
      size = std::max(size, std::abs(images[i]));
    }
    EXPECT_GT(ahead, 1e-6 * size) << "there is momentum";
    std::vector<double> same_points = points, same_images = images, same_ages = ages;
    contacts.sweep_points(SweepWay::momentum, weight.data(), points.data(), images.data(), ages.data());
    contacts.begin(same_points.data());
    contacts.sweep_points(SweepWay::momentum, weight.data(), same_points.data(), same_images.data(), same_ages.data());
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_NEAR(images[i], same_images[i], 1e-11 * size) << seed;
      EXPECT_NEAR(points[i], same_points[i], 1e-11 * size) << seed;
    }
  }
}

// Turns alone, and after single sweeps: solved as the definition has it, which knows neither points nor velocities. To
// the residual that runs of piles ask for: one of these heaps takes more than 10,000 sweeps to 1e-9.
TEST(BodyTurns, SolveHeapsAtRestAndInMotion) {
  for (const int single : {0, 40})
    for (unsigned seed = 0; seed < 6; ++seed) {
      Heap heap(seed, 8, 8);
      SolverWorkspace workspace;
      InclusionResult result;
      result.iterations = 0;
      result.lambda.assign(heap.problem.rows(), 0.0);
      SweepOptions sweeps;
      sweeps.tolerance = 1e-6;
      sweeps.max_single = single;
      sweeps.patience = sweeps.max_iterations = 10000;
      EXPECT_TRUE(body_sweeps(heap.problem, sweeps, workspace, result)) << single << " " << seed;
      EXPECT_GT(result.iterations, single) << "single sweeps were enough: nothing was tested";
      ResidualWorkspace fresh;
      Buffer xi;
      EXPECT_LE(residual(heap.problem, result.lambda, xi, fresh), 1e-6) << single << " " << seed;
    }
}

// A problem that will be asked again is solved as far as it says; what it says below the tolerance counts for nothing.
TEST(BodyTurns, StopWhereItIsEnough) {
  const auto solver = make_solver("automatic", {{"tolerance", 1e-8}});
  for (unsigned seed = 0; seed < 2; ++seed) {
    Heap heap(seed, 8, 8);
    const auto solved = [&](double enough) {
      heap.problem.enough = enough;
      SolverWorkspace workspace;
      InclusionResult result;
      result.lambda.assign(heap.problem.rows(), 0.0);
      solver->solve(heap.problem, workspace, result);
      EXPECT_EQ(result.status, SolveStatus::solved) << seed;
      EXPECT_LE(result.residual, std::max(enough, 1e-8)) << seed;
      return result;
    };
    const InclusionResult all = solved(0.0), rough = solved(1e-3), same = solved(1e-9);
    EXPECT_LT(rough.iterations, all.iterations) << seed;
    EXPECT_GT(rough.residual, 1e-8) << seed;
    EXPECT_TRUE(same.lambda == all.lambda) << seed;
  }
}

}  // namespace
}  // namespace carom
