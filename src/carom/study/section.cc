#include "carom/study/section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

#include "carom/base/errors.h"
#include "carom/io/channel_recorder.h"
#include "carom/io/channels.h"
#include "carom/simulation/stepper.h"

namespace carom::inline study {

namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& what, const ExpressionError& error) {
  throw InputError({"E0161", fmt::format("{}: {}", what, error.what()), {}, error.hint(), {}, 0, 0, {}});
}

// One formula or two, at moments.
class Probe final : public Recorder {
 public:
  Probe(const Scenario& scenario, const SectionOptions& options)
      : options_(options), channels_(*scenario.model.system, scenario.model.initial, formula_context(scenario)) {
    const auto formula = [&](const std::string& word, const std::string& text) {
      try {
        Expression expression(text);
        channels_.need(expression);
        return expression;
      } catch (const ExpressionError& error) {
        refuse(word, error);
      }
    };
    show_ = formula("--show " + options.show, options.show);
    if (!options.against.empty()) against_ = formula("--against " + options.against, options.against);
    if (options.period.empty())
      pushes_ = formula("--impacts", options.contact.empty() ? "max(contact.impulse_normal)"
                                                             : "max('" + options.contact + ".impulse_normal')");
  }

  double period() const {
    try {
      return Expression(options_.period).evaluate(channels_).data[0];
    } catch (const ExpressionError& error) {
      refuse("--section " + options_.period, error);
    }
  }

  void take(const State& state, const StepAudit& energy, const Auditor& auditor, const StepResult* result) {
    channels_.clear();
    channels_.sample({state, result, energy, auditor});
    if (++seen_ <= options_.skip) return;
    values.push_back(show_.evaluate(channels_, Expression::Scope::instant)[0]);
    if (against_) across.push_back(against_->evaluate(channels_, Expression::Scope::instant)[0]);
  }

  // Of impacts: every step in which the contact closes.
  void step(const System&, const StepView& view) override {
    channels_.clear();
    channels_.sample({view.result.next, &view.result, view.audit, *view.auditor, &view.before});
    const bool closed = pushes_->evaluate(channels_, Expression::Scope::instant)[0] > 0.0;
    if (closed && !closed_) take(view.result.next, view.audit, *view.auditor, &view.result);
    closed_ = closed;
  }

  std::vector<double> values, across;

 private:
  const SectionOptions& options_;
  Channels channels_;
  Expression show_;
  std::optional<Expression> against_, pushes_;
  int seen_ = 0;
  bool closed_ = false;
};

class Diagram {
 public:
  Diagram(const ScenarioMaker& make, const SectionOptions& options) : make_(make), options_(options) {
    for (const std::string& value : options.axis.values) parameters_.push_back(std::strtod(value.c_str(), nullptr));
  }

  Section run(Workers& workers) {
    const std::size_t n = parameters_.size();
    Probe(scenario(0), options_);  // names that mean nothing are found before anything is run
    if (!options_.period.empty()) Probe(scenario(0), options_).period();
    std::vector<std::size_t> tasks;
    const bool chains = options_.follow != Follow::none;
    if (options_.follow != Follow::backward) tasks.push_back(0);
    if (options_.follow == Follow::backward || options_.follow == Follow::both) tasks.push_back(1);
    if (!chains) {
      tasks.resize(n);
      for (std::size_t i = 0; i < n; ++i) tasks[i] = i;
    }
    runs_ = chains ? n * tasks.size() : n;
    std::map<std::size_t, std::string> answers;
    workers.run(
        tasks, [&](std::size_t task) { return chains ? follow(task == 1) : one(task); },
        [&](std::size_t task, const std::string& answer) { answers[task] = answer; }, options_.interrupt);
    Section section{options_.axis.name, options_.show, options_.against, {}, options_.interrupt && *options_.interrupt};
    for (const auto& [task, answer] : answers)
      for (const Json& run : Json::parse(answer)) {
        SectionRun& next = section.runs.emplace_back();
        next.parameter = run.at("p");
        next.backward = chains && task == 1;
        next.trouble = run.at("trouble");
        const auto read = [](const Json& list, std::vector<double>& to) {
          for (const Json& x : list) to.push_back(x.is_null() ? std::nan("") : x.get<double>());
        };
        read(run.at("x"), next.values);
        read(run.at("across"), next.across);
      }
    std::stable_sort(section.runs.begin(), section.runs.end(), [](const SectionRun& a, const SectionRun& b) {
      return std::pair(a.backward, a.parameter) < std::pair(b.backward, b.parameter);
    });
    return section;
  }

 private:
  Scenario scenario(std::size_t i) const { return make_({{options_.axis.name, options_.axis.values[i]}}); }

  std::string one(std::size_t i) const { return Json::array({run(i, nullptr, nullptr)}).dump(); }

  std::string follow(bool backward) const {
    Json list = Json::array();
    State last, start_before;
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      if (options_.interrupt && *options_.interrupt) break;
      list.push_back(run(backward ? parameters_.size() - 1 - k : k, &last, &start_before));
    }
    return list.dump();
  }

  // `last`: the state to go on from, and then where this run ended; `start`: what the value before began with.
  Json run(std::size_t i, State* last, State* start) const {
    Json json = {{"p", parameters_[i]}, {"x", Json::array()}, {"across", Json::array()}, {"trouble", ""}};
    try {
      Scenario scenario = this->scenario(i);
      State& initial = scenario.model.initial;
      if (last) {
        const State own = initial;
        if (last->q.size() > 0) carry(*last, *start, initial);
        *start = own;
      }
      Probe probe(scenario, options_);
      const auto scheme = make_scheme(scenario);
      const auto solver = make_solver(scenario);
      SimulationOptions settings = simulation_options(scenario);
      settings.interrupt = options_.interrupt;
      const double period = options_.period.empty() ? 0.0 : probe.period();
      const int points = options_.skip + options_.keep;
      if (!options_.period.empty()) {
        if (!(period > 0.0))
          throw InputError({"E0161", "--section: the period must be positive", {}, {}, {}, 0, 0, {}});
        settings.t_end = initial.t + period * points;
        settings.dt = period / std::ceil(period / settings.dt - 1e-9);
        settings.grid_origin = initial.t;
      }
      Stepper stepper(*scenario.model.system, *scheme, *solver, initial, settings);
      bool fine = true;
      if (options_.period.empty()) {
        while (static_cast<int>(probe.values.size()) < options_.keep && (fine = stepper.step(&probe))) {
        }
        fine = stepper.outcome() == Outcome::finished;
      } else {
        for (int k = 1; k <= points && fine; ++k) {
          fine = stepper.advance(initial.t + period * k);
          if (fine) probe.take(stepper.state(), stepper.step_audit(), stepper.auditor(), nullptr);
        }
      }
      if (!fine) json["trouble"] = stepper.so_far().advice;
      for (const double x : probe.values) json["x"].push_back(std::isfinite(x) ? Json(x) : Json(nullptr));
      for (const double x : probe.across) json["across"].push_back(std::isfinite(x) ? Json(x) : Json(nullptr));
      if (last) *last = fine ? stepper.state() : State{};
    } catch (const InputError& error) {
      json["trouble"] = error.problems().empty() ? error.what() : error.problems().front().message;
      if (last) *last = State{};
    }
    count(!json["trouble"].get<std::string>().empty());
    return json;
  }

  // Entries of the start that are the same for both values are not the parameter's: they go on.
  static void carry(const State& last, const State& start_before, State& initial) {
    const auto each = [](const Vector& from, const Vector& before, Vector& to) {
      for (Index k = 0; k < to.size(); ++k)
        if (before[k] == to[k]) to[k] = from[k];
    };
    each(last.q, start_before.q, initial.q);
    each(last.v, start_before.v, initial.v);
  }

  void count(bool failed) const {
    const std::lock_guard lock(mutex_);
    ++done_;
    failed_ += failed;
    if (options_.progress) options_.progress({done_, runs_, failed_});
  }

  const ScenarioMaker& make_;
  const SectionOptions& options_;
  std::vector<double> parameters_;
  std::size_t runs_ = 0;
  mutable std::mutex mutex_;
  mutable std::size_t done_ = 0, failed_ = 0;
};

}  // namespace

Section section(const ScenarioMaker& make, const SectionOptions& options, Workers& workers) {
  return Diagram(make, options).run(workers);
}

CsvTable table_of(const Section& section) {
  CsvTable table{{}, {{section.parameter, {}}, {section.show, {}}, {"backward", {}}}};
  if (!section.against.empty()) table.columns.push_back({section.against, {}});
  for (const SectionRun& run : section.runs)
    for (std::size_t i = 0; i < run.values.size(); ++i) {
      table.columns[0].values.push_back(run.parameter);
      table.columns[1].values.push_back(run.values[i]);
      table.columns[2].values.push_back(run.backward ? 1.0 : 0.0);
      if (!section.against.empty()) table.columns[3].values.push_back(run.across.at(i));
    }
  return table;
}

Picture picture_of(const Section& section, const std::string& title) {
  Panel panel{title, {section.parameter}, {section.show}, {}};
  for (const bool backward : {false, true}) {
    Curve curve{backward ? "backward" : "forward", {}, {}, CurveStyle::dots};
    for (const SectionRun& run : section.runs) {
      if (run.backward != backward) continue;
      curve.x.insert(curve.x.end(), run.values.size(), run.parameter);
      curve.y.insert(curve.y.end(), run.values.begin(), run.values.end());
    }
    if (!curve.x.empty()) panel.curves.push_back(std::move(curve));
  }
  if (panel.curves.size() == 1) panel.curves[0].label.clear();
  return {{}, {panel}, 1};
}

std::vector<Panel> portraits_of(const Section& section, std::size_t most) {
  std::vector<Panel> panels;
  if (section.against.empty()) return panels;
  std::vector<double> parameters;
  for (const SectionRun& run : section.runs)
    if (!run.values.empty()) parameters.push_back(run.parameter);
  std::sort(parameters.begin(), parameters.end());
  parameters.erase(std::unique(parameters.begin(), parameters.end()), parameters.end());
  const std::size_t n = std::min(most, parameters.size());
  for (std::size_t k = 0; k < n; ++k) {
    const double parameter = parameters[n > 1 ? k * (parameters.size() - 1) / (n - 1) : 0];
    Panel panel{fmt::format("{} = {:.5g}", section.parameter, parameter), {section.against}, {section.show}, {}};
    for (const SectionRun& run : section.runs)
      if (run.parameter == parameter && !run.values.empty())
        panel.curves.push_back({run.backward ? "backward" : "forward", run.across, run.values, CurveStyle::points});
    if (panel.curves.size() == 1) panel.curves[0].label.clear();
    panels.push_back(std::move(panel));
  }
  return panels;
}

int period_of(const SectionRun& run, double tolerance) {
  const std::vector<double>& x = run.values;
  double scale = 0.0;
  for (const double value : x) scale = std::max(scale, std::abs(value));
  for (std::size_t p = 1; 2 * p <= x.size(); ++p) {
    bool repeats = true;
    for (std::size_t k = p; k < x.size() && repeats; ++k) repeats = std::abs(x[k] - x[k - p]) <= tolerance * scale;
    if (repeats) return static_cast<int>(p);
  }
  return 0;
}

}  // namespace carom::inline study
