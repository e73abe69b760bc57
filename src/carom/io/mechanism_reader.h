// Reads a mechanism: [world], [ground], [body.*], [flexible.*], [generate.*], [plane.*], [joint.*], [drive.*],
// [force.*], [input.*], [contact.*], [initial].
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "carom/io/joint_reading.h"
#include "carom/io/table_reader.h"
#include "carom/laws/contact_law.h"
#include "carom/model/model.h"
#include "carom/system/input.h"

namespace carom::inline io {

// None after reports. What is no error but hardly meant goes to `warnings`; coordinates that formulas may name to
// `joints`; what others may set while the model is stepped to `inputs`.
std::optional<Model> read_mechanism(const Reading& reading, TableReader& root,
                                    const std::map<std::string, ContactParameters>& laws,
                                    std::vector<InputProblem>& warnings, std::vector<JointReading>& joints,
                                    std::vector<Input>& inputs);

}  // namespace carom::inline io
