#include "carom/io/expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "carom/base/names.h"
#include "carom/io/expression.h"
#include "carom/io/output_file.h"
#include "carom/io/renamed_text.h"

namespace carom::inline io {

namespace {

using Kind = DocumentNode::Kind;

constexpr int most_depth = 8;  // of files that include files
constexpr double most_copies = 100000;

void set_path(DocumentNode& node, const std::string& parent) {
  node.path = node.key.empty() ? parent : parent.empty() ? node.key : parent + "." + node.key;
  for (DocumentNode& child : node.children) set_path(child, node.path);
}

class Expansion {
 public:
  explicit Expansion(Document& document)
      : document_(document), folder_(std::filesystem::path(document.file()).parent_path()) {}

  void run() {
    include(document_.root(), 0);
    instantiate();
    copy();
  }

 private:
  [[noreturn]] void refuse(const DocumentNode& node, const char* code, std::string message, std::string hint) const {
    throw InputError(document_.at_value(node, code, std::move(message), std::move(hint)));
  }

  DocumentNode read(const DocumentNode& node) {
    if (node.kind != Kind::text)
      refuse(node, "E0123", fmt::format("{} wants the name of a file", node.path), "in quotes");
    if (!document_.outside_allowed() && leads_out(folder_.string(), node.text))
      refuse(node, "E0118", fmt::format("{} leads out of the folder of the model", node.path),
             "a file beside the model or below; --allow-outside permits others");
    try {
      return document_.read_other((folder_ / node.text).string());
    } catch (const InputError& error) {
      if (error.problems().front().code == "E0101")
        refuse(node, "E0101", fmt::format("{}: there is no file '{}'", node.path, node.text),
               error.problems().front().hint);
      throw;
    }
  }

  // Tables go together; what is there already stays.
  static void merge(DocumentNode& into, DocumentNode&& from) {
    for (DocumentNode& child : from.children) {
      DocumentNode* there = into.find(child.key);
      if (!there)
        into.children.push_back(std::move(child));
      else if (there->is_table() && child.is_table())
        merge(*there, std::move(child));
    }
  }

  void include(DocumentNode& root, int depth) {
    const DocumentNode* list = root.find("include");
    if (!list) return;
    if (depth >= most_depth) refuse(*list, "E0114", "files include each other more than 8 deep", "is there a circle?");
    if (list->kind != Kind::array)
      refuse(*list, "E0123", "include wants a list of files", "include = [\"materials.toml\"]");
    std::vector<DocumentNode> trees;
    for (const DocumentNode& file : list->children) {
      trees.push_back(read(file));
      include(trees.back(), depth + 1);
    }
    for (DocumentNode& tree : trees) {
      std::erase_if(tree.children, [](const DocumentNode& child) {
        return child.key == "schema" || child.key == "title" || child.key == "include";
      });
      merge(root, std::move(tree));
    }
  }

  // --- instances
  // -------------------------------------------------------------------------------------------------------------------

  void instantiate() {
    DocumentNode* group = document_.root().find("instance");
    if (!group) return;
    const DocumentNode instances = *group;
    std::erase_if(document_.root().children, [](const DocumentNode& child) { return child.key == "instance"; });
    if (!instances.is_table()) refuse(instances, "E0123", "instance must be a table", "[instance.NAME]");
    for (const DocumentNode& instance : instances.children) put_in(instance);
  }

  void put_in(const DocumentNode& instance) {
    const DocumentNode* model = instance.is_table() ? instance.find("model") : nullptr;
    if (!model)
      throw InputError(document_.at_key(instance, "E0104", instance.path + " has no model", "model = \"gear.toml\""));
    for (const DocumentNode& child : instance.children)
      if (child.key != "model" && child.key != "set" && child.key != "at")
        throw InputError(document_.at_key(child, "E0102",
                                          fmt::format("unknown key '{}' in {}", child.key, instance.path),
                                          suggestion(child.key, std::vector<std::string>{"model", "set", "at"})));
    DocumentNode tree = read(*model);
    include(tree, 1);
    const std::string prefix = instance.key + "_";
    std::set<std::string> names;  // that get the prefix
    for (const char* kind :
         {"parameters", "body", "plane", "joint", "law", "force", "drive", "input", "flexible", "generate", "contact"})
      if (const DocumentNode* table = tree.find(kind))
        for (const DocumentNode& child : table->children) names.insert(child.key);
    if (const DocumentNode* set = instance.find("set")) {
      DocumentNode* parameters = tree.find("parameters");
      for (const DocumentNode& value : set->children) {
        DocumentNode* known = parameters ? parameters->find(value.key) : nullptr;
        if (!known) {
          std::vector<std::string> all;
          if (parameters)
            for (const DocumentNode& p : parameters->children) all.push_back(p.key);
          throw InputError(document_.at_key(
              value, "E0141", fmt::format("{}: the model has no parameter '{}'", instance.path, value.key),
              suggestion(value.key, all)));
        }
      }
    }
    const auto rename = [&](const std::string& name) -> std::optional<std::string> {
      return names.contains(name) ? std::optional(prefix + name) : std::nullopt;
    };
    const std::function<void(DocumentNode&)> rewrite = [&](DocumentNode& node) {
      if (node.kind == Kind::text) node.text = renamed(node.text, rename);
      for (DocumentNode& child : node.children) rewrite(child);
    };
    for (DocumentNode& table : tree.children) {
      const bool named = table.key == "parameters" || table.key == "body" || table.key == "plane" ||
                         table.key == "joint" || table.key == "law" || table.key == "force" || table.key == "drive" ||
                         table.key == "input" || table.key == "flexible" || table.key == "generate" ||
                         table.key == "contact" || table.key == "initial";
      if (!named) continue;
      for (DocumentNode& child : table.children) {
        rewrite(child);
        if (table.key != "initial" || names.contains(child.key)) child.key = prefix + child.key;
      }
      set_path(table, "");
    }
    if (const DocumentNode* set = instance.find("set")) {
      DocumentNode* parameters = tree.find("parameters");
      for (const DocumentNode& value : set->children) {
        DocumentNode* known = parameters->find(prefix + value.key);
        DocumentNode fresh = value;
        if (known->is_table()) {
          known = known->find("value") ? known->find("value") : known;
        }
        fresh.key = known->key;
        fresh.path = known->path;
        *known = std::move(fresh);
      }
    }
    if (const DocumentNode* at = instance.find("at")) shift(tree, *at);
    std::erase_if(tree.children, [](const DocumentNode& child) {
      return child.key == "schema" || child.key == "title" || child.key == "include" || child.key == "units" ||
             child.key == "world" || child.key == "simulation" || child.key == "output" || child.key == "measure" ||
             child.key == "expect" || child.key == "study" || child.key == "allow";
    });
    if (const DocumentNode* points = tree.find("ground"); points && points->find("points"))
      refuse(*model, "E0108", fmt::format("{}: the model has points of the ground", instance.path),
             "give its bodies points, and join them to the ground in this file");
    merge(document_.root(), std::move(tree));
  }

  // Places of bodies and planes are moved by `at`.
  void shift(DocumentNode& tree, const DocumentNode& at) {
    if (at.kind != Kind::array) refuse(at, "E0123", fmt::format("{} wants a vector", at.path), "at = [\"0.1 m\", 0]");
    const auto text_of = [](const DocumentNode& node) {
      return node.kind == Kind::text ? "(" + node.text + ")" : fmt::format("{}", node.number);
    };
    const auto move = [&](DocumentNode& table, const char* key) {
      DocumentNode* place = table.find(key);
      if (!place) {
        DocumentNode fresh = at;
        fresh.key = key;
        table.children.push_back(std::move(fresh));
        set_path(table.children.back(), table.path);
        return;
      }
      for (std::size_t k = 0; k < place->children.size() && k < at.children.size(); ++k) {
        DocumentNode& number = place->children[k];
        number.text = text_of(number) + " + " + text_of(at.children[k]);
        number.kind = Kind::text;
      }
    };
    if (DocumentNode* bodies = tree.find("body"))
      for (DocumentNode& body : bodies->children)
        if (body.is_table()) move(body, "position");
    if (DocumentNode* planes = tree.find("plane"))
      for (DocumentNode& plane : planes->children)
        if (plane.is_table()) move(plane, "point");
  }

  // --- copies
  // ----------------------------------------------------------------------------------------------------------------------

  // The whole number a count or a {..} means; parameters are followed.
  double whole(const DocumentNode& node, const std::string& text, double i) const {
    struct Names final : ExpressionNames {
      const Document& document;
      double i;
      int depth;
      Names(const Document& d, double n, int k) : document(d), i(n), depth(k) {}
      std::optional<ExpressionValue> find(const std::string& name, Reduction) const override {
        if (name == "i") return ExpressionValue::number(i);
        const DocumentNode* table = document.root().find("parameters");
        const DocumentNode* parameter = table ? table->find(name) : nullptr;
        if (parameter && parameter->is_table()) parameter = parameter->find("value");
        if (!parameter || depth > 50) return std::nullopt;
        if (parameter->kind == Kind::number) return ExpressionValue::number(parameter->number);
        return Expression(parameter->text).evaluate(Names(document, i, depth + 1));
      }
      std::vector<std::string> known() const override { return {"i"}; }
    };
    try {
      const double value = Expression(text).evaluate(Names(document_, i, 0)).data[0];
      if (value == std::floor(value) && std::abs(value) < 1e9) return value;
      refuse(node, "E0126", fmt::format("{}: {} is no whole number", node.path, value), "");
    } catch (const ExpressionError& error) {
      refuse(node, error.code_or("E0131").c_str(), fmt::format("{}: {}", node.path, error.what()), error.hint());
    }
  }

  std::string numbered(const DocumentNode& node, const std::string& text, int i) const {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t open = text.find('{', at), close = open == std::string::npos ? open : text.find('}', open);
      if (close == std::string::npos) return out + text.substr(at);
      out +=
          text.substr(at, open - at) + fmt::format("{:.0f}", whole(node, text.substr(open + 1, close - open - 1), i));
      at = close + 1;
    }
    return out;
  }

  void copy() {
    for (const char* kind : {"body", "joint", "force", "drive", "input", "contact"}) {
      DocumentNode* group = document_.root().find(kind);
      if (!group || !group->is_table()) continue;
      std::vector<DocumentNode> out;
      double copies = 0.0;
      for (DocumentNode& table : group->children) {
        const DocumentNode* count = table.is_table() ? table.find("count") : nullptr;
        if (!count) {
          out.push_back(std::move(table));
          continue;
        }
        if (count->kind != Kind::number && count->kind != Kind::text)
          refuse(*count, "E0123", fmt::format("{} wants a whole number", count->path), "count = 12");
        const double n = count->kind == Kind::text ? whole(*count, count->text, 0.0) : count->number;
        copies += n;
        if (!(n >= 0.0) || n != std::floor(n) || copies > most_copies)
          refuse(*count, "E0126", fmt::format("{} = {} is out of range", count->path, n),
                 fmt::format("allowed: a whole number up to {:.0f}", most_copies));
        for (int i = 0; i < static_cast<int>(n); ++i) {
          DocumentNode one = table;
          std::erase_if(one.children, [](const DocumentNode& child) { return child.key == "count"; });
          one.key += std::to_string(i);
          const std::function<void(DocumentNode&)> rewrite = [&](DocumentNode& node) {
            if (node.kind == Kind::text) {
              node.text = numbered(node, node.text, i);
              node.text = renamed(node.text, [&](const std::string& name) {
                return name == "i" ? std::optional(std::to_string(i)) : std::nullopt;
              });
            }
            for (DocumentNode& child : node.children) rewrite(child);
          };
          rewrite(one);
          set_path(one, kind);
          out.push_back(std::move(one));
        }
      }
      group->children = std::move(out);
    }
  }

  Document& document_;
  std::filesystem::path folder_;
};

}  // namespace

void expand(Document& document) { Expansion(document).run(); }

}  // namespace carom::inline io
