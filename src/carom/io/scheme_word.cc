#include "carom/io/scheme_word.h"

#include <fmt/format.h>

#include <charconv>

#include "carom/base/errors.h"

namespace carom::inline io {

namespace {

// As the parameter's default: what is not a number where one is wanted stays text, which the check of
// parameters refuses.
ParameterValue value_of(const SchemeEntry& scheme, const std::string& key, const std::string& text) {
  for (const ParameterSpec& spec : scheme.parameters) {
    if (spec.name != key) continue;
    if (std::holds_alternative<double>(spec.default_value)) {
      double number = 0.0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error == std::errc() && end == text.data() + text.size()) return number;
    }
    if (std::holds_alternative<bool>(spec.default_value) && (text == "true" || text == "false")) return text == "true";
  }
  return text;
}

Parameters all_parameters(const SchemeEntry& scheme, const ParameterValues& given) {
  return Parameters(scheme.parameters, given, "scheme " + scheme.name);
}

ParameterValues merged(const Scenario& scenario, const SchemeWord& word) {
  ParameterValues values = word.parameters;
  const auto given = scenario.simulation.scheme_parameters.find(word.entry->name);
  if (given != scenario.simulation.scheme_parameters.end()) values.insert(given->second.begin(), given->second.end());
  return values;
}

}  // namespace

SchemeWord parse_scheme_word(const std::string& word) {
  std::size_t end = word.find(':');
  SchemeWord scheme;
  scheme.entry = &scheme_registry().find(word.substr(0, end));
  scheme.text = scheme.entry->name;
  while (end != std::string::npos) {
    const std::size_t begin = end + 1;
    end = word.find(':', begin);
    const std::string part = word.substr(begin, end == std::string::npos ? end : end - begin);
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError({"E0103",
                        fmt::format("'{}' in '{}' is no parameter", part, word),
                        part,
                        fmt::format("write {}:name=value, further parameters after further colons", scheme.entry->name),
                        {},
                        0,
                        0,
                        {}});
    const std::string key = canonical_name(part.substr(0, equals)), value = part.substr(equals + 1);
    scheme.parameters[key] = value_of(*scheme.entry, key, value);
    scheme.text += fmt::format(":{}={}", key, value);
  }
  scheme.entry->make(all_parameters(*scheme.entry, scheme.parameters));  // for its complaints
  return scheme;
}

std::optional<Feature> untreated(const Scenario& scenario, const SchemeWord& word) {
  return untreated(*word.entry, *scenario.model.system, merged(scenario, word));
}

void check_scheme(const Scenario& scenario) {
  const SchemeWord word = parse_scheme_word(scenario.simulation.scheme);
  if (const auto why = refusal(*word.entry, *scenario.model.system, merged(scenario, word))) {
    const std::size_t cut = why->find("; ");
    throw InputError({"E0301",
                      "this scheme cannot run this model: " + why->substr(0, cut),
                      "simulation.scheme",
                      cut == std::string::npos ? "" : why->substr(cut + 2),
                      {},
                      0,
                      0,
                      {}});
  }
}

Orders orders_of(const Scenario& scenario, const SchemeWord& word) {
  if (!word.entry->orders_with) return word.entry->promises.orders;
  return word.entry->orders_with(all_parameters(*word.entry, merged(scenario, word)));
}

std::unique_ptr<Scheme> make_scheme(const Scenario& scenario, const std::string& word) {
  const SchemeWord scheme = parse_scheme_word(word);
  return scheme.entry->make(all_parameters(*scheme.entry, merged(scenario, scheme)));
}

}  // namespace carom::inline io
