#include "carom/study/solve_study.h"

#include <cmath>
#include <ctime>

#include "carom/io/problem_file.h"

namespace carom {

namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// x := projection on {|x_T| <= mu x_N}
void project_on_cone(double mu, Index rows, double* x) {
  double square = 0.0;
  for (Index i = 1; i < rows; ++i) square += x[i] * x[i];
  const double tangential = std::sqrt(square);
  if (tangential <= mu * x[0]) return;
  if (mu * tangential <= -x[0]) {
    std::fill_n(x, rows, 0.0);
    return;
  }
  const double normal = (x[0] + mu * tangential) / (1.0 + mu * mu);
  x[0] = normal;
  for (Index i = 1; i < rows; ++i) x[i] *= mu * normal / tangential;
}

}  // namespace

double cone_residual(const InclusionProblem& problem, const Buffer& lambda, const Buffer& xi) {
  double sum = 0.0;
  for (Index b = 0; b < problem.block_count(); ++b) {
    const RowRange& range = problem.G->block(b);
    const Law& law = *problem.laws[static_cast<std::size_t>(b)];
    const double* l = lambda.data() + range.row;
    const double* u = xi.data() + range.row;
    double x[Law::max_dim];
    for (Index i = 0; i < range.rows; ++i) x[i] = l[i] - u[i];
    if (law.is_contact()) {
      double square = 0.0;
      for (Index i = 1; i < range.rows; ++i) square += u[i] * u[i];
      x[0] -= law.friction() * std::sqrt(square);
      project_on_cone(law.friction(), range.rows, x);
    } else {
      law.project(x, x);
    }
    for (Index i = 0; i < range.rows; ++i) sum += (l[i] - x[i]) * (l[i] - x[i]);
  }
  const double c = problem.c.vec().norm();
  return c > 0.0 ? std::sqrt(sum) / c : std::sqrt(sum);
}

SolveReport solve_study(const std::filesystem::path& path, const std::string& solver, double tolerance) {
  const StoredProblem stored = read_problem(path);
  SolveReport report{path, stored.contacts(), stored.problem.rows(), stored.G->symmetric(), tolerance, {}};
  std::vector<std::string> names = solver == "all" ? solvers().names() : std::vector<std::string>{solver};
  for (const std::string& name : names) {
    const auto method = make_solver(name, {{"tolerance", tolerance}});
    SolverWorkspace workspace;
    InclusionResult result;
    result.lambda = stored.guess;
    const double start = cpu_seconds();
    method->solve(stored.problem, workspace, result);
    report.results.push_back({name, result.status, result.iterations, result.residual,
                              cone_residual(stored.problem, result.lambda, result.xi), cpu_seconds() - start});
  }
  return report;
}

}  // namespace carom
