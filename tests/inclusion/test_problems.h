// Random inclusion problems of every kind the solvers meet, and an independent reading of the residual.
#pragma once

#include <Eigen/Dense>
#include <memory>
#include <random>
#include <vector>

#include "carom/inclusion/dense_delassus.h"
#include "carom/inclusion/inclusion_problem.h"
#include "carom/laws/bilateral_law.h"
#include "carom/laws/planar_coulomb_law.h"
#include "carom/laws/spatial_coulomb_law.h"
#include "carom/laws/unilateral_law.h"

namespace carom::test {

using Laws = std::vector<std::shared_ptr<const Law>>;

struct TestProblem {
  std::shared_ptr<DenseDelassus> G = std::make_shared<DenseDelassus>();
  Laws laws;
  InclusionProblem problem;

  TestProblem() = default;
  TestProblem(const Laws& given, const Matrix& matrix, const Vector& c, bool symmetric = true) : laws(given) {
    std::vector<RowRange> partition;
    Index row = 0;
    for (const auto& law : laws) {
      partition.push_back({row, law->dim()});
      row += law->dim();
      problem.laws.push_back(law.get());
    }
    G->assign(row, partition, matrix.data(), symmetric);
    problem.G = G.get();
    problem.c.resize(row);
    problem.c.vec() = c;
  }
  Matrix matrix() const {
    Matrix result(G->rows(), G->rows());
    G->to_dense(result.data());
    return result;
  }
};

inline Index total_rows(const Laws& laws) {
  Index rows = 0;
  for (const auto& law : laws) rows += law->dim();
  return rows;
}

inline Laws repeat(const std::shared_ptr<const Law>& law, int count) {
  return Laws(static_cast<std::size_t>(count), law);
}

inline Matrix random_matrix(Index rows, Index columns, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Matrix result(rows, columns);
  for (double& entry : result.reshaped()) entry = normal(random);
  return result;
}

// G = Wc' Wf over `velocities` unknowns, c = Wc' v_free: solvable, since v = -v_free + ... separates
// nothing but meets every constraint. Fewer velocities than rows: redundant constraints.
inline TestProblem random_problem(const Laws& laws, Index velocities, std::mt19937& random, double asymmetry = 0.0) {
  const Index rows = total_rows(laws);
  const Matrix Wf = random_matrix(velocities, rows, random);
  const Matrix Wc = Wf + asymmetry * random_matrix(velocities, rows, random);
  return {laws, Wc.transpose() * Wf, Wc.transpose() * random_matrix(velocities, 1, random), asymmetry == 0.0};
}

// The residual written down from its definition, with nothing of the code under test but the laws.
inline double residual_by_definition(const InclusionProblem& problem, const Vector& lambda) {
  const Index rows = problem.rows();
  Matrix G(rows, rows);
  problem.G->to_dense(G.data());
  const Vector xi = G * lambda + problem.c.vec();
  double worst = 0.0;
  for (Index b = 0; b < problem.block_count(); ++b) {
    const RowRange at = problem.G->block(b);
    const double rho = G.diagonal().segment(at.row, at.rows).maxCoeff();
    double scale = problem.c.vec().segment(at.row, at.rows).norm();
    for (Index j = 0; j < problem.block_count(); ++j) {
      const RowRange from = problem.G->block(j);
      scale += (G.block(at.row, from.row, at.rows, from.rows) * lambda.segment(from.row, from.rows)).norm();
    }
    Vector x = lambda.segment(at.row, at.rows) - xi.segment(at.row, at.rows) / rho;
    problem.laws[static_cast<std::size_t>(b)]->project(x.data(), x.data());
    const double error = rho * (lambda.segment(at.row, at.rows) - x).norm();
    if (error > 0.0) worst = std::max(worst, error / scale);
  }
  return worst;
}

}  // namespace carom::test
