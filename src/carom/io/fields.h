// What may stand in a model file: every kind of table lists its fields once, with unit, default, range and a sentence.
// The reader, the check for unknown keys, `carom explain`, `carom list`, `carom schema` and
// docs/model_file_reference.md come from these lists.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/dimension.h"

namespace carom::inline io {

enum class FieldKind {
  quantity,  // a number or a formula of parameters, with a unit
  vector,    // two of them in the plane, three in space
  list,      // any number of them
  formula,   // of t and what the table names, evaluated in every step
  vector_of_formulas,
  word,  // one of a few
  text,
  names,  // a list of texts
  flag,   // true or false
  whole,  // a whole number
  table,  // keys of its own: another list, or free names
  mixed   // several of these; the sentence says which
};

struct FieldSpec {
  std::string name;
  FieldKind kind = FieldKind::quantity;
  std::string unit;  // "" or "1": a pure number; "?": depends on the kind of joint
  std::string doc;
  std::string default_value;  // as it would be written; empty: none
  std::vector<std::string> words = {};
  double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
  bool above_min = false;  // min itself is excluded
  bool required = false;

  FieldSpec positive() && { return min = 0.0, above_min = true, std::move(*this); }
  FieldSpec not_negative() && { return min = 0.0, std::move(*this); }
  FieldSpec within(double low, double high) && { return min = low, max = high, std::move(*this); }
  FieldSpec needed() && { return required = true, std::move(*this); }
  FieldSpec or_else(std::string value) && { return default_value = std::move(value), std::move(*this); }

  Dimension dimension() const;
  std::string allowed() const;  // "mass > 0", "0 <= restitution <= 1"; empty: everything
  bool allows(double x) const { return (above_min ? x > min : x >= min) && x <= max; }
};

struct TableSpec {
  std::string path;  // "body", "joint.revolute", "law.normal"
  std::string title;
  std::vector<FieldSpec> fields;
  std::string example = {};
  bool named = false;  // [body.NAME]: one table a thing

  const FieldSpec* find(std::string_view field) const;
  std::vector<std::string> names() const;
};

const std::vector<TableSpec>& model_tables();
// A list by its path, hyphens and underscores being the same; null if there is none.
const TableSpec* find_table(std::string_view path);
const TableSpec& table_spec(std::string_view path);

// For people: `carom explain joint.revolute`, `carom explain simulation.step`. Empty if nothing is called so.
std::string explain_field(std::string_view path);
// JSON Schema (draft 2020-12) of the whole file.
std::string model_schema();
// docs/model_file_reference.md.
std::string model_reference();

}  // namespace carom::inline io
