// The tables [world] [body.*] [plane.*] [joint.*] [contact.*] [generate.*] of a scenario.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "carom/io/table_reader.h"
#include "carom/laws/contact_law.h"
#include "carom/model/model.h"

namespace carom {

// Takes those tables from `root`. None after a report. What is no error but hardly meant is put on `warnings`.
std::optional<Model> read_multibody(const Reading& reading, TableReader& root,
                                    const std::map<std::string, ContactParameters>& laws,
                                    std::vector<InputProblem>& warnings);

}  // namespace carom
