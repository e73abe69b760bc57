#include "carom/io/csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/io/output_file.h"

namespace carom::inline io {

std::string csv_cell(const std::string& name) {
  if (name.find_first_of(",\"\n") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += c;
    quoted += c;
  }
  quoted += '"';
  return quoted;
}

std::string csv_title(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : name + " [" + unit + "]";
}

std::string to_csv(const CsvTable& table) {
  std::string text;
  std::size_t rows = 0;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (c > 0) text += ',';
    text += csv_cell(table.columns[c].name);
    rows = std::max(rows, table.columns[c].values.size());
  }
  text += '\n';
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (c > 0) text += ',';
      if (r < table.columns[c].values.size())
        fmt::format_to(std::back_inserter(text), "{}", table.columns[c].values[r]);
    }
    text += '\n';
  }
  return text;
}

void write_csv(const std::filesystem::path& path, const CsvTable& table) {
  write_text_file(path.string(), to_csv(table), Replace::ours);
}

}  // namespace carom::inline io
