// A scheme and its parameters in one word, for command lines:
//
//   half_explicit_runge_kutta:tableau=hem3        further parameters after further colons
#pragma once

#include <optional>
#include <string>

#include "carom/io/scenario.h"

namespace carom::inline io {

struct SchemeWord {
  const SchemeEntry* entry = nullptr;
  ParameterValues parameters;  // those in the word
  std::string text;            // the word in registry spelling
};

// Checks names and values. InputError, with the nearest spelling.
SchemeWord parse_scheme_word(const std::string& word);

// What of the scenario's model the scheme cannot treat with these parameters.
std::optional<Feature> untreated(const Scenario& scenario, const SchemeWord& word);

// The orders of the scheme with the parameters of the word, and else those the scenario gives it.
Orders orders_of(const Scenario& scenario, const SchemeWord& word);

}  // namespace carom::inline io
