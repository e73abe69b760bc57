// CVODE: variable order and step, Adams' formulas with fixed-point iteration (motion that is not stiff, up to
// order 12: short tolerances are cheap), or backward differences with Newton's method.
#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "carom/base/errors.h"
#include "carom/schemes/event_driven/sundials.h"

namespace carom::inline schemes::event_driven {

namespace {

int right_side(realtype t, N_Vector y, N_Vector dy, void* user) {
  Callback& callback = *static_cast<Callback*>(user);
  return callback.run([&] { return callback.problem->rates(t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy)); });
}

int root_functions(realtype t, N_Vector y, realtype* values, void* user) {
  Callback& callback = *static_cast<Callback*>(user);
  return callback.run([&] { return callback.problem->guards(t, N_VGetArrayPointer(y), values); });
}

struct NonlinearSolverDeleter {
  void operator()(SUNNonlinearSolver s) const { SUNNonlinSolFree(s); }
};
struct CvodeDeleter {
  void operator()(void* memory) const { CVodeFree(&memory); }
};

class Cvode final : public Integrator {
 public:
  Cvode(SmoothProblem& problem, double t, const Vector& start, double t_stop, const IntegratorOptions& options)
      : context_(make_context()),
        vector_(make_vector(start, context_.get())),
        tolerances_(make_vector(options.absolute_tolerance, context_.get())),
        memory_(CVodeCreate(options.stiff ? CV_BDF : CV_ADAMS, context_.get())),
        t_stop_(t_stop) {
    t_ = t;
    y_ = N_VGetArrayPointer(vector_.get());
    callback_.problem = &problem;
    void* m = memory_.get();
    bool ok = m != nullptr && CVodeInit(m, right_side, t, vector_.get()) == 0 && CVodeSetErrFile(m, nullptr) == 0 &&
              CVodeSetUserData(m, &callback_) == 0 &&
              CVodeSVtolerances(m, options.relative_tolerance, tolerances_.get()) == 0 &&
              CVodeSetMaxNumSteps(m, most_internal_steps) == 0 && CVodeSetStopTime(m, t_stop) == 0 &&
              CVodeSetInitStep(m, first_step(problem, t, start, t_stop, options)) == 0;
    if (ok && options.longest_step > 0.0) ok = CVodeSetMaxStep(m, options.longest_step) == 0;
    if (ok && options.stiff) {
      matrix_.reset(SUNDenseMatrix(problem.size(), problem.size(), context_.get()));
      linear_.reset(SUNLinSol_Dense(vector_.get(), matrix_.get(), context_.get()));
      ok = CVodeSetLinearSolver(m, linear_.get(), matrix_.get()) == 0;
    } else if (ok) {
      nonlinear_.reset(SUNNonlinSol_FixedPoint(vector_.get(), 0, context_.get()));
      ok = CVodeSetNonlinearSolver(m, nonlinear_.get()) == 0;
    }
    if (ok && problem.guard_count() > 0) {
      std::vector<int> falling(static_cast<std::size_t>(problem.guard_count()), -1);
      ok = CVodeRootInit(m, problem.guard_count(), root_functions) == 0 &&
           CVodeSetRootDirection(m, falling.data()) == 0 && CVodeSetNoInactiveRootWarn(m) == 0;
    }
    if (!ok) throw LogicError("CVODE: could not be set up");
  }

  Outcome advance() override {
    const int flag = CVode(memory_.get(), t_stop_, vector_.get(), &t_, CV_ONE_STEP);
    callback_.rethrow();
    if (flag == CV_ROOT_RETURN) return Outcome::event;
    if (flag == CV_TSTOP_RETURN) return Outcome::end;
    return flag == CV_SUCCESS ? Outcome::stepped : Outcome::failed;
  }

  void interpolate(double t, double* y) const override {
    const OwnedVector out(N_VMake_Serial(N_VGetLength(vector_.get()), y, context_.get()));
    CVodeGetDky(memory_.get(), t, 0, out.get());
  }

  double last_step() const override {
    double h = 0.0;
    CVodeGetLastStep(memory_.get(), &h);
    return h;
  }

 private:
  OwnedContext context_;
  OwnedVector vector_, tolerances_;
  OwnedMatrix matrix_;
  OwnedLinearSolver linear_;
  Owned<SUNNonlinearSolver, NonlinearSolverDeleter> nonlinear_;
  std::unique_ptr<void, CvodeDeleter> memory_;
  Callback callback_;
  double t_stop_;
};

}  // namespace

std::unique_ptr<Integrator> make_cvode(SmoothProblem& problem, double t, const Vector& y, double t_stop,
                                       const IntegratorOptions& options) {
  return std::make_unique<Cvode>(problem, t, y, t_stop, options);
}

}  // namespace carom::inline schemes::event_driven
