// From a document to a scenario, table by table. Problems are collected; the first thing that stops is
// the end.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "carom/base/names.h"
#include "carom/base/units.h"
#include "carom/io/channel_recorder.h"
#include "carom/io/default_choices.h"
#include "carom/io/drive_signals.h"
#include "carom/io/expansion.h"
#include "carom/io/flexible_reader.h"
#include "carom/io/foreseen.h"
#include "carom/io/mechanism_reader.h"
#include "carom/io/named_files.h"
#include "carom/io/output_file.h"
#include "carom/io/quantity_text.h"
#include "carom/io/run_forecast.h"
#include "carom/io/scenario.h"
#include "carom/io/scenario_source.h"
#include "carom/io/study_reader.h"
#include "carom/io/table_reader.h"
#include "carom/laws/law_words.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/consistency.h"

namespace carom::inline io {

namespace {

// Where a bare --set name belongs.
std::string full_key(const Document& document, const Override& override) {
  if (override.key.find('.') != std::string::npos) return override.key;
  std::vector<std::string> known;
  if (const DocumentNode* table = document.root().find("parameters")) {
    if (const DocumentNode* parameter = table->find(override.key))
      return "parameters." + parameter->key + (parameter->is_table() ? ".value" : "");
    for (const DocumentNode& child : table->children) known.push_back(child.key);
  }
  const DocumentNode* model = document.find_path("analytic.model");
  if (model) {
    for (const AnalyticEntry* entry : analytic_models().entries()) {
      if (entry->name != canonical_name(model->text)) continue;
      for (const ParameterSpec& spec : entry->parameters) {
        if (spec.name == canonical_name(override.key)) return "analytic." + spec.name;
        known.push_back(spec.name);
      }
    }
  }
  if (override.key == "title") return override.key;
  throw InputError({"E0103",
                    fmt::format("--set {}: there is no parameter of that name", override.key),
                    override.key,
                    suggestion(override.key, known) + "; other keys by their path, like simulation.step",
                    {},
                    0,
                    0,
                    {}});
}

class ScenarioReader {
 public:
  ScenarioReader(Document& document, const std::vector<Override>& overrides, TakenValues* taken = nullptr)
      : document_(put_in(document, overrides)),
        parameters_(document_, problems_),
        reading_{document_, parameters_, problems_, taken} {
    for (const Override& override : overrides) scenario_.overrides.push_back(override.key + "=" + override.value);
  }

  Scenario read() {
    scenario_.file = document_.file();
    scenario_.name = std::filesystem::path(document_.file()).stem().string();
    scenario_.source = document_.text();
    scenario_.bare_numbers = parameters_.bare_numbers();
    for (const auto& entry : parameters_.entries())
      scenario_.parameters.push_back({entry.name, entry.value, entry.doc, entry.dimension});

    TableReader root(reading_, &document_.root(), "");
    root.take("parameters");
    read_header(root);
    TableReader laws = root.table("law");
    read_laws(laws);
    read_model(root);
    TableReader simulation = root.table("simulation", &table_spec("simulation"));
    read_simulation(simulation);
    TableReader output = root.table("output", &table_spec("output"));
    read_output(output);
    TableReader measure = root.table("measure");
    read_expressions(measure, scenario_.measures);
    TableReader expect = root.table("expect");
    read_expressions(expect, scenario_.expectations);
    TableReader studies = root.table("study");
    read_studies(reading_, studies, scenario_.studies);
    root.finish();

    look_for_the_forgotten();
    check_together();
    if (!problems_.empty()) throw InputError(in_source_order());
    announce();
    std::erase_if(scenario_.warnings, [&](const InputProblem& warning) { return knows(allowed_, warning.code); });
    return std::move(scenario_);
  }

 private:
  static Document& put_in(Document& document, const std::vector<Override>& overrides) {
    for (const Override& override : overrides) document.set(full_key(document, override), override.value);
    expand(document);
    return document;
  }

  void read_header(TableReader& root) {
    const auto schema = root.number("schema");
    if (!root.take("schema"))
      reading_.report({"E0104",
                       "the file does not say which format it is written in",
                       "schema",
                       "begin it with schema = 1",
                       document_.file(),
                       0,
                       0,
                       {}});
    else if (schema && *schema != 1.0)
      root.refuse("schema", "E0107", fmt::format("schema {} is not known here", *schema),
                  "this release reads schema = 1");
    scenario_.title = root.text("title").value_or(scenario_.name);
    root.texts("include");
    allowed_ = root.texts("allow").value_or(std::vector<std::string>{});
    TableReader units = root.table("units", &table_spec("units"));
    if (const auto bare = units.text("bare"); bare && *bare != "SI" && *bare != "forbid")
      units.refuse("bare", "E0125", fmt::format("unknown word '{}' for units.bare", *bare),
                   "\"forbid\": quantities have units; \"SI\": numbers are in kg, m, s, N, rad");
    read_report_units(units);
    units.finish();
  }

  // Units of printed summaries, each for what it measures.
  void read_report_units(TableReader& units) {
    TableReader report = units.table("report");
    if (!report.exists()) return;
    for (const DocumentNode& child : report.node()->children) {
      static const std::map<std::string, const char*> kinds = {{"length", "m"}, {"angle", "rad"},    {"time", "s"},
                                                               {"mass", "kg"},  {"force", "N"},      {"impulse", "N*s"},
                                                               {"energy", "J"}, {"velocity", "m/s"}, {"torque", "N*m"}};
      const auto kind = kinds.find(child.key);
      std::vector<std::string> known;
      for (const auto& entry : kinds) known.push_back(entry.first);
      if (kind == kinds.end()) {
        reading_.report(document_.at_key(child, "E0102", fmt::format("unknown key '{}' in units.report", child.key),
                                         suggestion(child.key, known)));
        continue;
      }
      const auto unit = child.kind == DocumentNode::Kind::text ? parse_unit(child.text) : std::nullopt;
      if (!unit)
        reading_.report(document_.at_value(child, "E0138", fmt::format("{}: unknown unit '{}'", child.path, child.text),
                                           unit_suggestion(child.text)));
      else if (!agree(unit->dimension, parse_unit(kind->second)->dimension))
        reading_.report(document_.at_value(
            child, "E0137",
            fmt::format("{}: {} is not {}", child.path, child.text, to_text(parse_unit(kind->second)->dimension)),
            fmt::format("for example \"{}\"", kind->second)));
      else
        scenario_.report_units[child.key] = child.text;
    }
  }

  void read_laws(TableReader& group) {
    if (!group.exists()) return;
    for (const DocumentNode& child : group.node()->children) {
      TableReader table(reading_, &child, "law." + child.key);
      if (!table.exists()) continue;
      ContactParameters law;
      table.require("normal", "normal = { type = \"newton\", restitution = 0.5 }");
      TableReader normal = table.table("normal", &table_spec("law.normal"));
      const auto impact = normal.word("type", law_types("normal"));
      law.impact = impact == "poisson"  ? ImpactLaw::poisson
                   : impact == "newton" ? ImpactLaw::newton
                                        : ImpactLaw::passive;
      if (!impact) scenario_.laws_without_type.push_back(child.key);
      if (normal.exists()) normal.require("restitution", "restitution = 0.5; 0 for blows without rebound");
      law.restitution = normal.number("restitution").value_or(0.0);
      normal.finish();
      TableReader tangential = table.table("tangential", &table_spec("law.tangential"));
      const auto friction_type = tangential.word("type", law_types("tangential"));
      if (tangential.exists())
        tangential.require("friction", "friction = 0.3; without friction leave 'tangential' out");
      law.friction = tangential.number("friction").value_or(0.0);
      law.tangential_restitution = tangential.number("restitution").value_or(0.0);
      if (friction_type && *friction_type != "coulomb") {
        tangential.require("spin_radius",
                           "spin_radius = 3e-4: the mean friction radius of the patch, 0.589 times its radius");
        law.spin_radius = tangential.number("spin_radius").value_or(0.0);
        if (*friction_type == "contensou_exact") law.spin_reservoir = SpinReservoir::exact;
      }
      tangential.finish();
      table.finish();
      scenario_.laws[child.key] = law;
    }
  }

  void read_model(TableReader& root) {
    TableReader analytic = root.table("analytic");
    const DocumentNode* flexible_node = root.take("flexible");
    const bool linear =
        flexible_node && flexible_node->children.size() >= 1 && is_linear_body(flexible_node->children.front());
    const bool multibody =
        root.take("body") || root.take("generate") || root.take("world") || (flexible_node && !linear);
    const bool flexible = linear && !multibody;
    if (analytic.exists() && (multibody || flexible)) {
      root.refuse("analytic", "E0108", "the file has both [analytic] and bodies", "keep one of the two");
      return;
    }
    if (analytic.exists()) {
      read_analytic(analytic);
      for (const char* kind : {"plane", "joint", "contact", "ground", "drive", "force", "input", "initial"})
        forbid(root, kind);
    } else if (multibody) {
      scenario_.model_name = "multibody";
      read_mechanism(reading_, root, scenario_);
    } else if (flexible) {
      scenario_.model_name = "linear_body";
      if (auto model = read_flexible(reading_, root, scenario_.laws)) scenario_.model = *std::move(model);
      for (const char* kind : {"plane", "joint", "ground", "drive", "force", "input", "initial"}) forbid(root, kind);
    } else {
      reading_.report({"E0109",
                       "the file has no model",
                       "analytic",
                       "add [analytic] with model = \"...\" (carom list models), [body.NAME] or [flexible.NAME] tables",
                       document_.file(),
                       0,
                       0,
                       {}});
    }
  }

  static bool is_linear_body(const DocumentNode& table) {
    const DocumentNode* type = table.is_table() ? table.find("type") : nullptr;
    return type && canonical_name(type->text) == "linear_body";
  }

  void forbid(TableReader& root, const std::string& kind) {
    if (root.take(kind))
      root.refuse(kind, "E0108", fmt::format("[{}.*] does not go with this kind of model", kind),
                  "it goes with [body.NAME] tables only");
  }

  void read_analytic(TableReader& table) {
    if (!parameters_.bare_numbers())
      table.refuse("model", "E0124", "models by formulas take bare numbers in SI units", "say [units] bare = \"SI\"");
    table.require("model", "carom list models shows them");
    const auto name = table.text("model");
    const auto law_name = table.text("law");
    if (!name) return;
    const AnalyticEntry* entry = nullptr;
    reading_.attempt(table.node(), [&] {
      try {
        entry = &analytic_models().find(*name);
      } catch (const InputError& error) {
        InputProblem problem = error.problems().front();
        problem.key = "model";
        throw InputError(problem);
      }
    });
    if (!entry) return;
    scenario_.model_name = entry->name;
    // A model with one wrong number replaced by its default would only bring up follow-on problems.
    const std::size_t problems_before = problems_.size();
    const ContactParameters law = read_law_of(table, *entry, law_name);
    const ParameterValues given = table.parameters(entry->parameters);
    table.finish();
    if (problems_.size() > problems_before) return;
    reading_.attempt(table.node(), [&] {
      const Parameters values(entry->parameters, given, "model " + entry->name);
      scenario_.model_parameters = values.values();
      scenario_.model = entry->make(values, law);
    });
  }

  ContactParameters read_law_of(TableReader& table, const AnalyticEntry& entry,
                                const std::optional<std::string>& name) {
    if (!entry.has_contacts) {
      if (name)
        table.refuse("law", "E0143", fmt::format("{} has no contacts and takes no law", entry.name), "leave 'law' out");
      return {};
    }
    table.require("law", "law = \"name\" and a table [law.name]");
    if (!name) return {};
    const auto found = scenario_.laws.find(*name);
    if (found != scenario_.laws.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& law : scenario_.laws) known.push_back(law.first);
    table.refuse("law", "E0142", fmt::format("there is no law '{}'", *name),
                 known.empty() ? fmt::format("add a table [law.{}]", *name) : suggestion(*name, known));
    return {};
  }

  void read_simulation(TableReader& table) {
    SimulationSettings& settings = scenario_.simulation;
    table.require("t_end", "t_end = \"1 s\"");
    if (const auto t_end = table.number("t_end")) {
      settings.t_end = *t_end;
    }
    if (const auto step = table.number("step")) {
      settings.step = *step;
      table.check("step", !(settings.t_end > 0.0) || *step <= settings.t_end, "a step no longer than t_end");
      if (*step > 0.0 && settings.t_end / *step > most_steps)
        table.refuse(
            "step", "E0128",
            fmt::format("t_end = {} in steps of {} are {:.3g} steps", settings.t_end, *step, settings.t_end / *step),
            fmt::format("a run has at most {:.0e} steps: a longer step, or an earlier end", most_steps));
    }
    if (!table.take("step")) settings.step = 0.0;  // chosen when there is a model
    settings.scheme = automatic_scheme;
    if (const auto scheme = table.text("scheme")) {
      settings.scheme = canonical_name(*scheme);
      if (settings.scheme != automatic_scheme && !knows(scheme_registry().names(), settings.scheme)) {
        const InputProblem problem = scheme_registry().missing(*scheme);
        table.refuse("scheme", problem.code, problem.message, problem.hint);
      }
    }
    for (const SchemeEntry* entry : scheme_registry().entries()) {
      if (!table.take(entry->name)) continue;
      TableReader own = table.table(entry->name);
      const ParameterValues given = own.parameters(entry->parameters);
      own.finish();
      reading_.attempt(own.node(), [&] { Parameters(entry->parameters, given, "scheme " + entry->name); });
      settings.scheme_parameters[entry->name] = given;
    }
    TableReader contact = table.table("contact");
    read_contact_solver(contact);
    TableReader limits = table.table("limits", &table_spec("simulation.limits"));
    read_limits(limits);
    table.finish();
  }

  // Beyond these a run that finished is not called sound.
  void read_limits(TableReader& table) {
    JudgementLimits& limits = scenario_.simulation.limits;
    for (const auto& [key, limit] : {std::pair<const char*, double*>{"energy", &limits.energy},
                                     {"penetration", &limits.penetration},
                                     {"play", &limits.play},
                                     {"joint_error", &limits.joint_error}}) {
      const auto value = table.number(key);
      if (!value) continue;
      *limit = *value;
    }
    table.finish();
  }

  void read_contact_solver(TableReader& table) {
    SimulationSettings& settings = scenario_.simulation;
    if (const auto solver = table.text("solver")) {
      settings.solver = *solver == "auto" ? "automatic" : canonical_name(*solver);
      if (!knows(solvers().names(), settings.solver)) {
        table.refuse("solver", "E0110", fmt::format("unknown solver '{}'", *solver),
                     suggestion(*solver, solvers().names()));
        return;
      }
    }
    const auto policy = table.word("on_failure", {"halve_step", "stop", "continue"}).value_or("halve_step");
    settings.on_failure = policy == "stop"       ? FailurePolicy::stop
                          : policy == "continue" ? FailurePolicy::proceed
                                                 : FailurePolicy::halve;
    if (table.word("on_missed", {"halve_step", "report"}).value_or("halve_step") == "report")
      settings.on_missed = MissedPolicy::report;
    if (const auto halvings = table.whole("max_halvings", 0, 18)) settings.max_halvings = static_cast<int>(*halvings);
    const SolverEntry& entry = solvers().find(settings.solver);
    settings.solver_parameters = table.parameters(entry.parameters);
    reading_.attempt(table.node(),
                     [&] { Parameters(entry.parameters, settings.solver_parameters, "solver " + entry.name); });
    table.finish();
  }

  // See named_files.h; what --set says is the user's own word.
  void check_output_file(TableReader& table) {
    const DocumentNode* node = table.node() ? table.node()->find("file") : nullptr;
    if (!node || !node->origin.empty() || document_.outside_allowed()) return;
    if (scenario_.output.file.empty()) {
      reading_.report(
          document_.at_value(*node, "E0119", "output.file is empty", "leave it out for the name of the model"));
      return;
    }
    std::error_code error;
    const std::filesystem::path file = std::filesystem::absolute(scenario_.output.file, error);
    const std::string folder = std::filesystem::path(document_.file()).parent_path().string();
    if (error || (leads_out("", file.string()) && leads_out(folder, file.string())))
      reading_.report(document_.at_value(*node, "E0118",
                                         "output.file leads out of the folder of the model and the working directory",
                                         "a name or a path below; --allow-outside permits others"));
  }

  void read_output(TableReader& table) {
    OutputSettings& output = scenario_.output;
    output.file = table.text("file").value_or(scenario_.name + ".h5");
    check_output_file(table);
    TableReader fields = table.table("fields", &table_spec("output.fields"));
    output.fields_every = read_interval(fields, "every");
    fields.finish();
    output.contacts = table.word("contacts", {"every_step", "none"}).value_or("every_step") == "every_step";
    TableReader checkpoint = table.table("checkpoint", &table_spec("output.checkpoint"));
    output.checkpoint_every = read_interval(checkpoint, "every");
    if (const auto keep = checkpoint.whole("keep", 1, 1000)) output.checkpoint_keep = static_cast<int>(*keep);
    checkpoint.finish();
    TableReader signals = table.table("signal");
    read_expressions(signals, scenario_.signals);
    table.finish();
  }

  double read_interval(TableReader& table, const std::string& key) {
    const auto every = table.number(key);
    if (!every) return 0.0;
    const double step = scenario_.simulation.step;
    if (!(*every > 0.0) || *every >= step || step == 0.0) return *every;
    scenario_.warnings.push_back(
        document_.at_value(*table.take(key), "W0132",
                           fmt::format("{}.{} = {} is shorter than the step of {}", table.path(), key, *every, step),
                           "nothing happens between steps: it is done after every step"));
    return step;
  }

  void read_expressions(TableReader& table, std::vector<NamedExpression>& out) {
    if (!table.exists()) return;
    constexpr std::size_t most = 2000;
    if (table.node()->children.size() > most)
      return reading_.report(document_.at_key(
          *table.node(), "E0219", fmt::format("{} formulas in {}", table.node()->children.size(), table.path()),
          fmt::format("at most {}", most)));
    for (const DocumentNode& child : table.node()->children)
      if (!is_plain_name(child.key))
        reading_.report(document_.at_key(child, "E0202", fmt::format("'{}' cannot be a name", child.key),
                                         "use letters, digits, underscores and hyphens"));
      else if (auto expression = reading_.expression(child))
        out.push_back({child.key, *std::move(expression)});
  }

  // Laws that nothing uses, and bodies beside planes that nothing stops.
  void look_for_the_forgotten() {
    const DocumentNode& root = document_.root();
    std::set<std::string> used;
    const auto collect = [&](const auto& self, const DocumentNode& node) -> void {
      if (node.key == "law" && node.kind == DocumentNode::Kind::text) used.insert(canonical_name(node.text));
      for (const DocumentNode& child : node.children) self(self, child);
    };
    collect(collect, root);
    if (const DocumentNode* laws = root.find("law"))
      for (const DocumentNode& law : laws->children)
        if (!used.contains(canonical_name(law.key)))
          scenario_.warnings.push_back(document_.at_key(law, "W0130", fmt::format("nothing uses {}", law.path),
                                                        "name it in a contact or a model: law = \"" + law.key + "\""));
    const DocumentNode* plane = root.find("plane");
    if (plane && root.find("body") && !root.find("contact"))
      scenario_.warnings.push_back(document_.at_key(*plane, "W0131",
                                                    "no law between bodies and planes: they pass through each other",
                                                    "add [contact.default] with a law"));
  }

  // A run that will take long or write much says so before it starts.
  void announce() {
    const RunForecast forecast = forecast_run(scenario_);
    if (!forecast.large()) return;
    const DocumentNode* step = document_.find_path("simulation.step");
    const std::string contacts =
        forecast.contact_bytes > 0.0
            ? fmt::format(" and up to {} for {:.0f} contacts", bytes_text(forecast.contact_bytes), forecast.contacts)
            : "";
    scenario_.warnings.push_back(document_.at_value(
        step ? *step : document_.root(), "W0305",
        fmt::format("a long run: {:.3g} steps, at least {} of results{}, {} of memory for measures and expectations",
                    forecast.steps, bytes_text(forecast.bytes), contacts, bytes_text(forecast.memory)),
        "nothing is thinned unasked: longer steps, [output] fields = { every = ... } and contacts = \"none\" write "
        "less"));
  }

  // Names that would mean two things in formulas: a number of the file beside a coordinate or a number of the model.
  void check_parameter_names(const System& system) {
    const DocumentNode* table = document_.root().find("parameters");
    std::set<std::string> coordinates;
    for (Index i = 0; i < system.nq(); ++i) coordinates.insert(system.coordinate_name(i));
    for (Index i = 0; i < system.nv(); ++i) coordinates.insert(system.velocity_name(i));
    std::map<std::string_view, const DocumentNode*> nodes;
    if (table)
      for (const DocumentNode& node : table->children) nodes[node.key] = &node;
    for (const NamedNumber& parameter : scenario_.parameters) {
      const DocumentNode& node = *nodes.at(parameter.name);
      if (coordinates.contains(parameter.name))
        reading_.report(document_.at_key(
            node, "E0136", fmt::format("'{}' is a coordinate of the model", parameter.name), "choose another name"));
      const auto own = scenario_.model_parameters.find(parameter.name);
      if (own == scenario_.model_parameters.end()) continue;
      const double* value = std::get_if<double>(&own->second);
      if (value && *value != parameter.value)
        scenario_.warnings.push_back(
            document_.at_key(node, "W0135",
                             fmt::format("the model has a parameter '{}' too, with another value: {} here, {} there",
                                         parameter.name, parameter.value, *value),
                             fmt::format("formulas see this one; to give it to the model write analytic.{0} = \"{0}\"",
                                         parameter.name)));
    }
  }

  // What can only be judged once there is a model: its start, the scheme, and the names in formulas.
  void check_together() {
    if (!scenario_.model.system) {
      if (scenario_.simulation.scheme == automatic_scheme) scenario_.simulation.scheme = "moreau_jean";
      return;
    }
    if (problems_.empty())
      make_choices(scenario_);
    else if (scenario_.simulation.scheme == automatic_scheme)
      scenario_.simulation.scheme = "moreau_jean";
    const System& system = *scenario_.model.system;
    const DocumentNode* model = document_.root().find("analytic");
    for (const char* other : {"body", "flexible"})
      if (!model) model = document_.root().find(other);
    for (const StartViolation& violation : check_start(system, scenario_.model.initial)) {
      const std::string text = describe(violation);
      const bool penetration = violation.kind == StartViolation::Kind::penetration;
      const std::string message =
          penetration ? "bodies overlap at the start: " + text : "the start is inconsistent: " + text;
      const std::string hint =
          "change the start values so that contacts are open or touching and joints are "
          "closed and move along";
      const char* code = penetration ? "E0218" : "E0213";
      reading_.report(model ? document_.at_key(*model, code, message, hint)
                            : InputProblem{code, message, {}, hint, document_.file(), 0, 0, {}});
    }
    if (knows(scheme_registry().names(), scenario_.simulation.scheme)) {
      const SchemeEntry& scheme = scheme_registry().find(scenario_.simulation.scheme);
      if (const auto why = refusal(scheme, system, scenario_.simulation.scheme_parameters[scheme.name])) {
        const std::size_t cut = why->find("; ");
        const DocumentNode* node = document_.find_path("simulation.scheme");
        const std::string message = "this scheme cannot run this model: " + why->substr(0, cut);
        const std::string hint = cut == std::string::npos ? "" : why->substr(cut + 2);
        reading_.report(node ? document_.at_value(*node, "E0301", message, hint)
                             : InputProblem{"E0301", message, {}, hint, document_.file(), 0, 0, {}});
      } else if (problems_.empty()) {
        tell_foreseen();
      }
    }
    if (parameters_.entries().size() < parameters_.known().size()) return;  // names would seem unknown
    check_parameter_names(system);
    for (NamedExpression& signal : drive_signals(document_.root(), scenario_))
      scenario_.signals.push_back(std::move(signal));
    check_names("output.signal", scenario_.signals, Expression::Scope::instant);
    check_names("measure", scenario_.measures, Expression::Scope::run);
    check_names("expect", scenario_.expectations, Expression::Scope::run);
    for (const StudySettings& study : scenario_.studies)
      check_names("study." + study.name + ".measure", study.measures, Expression::Scope::run);
    check_expectations();
  }

  void tell_foreseen() {
    for (const Foreseen& trouble : foresee(scenario_)) {
      const DocumentNode* node = document_.find_path(trouble.key);
      scenario_.warnings.push_back(
          node ? document_.at_value(*node, trouble.code, trouble.message, trouble.hint)
               : InputProblem{trouble.code, trouble.message, {}, trouble.hint, document_.file(), 0, 0, {}});
    }
  }

  void check_names(const std::string& path, const std::vector<NamedExpression>& expressions, Expression::Scope scope) {
    std::vector<const Expression*> list;
    for (const NamedExpression& named : expressions) list.push_back(&named.expression);
    check_expressions(*scenario_.model.system, scenario_.model.initial, formula_context(scenario_), list, scope,
                      [&](std::size_t i, const ExpressionError& error) {
                        const DocumentNode* table = document_.find_path(path);
                        const DocumentNode* node = table ? table->find(expressions[i].name) : nullptr;
                        if (!node) node = &document_.root();  // of a drive
                        reading_.report(document_.at_value(*node, error.code_or("E0131"),
                                                           fmt::format("{}: {}", node->path, error.what()),
                                                           error.hint(), static_cast<int>(error.offset())));
                      });
  }

  // What is judged must be true or false. One that is not a number whatever the run does can never be judged.
  void check_expectations() {
    const DocumentNode* table = document_.root().find("expect");
    for (const NamedExpression& expectation : scenario_.expectations) {
      const DocumentNode& node = *table->find(expectation.name);
      if (!expectation.expression.is_truth())
        reading_.report(document_.at_value(node, "E0134", fmt::format("{} compares nothing", node.path),
                                           "write a comparison, as in min(guide.gap) > -1e-6"));
      else if (const auto value = value_without_run(expectation.expression); value && std::isnan(*value))
        reading_.report(
            document_.at_value(node, "E0135", fmt::format("{} is not a number whatever the run does", node.path),
                               "look for a division by zero, or for a root or logarithm of what is negative"));
    }
  }

  // The value of a formula that asks for numbers of the file only.
  std::optional<double> value_without_run(const Expression& expression) const {
    try {
      return expression.evaluate(parameters_).data[0];
    } catch (const std::exception&) {  // it asks for something of the run
      return std::nullopt;
    }
  }

  static bool knows(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  std::vector<InputProblem> in_source_order() const {
    auto sorted = problems_.list();
    std::stable_sort(sorted.begin(), sorted.end(), [](const InputProblem& a, const InputProblem& b) {
      return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    });
    return sorted;
  }

  std::vector<std::string> allowed_;  // codes of warnings that are not shown
  ProblemList problems_;
  Document& document_;
  ParameterTable parameters_;
  Reading reading_;
  Scenario scenario_;
};

}  // namespace

ScenarioSource read_scenario_source(const std::string& file, const std::vector<Override>& overrides, NamedFiles files) {
  ScenarioSource source{std::make_unique<Document>(Document::read(file)), {}, {}};
  if (files == NamedFiles::anywhere) source.document->allow_outside();
  source.scenario = ScenarioReader(*source.document, overrides, &source.taken).read();
  return source;
}

ScenarioSource parse_scenario_source(const std::string& file, const std::string& text) {
  ScenarioSource source{std::make_unique<Document>(file, text), {}, {}};
  source.scenario = ScenarioReader(*source.document, {}, &source.taken).read();
  return source;
}

Scenario read_scenario(const std::string& file, const std::vector<Override>& overrides) {
  return read_scenario(file, overrides, NamedFiles::inside);
}

Scenario read_scenario(const std::string& file, const std::vector<Override>& overrides, NamedFiles files) {
  Document document = Document::read(file);
  if (files == NamedFiles::anywhere) document.allow_outside();
  return ScenarioReader(document, overrides).read();
}

Scenario parse_scenario(const std::string& file, const std::string& text, const std::vector<Override>& overrides) {
  Document document(file, text);
  return ScenarioReader(document, overrides).read();
}

}  // namespace carom::inline io
