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
#include "carom/io/fields.h"

namespace carom::inline io {

// The problems of one file, as they are found. Beyond most_problems the rest is not looked at: add() throws
// InputError with all there are.
class ProblemList {
 public:
  void add(InputProblem problem);
  std::size_t size() const { return list_.size(); }
  bool empty() const { return list_.empty(); }
  const std::vector<InputProblem>& list() const { return list_; }

 private:
  std::vector<InputProblem> list_;
};

// The table [parameters]: quantities that all others of the file may use. They may use each other in any order; the
// order in which they can be computed is found first, so that a long chain is no deep recursion. Also knows whether the
// file writes bare numbers, and the tables of points beside it.
class ParameterTable final : public ExpressionNames {
 public:
  struct Entry {
    std::string name;
    double value = 0.0;
    std::string doc;
    Dimension dimension = {};
  };

  ParameterTable(const Document& document, ProblemList& problems);

  const std::vector<Entry>& entries() const { return entries_; }  // in source order
  std::optional<ExpressionValue> find(const std::string& name, Reduction) const override;
  std::vector<std::string> known() const override;
  std::optional<Dimension> dimension(const std::string& name) const override;
  bool bare_numbers() const override { return bare_; }
  std::shared_ptr<const SplineCurve> curve(const std::string& file, std::size_t offset) const override;

 private:
  enum class State { untouched, open, done };
  struct Parameter {
    const DocumentNode* node;
    std::vector<std::size_t> uses;  // other parameters in its formulas
    State state = State::untouched;
    std::optional<double> value = {};  // none: has a problem
    Dimension dimension = {};
  };

  void check_name(const DocumentNode& node);
  void find_uses(Parameter& parameter);
  void resolve(std::size_t first);
  void report_circle(const std::vector<std::pair<std::size_t, std::size_t>>& path, std::size_t met_again);
  void compute(Parameter& parameter);
  std::optional<double> value_of(const DocumentNode& node, Dimension& dimension);

  const Document& document_;
  const DocumentNode* table_;
  ProblemList& problems_;
  std::vector<Parameter> parameters_;
  std::map<std::string, std::size_t> numbers_;  // by canonical name
  std::vector<Entry> entries_;
  bool bare_ = false;
  mutable std::map<std::string, std::shared_ptr<const SplineCurve>> curves_;
};

// What the readers took each value of the file for. Whoever writes the model back needs no list of its own.
struct TakenValues {
  std::map<const DocumentNode*, double> numbers;  // in SI units
  std::vector<const DocumentNode*> formulas;      // for later: of t, of a run
  std::vector<const DocumentNode*> files;         // names of files that are read
};

// What all readers of one file share.
struct Reading {
  const Document& document;
  const ParameterTable& parameters;
  ProblemList& problems;
  TakenValues* taken = nullptr;  // noted if there is one

  void report(InputProblem problem) const { problems.add(std::move(problem)); }

  // The number a node holds or its expression gives, always finite; none after a report.
  std::optional<double> number(const DocumentNode& node, const Dimension& wanted = Dimension::anything()) const;
  std::optional<std::vector<double>> numbers(const DocumentNode& node,
                                             const Dimension& wanted = Dimension::anything()) const;
  // A report if an expression does not measure what is wanted. `names` may know more than the parameters.
  bool fits(const DocumentNode& node, const Expression& expression, const ExpressionNames& names,
            const Dimension& wanted) const;
  // An expression for later; none after a report.
  std::optional<Expression> expression(const DocumentNode& node) const;
  // The value in the type of a declared parameter; none after a report.
  std::optional<ParameterValue> parameter(const DocumentNode& node, const ParameterSpec* spec) const;

  // Runs `work` and puts what InputError says on the list, at the place of its key: a dotted path, or a
  // member of `table`.
  bool attempt(const DocumentNode* table, const std::function<void()>& work) const;
};

// Letters, digits, underscores, hyphens: what may become part of names in formulas and result files.
bool is_plain_name(std::string_view name);

class TableReader {
 public:
  // A table that does not exist is an empty one. With a list of fields, units and ranges are checked by it, and its
  // keys are known.
  TableReader(const Reading& reading, const DocumentNode* table, std::string path, const TableSpec* spec = nullptr);

  // From now on by this list: where the kind of thing is known only after its first key.
  void follow(const TableSpec& spec) { spec_ = &spec; }

  bool exists() const { return table_ != nullptr; }
  const DocumentNode* node() const { return table_; }
  const std::string& path() const { return path_; }

  const DocumentNode* take(const std::string& key);  // null if absent; the key is known from now on
  std::optional<double> number(const std::string& key);
  std::optional<double> number(const std::string& key, const Dimension& wanted);
  std::optional<std::vector<double>> numbers(const std::string& key);
  std::optional<Vector3> vector3(const std::string& key);
  // Two numbers in the plane (or three, the last one unused), three in space.
  std::optional<Vector3> vector(const std::string& key, bool planar);
  std::optional<bool> flag(const std::string& key);
  std::optional<std::string> text(const std::string& key);
  std::optional<std::vector<std::string>> texts(const std::string& key);
  // One of some words, hyphens and underscores being the same.
  std::optional<std::string> word(const std::string& key, const std::vector<std::string>& words);
  TableReader table(const std::string& key, const TableSpec* spec = nullptr);
  // A report if the key is absent; the value is checked by whoever takes it.
  void require(const std::string& key, const std::string& hint);
  // The same for every key its list calls required, with what the list says of it.
  void require_all();
  // The value of a key that wants a whole number from `least` to `most`; none if it is absent or was reported.
  std::optional<double> whole(const std::string& key, double least, double most);
  // A report if the number is out of range.
  void check(const std::string& key, bool good, const std::string& allowed);
  // Parameters by name after `specs`, those already taken left out.
  std::map<std::string, ParameterValue> parameters(const std::vector<ParameterSpec>& specs);

  void refuse(const std::string& key, std::string code, std::string message, std::string hint);
  // Reports every key that nobody took.
  void finish();

 private:
  bool is_misspelt(const std::string& key) const;
  const FieldSpec* field(const std::string& key) const { return spec_ ? spec_->find(key) : nullptr; }
  Dimension dimension(const std::string& key) const;
  void check_range(const std::string& key, double value);

  const Reading& reading_;
  const DocumentNode* table_;
  std::string path_;
  const TableSpec* spec_ = nullptr;
  std::vector<std::string> known_;
  bool kind_unknown_ = false;  // the table's type was a word that is not known
};

}  // namespace carom::inline io
