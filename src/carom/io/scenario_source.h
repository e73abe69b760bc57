// A scenario together with the tree it was read from: --set put in, includes, instances and counts written out, and
// what the readers took each value for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/io/document.h"
#include "carom/io/named_files.h"
#include "carom/io/scenario.h"
#include "carom/io/table_reader.h"

namespace carom::inline io {

struct ScenarioSource {
  std::unique_ptr<Document> document;  // its nodes are the keys of `taken`
  TakenValues taken;
  Scenario scenario;
};

// Throw InputError, as read_scenario() does.
ScenarioSource read_scenario_source(const std::string& file, const std::vector<Override>& overrides = {},
                                    NamedFiles files = NamedFiles::inside);
ScenarioSource parse_scenario_source(const std::string& file, const std::string& text);

}  // namespace carom::inline io
