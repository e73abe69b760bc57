// The memory of a step, kept from step to step so that nothing is allocated once it has grown.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "carom/base/iteration_matrix.h"
#include "carom/inclusion/delassus_factory.h"
#include "carom/inclusion/inclusion_solver.h"
#include "carom/system/system.h"

namespace carom::inline schemes {

enum class ProjectionRole : char;

// One inclusion problem with everything it is solved with.
struct InclusionWork {
  DelassusFactory factory;
  InclusionProblem problem;
  InclusionResult result;
  SolverWorkspace solver;
};

struct StepWorkspace {
  // Memory only one scheme uses: a type of its own file, made at the first call and kept.
  template <class T>
  T& own() {
    static const char tag = 0;
    for (auto& [of, memory] : owned_)
      if (of == &tag) return *static_cast<T*>(memory.get());
    return *static_cast<T*>(owned_.emplace_back(&tag, std::make_shared<T>()).second.get());
  }

  // Contacts of the step; all, none and the active ones.
  ContactSet contacts;
  ActiveSet all, none, active;
  std::uint64_t contacts_of = 0;  // the system whose constant contacts these are

  // The velocity problem. at_theta and A belong to the theta method alone: constant tangents stay
  // there from step to step, for the system and the theta dt named beside them.
  Evaluation at_0, at_theta, at_1;
  IterationMatrix A;
  std::uint64_t tangents_of = 0;
  double tangents_theta_dt = 0.0;
  // Where W is constant as well: the active set at_1.W and the velocity problem's G were built for, and
  // which build of G that was (0: none).
  std::vector<Index> delassus_members;
  std::uint64_t delassus_build = 0;
  // Of explicit schemes, and of theta schemes whose joints act there.
  Evaluation at_mid;
  IterationMatrix M_factor;
  InclusionWork velocity;
  Vector v_theta, q_theta, increment, force, W_Lambda, dv, dq;
  Buffer gamma, gamma_minus, gamma_minus_all, shift;

  // The position problem.
  Evaluation at_q;
  IterationMatrix identity;
  ConstraintJacobian W_position;
  InclusionWork position;
  ActiveSet projected;
  std::vector<ProjectionRole> roles;  // by contact
  std::vector<char> in_projection;    // by contact
  Vector q_bar, delta;
  Buffer tau_scaled;
  std::vector<Index> indices, row_counts;

 private:
  std::vector<std::pair<const char*, std::shared_ptr<void>>> owned_;
};

}  // namespace carom::inline schemes
