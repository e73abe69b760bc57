// Solvers of inclusion problems: parameters only; scratch memory is the caller's workspace, results
// are values. A solver reports `solved` only when residual() <= tolerance.
#pragma once

#include <memory>
#include <string>

#include "carom/base/parameters.h"
#include "carom/base/registry.h"
#include "carom/inclusion/inclusion_problem.h"
#include "carom/inclusion/minimum_norm.h"
#include "carom/inclusion/residual.h"

namespace carom::inline inclusion {

enum class BlockState : char;  // contact_states.h
struct SparseNewtonMemory;     // semismooth_newton_sparse.cc
struct ProximalMemory;         // proximal_point.cc
struct AugmentedMemory;        // augmented_newton.cc
struct AdmmMemory;             // admm.cc
struct InteriorMemory;         // interior_point.cc
struct BodySweepMemory;        // body_sweeps.cc
struct AutomaticMemory;        // automatic.cc
struct JointMemory;            // joint_elimination.cc

// Memory that solvers reuse from solve to solve; it only ever grows.
struct SolverWorkspace {
  ResidualWorkspace residual;
  Buffer running;      // of sweeps
  Buffer best_lambda;  // best iterate so far
  Buffer direction, right_side, trial, derivative;
  Buffer matrix, scratch, dense_G;
  std::vector<Index> active, integers;
  std::vector<BlockState> states;
  std::vector<double> history;
  MinimumNormMemory minimum_norm;
  std::shared_ptr<SparseNewtonMemory> sparse;
  std::shared_ptr<ProximalMemory> proximal;
  std::shared_ptr<AugmentedMemory> augmented;
  std::shared_ptr<AdmmMemory> admm;
  std::shared_ptr<InteriorMemory> interior;
  std::shared_ptr<BodySweepMemory> body_sweeps;
  std::shared_ptr<AutomaticMemory> automatic;
  std::shared_ptr<JointMemory> joints;
};

class InclusionSolver {
 public:
  virtual ~InclusionSolver() = default;
  virtual void solve(const InclusionProblem& problem, SolverWorkspace& workspace, InclusionResult& result) const = 0;
};

struct SolverEntry {
  std::string name;
  std::string title;    // one line for `carom list solvers`
  std::string accepts;  // which problems
  std::vector<ParameterSpec> parameters;
  std::unique_ptr<InclusionSolver> (*make)(const Parameters&);
};

const Registry<SolverEntry>& solvers();

// By word; `given` holds parameters by name, `tolerance` among them for every solver.
std::unique_ptr<InclusionSolver> make_solver(std::string_view name,
                                             const std::map<std::string, ParameterValue>& given = {});

}  // namespace carom::inline inclusion
