// Columns of numbers as comma-separated text: a header line of names, then one line per row, every number
// with the digits that bring it back exactly.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace carom::inline io {

struct CsvColumn {
  std::string name;  // with its unit: "gap c1 [m]"
  std::vector<double> values;
};

struct CsvTable {
  std::string name;                // tells apart several tables of one study; may be empty
  std::vector<CsvColumn> columns;  // a shorter column ends in empty cells
};

// A name as a cell: quoted if it has a comma, a quote or a line break, quotes doubled.
std::string csv_cell(const std::string& name);

// The head of a column: "gap [m]"; pure numbers and what has no known unit have the name alone.
std::string csv_title(const std::string& name, const std::string& unit);

std::string to_csv(const CsvTable& table);

// Throws std::system_error if the file cannot be written.
void write_csv(const std::filesystem::path& path, const CsvTable& table);

}  // namespace carom::inline io
