#include "carom/study/converge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/errors.h"
#include "carom/io/scheme_word.h"
#include "carom/study/converge_reference.h"
#include "carom/study/jitter.h"
#include "carom/study/located_reference.h"

namespace carom::inline study {

namespace {

// Two motions whose starts differ by a little are called chaotic if they get this many times further
// apart. Impacts alone amplify by tens: a moment later at the floor, a different flight.
constexpr double chaotic_growth = 1e3;

// Rounding of a run of n steps, relative to the size of what is computed: a random walk, with room.
double rounding(double size, long n) {
  return 100.0 * std::numeric_limits<double>::epsilon() * size * std::sqrt(static_cast<double>(n));
}

// What happened at the constraints of a run, and how far it was from the reference.
class RunObserver : public Recorder {
 public:
  RunObserver(const System& system, const Motion& reference, const Vector& weights, double duration)
      : meter_(system, reference, weights, duration) {}

  void begin(const System&, const State& start) override { meter_.begin(start); }
  void step(const System&, const StepView& view) override {
    const StepResult& result = view.result;
    meter_.step(result.next, result.dt_taken);
    now_.clear();
    for (const StepContact& contact : result.contacts) {
      if (contact.constraint.bilateral)
        joints = true;
      else if (result.impulse[contact.row] > 0.0)
        now_.emplace_back(contact.constraint.id, slides(contact, result));
    }
    contacts = contacts || !now_.empty();
    if (view.step > 1) changes = changes || now_ != before_;
    std::swap(now_, before_);
  }

  MotionErrors errors() const { return meter_.finish(); }
  bool joints = false, contacts = false;
  bool changes = false;  // a contact began or ceased to push, to stick or to slide

 private:
  bool slides(const StepContact& contact, const StepResult& result) const {
    double sliding = 0.0, all = 0.0;
    for (Index i = 0; i < contact.constraint.law->dim(); ++i) {
      const double speed = std::abs(result.gamma_plus[contact.row + i]);
      if (i > 0) sliding = std::max(sliding, speed);
      all = std::max({all, speed, std::abs(result.gamma_minus[contact.row + i])});
    }
    return sliding > 1e-9 * all;
  }

  ErrorMeter meter_;
  std::vector<std::pair<ConstraintId, bool>> now_, before_;  // who pushes, and whether it slides
};

// Stores the end of every step, to compare two runs with the same step.
class Track : public Recorder {
 public:
  void begin(const System&, const State& start) override { add(start); }
  void step(const System&, const StepView& view) override { add(view.result.next); }

  std::vector<double> times;
  std::vector<Vector> q;

 private:
  void add(const State& state) {
    times.push_back(state.t);
    q.push_back(state.q);
  }
};

class Study {
 public:
  Study(const Scenario& scenario, const ConvergeOptions& options,
        const std::function<void(const ConvergeProgress&)>& before_run)
      : scenario_(scenario),
        options_(options),
        before_run_(before_run),
        system_(*scenario.model.system),
        solver_(make_solver(scenario)),
        weights_(kinetic_weights(system_, scenario.model.initial)) {}

  ConvergeReport run() {
    report_.from = options_.from;
    report_.until = options_.until;
    make_reference();
    report_.reference = reference_.description;
    report_.reference_complete = reference_.complete;
    if (interrupted()) report_.interrupted = "reference";
    if (!reference_.complete || interrupted()) return std::move(report_);
    report_.position_size = reference_.motion.position_size;
    report_.velocity_size = reference_.motion.velocity_size;
    for (const std::string& name : options_.schemes) {
      report_.schemes.push_back(measure(name));
      if (!report_.interrupted.empty()) break;
    }
    if (report_.interrupted.empty()) look_for_chaos();
    for (ConvergeScheme& scheme : report_.schemes) judge(scheme);
    return std::move(report_);
  }

 private:
  bool interrupted() const { return options_.interrupt && options_.interrupt->load(std::memory_order_relaxed); }
  void announce(const std::string& scheme, double dt) const {
    if (before_run_) before_run_({scheme, dt});
  }

  double duration() const { return options_.until - options_.from; }
  double shortest() const { return *std::min_element(options_.steps.begin(), options_.steps.end()); }

  // The window's start is where the reference is then.
  void make_reference() {
    start_ = scenario_.model.initial;
    if (scenario_.model.exact) {
      start_.t = options_.from;
      if (options_.from > 0.0) scenario_.model.exact(options_.from, start_.q, start_.v);
      reference_ = exact_reference(scenario_, start_, options_.until, weights_);
      return;
    }
    if (!options_.reference_scheme.empty()) return make_reference(options_.reference_scheme);
    std::vector<std::string> candidates;
    for (const std::string& word : options_.schemes)
      if (!untreated(scenario_, parse_scheme_word(word))) candidates.push_back(word);
    const auto order = [&](const std::string& word) {
      return orders_of(scenario_, parse_scheme_word(word)).persistent;
    };
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](const std::string& a, const std::string& b) { return order(a) > order(b); });
    reference_.complete = false;
    reference_.description = "none of the schemes can run the model";
    for (const std::string& candidate : candidates) {
      make_reference(candidate);
      if (reference_.complete || interrupted()) return;
    }
  }

  void make_reference(const std::string& scheme) {
    start_ = scenario_.model.initial;
    const bool located = parse_scheme_word(scheme).entry->promises.event_driven;
    const double dt = options_.reference_step > 0.0 ? options_.reference_step
                      : located                     ? duration() / located_points
                                                    : shortest() / 8.0;
    announce("reference", dt);
    if (options_.from > 0.0) {
      const ReachedState reached = run_to(scenario_, scheme, dt, options_.from, options_.interrupt);
      reference_.complete = reached.trouble.empty();
      reference_.description = reached.trouble;
      if (!reference_.complete) return;
      start_ = reached.state;
    }
    reference_ = (located ? located_reference : run_reference)(scenario_, start_, scheme, dt, options_.until, weights_,
                                                               options_.interrupt);
  }

  SimulationOptions simulation(double dt) const {
    SimulationOptions options = simulation_options(scenario_);
    options.dt = dt;
    options.t_end = options_.until;
    options.grid_origin = options_.from;
    options.interrupt = options_.interrupt;
    return options;
  }

  ConvergeScheme measure(const std::string& name) {
    ConvergeScheme result;
    result.scheme = name;
    const SchemeWord word = parse_scheme_word(name);
    if (const auto what = untreated(scenario_, word)) {
      result.remark = fmt::format("does not treat {}", to_text(*what));
      result.verdict = ConvergeVerdict::refused;
      return result;
    }
    const auto scheme = make_scheme(scenario_, name);
    bool joints = false, contacts = false, changes = false;
    for (const double dt : options_.steps) {
      announce(name, dt);
      RunObserver observer(system_, reference_.motion, weights_, duration());
      const SimulationSummary summary = simulate(system_, *scheme, *solver_, start_, simulation(dt), &observer);
      if (summary.outcome == Outcome::interrupted) {
        report_.interrupted = name;
        break;
      }
      ConvergeRun run;
      run.dt = dt;
      run.finished = summary.outcome == Outcome::finished;
      if (run.finished)
        run.errors = observer.errors();
      else if (result.remark.empty())
        result.remark = summary.advice;
      run.deepest_gap = summary.audit.deepest_gap;
      run.normal_impulse = summary.audit.normal_impulse;
      run.steps = summary.steps;
      run.failed_steps = summary.failed_steps;
      run.step_seconds = summary.step_seconds;
      result.runs.push_back(run);
      joints = joints || observer.joints;
      contacts = contacts || observer.contacts;
      changes = changes || observer.changes;
    }
    const Orders orders = orders_of(scenario_, word);
    const bool impacts = contacts && changes;
    result.phase = impacts ? "impacts" : joints || contacts ? "persistent constraints" : "free flight";
    result.declared = impacts              ? std::min(orders.impact, orders.persistent)
                      : joints || contacts ? orders.persistent
                                           : orders.free_flight;
    fit(result);
    return result;
  }

  void fit(ConvergeScheme& scheme) const {
    for (const ErrorNorm& norm : error_norms()) {
      const bool of_position = norm.value == &MotionErrors::position_max || norm.value == &MotionErrors::position_mean;
      const double size = of_position ? report_.position_size : report_.velocity_size;
      std::vector<double> steps, errors, roundings;
      for (const ConvergeRun& run : scheme.runs) {
        if (!run.finished) continue;
        steps.push_back(run.dt);
        errors.push_back(run.errors.*norm.value);
        roundings.push_back(rounding(size, run.steps));
      }
      scheme.orders.push_back(fit_order(steps, errors, roundings));
    }
  }

  // Two runs of the first scheme that can, whose starts differ by a few of the shortest steps' worth of
  // motion: less would drown in the step in which an impact happens to be seen.
  void look_for_chaos() {
    const auto able = std::find_if(report_.schemes.begin(), report_.schemes.end(),
                                   [](const ConvergeScheme& s) { return !s.runs.empty() && s.runs.back().finished; });
    if (able == report_.schemes.end()) return;
    const double dt = options_.steps[options_.steps.size() / 2];
    const double size = std::max(report_.position_size, report_.velocity_size * duration());
    const double distance = std::min(1e-3, 10.0 * dt / duration()) * size;
    if (!(distance > 0.0)) return;
    const auto scheme = make_scheme(scenario_, able->scheme);
    State nudged = start_;
    // Along the motion at first and sideways a little, so that no contact is pushed into.
    Vector direction = nudged.v;
    for (Index i = 0; i < direction.size(); ++i) direction[i] += 0.1 * report_.velocity_size / (1.0 + i);
    const double length = direction.cwiseProduct(weights_).norm();
    if (!(length > 0.0)) return;
    nudged.v += direction * (distance / duration() / length);
    const double velocity_change = distance / duration();

    SimulationOptions options = simulation(dt);
    options.audit = false;
    Track track, nudged_track;
    announce(able->scheme, dt);
    simulate(system_, *scheme, *solver_, start_, options, &track);
    simulate(system_, *scheme, *solver_, nudged, options, &nudged_track);
    if (interrupted()) {
      report_.interrupted = "the look at neighbouring motions";
      return;
    }
    Vector d;
    double farthest = 0;
    const std::size_t n = std::min(track.q.size(), nudged_track.q.size());
    for (std::size_t k = 0; k < n; ++k) {
      if (track.times[k] != nudged_track.times[k]) break;
      system_.difference(track.q[k], nudged_track.q[k], d);
      farthest = std::max(farthest, d.cwiseProduct(weights_).norm());
    }
    report_.growth = farthest / (velocity_change * duration());
    report_.chaotic = report_.growth > chaotic_growth;
  }

  void judge(ConvergeScheme& scheme) const {
    using Quality = OrderFit::Quality;
    if (scheme.verdict == ConvergeVerdict::refused) return;
    if (!report_.interrupted.empty()) {
      scheme.remark = "interrupted before it was judged";
      return;
    }
    if (parse_scheme_word(scheme.scheme).entry->promises.event_driven && scheme.remark.empty()) {
      scheme.remark = "its errors are set by its tolerances, not by the step";
      return;
    }
    if (std::any_of(scheme.runs.begin(), scheme.runs.end(), [](const ConvergeRun& r) { return !r.finished; })) {
      scheme.verdict = ConvergeVerdict::failed;
      return;
    }
    if (report_.chaotic) {
      scheme.remark = fmt::format(
          "neighbouring motions get {:.0f} times further apart within {:.4g} s: errors say "
          "nothing about orders; shorten the time with --until",
          report_.growth, report_.until);
      return;
    }
    bool slower = false, faster = false, stated = false;
    for (std::size_t i = 0; i < scheme.orders.size(); ++i) {
      const OrderFit& fit = scheme.orders[i];
      if (!error_norms()[i].judged) {
        slower = slower || (fit.quality == Quality::fitted && fit.order <= 0.0);  // must fall, at any rate
        continue;
      }
      if (fit.quality == Quality::exact) faster = true;
      if (fit.quality == Quality::scattered || fit.quality == Quality::too_few) {
        scheme.remark = "the errors do not lie on a line: take more steps, or smaller ones";
        return;
      }
      if (fit.quality != Quality::fitted) continue;
      stated = true;
      slower = slower || fit.order < scheme.declared - options_.tolerance;
      faster = faster || fit.order > scheme.declared + options_.tolerance;
    }
    if (!stated) {
      scheme.remark = "errors are at the level of rounding for every step: there is no order to measure";
      return;
    }
    scheme.verdict = slower ? ConvergeVerdict::failed : faster ? ConvergeVerdict::better : ConvergeVerdict::met;
    if (slower)
      scheme.remark = fmt::format("falls more slowly than the declared order {} in {}", scheme.declared, scheme.phase);
  }

  const Scenario& scenario_;
  const ConvergeOptions& options_;
  const std::function<void(const ConvergeProgress&)>& before_run_;
  const System& system_;
  std::unique_ptr<InclusionSolver> solver_;
  Vector weights_;
  State start_;
  StudyReference reference_;
  ConvergeReport report_;
};

}  // namespace

const char* to_text(ConvergeVerdict verdict) {
  switch (verdict) {
    case ConvergeVerdict::met: return "met";
    case ConvergeVerdict::better: return "better";
    case ConvergeVerdict::failed: return "failed";
    case ConvergeVerdict::no_statement: return "no statement";
    case ConvergeVerdict::refused: return "refused";
  }
  return "";
}

bool ConvergeReport::fine() const {
  return reference_complete && std::none_of(schemes.begin(), schemes.end(), [](const ConvergeScheme& scheme) {
           return scheme.verdict == ConvergeVerdict::failed;
         });
}

ConvergeOptions default_converge_options(const Scenario& scenario) {
  ConvergeOptions options;
  for (const SchemeEntry* entry : scheme_registry().entries())
    if (!entry->promises.event_driven)
      options.schemes.push_back(entry->name);  // no order in the step, and slow in short ones
  options.steps = jittered_steps(10.0 * scenario.simulation.step, 0.01 * scenario.simulation.step, 31);
  options.until = scenario.simulation.t_end;
  return options;
}

ConvergeReport converge(const Scenario& scenario, const ConvergeOptions& options,
                        const std::function<void(const ConvergeProgress&)>& before_run) {
  if (options.steps.empty() || !(options.from >= 0.0) || !(options.until > options.from))
    throw LogicError("converge: no steps, or no time");
  return Study(scenario, options, before_run).run();
}

std::string to_csv(const ConvergeReport& report) {
  std::string csv = "scheme,step";
  for (const ErrorNorm& norm : error_norms()) csv += fmt::format(",{}", norm.name);
  csv += ",deepest_gap,normal_impulse,steps,failed_steps,step_seconds\n";
  for (const ConvergeScheme& scheme : report.schemes) {
    for (const ConvergeRun& run : scheme.runs) {
      csv += fmt::format("{},{}", scheme.scheme, run.dt);
      for (const ErrorNorm& norm : error_norms())
        csv += run.finished ? fmt::format(",{}", run.errors.*norm.value) : std::string(",");
      csv += fmt::format(",{},{},{},{},{}\n", run.deepest_gap, run.normal_impulse, run.steps, run.failed_steps,
                         run.step_seconds);
    }
  }
  return csv;
}

}  // namespace carom::inline study
