#include "carom/study/reproduce/published_run.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/base/errors.h"

namespace carom::inline study {

namespace {

class Tracer final : public Recorder {
 public:
  Tracer(Trace& trace, long every) : trace_(trace), every_(every) {}

  void begin(const System& system, const State& start) override {
    trace_.q.resize(static_cast<std::size_t>(system.nq()));
    trace_.v.resize(static_cast<std::size_t>(system.nv()));
    measure(system, start);
    if (const Energetics* energetics = system.energetics()) {
      trace_.kinetic.push_back(energetics->kinetic_energy(start.t, start.q, start.v));
      trace_.potential.push_back(energetics->potential_energy(start.t, start.q));
    }
    trace_.impact_loss.push_back(0.0);
    trace_.scheme_residual.push_back(0.0);
    trace_.position_multiplier.push_back(0.0);
    trace_.impact.push_back(0.0);
  }

  void step(const System& system, const StepView& view) override {
    if (trace_.first_impact == 0.0)
      for (const StepContact& contact : view.result.contacts)
        if (view.result.impulse[contact.row] > 0.0) trace_.first_impact = view.result.next.t;
    if (view.step % every_ != 0) return;
    measure(system, view.result.next);
    for (const StepContact& contact : view.result.contacts) {
      const std::size_t k = number_of(system, contact.constraint);
      double square = 0.0;
      for (Index i = 1; i < contact.constraint.law->dim(); ++i)
        square += std::pow(view.result.impulse[contact.row + i], 2);
      trace_.normal_impulse[k].back() = view.result.impulse[contact.row];
      trace_.friction_impulse[k].back() = std::sqrt(square);
    }
    trace_.kinetic.push_back(view.audit.kinetic);
    trace_.potential.push_back(view.audit.potential);
    trace_.impact_loss.push_back(view.audit.impact_loss);
    trace_.scheme_residual.push_back(view.audit.scheme_residual);
    trace_.position_multiplier.push_back(view.result.largest_position_multiplier);
    trace_.impact.push_back(view.result.impact ? 1.0 : 0.0);
  }

 private:
  void measure(const System& system, const State& state) {
    trace_.t.push_back(state.t);
    for (std::size_t i = 0; i < trace_.q.size(); ++i) trace_.q[i].push_back(state.q[static_cast<Index>(i)]);
    for (std::size_t i = 0; i < trace_.v.size(); ++i) trace_.v[i].push_back(state.v[static_cast<Index>(i)]);

    system.detect(state.t, state.q, state.v, 0.0, contacts_);
    all_.reset(contacts_);
    all_.add_all();
    system.evaluate(state.t, state.q, state.v, Need::gap | Need::jacobian, all_, evaluation_);
    rates_.resize(all_.rows());
    evaluation_.W.transpose_multiply(state.v.data(), rates_.data());
    for (std::vector<Trace::Series>* all : {&trace_.gap, &trace_.gap_rate})
      for (Trace::Series& series : *all) series.push_back(NAN);
    for (std::vector<Trace::Series>* all : {&trace_.normal_impulse, &trace_.friction_impulse})
      for (Trace::Series& series : *all) series.push_back(0.0);
    Index row = 0;
    for (const Constraint& constraint : contacts_.constraints) {
      const std::size_t k = number_of(system, constraint);
      trace_.gap[k].back() = evaluation_.g[row];
      trace_.gap_rate[k].back() = rates_[row] + evaluation_.chi[row];
      row += constraint.law->dim();
    }
  }

  // One that comes later has a past without numbers.
  std::size_t number_of(const System& system, const Constraint& constraint) {
    for (std::size_t k = 0; k < ids_.size(); ++k)
      if (ids_[k] == constraint.id) return k;
    ids_.push_back(constraint.id);
    trace_.names.push_back(system.constraint_name(constraint));
    for (std::vector<Trace::Series>* all : {&trace_.gap, &trace_.gap_rate}) all->emplace_back(trace_.t.size(), NAN);
    for (std::vector<Trace::Series>* all : {&trace_.normal_impulse, &trace_.friction_impulse})
      all->emplace_back(trace_.t.size(), 0.0);
    return ids_.size() - 1;
  }

  Trace& trace_;
  const long every_;
  std::vector<decltype(Constraint::id)> ids_;
  ContactSet contacts_;
  ActiveSet all_;
  Evaluation evaluation_;
  Buffer rates_;
};

}  // namespace

std::size_t Trace::constraint(std::string_view name) const {
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == name) return k;
  throw LogicError(fmt::format("no constraint '{}' was listed", name));
}

SimulationSummary summarize_run(const PublishedRun& run, bool audit, Recorder* recorder) {
  const auto scheme = make_scheme(run.scheme, run.parameters);
  const auto solver = make_solver("automatic");
  SimulationOptions options;
  options.dt = run.dt;
  options.t_end = run.t_end;
  options.audit = audit;
  SimulationSummary summary = simulate(*run.model.system, *scheme, *solver, run.model.initial, options, recorder);
  if (summary.outcome != Outcome::finished)
    throw RunFailure(fmt::format("{} with a step of {:g} s: {}", run.scheme, run.dt, summary.advice));
  return summary;
}

Trace trace_run(const PublishedRun& run, long every) {
  Trace trace;
  Tracer tracer(trace, every);
  trace.summary = summarize_run(run, true, &tracer);
  return trace;
}

}  // namespace carom::inline study
