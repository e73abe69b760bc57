// Owners of SUNDIALS' objects, and the calls both of its integrators make into a SmoothProblem.
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#include "carom/schemes/event_driven/smooth_problem.h"

namespace carom::inline schemes::event_driven {

struct VectorDeleter {
  void operator()(N_Vector v) const { N_VDestroy(v); }
};
struct MatrixDeleter {
  void operator()(SUNMatrix A) const { SUNMatDestroy(A); }
};
struct LinearSolverDeleter {
  void operator()(SUNLinearSolver s) const { SUNLinSolFree(s); }
};
struct ContextDeleter {
  void operator()(SUNContext c) const { SUNContext_Free(&c); }
};
template <class Handle, class Deleter>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Deleter>;
using OwnedVector = Owned<N_Vector, VectorDeleter>;
using OwnedMatrix = Owned<SUNMatrix, MatrixDeleter>;
using OwnedLinearSolver = Owned<SUNLinearSolver, LinearSolverDeleter>;
using OwnedContext = Owned<SUNContext, ContextDeleter>;

OwnedContext make_context();
OwnedVector make_vector(Index n, const SUNContext& context);
OwnedVector make_vector(const Vector& values, const SUNContext& context);

// What the integrators are handed as user data. An exception must not fly through C: it is kept, the call
// reports failure, and whoever advanced the integrator throws it again.
struct Callback {
  SmoothProblem* problem = nullptr;
  Vector f;  // scratch
  std::exception_ptr thrown;

  template <class Call>
  int run(Call call) {
    try {
      return call() ? 0 : -1;
    } catch (...) {
      thrown = std::current_exception();
      return -1;
    }
  }
  void rethrow() {
    if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
  }
};

inline constexpr long most_internal_steps = 10'000'000;

}  // namespace carom::inline schemes::event_driven
