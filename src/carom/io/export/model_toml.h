// A model written back as one file that needs no other: --set, includes, instances, counts and all that is a number are
// put in; numbers stand in SI units, as short as they can be and still be the same bits. Read again it is the same
// model, bit for bit, and written again the same text.
//
//   kept as they are    formulas of t, of the motion and of runs, with the parameters they name (without their
//                       ranges); [generate.*], whose heaps follow from their numbers
//   left out            studies that sweep parameters: the numbers that followed from these are fixed
//   refused (E0117)     what names other files, if the text is to lie in another folder than they do
#pragma once

#include <string>
#include <vector>

#include "carom/io/scenario_source.h"

namespace carom::inline io {

struct ModelText {
  std::string toml;
  std::vector<std::string> left_out;  // paths of tables
};

// `folder` is where the text is to lie. Throws InputError.
ModelText model_toml(const ScenarioSource& source, const std::string& folder);

}  // namespace carom::inline io
