#include "carom/io/flexible_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "carom/base/names.h"
#include "carom/io/matrix_market.h"
#include "carom/io/output_file.h"
#include "carom/model/parts/linear_body_spec.h"

namespace carom::inline io {

namespace {

using model::LinearBodyContact;
using model::LinearBodySpec;
using model::make_linear_body;

class FlexibleReader {
 public:
  FlexibleReader(const Reading& reading, const std::map<std::string, ContactParameters>& laws)
      : reading_(reading), laws_(laws) {}

  std::optional<Model> read(TableReader& root) {
    const std::size_t problems_before = reading_.problems.size();
    TableReader group = root.table("flexible");
    TableReader contacts = root.table("contact");
    if (!group.exists() || group.node()->children.size() != 1) {
      root.refuse("flexible", "E0109", "a scenario has one flexible body", "keep one table [flexible.NAME]");
      return std::nullopt;
    }
    const DocumentNode& body = group.node()->children.front();
    TableReader table(reading_, &body, "flexible." + body.key);
    if (!table.exists()) return std::nullopt;
    body_.name = body.key;
    read_body(table);
    table.finish();
    if (contacts.exists()) {
      for (const DocumentNode& child : contacts.node()->children) {
        TableReader contact(reading_, &child, "contact." + child.key);
        if (!contact.exists()) continue;
        read_contact(contact, child.key);
        contact.finish();
      }
    }
    if (reading_.problems.size() > problems_before) return std::nullopt;
    std::optional<Model> model;
    reading_.attempt(&body, [&] { model = make_linear_body(body_); });
    return model;
  }

 private:
  void read_body(TableReader& table) {
    table.require("type", "type = \"linear_body\"");
    table.word("type", {"linear_body"});
    read_matrix(table, "mass", body_.M);
    read_matrix(table, "stiffness", body_.K);
    body_.modes = whole(table, "modes", 0).value_or(0);
    if (const DocumentNode* node = table.take("static_correction")) {
      if (node->kind == DocumentNode::Kind::boolean)
        body_.static_correction = node->boolean;
      else
        table.refuse("static_correction", "E0123", "static_correction wants true or false", "true or false");
    }
    body_.damping = {table.number("mass_damping").value_or(0.0), table.number("stiffness_damping").value_or(0.0)};
    body_.force = all_or_each(table, "force");
    body_.velocity = all_or_each(table, "velocity");
  }

  void read_matrix(TableReader& table, const std::string& key, Eigen::SparseMatrix<double>& matrix) {
    table.require(key, key + " = \"file.mtx\", a Matrix Market file beside this one");
    const auto name = table.text(key);
    if (!name) return;
    if (reading_.taken) reading_.taken->files.push_back(table.take(key));
    const std::filesystem::path folder = std::filesystem::path(reading_.document.file()).parent_path();
    if (!reading_.document.outside_allowed() && leads_out(folder.string(), *name)) {
      table.refuse(key, "E0118", fmt::format("{} leads out of the folder of the model", key),
                   "a file beside the model or below; --allow-outside permits others");
      return;
    }
    try {
      matrix = read_matrix_market((folder / *name).string());
    } catch (const InputError& error) {  // its place is in the matrix file
      for (const InputProblem& problem : error.problems()) reading_.report(problem);
    }
  }

  std::optional<Index> whole(TableReader& table, const std::string& key, double least) {
    const auto value = table.whole(key, least, 1e9);
    return value ? std::optional<Index>(static_cast<Index>(*value)) : std::nullopt;
  }

  // One number for all degrees of freedom, or a list.
  Vector all_or_each(TableReader& table, const std::string& key) {
    const DocumentNode* node = table.take(key);
    if (!node) return {};
    if (node->kind == DocumentNode::Kind::array) {
      const auto list = table.numbers(key);
      return list ? Vector(Vector::Map(list->data(), static_cast<Eigen::Index>(list->size()))) : Vector();
    }
    const auto value = table.number(key);
    return value ? Vector(Vector::Constant(body_.M.rows(), *value)) : Vector();
  }

  void read_contact(TableReader& table, const std::string& name) {
    LinearBodyContact contact;
    contact.name = name;
    table.require("dof", "dof = 1, counted from 1 as in the matrix files");
    table.require("gap", "gap = 1e-3");
    table.require("law", "law = \"name\" and a table [law.name]");
    contact.dof = whole(table, "dof", 1).value_or(1) - 1;
    contact.gap = table.number("gap").value_or(0.0);
    if (const auto sign = table.number("sign")) {
      table.check("sign", *sign == 1.0 || *sign == -1.0, "1 if the gap grows with the degree of freedom, or -1");
      contact.sign = *sign;
    }
    for (const double dof : table.numbers("tangents").value_or(std::vector<double>{})) {
      const bool good = dof >= 1 && dof == std::floor(dof) && dof < 2e9;
      table.check("tangents", good, "whole numbers >= 1");
      if (good) contact.tangents.push_back(static_cast<Index>(dof) - 1);
    }
    if (const auto law = table.text("law")) {
      const auto found = laws_.find(*law);
      if (found != laws_.end()) {
        contact.law = found->second;
      } else {
        std::vector<std::string> known;
        for (const auto& entry : laws_) known.push_back(entry.first);
        table.refuse("law", "E0142", fmt::format("there is no law '{}'", *law),
                     known.empty() ? fmt::format("add a table [law.{}]", *law) : suggestion(*law, known));
      }
    }
    body_.contacts.push_back(std::move(contact));
  }

  const Reading& reading_;
  const std::map<std::string, ContactParameters>& laws_;
  LinearBodySpec body_;
};

}  // namespace

std::optional<Model> read_flexible(const Reading& reading, TableReader& root,
                                   const std::map<std::string, ContactParameters>& laws) {
  return FlexibleReader(reading, laws).read(root);
}

}  // namespace carom::inline io
