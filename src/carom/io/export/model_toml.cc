#include "carom/io/export/model_toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "carom/base/units.h"

namespace carom::inline io {

namespace {

using Kind = DocumentNode::Kind;

constexpr std::size_t line_length = 100;  // beyond it a table inside another gets a header of its own

// --- TOML as text --------------------------------------------------------------------------------------------------

std::string number_text(double x) {
  const std::string text = fmt::format("{}", x);
  return text == "-0" ? "-0.0" : text;  // a whole number has no negative zero
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string key_text(const std::string& key) { return is_plain_name(key) ? key : quoted(key); }

std::string value_text(const DocumentNode& node) {
  switch (node.kind) {
    case Kind::number: return number_text(node.number);
    case Kind::boolean: return node.boolean ? "true" : "false";
    case Kind::table:
    case Kind::array: break;
    default: return quoted(node.text);
  }
  std::vector<std::string> parts;
  for (const DocumentNode& child : node.children)
    parts.push_back(node.is_table() ? key_text(child.key) + " = " + value_text(child) : value_text(child));
  const std::string inner = fmt::format("{}", fmt::join(parts, ", "));
  if (!node.is_table()) return "[" + inner + "]";
  return parts.empty() ? "{}" : "{ " + inner + " }";
}

std::string line_of(const DocumentNode& node) { return key_text(node.key) + " = " + value_text(node) + "\n"; }

// Tables of tables have a header each; among other keys only long tables have.
void write_table(const DocumentNode& table, const std::string& path, std::string& out, bool first_level) {
  const bool only_tables =
      first_level && !table.children.empty() &&
      std::all_of(table.children.begin(), table.children.end(), [](const DocumentNode& c) { return c.is_table(); });
  const auto has_header = [&](const DocumentNode& child) {
    return child.is_table() && first_level && (only_tables || line_of(child).size() > line_length);
  };
  if (!only_tables) out += "\n[" + path + "]\n";
  for (const DocumentNode& child : table.children)
    if (!has_header(child)) out += line_of(child);
  for (const DocumentNode& child : table.children)
    if (has_header(child)) write_table(child, path + "." + key_text(child.key), out, false);
}

std::string to_toml(const DocumentNode& root) {
  std::string out = "# Written by carom export: one file, numbers in SI units.\n";
  for (const DocumentNode& child : root.children)
    if (!child.is_table()) out += line_of(child);
  for (const DocumentNode& child : root.children)
    if (child.is_table()) write_table(child, key_text(child.key), out, true);
  return out;
}

// --- the tree with all numbers put in --------------------------------------------------------------------------------

DocumentNode text_node(const std::string& key, const std::string& text) {
  DocumentNode node;
  node.kind = Kind::text;
  node.key = key;
  node.text = text;
  return node;
}

DocumentNode number_node(const std::string& key, double number) {
  DocumentNode node;
  node.kind = Kind::number;
  node.key = key;
  node.number = number;
  return node;
}

// With its unit, so that formulas that use it are checked as before.
DocumentNode quantity(const std::string& key, double value, const Dimension& dimension) {
  const std::string unit = dimension.any ? "1" : si_unit(dimension);
  if (unit == "1" || !parse_unit(unit)) return number_node(key, value);
  return text_node(key, number_text(value) + " " + unit);
}

void put_numbers(const DocumentNode& from, const TakenValues& taken, DocumentNode& to) {
  if (const auto number = taken.numbers.find(&from); number != taken.numbers.end())
    to = number_node(from.key, number->second);
  for (std::size_t i = 0; i < to.children.size(); ++i) put_numbers(from.children[i], taken, to.children[i]);
}

// Every word of every text.
void collect_words(const DocumentNode& node, std::set<std::string>& words) {
  std::string word;
  for (const char c : node.text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
    } else if (!word.empty()) {
      words.insert(word);
      word.clear();
    }
  }
  for (const DocumentNode& child : node.children) collect_words(child, words);
}

DocumentNode* table_of(DocumentNode& root, const std::string& key) {
  if (DocumentNode* there = root.find(key)) return there;
  DocumentNode table;
  table.key = key;
  const auto first =
      std::find_if(root.children.begin(), root.children.end(), [](const auto& c) { return c.is_table(); });
  return &*root.children.insert(first, table);
}

void set(DocumentNode& table, DocumentNode value) {
  if (DocumentNode* there = table.find(value.key))
    *there = std::move(value);
  else
    table.children.insert(table.children.begin(), std::move(value));
}

// Those that formulas still name, as numbers.
void put_parameters(const ScenarioSource& source, DocumentNode& root) {
  std::erase_if(root.children, [](const DocumentNode& child) { return child.key == "parameters"; });
  std::set<std::string> words;
  collect_words(root, words);
  DocumentNode table;
  table.key = "parameters";
  for (const NamedNumber& parameter : source.scenario.parameters) {
    if (!words.contains(parameter.name)) continue;
    DocumentNode value = quantity(parameter.name, parameter.value, parameter.dimension);
    if (!parameter.doc.empty()) {
      DocumentNode documented;
      documented.key = parameter.name;
      value.key = "value";
      documented.children = {value, text_node("doc", parameter.doc)};
      value = documented;
    }
    table.children.push_back(std::move(value));
  }
  if (table.children.empty()) return;
  const DocumentNode* units = table_of(root, "units");
  root.children.insert(root.children.begin() + (units - root.children.data()) + 1, std::move(table));
}

// Tables of numbers in formulas, and matrices.
void check_files(const ScenarioSource& source, const std::string& folder) {
  const Document& document = *source.document;
  std::error_code error;
  const auto whole = [&](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(path.empty() ? "." : path, error);
  };
  if (whole(folder) == whole(std::filesystem::path(document.file()).parent_path())) return;
  std::vector<InputProblem> problems;
  const auto refuse = [&](const DocumentNode& node) {
    problems.push_back(document.at_value(node, "E0117", fmt::format("{} needs a file beside the model", node.path),
                                         "write the text into the folder of the model, where the file is"));
  };
  for (const DocumentNode* node : source.taken.files) refuse(*node);
  for (const DocumentNode* node : source.taken.formulas)
    if (node->text.find("table(") != std::string::npos) refuse(*node);
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace

ModelText model_toml(const ScenarioSource& source, const std::string& folder) {
  check_files(source, folder);
  ModelText out;
  DocumentNode root = source.document->root();
  put_numbers(source.document->root(), source.taken, root);
  std::erase_if(root.children, [](const DocumentNode& child) { return child.key == "include"; });
  if (DocumentNode* studies = root.find("study")) {
    std::erase_if(studies->children, [&](const DocumentNode& study) {
      const bool sweeps = study.find("over");
      if (sweeps) out.left_out.push_back(study.path);
      return sweeps;
    });
    if (studies->children.empty()) std::erase_if(root.children, [](const DocumentNode& c) { return c.key == "study"; });
  }
  set(*table_of(root, "units"), text_node("bare", "SI"));
  put_parameters(source, root);
  if (!root.find("title")) root.children.insert(root.children.begin() + 1, text_node("title", source.scenario.title));
  out.toml = to_toml(root);
  return out;
}

}  // namespace carom::inline io
