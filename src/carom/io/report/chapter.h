// A chapter of a page: what a study has to tell, as text, tables and the panels of a picture.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "carom/io/picture.h"

namespace carom::inline io {

struct ChapterTable {
  std::string title, note;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

// A number over two parameters: values[i + x.size() * j] belongs to x[i], y[j]; NaN where there is none.
struct HeatMap {
  std::string title, x_label, y_label;
  std::vector<double> x, y, values;
};

struct Chapter {
  std::string title;
  std::string text = {};     // paragraphs, one a line
  std::string verdict = {};  // "met", "failed", ...; empty: none
  std::vector<ChapterTable> tables = {};
  Picture picture = {};
  std::vector<HeatMap> maps = {};
};

// Curves are thinned and rounded to six digits: enough for a screen.
nlohmann::ordered_json to_json(const Chapter& chapter);

}  // namespace carom::inline io
