// Two result files, number by number: where they first differ in time, and how far each field does.
//
// Compared are all datasets that grow with the run and all tables; what tells of the making of the files (date, wall
// time, checkpoints) is not. Equal means equal bits: two numbers that are not numbers (no step yet) are equal too.
#pragma once

#include <string>
#include <vector>

namespace carom::inline study {

struct FieldDifference {
  std::string field;  // "/body/position", "/contact/table.pn"
  std::size_t rows_a = 0, rows_b = 0;
  std::size_t different = 0;  // numbers, of the rows both have
  double largest = 0.0;       // |a - b|
  double scale = 0.0;         // largest |a|
  double first_t = 0.0;       // of the first row that differs; NaN if the field has no times
  double largest_t = 0.0;
  std::string row_name;  // of the place of the largest one, where rows have names
};

struct ResultDifference {
  std::vector<FieldDifference> fields;  // those that differ
  std::vector<std::string> only_a, only_b;
  std::size_t compared = 0;  // fields
  bool same_model = true;    // the same text and settings
  bool equal() const { return fields.empty() && only_a.empty() && only_b.empty(); }
  // The earliest of all fields; null if none has a time.
  const FieldDifference* first() const;
};

ResultDifference diff_results(const std::string& a, const std::string& b);

}  // namespace carom::inline study
