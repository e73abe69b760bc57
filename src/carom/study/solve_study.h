// One stored contact problem, solved alone by one or several solvers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "carom/inclusion/inclusion_solver.h"

namespace carom {

struct SolveRow {
  std::string solver;
  SolveStatus status = SolveStatus::not_converged;
  int iterations = 0;
  double residual = 0.0;       // ours: blockwise backward error
  double cone_residual = 0.0;  // the measure common elsewhere, see cone_residual()
  double cpu_seconds = 0.0;
};

struct SolveReport {
  std::filesystem::path path;
  Index contacts = 0, rows = 0;
  bool symmetric = true;
  double tolerance = 0.0;
  std::vector<SolveRow> results;
};

// Each solver starts from the guess in the file. "all" stands for every registered solver.
SolveReport solve_study(const std::filesystem::path& path, const std::string& solver, double tolerance);

// The natural map of friction as a cone problem (de Saxce), over the norm of c:
//
//   | lambda - P_K(lambda - (xi_N + mu |xi_T|, xi_T)) | / |c|,   K = {|lambda_T| <= mu lambda_N}
//
// Not invariant under units or scaling; printed for comparison with other codes.
double cone_residual(const InclusionProblem& problem, const Buffer& lambda, const Buffer& xi);

}  // namespace carom
