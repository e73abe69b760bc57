#include "carom/io/study_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/names.h"

namespace carom::inline io {

namespace {

// A list of quantities, or linspace(from, to, n), geomspace(from, to, n).
std::optional<std::vector<double>> read_values(const Reading& reading, const DocumentNode& node,
                                               const Dimension& wanted) {
  if (node.kind == DocumentNode::Kind::array) return reading.numbers(node, wanted);
  const auto refuse = [&](const std::string& message) {
    reading.report(reading.document.at_value(node, "E0123", fmt::format("{}: {}", node.path, message),
                                             "a list, or \"linspace(from, to, n)\", \"geomspace(from, to, n)\""));
    return std::nullopt;
  };
  const bool linear = node.text.starts_with("linspace("), geometric = node.text.starts_with("geomspace(");
  if (node.kind != DocumentNode::Kind::text || (!linear && !geometric) || node.text.back() != ')')
    return refuse("this is no list of values");
  const std::size_t open = node.text.find('(');
  std::vector<double> arguments;
  std::size_t begin = open + 1;
  int depth = 0;
  for (std::size_t i = begin; i < node.text.size(); ++i) {
    const char c = node.text[i];
    if (c == '(') ++depth;
    const bool ends = (c == ',' && depth == 0) || (c == ')' && depth == 0);
    if (c == ')' && depth > 0) --depth;
    if (!ends) continue;
    DocumentNode part = node;
    part.text = node.text.substr(begin, i - begin);
    const auto value = reading.number(part, arguments.size() < 2 ? wanted : Dimension{});
    if (!value) return std::nullopt;
    arguments.push_back(*value);
    begin = i + 1;
  }
  if (arguments.size() != 3 || arguments[2] != std::floor(arguments[2]) || arguments[2] < 2.0 ||
      arguments[2] > 100000.0)
    return refuse("it wants from, to and a number of values");
  const auto [from, to] = std::pair(arguments[0], arguments[1]);
  if (geometric && !(from * to > 0.0)) return refuse("a geometric list does not pass zero");
  std::vector<double> values;
  const int n = static_cast<int>(arguments[2]);
  for (int k = 0; k < n; ++k) {
    const double s = static_cast<double>(k) / (n - 1);
    values.push_back(k == 0 ? from : k + 1 == n ? to : linear ? from + s * (to - from) : from * std::pow(to / from, s));
  }
  return values;
}

std::string known_scheme(const Reading& reading, const DocumentNode& node, const std::string& word) {
  const std::string name = canonical_name(word.substr(0, word.find(':')));
  const auto names = scheme_registry().names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    const InputProblem problem = scheme_registry().missing(word);
    reading.report(reading.document.at_value(node, problem.code, problem.message, problem.hint));
  }
  return word;
}

// Points of a bifurcation diagram.
void read_diagram(TableReader& table, StudySettings& study) {
  study.section = table.text("section").value_or("");
  study.impacts = table.text("impacts");
  study.show = table.text("show").value_or("");
  study.follow = table.word("follow", {"none", "forward", "backward", "both"}).value_or("");
  if (const auto skip = table.whole("skip", 0, 1e9)) study.skip = static_cast<int>(*skip);
  if (const auto keep = table.whole("keep", 1, 1e9)) study.keep = static_cast<int>(*keep);
  if (study.kind != "bifurcation") return;
  table.require("show", "show = \"mass.velocity\"");
  if (study.section.empty() && !study.impacts) table.require("section", "section = \"2*pi/omega\", or impacts");
}

}  // namespace

void read_studies(const Reading& reading, TableReader& group, std::vector<StudySettings>& studies) {
  if (!group.exists()) return;
  for (const DocumentNode& child : group.node()->children) {
    TableReader table(reading, &child, "study." + child.key, &table_spec("study"));
    if (!table.exists()) continue;
    StudySettings study;
    study.name = child.key;
    table.require("kind", "kind = \"sweep\", \"bifurcation\", \"convergence\" or \"compare\"");
    study.kind = table.word("kind", {"sweep", "bifurcation", "convergence", "compare"}).value_or("");
    if (const DocumentNode* over = table.take("over")) {
      TableReader axes = table.table("over");
      if (axes.exists())
        for (const DocumentNode& axis : over->children) {
          const auto known = reading.parameters.known();
          if (std::find(known.begin(), known.end(), axis.key) == known.end()) {
            reading.report(reading.document.at_key(axis, "E0141",
                                                   fmt::format("{}: there is no parameter '{}'", over->path, axis.key),
                                                   suggestion(axis.key, known)));
            continue;
          }
          Dimension wanted = Dimension::anything();
          for (const auto& entry : reading.parameters.entries())
            if (entry.name == axis.key) wanted = entry.dimension;
          if (auto values = read_values(reading, axis, wanted)) study.over.emplace_back(axis.key, *std::move(values));
        }
    }
    if (study.kind == "sweep" || study.kind == "bifurcation") table.require("over", "over = { PARAMETER = [..] }");
    read_diagram(table, study);
    if (const DocumentNode* steps = table.take("steps"))
      if (auto values = read_values(reading, *steps, Dimension::of(0, 0, 1))) study.steps = *std::move(values);
    if (const auto words = table.texts("schemes"))
      for (const std::string& word : *words)
        study.schemes.push_back(known_scheme(reading, *child.find("schemes"), word));
    if (const DocumentNode* reference = table.take("reference")) {
      TableReader settings = table.table("reference");
      if (settings.exists()) {
        settings.require("scheme", "scheme = \"event_driven\"");
        if (const auto scheme = settings.text("scheme"))
          study.reference_scheme = known_scheme(reading, *reference->find("scheme"), *scheme);
        for (const DocumentNode& value : reference->children) {
          if (value.key == "scheme") continue;
          settings.take(value.key);
          if (const auto x = reading.number(value)) study.reference_parameters[canonical_name(value.key)] = *x;
        }
      }
    }
    study.until = table.number("until").value_or(0.0);
    if (const DocumentNode* measures = table.take("measure")) {
      TableReader named = table.table("measure");
      if (named.exists())
        for (const DocumentNode& measure : measures->children)
          if (auto expression = reading.expression(measure))
            study.measures.push_back({measure.key, *std::move(expression)});
    }
    table.finish();
    studies.push_back(std::move(study));
  }
}

}  // namespace carom::inline io
