// The lists of fields as a JSON Schema (draft 2020-12). What a field measures is in its description; editors cannot
// check units.
#include <nlohmann/json.hpp>

#include "carom/io/fields.h"

namespace carom::inline io {

namespace {

using Json = nlohmann::ordered_json;

const Json quantity = {{"type", Json::array({"number", "string"})}};

Json list_of(const Json& items) { return {{"type", "array"}, {"items", items}}; }

// With hyphens or underscores.
Json one_of(const std::vector<std::string>& list) {
  Json words = Json::array();
  for (const std::string& word : list) {
    words.push_back(word);
    std::string hyphens = word;
    for (char& c : hyphens) c = c == '_' ? '-' : c;
    if (hyphens != word) words.push_back(hyphens);
  }
  return {{"enum", words}};
}

Json schema_of(const FieldSpec& field) {
  Json json;
  switch (field.kind) {
    case FieldKind::quantity:
    case FieldKind::formula: json = quantity; break;
    case FieldKind::vector:
    case FieldKind::vector_of_formulas: json = list_of(quantity), json["minItems"] = 2, json["maxItems"] = 3; break;
    case FieldKind::list: json = {{"type", "array"}}; break;
    case FieldKind::word: json = one_of(field.words); break;
    case FieldKind::text: json = {{"type", "string"}}; break;
    case FieldKind::names: json = list_of({{"type", "string"}}); break;
    case FieldKind::flag: json = {{"type", "boolean"}}; break;
    case FieldKind::whole: json = quantity; break;
    case FieldKind::table: json = {{"type", "object"}}; break;
    case FieldKind::mixed: json = Json::object(); break;
  }
  std::string doc = field.doc;
  if (!field.unit.empty() && field.unit != "1" && field.unit != "?") doc += " [" + field.unit + "]";
  if (const std::string range = field.allowed(); !range.empty()) doc += "; " + range;
  if (!field.default_value.empty()) doc += "; else " + field.default_value;
  json["description"] = doc;
  return json;
}

bool stands_for_any(const FieldSpec& field) { return field.name[0] >= 'A' && field.name[0] <= 'Z'; }

// One table; `open` lets it have keys of any name.
Json schema_of(const TableSpec& table, const Json& parts) {
  Json json = {{"type", "object"}, {"description", table.title}, {"properties", Json::object()}};
  Json required = Json::array();
  bool open = false;
  for (const FieldSpec& field : table.fields) {
    if (stands_for_any(field)) {
      open = true;
      continue;
    }
    json["properties"][field.name] = schema_of(field);
    if (field.required) required.push_back(field.name);
  }
  for (const auto& [key, value] : parts.items()) json["properties"][key] = value;
  if (!required.empty()) json["required"] = required;
  json["additionalProperties"] = open;
  return json;
}

}  // namespace

std::string model_schema() {
  Json root;
  root["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  root["title"] = "Carom model file";
  Json properties = Json::object();
  // Families: [joint.NAME] is one of the kinds, by its type.
  const auto family = [&](const std::string& name, bool named) {
    Json kinds = Json::array();
    for (const TableSpec& table : model_tables()) {
      if (!table.path.starts_with(name + ".") || table.named != named) continue;
      Json kind = schema_of(table, Json::object());
      std::vector<std::string> words = {table.path.substr(name.size() + 1)};
      if (table.path == "joint.fixed") words.push_back("weld");
      for (const char* key : {"type", "kind"})
        if (kind["properties"].contains(key)) kind["properties"][key].update(one_of(words));
      kinds.push_back(std::move(kind));
    }
    return kinds;
  };
  for (const TableSpec& table : model_tables()) {
    if (table.path.empty() || table.path.find('.') != std::string::npos) continue;
    Json parts = Json::object();
    for (const TableSpec& part : model_tables())
      if (!part.named && part.path.starts_with(table.path + ".") && table.find(part.path.substr(table.path.size() + 1)))
        parts[part.path.substr(table.path.size() + 1)] = schema_of(part, Json::object());
    const Json one = schema_of(table, parts);
    properties[table.path] = table.named ? Json{{"type", "object"}, {"additionalProperties", one}} : one;
  }
  for (const char* name : {"joint", "force", "flexible", "generate"})
    properties[name] = {{"type", "object"}, {"additionalProperties", {{"anyOf", family(name, true)}}}};
  {
    Json kinds = family("contact", true);
    kinds.push_back(schema_of(table_spec("contact"), Json::object()));
    properties["contact"] = {{"type", "object"}, {"additionalProperties", {{"anyOf", kinds}}}};
  }
  for (const char* name : {"schema", "title", "include", "allow"})
    properties[name] = schema_of(*find_table("")->find(name));
  root["type"] = "object";
  root["properties"] = properties;
  root["required"] = {"schema", "simulation"};
  root["additionalProperties"] = false;
  return root.dump(2) + "\n";
}

}  // namespace carom::inline io
