// Contact problems made by formulas: what solvers are tested and measured on beside the stored ones. Each is the impact
// of one step, c = W'v with v the free velocities of the bodies (gravity over the step, or random velocities).
//
//   stack            cubes on each other, four points a face; the top may be heavy
//   wall             bricks in bond, four points a face and a side; at rest, one pushed out, all in motion
//   arch             wedges between two abutments, four points a joint
//   cubic_lattice    touching spheres in a box, each with up to six contacts
//   fcc_lattice      the same, face-centred: twelve contacts, redundant; masses may be spread over decades
//   fall             spheres of multibody_scenes.h that fell into their box for a time t: simulated to there, then the
//                    touching pairs with the velocities of the fall
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "carom/base/constraint_jacobian.h"
#include "carom/base/iteration_matrix.h"
#include "carom/inclusion/delassus_factory.h"
#include "carom/inclusion/inclusion_problem.h"

namespace carom::inline study {

// A problem with all it refers to.
struct GeneratedProblem {
  std::string name;
  ConstraintJacobian W;
  IterationMatrix A;
  DelassusFactory factory;
  std::vector<std::shared_ptr<const Law>> laws;
  InclusionProblem problem;
};
using GeneratedProblemPtr = std::unique_ptr<GeneratedProblem>;

enum class ProblemMotion { rest, pushed, random };

GeneratedProblemPtr stack_problem(Index cubes, double mu, double top_mass_ratio = 1.0,
                                  ProblemMotion motion = ProblemMotion::rest);
GeneratedProblemPtr wall_problem(Index rows, Index columns, double mu, ProblemMotion motion);
GeneratedProblemPtr arch_problem(Index wedges, double mu);
GeneratedProblemPtr cubic_lattice_problem(Index side, double mu, ProblemMotion motion, double mass_ratio = 1.0);
GeneratedProblemPtr fcc_lattice_problem(Index cells, double mu, ProblemMotion motion, double mass_ratio = 1.0);
GeneratedProblemPtr fall_problem(std::array<Index, 3> counts, double mu, double t);

// The collection by name: small ones for tests (up to about 300 contacts), all for benchmarks. A maker is called when
// its problem is wanted.
struct ProblemMaker {
  std::string name;
  bool small;
  GeneratedProblemPtr (*make)();
};
const std::vector<ProblemMaker>& problem_collection();

}  // namespace carom::inline study
