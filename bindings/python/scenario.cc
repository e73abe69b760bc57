// carom.Scenario: a model and what to do with it, loaded from a file or made from a builder; and runs of it.
#include "bindings.h"
#include "carom/carom.h"
#include "carom/io/stepped_run.h"
#include "carom/study/sweep.h"
#include "kept_run.h"
#include "own_law.h"
#include "own_scheme.h"

namespace carom::python {

namespace {

using namespace py::literals;
using SharedScenario = std::shared_ptr<Scenario>;

std::vector<Override> overrides_of(const std::vector<std::pair<std::string, std::string>>& list) {
  std::vector<Override> out;
  for (const auto& [key, value] : list) out.push_back({key, value});
  return out;
}

std::vector<NamedExpression> expressions_of(const std::vector<std::pair<std::string, std::string>>& list,
                                            const char* what) {
  std::vector<NamedExpression> out;
  for (const auto& [name, formula] : list) {
    try {
      out.push_back(measured(name, formula));
    } catch (const ExpressionError& error) {
      throw InputError({"E0614", std::string(what) + " " + name + ": " + error.what(), {}, error.hint(), {}, 0, 0, {}});
    }
  }
  return out;
}

// Calls Python functions as the run goes on: the progress every tenth of a second, a controller at every step or every
// so often.
class Companion final : public Recorder {
 public:
  Companion(MemoryRecorder& memory, ChannelRecorder& measured, SignalWatch& watch, py::object progress, double t_end)
      : memory_(memory),
        measured_(measured),
        watch_(watch),
        progress_(std::move(progress)),
        t_end_(t_end),
        show_(!progress_.is_none()) {}

  void begin(const System& system, const State& start) override {
    memory_.begin(system, start);
    measured_.begin(system, start);
  }
  void step(const System& system, const StepView& view) override {
    memory_.step(system, view);
    measured_.step(system, view);
    watch_.look();
    if (!show_ || view.step % 64 != 0) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    const py::gil_scoped_acquire lock;
    progress_(view.result.next.t, t_end_, view.step);
  }
  void end(const System& system, const State& last) override { memory_.end(system, last); }

 private:
  MemoryRecorder& memory_;
  ChannelRecorder& measured_;
  SignalWatch& watch_;
  py::object progress_;
  double t_end_;
  bool show_;
  std::chrono::steady_clock::time_point next_ = {};
};

struct Controller {
  std::string input;
  double every = 0.0;  // 0: every step
  py::function function;
};

// The loop of a run with controllers, or a scheme of one's own: no file.
SimulationSummary stepped(const Scenario& scenario, const std::vector<Controller>& controllers,
                          const py::object& own_scheme, SteppedRun*& view, const py::object& view_object,
                          Recorder& recorder, SignalWatch& watch) {
  SimulationOptions options = simulation_options(scenario);
  options.interrupt = &watch.flag();
  SteppedRun run(scenario, own_scheme.is_none() ? nullptr : make_own_scheme(own_scheme), options);
  struct Shown {  // also where a Python function throws
    SteppedRun*& view;
    ~Shown() { view = nullptr; }
  } shown{view};
  view = &run;
  std::vector<double> next(controllers.size(), scenario.model.initial.t);
  recorder.begin(*scenario.model.system, run.state());
  const double rounding = 1e-6 * scenario.simulation.step;
  const py::gil_scoped_release release;
  while (true) {
    if (!controllers.empty() && run.t() < scenario.simulation.t_end - rounding) {
      const py::gil_scoped_acquire lock;
      for (std::size_t i = 0; i < controllers.size(); ++i) {
        if (run.t() < next[i] - rounding) continue;
        run.set(controllers[i].input, controllers[i].function(view_object).cast<double>());
        if (controllers[i].every > 0.0)
          while (next[i] <= run.t() + rounding) next[i] += controllers[i].every;
      }
    }
    if (!run.step(&recorder)) break;
  }
  recorder.end(*scenario.model.system, run.state());
  return run.summary();
}

// What a controller sees: outputs by name.
struct ControllerView {
  SteppedRun* run = nullptr;
  SteppedRun& get() const {
    if (!run) throw py::value_error("the run is over");
    return *run;
  }
};

std::shared_ptr<KeptRun> run(const SharedScenario& scenario, double every,
                             const std::vector<std::pair<std::string, std::string>>& record, const std::string& out,
                             const py::object& progress,
                             const std::vector<std::tuple<std::string, double, py::function>>& controllers,
                             const py::object& own_scheme) {
  auto kept = std::make_shared<KeptRun>();
  kept->scenario = scenario;
  try {
    kept->memory = std::make_unique<MemoryRecorder>(*scenario, every, expressions_of(record, "record"));
  } catch (const ExpressionError& error) {
    throw InputError({"E0614", error.what(), {}, error.hint(), {}, 0, 0, {}});
  }
  SignalWatch watch;
  ChannelRecorder measured(*scenario);
  if (out.empty()) measured.need(scenario->measures);
  Companion companion(*kept->memory, measured, watch, progress, scenario->simulation.t_end);
  if (!out.empty() && controllers.empty() && own_scheme.is_none()) {
    const py::gil_scoped_release release;
    kept->report = run_scenario(*scenario, {.out = out, .interrupt = &watch.flag(), .also = &companion});
    return kept;
  }
  if (!out.empty()) throw py::value_error("a run with controllers or a scheme of one's own is kept in memory only");
  std::vector<Controller> list;
  for (const auto& [input, seconds, function] : controllers) list.push_back({input, seconds, function});
  ControllerView* seen = new ControllerView;
  const py::object view_object = py::cast(seen, py::return_value_policy::take_ownership);
  const auto begin = std::chrono::steady_clock::now();
  kept->report.summary = stepped(*scenario, list, own_scheme, seen->run, view_object, companion, watch);
  kept->report.measures = measured.measure(scenario->measures);
  kept->report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return kept;
}

py::dict check(const Scenario& scenario) {
  StartReport report;
  {
    const py::gil_scoped_release release;
    report = report_start(scenario);
  }
  py::dict gaps;
  for (const auto& gap : report.gaps) gaps[py::str(gap.name)] = gap.gap;
  py::list can;
  py::dict cannot;
  for (const auto& verdict : report.schemes) {
    if (verdict.untreated.empty())
      can.append(verdict.scheme);
    else
      cannot[py::str(verdict.scheme)] = verdict.untreated;
  }
  py::list warnings;
  for (const InputProblem& warning : scenario.warnings) warnings.append(describe(warning));
  return py::dict("coordinates"_a = report.coordinates, "velocities"_a = report.velocities, "joints"_a = report.joints,
                  "joint_rows"_a = report.joint_rows, "joint_rank"_a = report.joint_rank,
                  "redundant_joints"_a = report.redundant_joints, "gaps"_a = gaps, "kinetic"_a = report.kinetic,
                  "potential"_a = report.potential, "tried_steps"_a = report.tried_steps,
                  "approach_speed"_a = report.approach_speed, "fastest_contact"_a = report.fastest_contact,
                  "schemes"_a = can, "refused"_a = cannot, "warnings"_a = warnings);
}

}  // namespace

void bind_scenario(py::module_& module) {
  py::class_<ControllerView>(module, "ControllerView")
      .def("__getitem__", [](const ControllerView& v, const std::string& formula) { return v.get().get(formula); })
      .def_property_readonly("t", [](const ControllerView& v) { return v.get().t(); })
      .def_property_readonly("q", [](const ControllerView& v) { return v.get().state().q; })
      .def_property_readonly("v", [](const ControllerView& v) { return v.get().state().v; });

  py::class_<Scenario, SharedScenario>(module, "Scenario")
      .def_readonly("file", &Scenario::file)
      .def_readonly("name", &Scenario::name)
      .def_readonly("title", &Scenario::title)
      .def_property_readonly("parameters",
                             [](const Scenario& s) {
                               py::dict values;
                               for (const auto& [name, value] : numbers(s)) values[py::str(name)] = value;
                               return values;
                             })
      .def_property_readonly("inputs",
                             [](const Scenario& s) {
                               std::vector<std::string> names;
                               for (const Input& input : s.inputs) names.push_back(input.name);
                               return names;
                             })
      .def_property_readonly("settings",
                             [](const Scenario& s) {
                               return py::dict("t_end"_a = s.simulation.t_end, "step"_a = s.simulation.step,
                                               "scheme"_a = s.simulation.scheme, "solver"_a = s.simulation.solver);
                             })
      .def("resolved", [](const Scenario& s) { return resolved_json(s); })
      .def("check", &check)
      .def(
          "run",
          [](const SharedScenario& s, double every, const std::vector<std::pair<std::string, std::string>>& record,
             const std::string& out, const py::object& progress,
             const std::vector<std::tuple<std::string, double, py::function>>& controllers,
             const py::object& own_scheme) { return run(s, every, record, out, progress, controllers, own_scheme); },
          "every"_a = 0.0, "record"_a = std::vector<std::pair<std::string, std::string>>{}, "out"_a = "",
          "progress"_a = py::none(), "controllers"_a = std::vector<std::tuple<std::string, double, py::function>>{},
          "own_scheme"_a = py::none());

  module.def(
      "load",
      [](const std::string& file, const std::vector<std::pair<std::string, std::string>>& overrides) {
        return std::make_shared<Scenario>(read_scenario(file, overrides_of(overrides)));
      },
      "file"_a, "overrides"_a);
  module.def(
      "parse",
      [](const std::string& text, const std::vector<std::pair<std::string, std::string>>& overrides,
         const std::string& file) {
        return std::make_shared<Scenario>(parse_scenario(file, text, overrides_of(overrides)));
      },
      "text"_a, "overrides"_a, "file"_a);
  module.def(
      "scenario_of",
      [](const std::string& name, const ModelBuilder& builder, double t_end, double step, const std::string& scheme,
         const std::string& solver, const std::vector<std::pair<std::string, std::string>>& measures,
         const OwnLaws& laws) {
        SimulationSettings settings{.t_end = t_end, .step = step, .scheme = scheme_registry().find(scheme).name};
        settings.solver = solvers().find(solver).name;
        auto scenario = std::make_shared<Scenario>(scenario_of(name, with_own_laws(builder.build(), laws), settings));
        scenario->inputs = builder.inputs();
        scenario->measures = expressions_of(measures, "measure");
        check_scheme(*scenario);
        return scenario;
      },
      "name"_a, "builder"_a, "t_end"_a, "step"_a, "scheme"_a, "solver"_a, "measures"_a, "laws"_a);
  module.def("schemes", [] { return scheme_registry().names(); });
  module.def("solvers", [] { return solvers().names(); });
}

void bind_stepper(py::module_& module) {
  py::class_<SteppedCheckpoint>(module, "Checkpoint", "A moment of a run with all that was summed up on the way there.")
      .def_property_readonly("t", [](const SteppedCheckpoint& c) { return c.run.state.t; });
  py::class_<SteppedRun, std::unique_ptr<SteppedRun>>(module, "Stepper", "A scenario that its user steps.")
      .def(py::init([](const SharedScenario& scenario) { return std::make_unique<SteppedRun>(*scenario); }),
           "scenario"_a)
      .def_property_readonly("t", [](const SteppedRun& run) { return run.t(); })
      .def_property_readonly("q", [](const SteppedRun& run) { return run.state().q; })
      .def_property_readonly("v", [](const SteppedRun& run) { return run.state().v; })
      .def_property_readonly("inputs", &SteppedRun::inputs)
      .def_property_readonly(
          "outcome",
          [](const SteppedRun& run) {
            const Outcome outcome = run.stepper().outcome();
            return outcome == Outcome::finished ? "finished" : outcome == Outcome::failed ? "failed" : "interrupted";
          })
      .def_property_readonly("advice", [](const SteppedRun& run) { return run.stepper().so_far().advice; })
      .def_property_readonly("steps", [](const SteppedRun& run) { return run.stepper().so_far().steps; })
      .def(
          "step", [](SteppedRun& run) { return run.step(); }, "One step; False if none was made.")
      .def(
          "advance",
          [](SteppedRun& run, double until) {
            const py::gil_scoped_release release;
            return run.advance(until);
          },
          "until"_a, "Steps until the time is reached; the last one is shortened to end there.")
      .def("__getitem__", &SteppedRun::get, "formula"_a)
      .def("__setitem__", &SteppedRun::set, "input"_a, "value"_a)
      .def("save", &SteppedRun::save)
      .def("restore", &SteppedRun::restore, "checkpoint"_a);
}

}  // namespace carom::python
