#include "carom/io/document.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <tuple>

#include "carom/base/names.h"
#include "carom/io/input_file.h"
#include "carom/io/toml_depth.h"

namespace carom::inline io {

namespace {

using Kind = DocumentNode::Kind;

constexpr std::size_t kLongestPath = 1000;
constexpr std::size_t kLongestName = 200;
constexpr std::size_t kLongestShownLine = 500;
constexpr std::int64_t kLargestInteger = std::int64_t{1} << 53;  // beyond it a double skips some

// What cannot be in a document although it is TOML.
struct Misfit {
  std::string code, message, hint;
};

// Copies a TOML node; `key` is its place in the table above. `refuse` is called with a misfit and its node.
template <class Refuse>
DocumentNode convert(const toml::node& from, std::string key, std::string path, const std::string& origin,
                     const Refuse& refuse) {
  DocumentNode node;
  node.key = std::move(key);
  node.path = std::move(path);
  node.origin = origin;
  if (origin.empty()) {
    node.line = static_cast<int>(from.source().begin.line);
    node.column = static_cast<int>(from.source().begin.column);
  }
  if (const auto* table = from.as_table()) {
    node.kind = Kind::table;
    for (const auto& [child_key, child] : *table) {
      const std::string name(child_key.str());
      if (name.size() > kLongestName || node.path.size() + name.size() > kLongestPath) {
        refuse(node, Misfit{"E0114", fmt::format("a name of {} characters", name.size()), "use shorter names"});
        continue;
      }
      DocumentNode next = convert(child, name, node.path.empty() ? name : node.path + "." + name, origin, refuse);
      if (origin.empty()) {
        next.key_line = static_cast<int>(child_key.source().begin.line);
        next.key_column = static_cast<int>(child_key.source().begin.column);
      }
      node.children.push_back(std::move(next));
    }
    std::stable_sort(node.children.begin(), node.children.end(), [](const auto& a, const auto& b) {
      return std::tie(a.key_line, a.key_column) < std::tie(b.key_line, b.key_column);
    });
    std::map<std::string, const DocumentNode*> seen;
    for (const DocumentNode& child : node.children)
      if (const auto [it, fresh] = seen.emplace(canonical_name(child.key), &child); !fresh)
        refuse(child, Misfit{"E0115", fmt::format("'{}' and '{}' are the same name", it->second->key, child.key),
                             "hyphens and underscores are not told apart; keep one of the two"});
  } else if (const auto* array = from.as_array()) {
    node.kind = Kind::array;
    for (const toml::node& child : *array) node.children.push_back(convert(child, {}, node.path, origin, refuse));
  } else if (const auto* integer = from.as_integer()) {
    node.kind = Kind::number;
    node.number = static_cast<double>(integer->get());
    if (integer->get() > kLargestInteger || integer->get() < -kLargestInteger)
      refuse(node, Misfit{"E0129", fmt::format("{} = {} cannot be kept exactly", node.path, integer->get()),
                          fmt::format("beyond 2^53 write it with a point or an exponent: {:.16e}", node.number)});
  } else if (const auto* number = from.as_floating_point()) {
    node.kind = Kind::number;
    node.number = number->get();
  } else if (const auto* boolean = from.as_boolean()) {
    node.kind = Kind::boolean;
    node.boolean = boolean->get();
  } else if (const auto* text = from.as_string()) {
    node.kind = Kind::text;
    node.text = text->get();
  } else {
    node.kind = Kind::date;
  }
  return node;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = text.find(separator, begin);
    parts.emplace_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines = split(text, '\n');
  for (std::string& line : lines)
    if (!line.empty() && line.back() == '\r') line.pop_back();
  return lines;
}

void set_source(DocumentNode& node, int source) {
  node.source = source;
  for (DocumentNode& child : node.children) set_source(child, source);
}

// The scenario files beside a missing one.
std::string neighbours(const std::string& file) {
  std::filesystem::path directory = std::filesystem::path(file).parent_path();
  if (directory.empty()) directory = ".";
  std::error_code error;
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().filename().string());
  if (error) return fmt::format("there is no directory '{}'", directory.string());
  if (names.empty()) return "there is no .toml file in that directory";
  std::sort(names.begin(), names.end());
  return suggestion(std::filesystem::path(file).filename().string(), names);
}

}  // namespace

const char* to_text(DocumentNode::Kind kind) {
  switch (kind) {
    case Kind::table: return "a table";
    case Kind::array: return "a list";
    case Kind::number: return "a number";
    case Kind::boolean: return "true or false";
    case Kind::text: return "a text";
    case Kind::date: return "a date";
  }
  return "";
}

DocumentNode* DocumentNode::find(std::string_view name) {
  const std::string wanted = canonical_name(name);
  for (DocumentNode& child : children)
    if (canonical_name(child.key) == wanted) return &child;
  return nullptr;
}

const DocumentNode* DocumentNode::find(std::string_view name) const {
  return const_cast<DocumentNode*>(this)->find(name);
}

Document::Document(std::string file, std::string text) : file_(std::move(file)), text_(std::move(text)) {
  sources_.push_back({file_, lines_of(text_)});
  if (const auto place = too_deep_toml(text_))
    throw InputError(at({}, place->line, place->column, "E0114",
                        fmt::format("tables or lists are nested more than {} deep", toml_depth_limit),
                        "no key of a scenario lies that deep"));
  try {
    std::vector<InputProblem> problems;
    root_ = convert(toml::parse(text_, file_), {}, {}, {}, [&](const DocumentNode& node, const Misfit& misfit) {
      if (problems.size() < most_problems) problems.push_back(at_value(node, misfit.code, misfit.message, misfit.hint));
    });
    if (!problems.empty()) throw InputError(std::move(problems));
  } catch (const toml::parse_error& error) {
    throw InputError(at({}, static_cast<int>(error.source().begin.line), static_cast<int>(error.source().begin.column),
                        "E0100", "this is not valid TOML: " + std::string(error.description()), ""));
  }
}

Document Document::read(const std::string& file) {
  // The neighbours are only looked for when the file is not there.
  const bool missing = !std::filesystem::exists(file) || std::filesystem::is_directory(file);
  return Document(file, read_input_file(file, scenario_bytes, missing ? neighbours(file) : "is it yours to read?"));
}

DocumentNode Document::read_other(const std::string& file) {
  Document other = Document::read(file);
  sources_.push_back({file, std::move(other.sources_[0].lines)});
  set_source(other.root_, static_cast<int>(sources_.size()) - 1);
  return std::move(other.root_);
}

const DocumentNode* Document::find_path(std::string_view dotted) const {
  const DocumentNode* node = &root_;
  for (const std::string& part : split(dotted, '.')) {
    node = node->find(part);
    if (!node) return nullptr;
  }
  return node;
}

void Document::set(const std::string& path, const std::string& value) {
  const std::string origin = fmt::format("--set {}={}", path, value);
  DocumentNode* node = &root_;
  std::string so_far;
  for (const std::string& part : split(path, '.')) {
    if (!node->is_table())
      throw InputError({"E0103",
                        fmt::format("{}: {} is {}, it has no parts", origin, so_far, to_text(node->kind)),
                        path,
                        "",
                        origin,
                        0,
                        0,
                        {}});
    so_far += (so_far.empty() ? "" : ".") + part;
    DocumentNode* next = node->find(part);
    if (!next) {
      DocumentNode fresh;
      fresh.key = part;
      fresh.path = so_far;
      fresh.origin = origin;
      node->children.push_back(std::move(fresh));
      next = &node->children.back();
    }
    node = next;
  }
  const std::string key = node->key;
  const auto refuse = [&](const DocumentNode&, const Misfit& misfit) {
    throw InputError({misfit.code, misfit.message, path, misfit.hint, origin, 0, 0, {}});
  };
  if (so_far.size() > kLongestPath)
    refuse(*node, {"E0114", "a name of " + std::to_string(so_far.size()) + " characters", "use shorter names"});
  if (too_deep_toml(value))
    refuse(*node, {"E0114", fmt::format("tables or lists are nested more than {} deep", toml_depth_limit), ""});
  try {
    const toml::table parsed = toml::parse("x = " + value);
    *node = convert(*parsed.get("x"), key, so_far, origin, refuse);
  } catch (const toml::parse_error&) {
    *node = {};
    node->kind = Kind::text;
    node->key = key;
    node->path = so_far;
    node->text = value;
    node->origin = origin;
  }
}

InputProblem Document::at(const DocumentNode& node, int line, int column, std::string code, std::string message,
                          std::string hint) const {
  const Source& source = sources_[static_cast<std::size_t>(node.source)];
  InputProblem problem{std::move(code), std::move(message), node.path, std::move(hint), source.file, 0, 0, {}};
  if (!node.origin.empty()) {
    problem.file = node.origin;
  } else if (line > 0 && line <= static_cast<int>(source.lines.size())) {
    problem.line = line;
    problem.column = column;
    const std::string& text = source.lines[static_cast<std::size_t>(line) - 1];
    if (text.size() <= kLongestShownLine) problem.source_line = text;
  }
  return problem;
}

InputProblem Document::at_key(const DocumentNode& node, std::string code, std::string message, std::string hint) const {
  const bool known = node.key_line > 0;
  return at(node, known ? node.key_line : node.line, known ? node.key_column : node.column, std::move(code),
            std::move(message), std::move(hint));
}

InputProblem Document::at_value(const DocumentNode& node, std::string code, std::string message, std::string hint,
                                int offset) const {
  return at(node, node.line, node.column + (offset >= 0 ? offset + 1 : 0), std::move(code), std::move(message),
            std::move(hint));
}

}  // namespace carom::inline io
