#include "carom/simulation/measured_run.h"

#include <ctime>
#include <utility>

#include "carom/simulation/checkpoint.h"

namespace carom::inline simulation {

namespace timed {

using Phase = double StepTimes::*;

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// All time goes to one phase at a time.
class PhaseClock {
 public:
  Phase phase() const { return phase_; }
  Phase go_to(Phase next) {
    const double now = cpu_seconds();
    if (phase_ != nullptr) times_.*phase_ += now - since_;
    since_ = now;
    return std::exchange(phase_, next);
  }
  const StepTimes& times() const { return times_; }

 private:
  StepTimes times_;
  Phase phase_ = nullptr;
  double since_ = 0.0;
};

class Within {
 public:
  Within(PhaseClock& clock, Phase phase) : clock_(clock), before_(clock.go_to(phase)) {}
  ~Within() { clock_.go_to(before_); }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

 private:
  PhaseClock& clock_;
  Phase before_;
};

class TimedSystem final : public System {
 public:
  // A copy of the base: what schemes keep for this system is kept by its serial number.
  TimedSystem(const System& system, PhaseClock& clock) : System(system), of_(system), clock_(clock) {}

  void detect(double t, const Vector& q, const Vector& v, double dt, ContactSet& contacts) const override {
    const Within detection(clock_, &StepTimes::detection);
    of_.detect(t, q, v, dt, contacts);
  }
  void evaluate(double t, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                Evaluation& out) const override {
    const bool of_scheme = clock_.phase() == &StepTimes::integration;
    const Within assembly(clock_, of_scheme ? &StepTimes::assembly : clock_.phase());
    of_.evaluate(t, q, v, need, active, out);
  }

  Index nq() const override { return of_.nq(); }
  Index nv() const override { return of_.nv(); }
  Constancy constancy() const override { return of_.constancy(); }
  FeatureSet features() const override { return of_.features(); }
  void move(const Vector& q, const Vector& dq, Vector& q_next) const override { of_.move(q, dq, q_next); }
  void rational_move(const Vector& q, const Vector& dq, Vector& q_next) const override {
    of_.rational_move(q, dq, q_next);
  }
  void difference(const Vector& qa, const Vector& qb, Vector& dq) const override { of_.difference(qa, qb, dq); }
  void apply_T(const Vector& q, const Vector& v, Vector& dq) const override { of_.apply_T(q, v, dq); }
  void apply_T_transpose(const Vector& q, const Vector& p, Vector& r) const override { of_.apply_T_transpose(q, p, r); }
  const Energetics* energetics() const override { return of_.energetics(); }
  const Curvature* curvature() const override { return of_.curvature(); }
  const TurningDirections* turning_directions() const override { return of_.turning_directions(); }
  const DecomposedInertia* decomposed() const override { return of_.decomposed(); }
  const FarContacts* far_contacts() const override { return of_.far_contacts(); }
  void describe(Layout& layout) const override { of_.describe(layout); }
  std::string constraint_name(const Constraint& constraint) const override { return of_.constraint_name(constraint); }
  std::string coordinate_name(Index i) const override { return of_.coordinate_name(i); }
  std::string velocity_name(Index i) const override { return of_.velocity_name(i); }
  const DiscreteState* discrete_state() const override { return of_.discrete_state(); }

 private:
  const System& of_;
  PhaseClock& clock_;
};

class TimedScheme final : public Scheme {
 public:
  TimedScheme(const Scheme& scheme, PhaseClock& clock) : of_(scheme), clock_(clock) {}
  void start(const System& system, double dt, State& state) const override {
    const Within integration(clock_, &StepTimes::integration);
    of_.start(system, dt, state);
  }
  void step(const System& system, const InclusionSolver& solver, const State& state, double dt,
            StepWorkspace& workspace, StepResult& result) const override {
    const Within integration(clock_, &StepTimes::integration);
    of_.step(system, solver, state, dt, workspace, result);
  }

 private:
  const Scheme& of_;
  PhaseClock& clock_;
};

class TimedSolver final : public InclusionSolver {
 public:
  TimedSolver(const InclusionSolver& solver, PhaseClock& clock, long& solves)
      : of_(solver), clock_(clock), solves_(solves) {}
  void solve(const InclusionProblem& problem, SolverWorkspace& workspace, InclusionResult& result) const override {
    const Within solve(clock_, &StepTimes::solve);
    of_.solve(problem, workspace, result);
    ++solves_;
  }

 private:
  const InclusionSolver& of_;
  PhaseClock& clock_;
  long& solves_;
};

class TimedRecorder final : public Recorder {
 public:
  TimedRecorder(Recorder& recorder, PhaseClock& clock) : of_(recorder), clock_(clock) {}
  void step(const System& system, const StepView& view) override {
    const Within recording(clock_, &StepTimes::recording);
    of_.step(system, view);
  }

 private:
  Recorder& of_;
  PhaseClock& clock_;
};

}  // namespace timed

using timed::Within;

struct MeasuredRun::Parts {
  timed::PhaseClock clock;
  long solves = 0;
  timed::TimedSystem system;
  timed::TimedScheme scheme;
  timed::TimedSolver solver;
  Stepper stepper;

  Parts(const System& system, const Scheme& scheme, const InclusionSolver& solver, const State& start,
        const SimulationOptions& options)
      : system(system, clock),
        scheme(scheme, clock),
        solver(solver, clock, solves),
        stepper(this->system, this->scheme, this->solver, start, options) {}
};

MeasuredRun::MeasuredRun(const System& system, const Scheme& scheme, const InclusionSolver& solver, const State& start,
                         const SimulationOptions& options)
    : parts_(std::make_unique<Parts>(system, scheme, solver, start, options)) {}
MeasuredRun::~MeasuredRun() = default;

bool MeasuredRun::step(Recorder* recorder) {
  const Within rest(parts_->clock, &StepTimes::audit);
  if (recorder == nullptr) return parts_->stepper.step();
  timed::TimedRecorder measured(*recorder, parts_->clock);
  return parts_->stepper.step(&measured);
}

const StepTimes& MeasuredRun::times() const { return parts_->clock.times(); }
const Stepper& MeasuredRun::stepper() const { return parts_->stepper; }
long MeasuredRun::solves() const { return parts_->solves; }

}  // namespace carom::inline simulation
