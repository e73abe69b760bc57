// Reads the tables [study.NAME].
#pragma once

#include <vector>

#include "carom/io/scenario.h"
#include "carom/io/table_reader.h"

namespace carom::inline io {

void read_studies(const Reading& reading, TableReader& group, std::vector<StudySettings>& studies);

}  // namespace carom::inline io
