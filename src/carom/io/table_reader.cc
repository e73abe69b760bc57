#include "carom/io/table_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "carom/base/names.h"
#include "carom/base/units.h"
#include "carom/io/output_file.h"
#include "carom/io/spline_curve.h"

namespace carom::inline io {

namespace {

using Kind = DocumentNode::Kind;

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

void add_error(const DocumentNode& node, const ExpressionError& error, const char* code, const Document& document,
               ProblemList& problems) {
  problems.add(document.at_value(node, error.code_or(code), fmt::format("{}: {}", node.path, error.what()),
                                 error.hint(), static_cast<int>(error.offset())));
}

std::optional<Expression> parse(const DocumentNode& node, const Document& document, ProblemList& problems) {
  try {
    return Expression(node.text);
  } catch (const ExpressionError& error) {
    add_error(node, error, "E0130", document, problems);
    return std::nullopt;
  }
}

// No quantity of a scenario is infinite, and what is not a number would silently spread.
std::optional<double> finite(const DocumentNode& node, double value, const Document& document, ProblemList& problems) {
  if (std::isfinite(value)) return value;
  problems.add(document.at_value(node, "E0127", fmt::format("{} is {}, not a finite number", node.path, value),
                                 "leave out what has no bound"));
  return std::nullopt;
}

struct Quantity {
  double value;
  Dimension dimension;
  bool bare;    // one number without unit
  bool cycles;  // one number in Hz
};

std::optional<Quantity> evaluate(const DocumentNode& node, const Document& document, const ExpressionNames& names,
                                 ProblemList& problems) {
  if (node.kind == Kind::number) {
    const auto value = finite(node, node.number, document, problems);
    if (!value) return std::nullopt;
    const bool any = names.bare_numbers() || *value == 0.0;
    return Quantity{*value, any ? Dimension::anything() : Dimension{}, *value != 0.0, false};
  }
  if (node.kind != Kind::text) {
    problems.add(document.at_value(node, "E0123",
                                   fmt::format("{} wants a number, got {}", node.path, to_text(node.kind)),
                                   "a number, or an expression in quotes"));
    return std::nullopt;
  }
  const auto expression = parse(node, document, problems);
  if (!expression) return std::nullopt;
  try {
    const Dimension dimension = expression->dimension(names);
    const auto value = finite(node, expression->evaluate(names).data[0], document, problems);
    if (!value) return std::nullopt;
    return Quantity{*value, dimension, expression->is_bare_number(), expression->counts_cycles()};
  } catch (const ExpressionError& error) {
    add_error(node, error, "E0131", document, problems);
    return std::nullopt;
  }
}

// Whether what was found may stand where `wanted` is wanted.
bool suits(const DocumentNode& node, const Dimension& found, bool bare, bool cycles, const Dimension& wanted,
           bool bare_numbers, const Document& document, ProblemList& problems) {
  if (wanted.any) return true;
  if (bare && !bare_numbers && wanted != Dimension{}) {
    problems.add(document.at_value(
        node, "E0124", fmt::format("{} wants {}, here is a number without unit", node.path, to_text(wanted)),
        fmt::format("write it as \"1.5 {}\"; or say [units] bare = \"SI\"", si_unit(wanted))));
    return false;
  }
  const bool angle_for_number = wanted == Dimension{} && !found.any && found.sixths[3] != 0;
  const bool cycles_for_angles = cycles && wanted == Dimension::of(0, 0, -1, 1);
  if (agree(found, wanted) && !angle_for_number && !cycles_for_angles) return true;
  problems.add(
      document.at_value(node, "E0137", fmt::format("{} wants {}, not {}", node.path, to_text(wanted), to_text(found)),
                        cycles_for_angles ? "Hz counts cycles: write \"5 rev/s\", \"300 rpm\" or \"2*pi*5 rad/s\""
                                          : "check the unit; `carom list units` shows them"));
  return false;
}

// A name that exists but has a problem of its own: no second report.
class Silent : public std::exception {};

}  // namespace

void ProblemList::add(InputProblem problem) {
  list_.push_back(std::move(problem));
  if (list_.size() < most_problems) return;
  auto all = list_;
  all.push_back({"E0116",
                 fmt::format("{} problems are enough: the rest of the file was not looked at", most_problems),
                 {},
                 "correct these first",
                 list_.back().file,
                 0,
                 0,
                 {}});
  throw InputError(std::move(all));
}

// --- parameters ------------------------------------------------------------------------------------

ParameterTable::ParameterTable(const Document& document, ProblemList& problems)
    : document_(document), table_(document.root().find("parameters")), problems_(problems) {
  const DocumentNode* bare = document.find_path("units.bare");
  bare_ = bare && bare->text == "SI";
  if (!table_) return;
  if (!table_->is_table()) {
    problems_.add(document_.at_value(*table_, "E0123", "parameters must be a table", "[parameters]"));
    table_ = nullptr;
    return;
  }
  for (const DocumentNode& node : table_->children) {
    numbers_[canonical_name(node.key)] = parameters_.size();
    parameters_.push_back({&node, {}});
    check_name(node);
  }
  for (Parameter& parameter : parameters_) find_uses(parameter);
  for (std::size_t i = 0; i < parameters_.size(); ++i) resolve(i);
  for (const Parameter& parameter : parameters_) {
    if (!parameter.value) continue;
    const DocumentNode* doc = parameter.node->is_table() ? parameter.node->find("doc") : nullptr;
    entries_.push_back({parameter.node->key, *parameter.value, doc ? doc->text : "", parameter.dimension});
  }
}

// A parameter that formulas cannot name, or that they would take for something else, is never what was meant.
void ParameterTable::check_name(const DocumentNode& node) {
  const bool good =
      is_plain_name(node.key) && (std::isalpha(static_cast<unsigned char>(node.key[0])) || node.key[0] == '_');
  if (!good)
    problems_.add(document_.at_key(node, "E0136", fmt::format("'{}' cannot be the name of a parameter", node.key),
                                   "letters, digits and underscores, beginning with a letter"));
  else if (node.key == "t" || is_word_of_formulas(node.key))
    problems_.add(document_.at_key(node, "E0136", fmt::format("'{}' already means something in formulas", node.key),
                                   node.key == "t" ? "t is the time; choose another name" : "choose another name"));
}

std::optional<ExpressionValue> ParameterTable::find(const std::string& name, Reduction) const {
  const auto found = numbers_.find(canonical_name(name));
  if (found == numbers_.end()) return std::nullopt;
  const auto& value = parameters_[found->second].value;
  if (!value) throw Silent();
  return ExpressionValue::number(*value);
}

std::vector<std::string> ParameterTable::known() const {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters_) names.push_back(parameter.node->key);
  return names;
}

void ParameterTable::find_uses(Parameter& parameter) {
  const auto add = [&](const DocumentNode& node) {
    if (node.kind != Kind::text) return;
    try {
      for (const Expression::Reference& reference : Expression(node.text).references()) {
        const auto found = numbers_.find(canonical_name(reference.name));
        if (found != numbers_.end()) parameter.uses.push_back(found->second);
      }
    } catch (const ExpressionError&) {
      // reported when it is evaluated
    }
  };
  add(*parameter.node);
  for (const char* key : {"value", "min", "max"})
    if (const DocumentNode* child = parameter.node->is_table() ? parameter.node->find(key) : nullptr) add(*child);
}

// Depth first, with the way down kept in a list.
void ParameterTable::resolve(std::size_t first) {
  if (parameters_[first].state == State::done) return;
  std::vector<std::pair<std::size_t, std::size_t>> path;  // a parameter, and how many of its uses were looked at
  const auto enter = [&](std::size_t i) {
    parameters_[i].state = State::open;
    path.emplace_back(i, 0);
  };
  enter(first);
  while (!path.empty()) {
    auto& [number, looked_at] = path.back();
    Parameter& parameter = parameters_[number];
    if (looked_at < parameter.uses.size()) {
      const std::size_t used = parameter.uses[looked_at++];
      if (parameters_[used].state == State::open) report_circle(path, used);
      if (parameters_[used].state == State::untouched) enter(used);
      continue;
    }
    compute(parameter);
    parameter.state = State::done;
    path.pop_back();
  }
}

void ParameterTable::report_circle(const std::vector<std::pair<std::size_t, std::size_t>>& path,
                                   std::size_t met_again) {
  std::vector<std::string> circle;
  for (const auto& [number, looked_at] : path)
    if (!circle.empty() || number == met_again) circle.push_back(parameters_[number].node->key);
  circle.push_back(parameters_[met_again].node->key);
  constexpr std::size_t most = 12;
  if (circle.size() > most) {
    circle[most / 2] = "...";
    circle.erase(circle.begin() + most / 2 + 1, circle.end() - most / 2);
  }
  problems_.add(
      document_.at_key(*parameters_[met_again].node, "E0133",
                       fmt::format("parameters depend on each other in a circle: {}", fmt::join(circle, " -> ")),
                       "give one of them as a number"));
}

std::optional<Dimension> ParameterTable::dimension(const std::string& name) const {
  const auto found = numbers_.find(canonical_name(name));
  if (found == numbers_.end()) return std::nullopt;
  if (!parameters_[found->second].value) throw Silent();
  return parameters_[found->second].dimension;
}

std::shared_ptr<const SplineCurve> ParameterTable::curve(const std::string& file, std::size_t offset) const {
  auto& known = curves_[file];
  if (known) return known;
  const std::filesystem::path folder = std::filesystem::path(document_.file()).parent_path();
  if (!document_.outside_allowed() && leads_out(folder.string(), file))
    throw ExpressionError("the table leads out of the folder of the model", offset,
                          "a file beside the model or below; --allow-outside permits others", "E0118");
  try {
    known = std::make_shared<const SplineCurve>(read_curve((folder / file).string()));
  } catch (const InputError& error) {
    const InputProblem& problem = error.problems().front();
    throw ExpressionError(
        problem.line > 0 ? fmt::format("{}:{}: {}", file, problem.line, problem.message) : problem.message, offset,
        problem.hint, problem.code);
  }
  return known;
}

void ParameterTable::compute(Parameter& parameter) {
  try {
    parameter.value = value_of(*parameter.node, parameter.dimension);
  } catch (const Silent&) {
    parameter.value = std::nullopt;
  }
}

std::optional<double> ParameterTable::value_of(const DocumentNode& node, Dimension& dimension) {
  const auto found = [&](const DocumentNode& at) { return evaluate(at, document_, *this, problems_); };
  if (!node.is_table()) {
    const auto quantity = found(node);
    if (!quantity) return std::nullopt;
    dimension = quantity->dimension;
    return quantity->value;
  }
  for (const DocumentNode& child : node.children)
    if (!contains({"value", "min", "max", "doc"}, child.key))
      problems_.add(document_.at_key(child, "E0102", fmt::format("unknown key '{}' in {}", child.key, node.path),
                                     suggestion(child.key, std::vector<std::string>{"value", "min", "max", "doc"})));
  const DocumentNode* given = node.find("value");
  if (!given) {
    problems_.add(document_.at_key(node, "E0104", node.path + " has no value", "value = ..."));
    return std::nullopt;
  }
  const auto value = found(*given);
  if (!value) return std::nullopt;
  dimension = value->dimension;
  for (const char* limit : {"min", "max"}) {
    const DocumentNode* bound = node.find(limit);
    if (!bound) continue;
    const auto x = found(*bound);
    if (!x) continue;
    if (value->bare && !x->bare && !x->dimension.any) {  // the bound tells what the value should be
      if (!suits(*given, value->dimension, value->bare, false, x->dimension, bare_, document_, problems_))
        return std::nullopt;
      dimension = x->dimension;
    } else if (!suits(*bound, x->dimension, x->bare, false, dimension, bare_, document_, problems_)) {
      continue;
    }
    const bool is_min = bound->key == "min";
    if (is_min ? value->value < x->value : value->value > x->value) {
      problems_.add(
          document_.at_value(*given, "E0126", fmt::format("{} = {} is out of range", node.key, value->value),
                             fmt::format("allowed: {} {} {} ({})", node.key, is_min ? ">=" : "<=", x->value, limit)));
      return std::nullopt;
    }
  }
  return value->value;
}

// --- values ----------------------------------------------------------------------------------------

std::optional<double> Reading::number(const DocumentNode& node, const Dimension& wanted) const {
  try {
    const auto found = evaluate(node, document, parameters, problems);
    if (!found || !suits(node, found->dimension, found->bare, found->cycles, wanted, parameters.bare_numbers(),
                         document, problems))
      return std::nullopt;
    if (taken) taken->numbers[&node] = found->value;
    return found->value;
  } catch (const Silent&) {
    return std::nullopt;
  }
}

bool Reading::fits(const DocumentNode& node, const Expression& expression, const ExpressionNames& names,
                   const Dimension& wanted) const {
  try {
    return suits(node, expression.dimension(names), expression.is_bare_number(), expression.counts_cycles(), wanted,
                 parameters.bare_numbers(), document, problems);
  } catch (const ExpressionError& error) {
    add_error(node, error, "E0131", document, problems);
    return false;
  } catch (const Silent&) {
    return false;
  }
}

std::optional<std::vector<double>> Reading::numbers(const DocumentNode& node, const Dimension& wanted) const {
  if (node.kind != Kind::array) {
    report(document.at_value(node, "E0123",
                             fmt::format("{} wants a list of numbers, got {}", node.path, to_text(node.kind)),
                             "for example [0, 0, 1]"));
    return std::nullopt;
  }
  std::vector<double> list;
  bool good = true;
  for (const DocumentNode& child : node.children) {
    const auto x = number(child, wanted);
    good = good && x;
    list.push_back(x.value_or(0.0));
  }
  return good ? std::optional(list) : std::nullopt;
}

std::optional<Expression> Reading::expression(const DocumentNode& node) const {
  if (taken) taken->formulas.push_back(&node);
  if (node.kind == Kind::text) return parse(node, document, problems);
  if (node.kind == Kind::number) return Expression(fmt::format("{}", node.number));
  report(document.at_value(node, "E0123", fmt::format("{} wants an expression, got {}", node.path, to_text(node.kind)),
                           "write it in quotes"));
  return std::nullopt;
}

std::optional<ParameterValue> Reading::parameter(const DocumentNode& node, const ParameterSpec* spec) const {
  const auto wrap = [](auto&& value) -> std::optional<ParameterValue> {
    if (!value) return std::nullopt;
    return ParameterValue(*value);
  };
  if (node.kind == Kind::array) return wrap(numbers(node));
  if (node.kind == Kind::boolean) return ParameterValue(node.boolean);
  if (node.kind == Kind::text && spec && !std::holds_alternative<double>(spec->default_value))
    return ParameterValue(node.text);
  if (node.kind == Kind::text && !spec) return ParameterValue(node.text);  // reported as unknown later
  return wrap(number(node));
}

bool Reading::attempt(const DocumentNode* table, const std::function<void()>& work) const {
  try {
    work();
    return true;
  } catch (const InputError& error) {
    for (InputProblem problem : error.problems()) {
      const DocumentNode* node = table ? table->find(problem.key) : nullptr;
      // The key itself, or the nearest table around it that is in the file.
      for (std::string path = problem.key; !node && !path.empty();) {
        node = document.find_path(path);
        const std::size_t dot = path.rfind('.');
        path = dot == std::string::npos ? "" : path.substr(0, dot);
      }
      if (!node) node = table;
      if (node) {
        const bool at_key = problem.code == "E0102" || node->is_table();
        problem = at_key ? document.at_key(*node, problem.code, problem.message, problem.hint)
                         : document.at_value(*node, problem.code, problem.message, problem.hint);
      } else {
        problem.file = document.file();
      }
      report(std::move(problem));
    }
    return false;
  }
}

bool is_plain_name(std::string_view name) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
  return !name.empty() && std::all_of(name.begin(), name.end(), plain);
}

// --- tables ----------------------------------------------------------------------------------------

TableReader::TableReader(const Reading& reading, const DocumentNode* table, std::string path, const TableSpec* spec)
    : reading_(reading), table_(table), path_(std::move(path)), spec_(spec) {
  if (table_ && !table_->is_table()) {
    reading_.report(reading_.document.at_value(*table_, "E0123",
                                               fmt::format("{} must be a table, got {}", path_, to_text(table_->kind)),
                                               fmt::format("[{}]", path_)));
    table_ = nullptr;
  }
}

const DocumentNode* TableReader::take(const std::string& key) {
  if (!contains(known_, key)) known_.push_back(key);
  return table_ ? table_->find(key) : nullptr;
}

Dimension TableReader::dimension(const std::string& key) const {
  const FieldSpec* spec = field(key);
  return spec ? spec->dimension() : Dimension::anything();
}

void TableReader::check_range(const std::string& key, double value) {
  if (const FieldSpec* spec = field(key)) check(key, spec->allows(value), spec->allowed());
}

std::optional<double> TableReader::number(const std::string& key) { return number(key, dimension(key)); }

std::optional<double> TableReader::number(const std::string& key, const Dimension& wanted) {
  const DocumentNode* node = take(key);
  const auto value = node ? reading_.number(*node, wanted) : std::nullopt;
  if (value) check_range(key, *value);
  return value;
}

std::optional<std::vector<double>> TableReader::numbers(const std::string& key) {
  const DocumentNode* node = take(key);
  return node ? reading_.numbers(*node, dimension(key)) : std::nullopt;
}

std::optional<Vector3> TableReader::vector(const std::string& key, bool planar) {
  if (!planar) return vector3(key);
  const auto list = numbers(key);
  if (!list) return std::nullopt;
  if (list->size() != 2 && list->size() != 3) {
    refuse(key, "E0123", fmt::format("{}.{} wants two numbers, got {}", path_, key, list->size()),
           "for example [0, 1]");
    return std::nullopt;
  }
  return Vector3((*list)[0], (*list)[1], list->size() == 3 ? (*list)[2] : 0.0);
}

std::optional<bool> TableReader::flag(const std::string& key) {
  const DocumentNode* node = take(key);
  if (!node) return std::nullopt;
  if (node->kind == Kind::boolean) return node->boolean;
  refuse(key, "E0123", fmt::format("{}.{} wants true or false", path_, key), "true or false, without quotes");
  return std::nullopt;
}

std::optional<Vector3> TableReader::vector3(const std::string& key) {
  const auto list = numbers(key);
  if (!list) return std::nullopt;
  if (list->size() != 3) {
    refuse(key, "E0123", fmt::format("{}.{} wants three numbers, got {}", path_, key, list->size()),
           "for example [0, 0, 1]");
    return std::nullopt;
  }
  return Vector3((*list)[0], (*list)[1], (*list)[2]);
}

std::optional<std::string> TableReader::text(const std::string& key) {
  const DocumentNode* node = take(key);
  if (!node) return std::nullopt;
  if (node->kind == Kind::text) return node->text;
  refuse(key, "E0123", fmt::format("{}.{} wants a word, got {}", path_, key, to_text(node->kind)),
         "write it in quotes");
  return std::nullopt;
}

std::optional<std::vector<std::string>> TableReader::texts(const std::string& key) {
  const DocumentNode* node = take(key);
  if (!node) return std::nullopt;
  std::vector<std::string> list;
  bool good = node->kind == Kind::array;
  for (const DocumentNode& child : node->children) {
    good = good && child.kind == Kind::text;
    list.push_back(child.text);
  }
  if (good) return list;
  refuse(key, "E0123", fmt::format("{}.{} wants a list of names", path_, key), "for example [\"a\", \"b\"]");
  return std::nullopt;
}

std::optional<std::string> TableReader::word(const std::string& key, const std::vector<std::string>& words) {
  const auto given = text(key);
  if (!given) return std::nullopt;
  const std::string name = canonical_name(*given);
  if (contains(words, name)) return name;
  refuse(key, "E0125", fmt::format("unknown word '{}' for {}.{}", *given, path_, key), suggestion(*given, words));
  kind_unknown_ = kind_unknown_ || key == "type";
  return std::nullopt;
}

std::optional<double> TableReader::whole(const std::string& key, double least, double most) {
  const DocumentNode* node = take(key);
  const auto value = node ? reading_.number(*node, Dimension{}) : std::nullopt;
  if (!value) return std::nullopt;
  const bool good = *value >= least && *value <= most && *value == std::floor(*value);
  check(key, good, fmt::format("a whole number, {} to {}", least, most));
  return good ? value : std::nullopt;
}

TableReader TableReader::table(const std::string& key, const TableSpec* spec) {
  return TableReader(reading_, take(key), path_.empty() ? key : path_ + "." + key, spec);
}

void TableReader::require_all() {
  if (!spec_) return;
  for (const FieldSpec& spec : spec_->fields) {
    if (!spec.required) continue;
    const std::string unit = spec.unit.empty() || spec.unit == "1" || spec.unit == "?" ? "" : " in " + spec.unit;
    require(spec.name, fmt::format("{}: {}{}", spec.name, spec.doc, unit));
  }
}

void TableReader::require(const std::string& key, const std::string& hint) {
  if (take(key) || is_misspelt(key)) return;
  InputProblem problem{"E0104", fmt::format("{}.{} is missing", path_, key), path_, hint, {}, 0, 0, {}};
  if (table_) {
    problem = reading_.document.at_key(*table_, problem.code, problem.message, hint);
  } else {
    problem.message = fmt::format("[{}] with '{}' is missing", path_, key);
    problem.file = reading_.document.file();
  }
  reading_.report(std::move(problem));
}

// Whether another key is so near to this one that finish() will say it all. Short names are near to too many.
bool TableReader::is_misspelt(const std::string& key) const {
  if (!table_ || key.size() < 6) return false;
  const std::vector<std::string> only = {key};
  return std::any_of(table_->children.begin(), table_->children.end(), [&](const DocumentNode& child) {
    return !contains(known_, canonical_name(child.key)) && !nearest_name(child.key, only).empty();
  });
}

void TableReader::check(const std::string& key, bool good, const std::string& allowed) {
  if (good) return;
  const DocumentNode* node = take(key);
  const std::string given = !node                        ? ""
                            : node->kind == Kind::number ? fmt::format("{}", node->number)
                                                         : fmt::format("\"{}\"", node->text);
  refuse(key, "E0126", fmt::format("{}.{} = {} is out of range", path_, key, given), "allowed: " + allowed);
}

std::map<std::string, ParameterValue> TableReader::parameters(const std::vector<ParameterSpec>& specs) {
  std::map<std::string, ParameterValue> values;
  const auto taken = known_;
  for (const ParameterSpec& spec : specs) known_.push_back(spec.name);
  if (!table_) return values;
  for (const DocumentNode& child : table_->children) {
    const std::string name = canonical_name(child.key);
    if (contains(taken, name)) continue;
    const auto spec = std::find_if(specs.begin(), specs.end(), [&](const auto& s) { return s.name == name; });
    if (spec == specs.end()) continue;  // finish() reports it
    if (auto value = reading_.parameter(child, &*spec)) values[name] = *std::move(value);
  }
  return values;
}

void TableReader::refuse(const std::string& key, std::string code, std::string message, std::string hint) {
  const DocumentNode* node = table_ ? table_->find(key) : nullptr;
  if (node)
    reading_.report(reading_.document.at_value(*node, std::move(code), std::move(message), std::move(hint)));
  else if (table_)
    reading_.report(reading_.document.at_key(*table_, std::move(code), std::move(message), std::move(hint)));
  else
    reading_.report({std::move(code), std::move(message), path_, std::move(hint), reading_.document.file(), 0, 0, {}});
}

void TableReader::finish() {
  if (!table_ || kind_unknown_) return;  // of a kind that is not known no key is wrong
  if (spec_)
    for (const FieldSpec& spec : spec_->fields)  // NAME stands for any
      if (!std::isupper(static_cast<unsigned char>(spec.name[0])) && !contains(known_, spec.name))
        known_.push_back(spec.name);
  for (const DocumentNode& child : table_->children) {
    if (contains(known_, canonical_name(child.key))) continue;
    reading_.report(reading_.document.at_key(
        child, "E0102", fmt::format("unknown key '{}'{}", child.key, path_.empty() ? "" : " in " + path_),
        known_.empty() ? "it takes no parameters" : suggestion(child.key, known_)));
  }
}

}  // namespace carom::inline io
