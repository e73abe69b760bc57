// Joints whose forces point as they do at the end of a step turn velocities and shorten them: a step h begins with the
// velocity -h zeta = -h W''v in the directions of its end, against which the joints' impulse h lambda, with
// W'M^-1 W lambda = zeta + W'M^-1 f, does the work -h^2/2 zeta' lambda. On a trial run of few long steps, with a scheme
// that does not lose, this is summed up; a body that turns freely loses x/(1 + x) of its energy if the sum is x of it.
// At omega on a circle a run of T loses about omega^2 h T: below a small share of that nothing is tried. Explicit
// schemes are unstable from h sqrt(k/m) = 2 on; half of that is told.
#include "carom/io/foreseen.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include "carom/base/dense_solve.h"
#include "carom/base/errors.h"
#include "carom/base/iteration_matrix.h"
#include "carom/io/default_choices.h"
#include "carom/io/quantity_text.h"
#include "carom/io/time_scales.h"

namespace carom::inline io {

namespace {

constexpr double told_loss = 0.05;  // of the energy

class JointLoss final : public Recorder {
 public:
  JointLoss(double step, long most) : step_(step), most_(most) {}
  std::atomic<bool> stop = false;
  double share() const { return kinetic_ > 0.0 ? lost_ / kinetic_ : 0.0; }

  void begin(const System& system, const State& start) override {
    if (const Energetics* energy = system.energetics()) kinetic_ = energy->kinetic_energy(start.t, start.q, start.v);
  }
  void step(const System& system, const StepView& view) override {
    const State& x = view.result.next;
    system.detect(x.t, x.q, x.v, 0.0, contacts_);
    joints_.reset(contacts_);
    for (Index k = 0; k < contacts_.size(); ++k)
      if (contacts_[k].bilateral && contacts_[k].position_rows == contacts_[k].law->dim()) joints_.add(k);
    if (view.step >= most_) stop = true;
    kinetic_ = std::max(kinetic_, view.audit.kinetic);
    if (joints_.empty()) return;
    system.evaluate(x.t, x.q, x.v, Need::inertia | Need::force | Need::jacobian | Need::convective, joints_, at_);
    M_.factor(at_.M);
    at_.W.to_columns(system.nv(), columns_);
    const Matrix W = ConstMatrixMap(columns_.data(), system.nv(), at_.W.rows());
    Matrix through = W;
    for (Index r = 0; r < W.cols(); ++r) M_.solve(through.col(r).data());
    Vector free = at_.h, pull(W.cols());
    M_.solve(free.data());
    const Vector zeta = at_.zeta.vec();
    pull = zeta + W.transpose() * free;
    const Vector force = least_norm_solution(W.transpose() * through, pull).X.col(0);
    lost_ += 0.5 * step_ * view.result.dt_taken * zeta.dot(force);
  }

 private:
  double step_, lost_ = 0.0, kinetic_ = 0.0;
  long most_;
  ContactSet contacts_;
  ActiveSet joints_;
  Evaluation at_;
  IterationMatrix M_;
  Buffer columns_;
};

// The share of the largest kinetic energy that joints take until t_end; none if a trial does not show it.
std::optional<double> joint_loss(const Scenario& scenario, double omega) {
  constexpr Index most_velocities = 30;        // a step of the trial costs their cube
  constexpr double steps = 256.0, turn = 0.1;  // rad a step of the trial
  constexpr double most_iterations = 50.0;     // of a contact problem: reading a file must not take long
  const SimulationSettings& settings = scenario.simulation;
  if (scenario.model.system->nv() > most_velocities) return std::nullopt;
  Scenario trial = scenario;
  trial.simulation.scheme = "ggl_unified";
  trial.simulation.scheme_parameters.clear();
  trial.simulation.step = std::max(settings.step, std::min(settings.t_end / steps, turn / omega));
  trial.simulation.t_end = std::min(settings.t_end, steps * trial.simulation.step);
  trial.simulation.on_failure = FailurePolicy::stop;
  try {
    check_scheme(trial);
    JointLoss loss(settings.step, static_cast<long>(4.0 * steps));
    SimulationOptions options = simulation_options(trial);
    options.interrupt = &loss.stop;
    options.on_missed = MissedPolicy::report;
    const auto solver = inclusion::make_solver("automatic", {{"tolerance", 1e-9}, {"max_iterations", most_iterations}});
    const SimulationSummary summary =
        simulate(*trial.model.system, *make_scheme(trial), *solver, trial.model.initial, options, &loss);
    if (summary.outcome != Outcome::finished) return std::nullopt;
    const double x = loss.share() * settings.t_end / trial.simulation.t_end;
    return x / (1.0 + x);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

bool has_play(const Model& model) {
  ContactSet contacts;
  model.system->detect(model.initial.t, model.initial.q, model.initial.v, 0.0, contacts);
  return std::any_of(contacts.constraints.begin(), contacts.constraints.end(),
                     [](const Constraint& c) { return !c.bilateral && c.clearance > 0.0; });
}

}  // namespace

std::vector<Foreseen> foresee(const Scenario& scenario) {
  std::vector<Foreseen> list;
  const System& system = *scenario.model.system;
  const SimulationSettings& settings = scenario.simulation;
  const auto known = scheme_registry().names();
  if (system.nv() == 0 || !(settings.step > 0.0) ||
      std::find(known.begin(), known.end(), settings.scheme) == known.end())
    return list;
  const SchemeEntry& scheme = scheme_registry().find(settings.scheme);
  if (scheme.promises.event_driven) return list;  // its step is its own
  const auto given = settings.scheme_parameters.find(scheme.name);
  const ParameterValues parameters = given == settings.scheme_parameters.end() ? ParameterValues{} : given->second;
  Orders orders = scheme.promises.orders;
  if (scheme.orders_with) orders = scheme.orders_with(Parameters(scheme.parameters, parameters, scheme.name));
  const bool loses = system.features().contains(Feature::joints) && orders.joint_energy < 2.0;
  const bool is_explicit = !scheme.promises.implicit_force;
  const bool play = has_play(scenario.model);
  if (!loses && !is_explicit && !play) return list;

  const TimeScales scales(scenario.model);
  if (const auto crossing = scales.crossing(); play && crossing.moved(settings.step) > crossing.clearance)
    list.push_back(
        {"simulation.step", "W0306",
         fmt::format("a step moves {} by {}, its clearance is {}", crossing.contact,
                     with_prefix(crossing.moved(settings.step), "m", 3), with_prefix(crossing.clearance, "m", 3)),
         fmt::format("step = \"{:.1g} s\" or less; or leave the step out", 0.25 * crossing.time())});
  // What springs do to a start may be held by other parts: then only what turns already is counted.
  if (const double omega = scales.swing() > 0.0 ? scales.turning() : scales.driven(); loses && omega > 0.0) {
    const double most = omega * omega * settings.step * settings.t_end;
    const auto tried = most > 0.2 * told_loss ? joint_loss(scenario, omega) : std::optional(0.0);
    const double share = tried.value_or(most / (1.0 + most));
    if (share > told_loss)
      list.push_back(
          {"simulation.scheme", "W0307",
           fmt::format("{} loses energy in joints in proportion to the step: {} {:.0f} % of the kinetic "
                       "energy by t_end (turning at {:.3g} rad/s)",
                       scheme.name, tried ? "about" : "up to", 100.0 * share, omega),
           offers_midpoints(scheme)
               ? fmt::format("simulation.{}.directions = \"midpoint\", or scheme = \"ggl_unified\"", scheme.name)
               : std::string("scheme = \"ggl_unified\", or a shorter step")});
  }
  if (const double omega = is_explicit ? scales.swing() : 0.0; settings.step * omega > 1.0)
    list.push_back(
        {"simulation.scheme", "W0308",
         fmt::format("{} is explicit in the forces, and the stiffest of them swings at {:.3g} rad/s: "
                     "{:.2g} rad a step",
                     scheme.name, omega, settings.step * omega),
         fmt::format("step = \"{:.1g} s\", or a scheme that keeps stiff forces (carom list schemes)", 0.2 / omega)});
  return list;
}

}  // namespace carom::inline io
