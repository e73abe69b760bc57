// Reads a mechanism: [world], [ground], [body.*], [flexible.*], [generate.*], [plane.*], [joint.*], [drive.*],
// [force.*], [input.*], [contact.*], [initial].
#pragma once

#include "carom/io/scenario.h"
#include "carom/io/table_reader.h"

namespace carom::inline io {

// The model, if there were no reports, and what formulas may name of it; the laws must be read before. What is no error
// but hardly meant goes to the warnings.
bool read_mechanism(const Reading& reading, TableReader& root, Scenario& scenario);

}  // namespace carom::inline io
