// The table [flexible.NAME] of a scenario and the contacts that go with it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "carom/io/table_reader.h"
#include "carom/laws/contact_law.h"
#include "carom/model/model.h"

namespace carom::inline io {

// None after reports. Takes "flexible" and "contact" from the root.
std::optional<Model> read_flexible(const Reading& reading, TableReader& root,
                                   const std::map<std::string, ContactParameters>& laws);

}  // namespace carom::inline io
