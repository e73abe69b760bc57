// The scene of a model as JSON: /model/scene of result files (docs/result_files.md), what a viewer reads.
#pragma once

#include <string>

#include "carom/model/drawing.h"

namespace carom::inline io {

std::string scene_json(const Scene& scene);
// What scene_json wrote.
Scene scene_from_json(const std::string& text);

}  // namespace carom::inline io
