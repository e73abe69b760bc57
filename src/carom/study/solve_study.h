// Stored contact problems, each solved alone by one or several solvers; what came out, as files; solvers side by side.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "carom/inclusion/inclusion_solver.h"
#include "carom/io/picture.h"

namespace carom::inline study {

struct SolveRow {
  std::string solver;
  SolveStatus status = SolveStatus::not_converged;
  int iterations = 0;
  double residual = 0.0;       // ours: blockwise backward error
  double cone_residual = 0.0;  // the measure common elsewhere, see cone_residual()
  double cpu_seconds = 0.0;
  std::vector<double> lambda, xi;  // in the order of the file's rows
};

struct SolveReport {
  std::filesystem::path path;
  Index contacts = 0, rows = 0;
  Index immovable = 0;  // contacts whose block of G is zero: no impulse moves anything there
  bool symmetric = true;
  double tolerance = 0.0;
  std::vector<SolveRow> results;
};

// Each solver starts from the guess in the file. "all" stands for every registered solver.
SolveReport solve_study(const std::filesystem::path& path, const std::string& solver, double tolerance);

// Problem files among the arguments; a folder stands for those in it. Throws InputError where there is none.
std::vector<std::filesystem::path> problem_files(const std::vector<std::string>& arguments);

// /PROBLEM/SOLVER/lambda and xi, with status and residual. Numbered where two files have one name.
void write_solutions(const std::vector<SolveReport>& reports, const std::string& path);

// The performance profile (E. D. Dolan, J. J. More, Math. Program. 91, 2002): of each solver the share of problems that
// it solved within tau times the CPU time of the fastest that solved them.
Picture performance_profile(const std::vector<SolveReport>& reports);

// The residual over iterations and over CPU time, for the rows of a report: each solver solves the problem again with
// 1, 2, 3, 5, ... iterations allowed. Solvers are functions of the problem, so these are stations of one way; what they
// keep is their best iterate. Some count only whole rounds and then pass a station.
Picture residual_history(const SolveReport& report);

// The natural map of friction as a cone problem (de Saxce), over the norm of c:
//
//   | lambda - P_K(lambda - (xi_N + mu |xi_T|, xi_T)) | / |c|,   K = {|lambda_T| <= mu lambda_N}
//
// Not invariant under units or scaling; printed for comparison with other codes.
double cone_residual(const InclusionProblem& problem, const Buffer& lambda, const Buffer& xi);

}  // namespace carom::inline study
