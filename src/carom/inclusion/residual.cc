#include "carom/inclusion/residual.h"

#include <cmath>
#include <limits>

namespace carom {

double residual(const InclusionProblem& problem, const Buffer& lambda, Buffer& xi,
                ResidualWorkspace& workspace) {
  const Delassus& G = *problem.G;
  const Index blocks = G.block_count();
  xi.resize(G.rows());
  workspace.scale.resize(blocks);
  workspace.defect.resize(G.rows());
  G.multiply_with_magnitude(lambda.data(), xi.data(), workspace.scale.data());

  double worst = 0.0;
  for (Index b = 0; b < blocks; ++b) {
    const RowRange& range = G.block(b);
    const double rho = G.rho(b);
    const double* l = lambda.data() + range.row;
    double* x = xi.data() + range.row;
    double c_square = 0.0;
    for (Index i = 0; i < range.rows; ++i) {
      const double c = problem.c[range.row + i];
      x[i] += c;
      c_square += c * c;
    }
    double& scale = workspace.scale[b];
    scale += range.rows == 1 ? std::abs(problem.c[range.row]) : std::sqrt(c_square);

    double projected[Law::max_dim];
    double* defect = workspace.defect.data() + range.row;
    double square = 0.0;
    if (rho > 0.0) {
      const double r = 1.0 / rho;
      for (Index i = 0; i < range.rows; ++i) projected[i] = l[i] - r * x[i];
      problem.laws[static_cast<std::size_t>(b)]->project(projected, projected);
      for (Index i = 0; i < range.rows; ++i) {
        defect[i] = l[i] - projected[i];
        square += defect[i] * defect[i];
      }
      if (square == 0.0) continue;
      const double error = rho * std::sqrt(square) / scale;
      if (!(error <= worst)) worst = error;
    } else {
      for (Index i = 0; i < range.rows; ++i) projected[i] = -x[i];
      problem.laws[static_cast<std::size_t>(b)]->project(projected, projected);
      for (Index i = 0; i < range.rows; ++i) {
        defect[i] = 0.0;
        square += projected[i] * projected[i];
      }
      if (!(square == 0.0) && !(worst >= 1.0)) worst = 1.0;
    }
    if (std::isnan(worst)) return std::numeric_limits<double>::infinity();
  }
  return worst;
}

double merit(const InclusionProblem& problem, const ResidualWorkspace& workspace) {
  double sum = 0.0;
  for (Index b = 0; b < problem.block_count(); ++b) {
    const RowRange& range = problem.G->block(b);
    const double* defect = workspace.defect.data() + range.row;
    double square = 0.0;
    for (Index i = 0; i < range.rows; ++i) square += defect[i] * defect[i];
    sum += problem.G->rho(b) * square;
  }
  return sum;
}

bool solves(const InclusionProblem& problem, double residual_value, double tolerance,
            const ResidualWorkspace& workspace) {
  if (!(residual_value <= tolerance)) return false;
  double given = 0.0;
  for (Index b = 0; b < problem.block_count(); ++b) {
    const double rho = problem.G->rho(b);
    if (!(rho > 0.0)) continue;
    const RowRange& range = problem.G->block(b);
    double square = 0.0;
    for (Index i = 0; i < range.rows; ++i) square += problem.c[range.row + i] * problem.c[range.row + i];
    given += square / rho;
  }
  return merit(problem, workspace) <= tolerance * given;
}

}  // namespace carom
