#include "carom/io/table_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "carom/base/names.h"

namespace carom {

namespace {

using Kind = DocumentNode::Kind;

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::optional<Expression> parse(const DocumentNode& node, const Document& document,
                                ProblemList& problems) {
  try {
    return Expression(node.text);
  } catch (const ExpressionError& error) {
    problems.add(document.at_value(node, "E0130", fmt::format("{}: {}", node.path, error.what()),
                                         error.hint(), static_cast<int>(error.offset())));
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

std::optional<double> evaluate(const DocumentNode& node, const Document& document,
                               const ExpressionNames& names, ProblemList& problems) {
  if (node.kind == Kind::number) return finite(node, node.number, document, problems);
  if (node.kind != Kind::text) {
    problems.add(document.at_value(
        node, "E0123", fmt::format("{} wants a number, got {}", node.path, to_text(node.kind)),
        "a number, or an expression in quotes"));
    return std::nullopt;
  }
  const auto expression = parse(node, document, problems);
  if (!expression) return std::nullopt;
  try {
    return finite(node, expression->evaluate(names).data[0], document, problems);
  } catch (const ExpressionError& error) {
    problems.add(document.at_value(node, "E0131", fmt::format("{}: {}", node.path, error.what()),
                                         error.hint(), static_cast<int>(error.offset())));
    return std::nullopt;
  }
}

// A name that exists but has a problem of its own: no second report.
class Silent : public std::exception {};

}  // namespace

void ProblemList::add(InputProblem problem) {
  list_.push_back(std::move(problem));
  if (list_.size() < most_problems) return;
  auto all = list_;
  all.push_back({"E0116", fmt::format("{} problems are enough: the rest of the file was not looked at", most_problems), {},
                 "correct these first", list_.back().file, 0, 0, {}});
  throw InputError(std::move(all));
}

// --- parameters ------------------------------------------------------------------------------------

ParameterTable::ParameterTable(const Document& document, ProblemList& problems)
    : document_(document), table_(document.root().find("parameters")), problems_(problems) {
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
    entries_.push_back({parameter.node->key, *parameter.value, doc ? doc->text : ""});
  }
}

// A parameter that formulas cannot name, or that they would take for something else, is never what was meant.
void ParameterTable::check_name(const DocumentNode& node) {
  const bool good = is_plain_name(node.key) && (std::isalpha(static_cast<unsigned char>(node.key[0])) || node.key[0] == '_');
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
    parameter.value = value_or_none(*parameter.node);
    parameter.state = State::done;
    path.pop_back();
  }
}

void ParameterTable::report_circle(const std::vector<std::pair<std::size_t, std::size_t>>& path, std::size_t met_again) {
  std::vector<std::string> circle;
  for (const auto& [number, looked_at] : path)
    if (!circle.empty() || number == met_again) circle.push_back(parameters_[number].node->key);
  circle.push_back(parameters_[met_again].node->key);
  constexpr std::size_t most = 12;
  if (circle.size() > most) {
    circle[most / 2] = "...";
    circle.erase(circle.begin() + most / 2 + 1, circle.end() - most / 2);
  }
  problems_.add(document_.at_key(
      *parameters_[met_again].node, "E0133",
      fmt::format("parameters depend on each other in a circle: {}", fmt::join(circle, " -> ")),
      "give one of them as a number"));
}

std::optional<double> ParameterTable::value_or_none(const DocumentNode& node) {
  try {
    return value_of(node);
  } catch (const Silent&) {
    return std::nullopt;
  }
}

std::optional<double> ParameterTable::value_of(const DocumentNode& node) {
  if (!node.is_table()) return evaluate(node, document_, *this, problems_);
  for (const DocumentNode& child : node.children)
    if (!contains({"value", "min", "max", "doc"}, child.key))
      problems_.add(document_.at_key(
          child, "E0102", fmt::format("unknown key '{}' in {}", child.key, node.path),
          suggestion(child.key, std::vector<std::string>{"value", "min", "max", "doc"})));
  const DocumentNode* given = node.find("value");
  if (!given) {
    problems_.add(document_.at_key(node, "E0104", node.path + " has no value", "value = ..."));
    return std::nullopt;
  }
  const auto value = evaluate(*given, document_, *this, problems_);
  for (const char* limit : {"min", "max"}) {
    const DocumentNode* bound = node.find(limit);
    if (!bound || !value) continue;
    const auto x = evaluate(*bound, document_, *this, problems_);
    const bool is_min = bound->key == "min";
    if (x && (is_min ? *value < *x : *value > *x)) {
      problems_.add(document_.at_value(
          *given, "E0126", fmt::format("{} = {} is out of range", node.key, *value),
          fmt::format("allowed: {} {} {} ({})", node.key, is_min ? ">=" : "<=", *x, limit)));
      return std::nullopt;
    }
  }
  return value;
}

// --- values ----------------------------------------------------------------------------------------

std::optional<double> Reading::number(const DocumentNode& node) const {
  try {
    return evaluate(node, document, parameters, problems);
  } catch (const Silent&) {
    return std::nullopt;
  }
}

std::optional<std::vector<double>> Reading::numbers(const DocumentNode& node) const {
  if (node.kind != Kind::array) {
    report(document.at_value(node, "E0123",
                             fmt::format("{} wants a list of numbers, got {}", node.path, to_text(node.kind)),
                             "for example [0, 0, 1]"));
    return std::nullopt;
  }
  std::vector<double> list;
  for (const DocumentNode& child : node.children) {
    const auto x = number(child);
    if (!x) return std::nullopt;
    list.push_back(*x);
  }
  return list;
}

std::optional<Expression> Reading::expression(const DocumentNode& node) const {
  if (node.kind == Kind::text) return parse(node, document, problems);
  if (node.kind == Kind::number) return Expression(fmt::format("{}", node.number));
  report(document.at_value(node, "E0123",
                           fmt::format("{} wants an expression, got {}", node.path, to_text(node.kind)),
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

TableReader::TableReader(const Reading& reading, const DocumentNode* table, std::string path)
    : reading_(reading), table_(table), path_(std::move(path)) {
  if (table_ && !table_->is_table()) {
    reading_.report(reading_.document.at_value(
        *table_, "E0123", fmt::format("{} must be a table, got {}", path_, to_text(table_->kind)),
        fmt::format("[{}]", path_)));
    table_ = nullptr;
  }
}

const DocumentNode* TableReader::take(const std::string& key) {
  if (!contains(known_, key)) known_.push_back(key);
  return table_ ? table_->find(key) : nullptr;
}

std::optional<double> TableReader::number(const std::string& key) {
  const DocumentNode* node = take(key);
  return node ? reading_.number(*node) : std::nullopt;
}

std::optional<std::vector<double>> TableReader::numbers(const std::string& key) {
  const DocumentNode* node = take(key);
  return node ? reading_.numbers(*node) : std::nullopt;
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
  refuse(key, "E0125", fmt::format("unknown word '{}' for {}.{}", *given, path_, key),
         suggestion(*given, words));
  return std::nullopt;
}

std::optional<double> TableReader::whole(const std::string& key, double least, double most) {
  const auto value = number(key);
  if (!value) return std::nullopt;
  const bool good = *value >= least && *value <= most && *value == std::floor(*value);
  check(key, good, fmt::format("a whole number, {} to {}", least, most));
  return good ? value : std::nullopt;
}

TableReader TableReader::table(const std::string& key) {
  return TableReader(reading_, take(key), path_.empty() ? key : path_ + "." + key);
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
  if (!table_) return;
  for (const DocumentNode& child : table_->children) {
    if (contains(known_, canonical_name(child.key))) continue;
    reading_.report(reading_.document.at_key(
        child, "E0102",
        fmt::format("unknown key '{}'{}", child.key, path_.empty() ? "" : " in " + path_),
        known_.empty() ? "it takes no parameters" : suggestion(child.key, known_)));
  }
}

}  // namespace carom
