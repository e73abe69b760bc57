#include "carom/base/parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "carom/base/errors.h"
#include "carom/base/names.h"

namespace carom::inline base {

namespace {

const char* kind_name(const ParameterValue& value) {
  constexpr const char* names[] = {"a number", "true or false", "a word", "a list of numbers"};
  return names[value.index()];
}

void check_number(double value, const ParameterSpec& spec, const std::string& owner,
                  std::vector<InputProblem>& problems) {
  const bool below = spec.exclusive_min ? !(value > spec.min) : !(value >= spec.min);
  if (!below && value <= spec.max) return;
  problems.push_back({"E0126",
                      fmt::format("{}: {} = {} is out of range", owner, spec.name, value),
                      spec.name,
                      fmt::format("allowed: {} {} {} {}", spec.min, spec.exclusive_min ? "<" : "<=", spec.name,
                                  std::isinf(spec.max) ? "" : fmt::format("<= {}", spec.max)),
                      {},
                      0,
                      0,
                      {}});
}

void check(const ParameterValue& value, const ParameterSpec& spec, const std::string& owner,
           std::vector<InputProblem>& problems) {
  if (value.index() != spec.default_value.index()) {
    problems.push_back(
        {"E0123",
         fmt::format("{}: {} wants {}, got {}", owner, spec.name, kind_name(spec.default_value), kind_name(value)),
         spec.name,
         fmt::format("for example {} = {}", spec.name, to_text(spec.default_value)),
         {},
         0,
         0,
         {}});
    return;
  }
  if (const double* x = std::get_if<double>(&value)) check_number(*x, spec, owner, problems);
  if (const auto* xs = std::get_if<std::vector<double>>(&value))
    for (double x : *xs) check_number(x, spec, owner, problems);
  if (const auto* word = std::get_if<std::string>(&value); word && !spec.words.empty()) {
    const std::string name = canonical_name(*word);
    if (std::find(spec.words.begin(), spec.words.end(), name) == spec.words.end())
      problems.push_back({"E0125",
                          fmt::format("{}: unknown word '{}' for {}", owner, *word, spec.name),
                          spec.name,
                          suggestion(*word, spec.words),
                          {},
                          0,
                          0,
                          {}});
  }
}

}  // namespace

std::string to_text(const ParameterValue& value) {
  if (const double* x = std::get_if<double>(&value)) return fmt::format("{}", *x);
  if (const bool* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
  if (const auto* word = std::get_if<std::string>(&value)) return fmt::format("\"{}\"", *word);
  return fmt::format("[{}]", fmt::join(std::get<std::vector<double>>(value), ", "));
}

Parameters::Parameters(const std::vector<ParameterSpec>& specs, const std::map<std::string, ParameterValue>& given,
                       const std::string& owner) {
  std::vector<InputProblem> problems;
  std::vector<std::string> known;
  for (const ParameterSpec& spec : specs) known.push_back(spec.name);
  for (const auto& [name, value] : given) {
    if (std::find(known.begin(), known.end(), canonical_name(name)) == known.end())
      problems.push_back({"E0102",
                          fmt::format("unknown key '{}' in {}", name, owner),
                          name,
                          known.empty() ? "it takes no parameters" : suggestion(name, known),
                          {},
                          0,
                          0,
                          {}});
  }
  for (const ParameterSpec& spec : specs) {
    ParameterValue value = spec.default_value;
    for (const auto& [name, given_value] : given) {
      if (canonical_name(name) != spec.name) continue;
      check(given_value, spec, owner, problems);
      value = given_value;
      if (auto* word = std::get_if<std::string>(&value); word && !spec.words.empty()) *word = canonical_name(*word);
    }
    values_[spec.name] = value;
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

namespace {

template <class T>
const T& get(const std::map<std::string, ParameterValue>& values, const std::string& name) {
  const auto it = values.find(name);
  if (it == values.end() || !std::holds_alternative<T>(it->second))
    throw LogicError("parameter '" + name + "' was not declared with this type");
  return std::get<T>(it->second);
}

}  // namespace

double Parameters::number(const std::string& name) const { return get<double>(values_, name); }
bool Parameters::flag(const std::string& name) const { return get<bool>(values_, name); }
const std::string& Parameters::word(const std::string& name) const { return get<std::string>(values_, name); }
const std::vector<double>& Parameters::list(const std::string& name) const {
  return get<std::vector<double>>(values_, name);
}

}  // namespace carom::inline base
