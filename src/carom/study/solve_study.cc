#include "carom/study/solve_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <set>

#include "carom/base/errors.h"
#include "carom/io/hdf5_file.h"
#include "carom/io/problem_file.h"

namespace carom::inline study {

namespace {

std::vector<double> values(const Buffer& x) { return {x.data(), x.data() + x.size()}; }

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
  SolveReport report{path, stored.contacts(), stored.problem.rows(), 0, stored.G->symmetric(), tolerance, {}};
  for (Index b = 0; b < stored.problem.block_count(); ++b) report.immovable += stored.G->rho(b) == 0.0 ? 1 : 0;
  std::vector<std::string> names = solver == "all" ? solvers().names() : std::vector<std::string>{solver};
  for (const std::string& name : names) {
    const auto method = make_solver(name, {{"tolerance", tolerance}});
    SolverWorkspace workspace;
    InclusionResult result;
    result.lambda = stored.guess;
    const double start = cpu_seconds();
    method->solve(stored.problem, workspace, result);
    const double seconds = cpu_seconds() - start;
    report.results.push_back({name, result.status, result.iterations, result.residual,
                              cone_residual(stored.problem, result.lambda, result.xi), seconds, values(result.lambda),
                              values(result.xi)});
  }
  return report;
}

std::vector<std::filesystem::path> problem_files(const std::vector<std::string>& arguments) {
  std::vector<std::filesystem::path> files;
  for (const std::string& argument : arguments) {
    if (!std::filesystem::is_directory(argument)) {
      files.emplace_back(argument);
      continue;
    }
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(argument))
      if (const auto kind = entry.path().extension(); kind == ".h5" || kind == ".hdf5" || kind == ".dat")
        found.push_back(entry.path());
    if (found.empty())
      throw InputError({"E0601",
                        argument + ": no stored problem in this folder",
                        {},
                        "files end in .h5, .hdf5 or .dat",
                        {},
                        0,
                        0,
                        {}});
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

void write_solutions(const std::vector<SolveReport>& reports, const std::string& path) {
  Hdf5File file = Hdf5File::create(path);
  file.set_attribute("/", "kind", "carom solutions");
  std::set<std::string> taken;
  for (const SolveReport& report : reports) {
    const std::string stem = report.path.stem().string();
    std::string name = stem;
    for (int number = 2; !taken.insert(name).second; ++number) name = fmt::format("{}_{}", stem, number);
    for (const SolveRow& row : report.results) {
      const std::string group = fmt::format("/{}/{}", name, row.solver);
      file.make_group(group);
      file.write(group + "/lambda", row.lambda.data(), row.lambda.size());
      file.write(group + "/xi", row.xi.data(), row.xi.size());
      file.set_attribute(group, "status", std::string(to_text(row.status)));
      file.set_attribute(group, "residual", row.residual);
    }
  }
  file.commit();
}

Picture residual_history(const SolveReport& report) {
  const StoredProblem stored = read_problem(report.path);
  Panel over_iterations{"", {"iterations", true}, {"residual", true}, {}};
  Panel over_time{"", {"CPU time [s]", true}, {"residual", true}, {}};
  for (const SolveRow& row : report.results) {
    Curve iterations{row.solver, {}, {}}, times{row.solver, {}, {}};
    const auto add = [&](int count, double seconds, double residual) {
      const double drawn = std::max(residual, 1e-17);  // an exact solution has no logarithm
      if (!iterations.x.empty() && iterations.x.back() == count) return;
      iterations.x.push_back(count);
      iterations.y.push_back(drawn);
      times.x.push_back(std::max(seconds, 1e-6));
      times.y.push_back(drawn);
    };
    for (int allowed = 1; allowed < row.iterations; allowed = std::max(allowed + 1, allowed * 3 / 2)) {
      const auto method =
          make_solver(row.solver, {{"tolerance", report.tolerance}, {"max_iterations", static_cast<double>(allowed)}});
      SolverWorkspace workspace;
      InclusionResult result;
      result.lambda = stored.guess;
      const double start = cpu_seconds();
      method->solve(stored.problem, workspace, result);
      if (result.iterations < row.iterations) add(result.iterations, cpu_seconds() - start, result.residual);
    }
    add(row.iterations, row.cpu_seconds, row.residual);
    over_iterations.curves.push_back(std::move(iterations));
    over_time.curves.push_back(std::move(times));
  }
  return {report.path.filename().string(), {std::move(over_iterations), std::move(over_time)}};
}

Picture performance_profile(const std::vector<SolveReport>& reports) {
  std::map<std::string, std::vector<double>> ratios;  // of the problems a solver solved
  double largest = 1.0;
  for (const SolveReport& report : reports) {
    // A clock that ticks in microseconds tells nothing about less.
    const auto seconds = [](const SolveRow& row) { return std::max(row.cpu_seconds, 1e-6); };
    double best = std::numeric_limits<double>::infinity();
    for (const SolveRow& row : report.results)
      if (row.status == SolveStatus::solved) best = std::min(best, seconds(row));
    for (const SolveRow& row : report.results) {
      std::vector<double>& of_solver = ratios[row.solver];
      if (row.status == SolveStatus::solved) of_solver.push_back(seconds(row) / best);
    }
  }
  for (auto& [solver, x] : ratios) {
    std::sort(x.begin(), x.end());
    if (!x.empty()) largest = std::max(largest, x.back());
  }
  Panel panel{"", {"CPU time over that of the fastest", true}, {"share of problems solved", false, 0.0, 1.0}, {}};
  for (const auto& [solver, x] : ratios) {
    Curve curve{solver, {}, {}};
    double share = 0.0;
    for (const double ratio : x) {
      curve.x.insert(curve.x.end(), {ratio, ratio});
      curve.y.insert(curve.y.end(), {share, share + 1.0 / static_cast<double>(reports.size())});
      share = curve.y.back();
    }
    curve.x.push_back(1.1 * largest);
    curve.y.push_back(share);
    panel.curves.push_back(std::move(curve));
  }
  return {fmt::format("{} problems", reports.size()), {std::move(panel)}};
}

}  // namespace carom::inline study
