// A study that stands in the model file: [study.NAME].
#pragma once

#include <string>

#include "carom/io/scenario.h"

namespace carom::cli {

// The study of that name, if it is of this kind or of the other; else refused, with the command that runs it or with
// the names there are.
const StudySettings& study_of(const Scenario& scenario, const std::string& name, const std::string& kind,
                              const std::string& or_kind = "");

}  // namespace carom::cli
