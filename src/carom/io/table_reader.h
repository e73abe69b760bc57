// Reads the tables of a scenario key by key. Every problem is put on a list with its place, and reading
// goes on, so that one run shows them all; keys nobody asked for are such problems too.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "carom/base/parameters.h"
#include "carom/base/types.h"
#include "carom/io/document.h"
#include "carom/io/expression.h"

namespace carom {

// The table [parameters]: numbers that all other numbers of the file may use.
class ParameterTable final : public ExpressionNames {
 public:
  struct Entry {
    std::string name;
    double value = 0.0;
    std::string doc;
  };

  ParameterTable(const Document& document, std::vector<InputProblem>& problems);

  const std::vector<Entry>& entries() const { return entries_; }  // in source order
  std::optional<ExpressionValue> find(const std::string& name, Reduction) const override;
  std::vector<std::string> known() const override;

 private:
  void resolve(const DocumentNode& node);
  std::optional<double> value_or_none(const DocumentNode& node);
  std::optional<double> value_of(const DocumentNode& node);

  const Document& document_;
  const DocumentNode* table_;
  std::vector<InputProblem>& problems_;
  std::vector<Entry> entries_;
  std::map<std::string, std::optional<double>> values_;  // none: has a problem
  std::vector<std::string> open_;                        // being resolved: a cycle if met again
};

// What all readers of one file share.
struct Reading {
  const Document& document;
  const ParameterTable& parameters;
  std::vector<InputProblem>& problems;

  void report(InputProblem problem) const { problems.push_back(std::move(problem)); }

  // The number a node holds or its expression gives; none after a report.
  std::optional<double> number(const DocumentNode& node) const;
  std::optional<std::vector<double>> numbers(const DocumentNode& node) const;
  // An expression for later; none after a report.
  std::optional<Expression> expression(const DocumentNode& node) const;
  // The value in the type of a declared parameter; none after a report.
  std::optional<ParameterValue> parameter(const DocumentNode& node, const ParameterSpec* spec) const;

  // Runs `work` and puts what InputError says on the list, at the place of its key: a dotted path, or a
  // member of `table`.
  bool attempt(const DocumentNode* table, const std::function<void()>& work) const;
};

class TableReader {
 public:
  // A table that does not exist is an empty one.
  TableReader(const Reading& reading, const DocumentNode* table, std::string path);

  bool exists() const { return table_ != nullptr; }
  const DocumentNode* node() const { return table_; }
  const std::string& path() const { return path_; }

  const DocumentNode* take(const std::string& key);  // null if absent; the key is known from now on
  std::optional<double> number(const std::string& key);
  std::optional<std::vector<double>> numbers(const std::string& key);
  std::optional<Vector3> vector3(const std::string& key);
  std::optional<std::string> text(const std::string& key);
  std::optional<std::vector<std::string>> texts(const std::string& key);
  // One of some words, hyphens and underscores being the same.
  std::optional<std::string> word(const std::string& key, const std::vector<std::string>& words);
  TableReader table(const std::string& key);
  // A report if the key is absent; the value is checked by whoever takes it.
  void require(const std::string& key, const std::string& hint);
  // A report if the number is out of range.
  void check(const std::string& key, bool good, const std::string& allowed);
  // Parameters by name after `specs`, those already taken left out.
  std::map<std::string, ParameterValue> parameters(const std::vector<ParameterSpec>& specs);

  void refuse(const std::string& key, std::string code, std::string message, std::string hint);
  // Reports every key that nobody took.
  void finish();

 private:
  const Reading& reading_;
  const DocumentNode* table_;
  std::string path_;
  std::vector<std::string> known_;
};

}  // namespace carom
