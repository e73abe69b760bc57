#include "carom/io/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "carom/base/errors.h"
#include "carom/base/names.h"
#include "carom/base/units.h"

namespace carom::inline io {

Dimension FieldSpec::dimension() const {
  if (unit == "?") return Dimension::anything();
  const auto found = parse_unit(unit);
  if (!found) throw LogicError("field " + name + ": no unit " + unit);
  return found->dimension;
}

std::string FieldSpec::allowed() const {
  const bool low = std::isfinite(min), high = std::isfinite(max);
  if (low && high) return fmt::format("{} {} {} <= {}", min, above_min ? "<" : "<=", name, max);
  if (low) return fmt::format("{} {} {}", name, above_min ? ">" : ">=", min);
  if (high) return fmt::format("{} <= {}", name, max);
  return "";
}

const FieldSpec* TableSpec::find(std::string_view field) const {
  const std::string wanted = canonical_name(field);
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const FieldSpec& f) { return f.name == wanted; });
  return found == fields.end() ? nullptr : &*found;
}

std::vector<std::string> TableSpec::names() const {
  std::vector<std::string> list;
  for (const FieldSpec& field : fields) list.push_back(field.name);
  return list;
}

const TableSpec* find_table(std::string_view path) {
  const std::string wanted = canonical_name(path);
  for (const TableSpec& table : model_tables())
    if (table.path == wanted) return &table;
  return nullptr;
}

const TableSpec& table_spec(std::string_view path) {
  const TableSpec* found = find_table(path);
  if (!found) throw LogicError("no list of fields for " + std::string(path));
  return *found;
}

namespace {

const char* to_text(FieldKind kind) {
  switch (kind) {
    case FieldKind::quantity: return "quantity";
    case FieldKind::vector: return "vector";
    case FieldKind::list: return "list";
    case FieldKind::formula: return "formula";
    case FieldKind::vector_of_formulas: return "formulas";
    case FieldKind::word: return "word";
    case FieldKind::text: return "text";
    case FieldKind::names: return "names";
    case FieldKind::flag: return "true or false";
    case FieldKind::whole: return "whole number";
    case FieldKind::table: return "table";
    case FieldKind::mixed: return "see text";
  }
  return "";
}

// "quantity in N/m, >= 0, else 0"
std::string describe(const FieldSpec& field) {
  std::vector<std::string> parts = {to_text(field.kind)};
  if (!field.unit.empty() && field.unit != "1" && field.unit != "?") parts[0] += " in " + field.unit;
  if (!field.words.empty()) parts[0] = fmt::format("{}", fmt::join(field.words, ", "));
  if (const std::string range = field.allowed(); !range.empty()) parts.push_back(range);
  if (field.required) parts.push_back("required");
  if (!field.default_value.empty()) parts.push_back("else " + field.default_value);
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string heading(const TableSpec& table) {
  if (table.path.empty()) return "(top)";
  if (!table.named) return "[" + table.path + "]";
  const std::size_t dot = table.path.find('.');
  return fmt::format("[{}.NAME]{}", table.path.substr(0, dot),
                     dot == std::string::npos ? "" : fmt::format(" of type {}", table.path.substr(dot + 1)));
}

}  // namespace

std::string explain_field(std::string_view path) {
  const std::string wanted = canonical_name(path);
  std::string text;
  const auto show = [&](const TableSpec& table) {
    text += fmt::format("{}: {}\n", heading(table), table.title);
    for (const FieldSpec& field : table.fields)
      text += fmt::format("  {:<18} {}\n  {:<18}   ({})\n", field.name, field.doc, "", describe(field));
    if (!table.example.empty()) {
      text += "for example\n";
      std::string line;
      for (const char c : table.example + "\n") {
        if (c != '\n') {
          line += c;
          continue;
        }
        text += "  " + line + "\n";
        line.clear();
      }
    }
  };
  for (const TableSpec& table : model_tables()) {
    if (!table.path.empty() && table.path == wanted) {
      show(table);
      return text;
    }
    const std::size_t dot = wanted.rfind('.');
    const bool of_table = dot != std::string::npos ? table.path == wanted.substr(0, dot) : table.path.empty();
    if (const FieldSpec* field = of_table ? table.find(wanted.substr(dot == std::string::npos ? 0 : dot + 1)) : nullptr)
      text = fmt::format("{} in {}: {}\n  {}\n", field->name, heading(table), field->doc, describe(*field));
  }
  if (!text.empty()) return text;
  for (const TableSpec& table : model_tables())  // a family: joint, force, shape
    if (table.path.starts_with(wanted + ".")) text += fmt::format("{:<28} {}\n", table.path, table.title);
  return text;
}

std::string model_reference() {
  std::string text =
      "# Reference of the model file\n\nWritten by `carom schema --reference` from the lists the reader itself goes by "
      "(src/carom/io/model_tables.cc). What the\n"
      "tables mean together is told in [scenario_files.md](scenario_files.md).\n";
  for (const TableSpec& table : model_tables()) {
    text += fmt::format("\n## {}\n\n{}.\n\n| key | value | meaning |\n|---|---|---|\n", heading(table), table.title);
    for (const FieldSpec& field : table.fields)
      text += fmt::format("| `{}` | {} | {} |\n", field.name, describe(field), field.doc);
    if (!table.example.empty()) text += fmt::format("\n```toml\n{}\n```\n", table.example);
  }
  return text;
}

}  // namespace carom::inline io
