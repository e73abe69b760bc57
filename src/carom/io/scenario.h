// A scenario: a model and what to do with it. It is all that runs, recordings and studies ask for. A TOML file is read
// into one (the format: docs/scenario_files.md), with the values given on the command line put in and everything
// checked; a program fills one itself:
//
//   Scenario scenario = scenario_of("ball", builder.build(), {.t_end = 2.0, .step = 1e-3});
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/inclusion/inclusion_solver.h"
#include "carom/io/expression.h"
#include "carom/io/joint_reading.h"
#include "carom/io/sensors.h"
#include "carom/laws/contact_law.h"
#include "carom/model/model.h"
#include "carom/schemes/scheme.h"
#include "carom/simulation/simulate.h"

namespace carom::inline io {

using ParameterValues = std::map<std::string, ParameterValue>;

struct NamedNumber {
  std::string name;
  double value = 0.0;
  std::string doc;
  Dimension dimension = Dimension::anything();
};

struct NamedExpression {
  std::string name;
  Expression expression;
};

struct SimulationSettings {
  double t_end = 1.0;
  double step = 1e-3;
  std::string scheme = "moreau_jean";
  std::map<std::string, ParameterValues> scheme_parameters = {};  // of every [simulation.<scheme>]
  std::string solver = "automatic";
  ParameterValues solver_parameters = {};
  FailurePolicy on_failure = FailurePolicy::halve;
  int max_halvings = 10;
  MissedPolicy on_missed = MissedPolicy::halve;
  JudgementLimits limits = {};
};

struct OutputSettings {
  std::string file;             // "<scenario>.h5" unless given
  double fields_every = 0.0;    // seconds between samples of state, energy and signals; 0: every step
  bool contacts = true;         // the table of all active contacts, every step
  double checkpoint_every = 0;  // seconds; 0: only at the end
  int checkpoint_keep = 3;
};

// A table [study.NAME]: a question about many runs.
struct StudySettings {
  std::string name, kind;  // sweep, bifurcation, convergence, compare
  std::vector<std::pair<std::string, std::vector<double>>> over = {};
  std::vector<double> steps = {};
  std::vector<std::string> schemes = {};
  std::string reference_scheme = {};
  ParameterValues reference_parameters = {};
  double until = 0.0;  // 0: t_end
  std::vector<NamedExpression> measures = {};
  // Of a bifurcation diagram: when its points are taken (at t = k T, or at impacts of a contact, of any if it is
  // empty), and what they show.
  std::string section = {}, show = {}, follow = {};
  std::optional<std::string> impacts = {};
  std::optional<int> skip = {}, keep = {};
};

struct Scenario {
  std::string file;  // as given; empty if there is none
  std::string name;  // the file's name without directory and extension
  std::string title;
  std::string source;                               // the text of the file
  std::vector<std::string> overrides;               // "simulation.step=1e-4"
  std::map<std::string, std::string> report_units;  // of printed summaries: "length": "mm"
  std::vector<NamedNumber> parameters;
  std::map<std::string, ContactParameters> laws;
  std::vector<std::string> laws_without_type;  // whose impact law was left to us
  std::string model_name;                      // of an analytic model; "multibody"
  ParameterValues model_parameters;            // of an analytic model, defaults included
  Model model;
  SimulationSettings simulation;
  OutputSettings output;
  std::vector<Input> inputs;             // of models made by a program: ModelBuilder::inputs()
  std::vector<SiteSensor> sensors;       // of models made by a program
  std::vector<JointReading> joints;      // whose coordinates formulas may name
  std::vector<SiteSensor> points;        // of bodies, "crank.P", whose motion formulas may name
  std::shared_ptr<const Model> maximal;  // of a model in joint coordinates: the same in maximal ones, for reactions
  bool bare_numbers = true;              // numbers without unit stand for any quantity
  std::vector<NamedExpression> signals;
  std::vector<NamedExpression> measures;  // numbers of a whole run, to be shown and compared
  std::vector<NamedExpression> expectations;
  std::vector<StudySettings> studies;
  std::vector<std::string> choices;    // what was chosen for the user, and why
  std::vector<InputProblem> warnings;  // what stops no run but is hardly meant
};

// Of a model made by a program. Its results go to NAME.h5.
Scenario scenario_of(const std::string& name, Model model, SimulationSettings simulation = {});
// A formula as [measure], [signal] and [expect] have them: measured("height", "max(ball.y)").
NamedExpression measured(const std::string& name, const std::string& formula);

// One --set name=value: the name of a parameter, of a parameter of the analytic model, or any dotted key
// of the file.
struct Override {
  std::string key;
  std::string value;
};
Override parse_override(const std::string& text);  // "clearance=0.0005"; InputError without '='

// Throws InputError with every problem of the file. A start with penetration or open joints is one, a
// scheme that cannot treat the model another.
Scenario read_scenario(const std::string& file, const std::vector<Override>& overrides = {});
// The same from a text; `file` is its name in messages.
Scenario parse_scenario(const std::string& file, const std::string& text, const std::vector<Override>& overrides = {});

// What the settings name, made.
std::unique_ptr<Scheme> make_scheme(const Scenario& scenario);
std::unique_ptr<Scheme> make_scheme(const Scenario& scenario, const std::string& scheme);
std::unique_ptr<InclusionSolver> make_solver(const Scenario& scenario);
SimulationOptions simulation_options(const Scenario& scenario);

// InputError if its scheme cannot treat its model. What is read from a file has been checked.
void check_scheme(const Scenario& scenario);

// Runs it without writing anything.
SimulationSummary simulate(const Scenario& scenario, Recorder* recorder = nullptr);

// The parameters of the file and of the analytic model, for signals and expectations.
std::vector<std::pair<std::string, double>> numbers(const Scenario& scenario);

// Everything after defaults and overrides, as JSON: kept in result files.
std::string resolved_json(const Scenario& scenario);

}  // namespace carom::inline io
