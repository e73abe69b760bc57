#include "carom/inclusion/residual.h"

#include <cmath>
#include <limits>

namespace carom::inline inclusion {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double square_of(const InclusionProblem& problem, const Buffer& values, Index b) {
  const RowRange& range = problem.G->block(b);
  double square = 0.0;
  for (Index i = range.row; i < range.row + range.rows; ++i) square += values[i] * values[i];
  return square;
}

// sum_b |c_b|^2 / rho_b
double given(const InclusionProblem& problem) {
  double sum = 0.0;
  for (Index b = 0; b < problem.block_count(); ++b)
    if (problem.G->rho(b) > 0.0) sum += square_of(problem, problem.c, b) / problem.G->rho(b);
  return sum;
}

// sum_b (epsilon scale_b)^2 / rho_b: the merit of the errors that cancelling terms of xi hide.
double hidden(const InclusionProblem& problem, const ResidualWorkspace& workspace) {
  double sum = 0.0;
  for (Index b = 0; b < problem.block_count(); ++b) {
    const double rounding = std::numeric_limits<double>::epsilon() * workspace.scale[b];
    if (problem.G->rho(b) > 0.0) sum += rounding * rounding / problem.G->rho(b);
  }
  return sum;
}

}  // namespace

double residual(const InclusionProblem& problem, const Buffer& lambda, Buffer& xi, ResidualWorkspace& workspace) {
  const Delassus& G = *problem.G;
  const Index blocks = G.block_count();
  xi.resize(G.rows());
  workspace.scale.resize(blocks);
  workspace.defect.resize(G.rows());
  G.multiply_with_magnitude(lambda.data(), xi.data(), workspace.scale.data());

  double worst = 0.0, size = 0.0;  // of all numbers: infinite data has no solution
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
    size += scale + rho;

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
    if (std::isnan(worst)) return infinity;
  }
  return size < infinity ? worst : infinity;
}

void measure_noise(const InclusionProblem& problem, ResidualWorkspace& workspace) {
  workspace.noise.clear();
  if (problem.c_directions == nullptr || problem.c_velocity == nullptr) return;
  constexpr double roundings = 16.0 * std::numeric_limits<double>::epsilon();
  const ConstraintJacobian& W = *problem.c_directions;
  workspace.noise.assign(problem.block_count(), 0.0);
  for (Index b = 0; b < W.block_count(); ++b) {
    const ConstraintJacobian::Block& block = W.block(b);
    double square = 0.0;
    for (Index r = 0; r < block.rows; ++r) {
      double sum = 0.0;
      for (Index s = block.segment_begin; s < block.segment_end; ++s) {
        const ConstraintJacobian::Segment& segment = W.segment(s);
        const double* row = W.entries(segment) + r * segment.size;
        for (Index i = 0; i < segment.size; ++i) sum += std::abs(row[i] * problem.c_velocity[segment.offset + i]);
      }
      square += sum * sum;
    }
    workspace.noise[b] = roundings * std::sqrt(square);
  }
}

double merit(const InclusionProblem& problem, const ResidualWorkspace& workspace) {
  double sum = 0.0;
  for (Index b = 0; b < problem.block_count(); ++b) sum += problem.G->rho(b) * square_of(problem, workspace.defect, b);
  return sum;
}

bool solves(const InclusionProblem& problem, double residual_value, double tolerance,
            const ResidualWorkspace& workspace) {
  const double left = merit(problem, workspace) + hidden(problem, workspace), size = given(problem);
  if (residual_value <= tolerance && left <= tolerance * size) return true;
  if (workspace.noise.empty() || !(residual_value < infinity)) return false;
  double unavoidable = 0.0;
  for (Index b = 0; b < problem.block_count(); ++b) {
    const double rho = problem.G->rho(b), noise = workspace.noise[b];
    if (!(rho > 0.0)) {
      if (residual_value >= 1.0) return false;  // a row that nothing moves may break its law
      continue;
    }
    if (!(rho * std::sqrt(square_of(problem, workspace.defect, b)) <= tolerance * workspace.scale[b] + noise))
      return false;
    unavoidable += noise * noise / rho;
  }
  return left <= tolerance * size + unavoidable;
}

void conclude(const InclusionProblem& problem, bool solved, double tolerance, ResidualWorkspace& workspace,
              InclusionResult& result) {
  result.status = solved ? SolveStatus::solved : SolveStatus::not_converged;
  if (solved || !(result.residual <= tolerance)) return;
  residual(problem, result.lambda, result.xi, workspace);
  const double size = given(problem);
  const double left = merit(problem, workspace) + hidden(problem, workspace);
  result.residual = size > 0.0 ? std::sqrt(left / size) : 1.0;
}

}  // namespace carom::inline inclusion
