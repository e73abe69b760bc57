// IDA: backward differences of variable order (up to 5) and step on 0 = F(t, y, y') = (x' - f_x, f_z), with
// Newton's method on a dense Jacobian by difference quotients. The algebraic variables follow from the differential
// ones without history, so they stay out of the error test.
#include <ida/ida.h>

#include <algorithm>
#include <cmath>

#include "carom/base/errors.h"
#include "carom/schemes/event_driven/sundials.h"

namespace carom::inline schemes::event_driven {

namespace {

int residual(realtype t, N_Vector y, N_Vector dy, N_Vector r, void* user) {
  Callback& callback = *static_cast<Callback*>(user);
  double* out = N_VGetArrayPointer(r);
  const double* rate = N_VGetArrayPointer(dy);
  const int flag = callback.run([&] { return callback.problem->rates(t, N_VGetArrayPointer(y), out); });
  for (Index i = 0; i < callback.problem->differential(); ++i) out[i] = rate[i] - out[i];
  return flag;
}

int root_functions(realtype t, N_Vector y, N_Vector, realtype* values, void* user) {
  Callback& callback = *static_cast<Callback*>(user);
  return callback.run([&] { return callback.problem->guards(t, N_VGetArrayPointer(y), values); });
}

// J = dF/dy + c_j dF/dy' by difference quotients. Their increments are far smaller than IDA's own, 1e-8 of the
// variable: a contact that begins to slide, or stops, is as slow as that, and its direction, which the friction
// follows, must not be stepped over. What rounding makes of the quotient then is still good enough for Newton's method.
int jacobian(realtype t, realtype c_j, N_Vector y, N_Vector, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector,
             N_Vector) {
  constexpr double increment = 1e-10, smallest = 1e-2;  // relative to the variable, or to one this small
  constexpr double of_forces = 1e-3;                    // they enter linearly: any increment is exact
  Callback& callback = *static_cast<Callback*>(user);
  SmoothProblem& problem = *callback.problem;
  const Index n = problem.size();
  double* at = N_VGetArrayPointer(y);
  Vector f(n), ahead(n);
  double force = smallest;
  for (Index j = problem.differential(); j < n; ++j) force = std::max(force, std::abs(at[j]));
  return callback.run([&] {
    if (!problem.rates(t, at, f.data())) return false;
    for (Index j = 0; j < n; ++j) {
      const double value = at[j];
      at[j] += j < problem.differential() ? increment * std::max(smallest, std::abs(value)) : of_forces * force;
      const double step = at[j] - value;
      const bool ok = problem.rates(t, at, ahead.data());
      at[j] = value;
      if (!ok) return false;
      double* column = SUNDenseMatrix_Column(J, j);
      for (Index i = 0; i < n; ++i) {
        const double slope = (ahead[i] - f[i]) / step;
        column[i] = i < problem.differential() ? (i == j ? c_j : 0.0) - slope : slope;
      }
    }
    return true;
  });
}

struct IdaDeleter {
  void operator()(void* memory) const { IDAFree(&memory); }
};

class Ida final : public Integrator {
 public:
  Ida(SmoothProblem& problem, double t, const Vector& start, double t_stop, const IntegratorOptions& options)
      : context_(make_context()),
        vector_(make_vector(start, context_.get())),
        rate_(make_vector(problem.size(), context_.get())),
        kind_(make_vector(problem.size(), context_.get())),
        tolerances_(make_vector(options.absolute_tolerance, context_.get())),
        memory_(IDACreate(context_.get())),
        t_stop_(t_stop) {
    t_ = t;
    y_ = N_VGetArrayPointer(vector_.get());
    callback_.problem = &problem;
    N_VConst(0.0, rate_.get());
    N_VConst(0.0, kind_.get());
    const Index n = problem.differential();
    Vector f(problem.size());
    bool ok = problem.rates(t, start.data(), f.data());
    for (Index i = 0; i < n; ++i) {
      N_VGetArrayPointer(rate_.get())[i] = f[i];
      N_VGetArrayPointer(kind_.get())[i] = 1.0;
    }
    void* m = memory_.get();
    ok = ok && m != nullptr && IDAInit(m, residual, t, vector_.get(), rate_.get()) == 0 &&
         IDASetErrFile(m, nullptr) == 0 && IDASetUserData(m, &callback_) == 0 &&
         IDASVtolerances(m, options.relative_tolerance, tolerances_.get()) == 0 &&
         IDASetMaxNumSteps(m, most_internal_steps) == 0 && IDASetStopTime(m, t_stop) == 0 &&
         IDASetInitStep(m, first_step(problem, t, start, t_stop, options)) == 0 && IDASetId(m, kind_.get()) == 0 &&
         IDASetSuppressAlg(m, SUNTRUE) == 0;
    if (ok && options.longest_step > 0.0) ok = IDASetMaxStep(m, options.longest_step) == 0;
    if (ok) {
      matrix_.reset(SUNDenseMatrix(problem.size(), problem.size(), context_.get()));
      linear_.reset(SUNLinSol_Dense(vector_.get(), matrix_.get(), context_.get()));
      ok = IDASetLinearSolver(m, linear_.get(), matrix_.get()) == 0 && IDASetJacFn(m, jacobian) == 0;
    }
    if (ok && problem.guard_count() > 0) {
      std::vector<int> falling(static_cast<std::size_t>(problem.guard_count()), -1);
      ok = IDARootInit(m, problem.guard_count(), root_functions) == 0 && IDASetRootDirection(m, falling.data()) == 0 &&
           IDASetNoInactiveRootWarn(m) == 0;
    }
    if (!ok) throw LogicError("IDA: could not be set up");
  }

  Outcome advance() override {
    const int flag = IDASolve(memory_.get(), t_stop_, &t_, vector_.get(), rate_.get(), IDA_ONE_STEP);
    callback_.rethrow();
    if (flag == IDA_ROOT_RETURN) return Outcome::event;
    if (flag == IDA_TSTOP_RETURN) return Outcome::end;
    return flag == IDA_SUCCESS ? Outcome::stepped : Outcome::failed;
  }

  void interpolate(double t, double* y) const override {
    const OwnedVector out(N_VMake_Serial(N_VGetLength(vector_.get()), y, context_.get()));
    IDAGetDky(memory_.get(), t, 0, out.get());
  }

  double last_step() const override {
    double h = 0.0;
    IDAGetLastStep(memory_.get(), &h);
    return h;
  }

 private:
  OwnedContext context_;
  OwnedVector vector_, rate_, kind_, tolerances_;
  OwnedMatrix matrix_;
  OwnedLinearSolver linear_;
  std::unique_ptr<void, IdaDeleter> memory_;
  Callback callback_;
  double t_stop_;
};

}  // namespace

std::unique_ptr<Integrator> make_ida(SmoothProblem& problem, double t, const Vector& y, double t_stop,
                                     const IntegratorOptions& options) {
  return std::make_unique<Ida>(problem, t, y, t_stop, options);
}

}  // namespace carom::inline schemes::event_driven
