// Formulas in scenario files: parameters, signals and expectations are written in one small language.
//
//   or, and, not     < <= > >= == !=     + -     * /     - (sign)     ^
//   numbers, also with units (5 mm, 2 N*m; base/units.h), pi, g0
//   names with dots (body.slider.y), quoted names ('ball1-floor.gap')
//   sin cos tan asin acos atan atan2 sqrt exp log abs sign min max clamp smoothstep if(c, a, b)
//   name(t): a signal's value at time t
//   over a run: min max sum mean count first last of (steps, x), and increase(x)
//   over the contacts a name stands for, in each step: min max sum mean of (contacts, guide.gap)
//   table('lift.csv', x): a curve through measured points
//
// max(steps, sum(contacts, guide.impulse_normal)) says over what it runs. Without that word min max sum mean of a bare
// name run over its contacts and, in an expectation, over all steps in one; of anything else over the steps.
//
// What is not a number stays so: a comparison with it, a count or a choice by it is not a number either, so that
// nothing can be judged by it. A formula is nested at most 200 deep and 1000 operations high.
//
// A name may stand for a number, for a number in each step (a series) or, for contacts, for several of
// them: those must be put together. Truth is 1 and 0. No loops, no user code.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/dimension.h"

namespace carom::inline io {

// What is wrong with an expression, and where in its text. A code, where it has one of its own.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(const std::string& message, std::size_t offset, std::string hint = {}, std::string code = {})
      : std::runtime_error(message), offset_(offset), hint_(std::move(hint)), code_(std::move(code)) {}
  std::size_t offset() const { return offset_; }
  const std::string& hint() const { return hint_; }
  std::string code_or(const char* other) const { return code_.empty() ? other : code_; }

 private:
  std::size_t offset_;
  std::string hint_, code_;
};

// A number, or one per step.
struct ExpressionValue {
  bool series = false;
  std::vector<double> data = {0.0};

  static ExpressionValue number(double x) { return {false, {x}}; }
  double operator[](std::size_t i) const { return series ? data[i] : data[0]; }
};

// How the several values of one name are put together.
enum class Reduction { none, min, max, sum, mean };

class SplineCurve;

// What the names in an expression mean.
class ExpressionNames {
 public:
  virtual ~ExpressionNames() = default;
  virtual std::optional<ExpressionValue> find(const std::string& name, Reduction reduction) const = 0;
  virtual std::vector<std::string> known() const = 0;  // for suggestions
  // What a name measures; anything, if nobody knows better.
  virtual std::optional<Dimension> dimension(const std::string&) const { return Dimension::anything(); }
  // Whether numbers without unit stand for any quantity, in SI units; otherwise they are pure numbers.
  virtual bool bare_numbers() const { return true; }
  // The curve of table('file', x); null if there are none here. Throws ExpressionError.
  virtual std::shared_ptr<const SplineCurve> curve(const std::string&, std::size_t) const { return nullptr; }
};

// Whether formulas give a name their own meaning: operators, functions and constants.
bool is_word_of_formulas(std::string_view name);

class Expression {
 public:
  // What min(x), sum(x), ... of one argument run over.
  enum class Scope {
    instant,  // the members of a name in one step: signals
    run       // also all steps: expectations
  };

  struct Reference {
    std::string name;
    Reduction reduction;
    std::size_t offset;
  };

  struct Node;

  Expression() = default;
  explicit Expression(std::string_view text);  // throws ExpressionError

  const std::string& text() const { return text_; }
  ExpressionValue evaluate(const ExpressionNames& names, Scope scope = Scope::run) const;
  // Every name that evaluation will ask for.
  std::vector<Reference> references() const;

  // What it measures. Throws ExpressionError where quantities that measure different things are added, compared, ...
  Dimension dimension(const ExpressionNames& names) const;

  // One number, with a sign or without, and no unit.
  bool is_bare_number() const;
  // One number in a unit that counts cycles instead of angles: "5 Hz".
  bool counts_cycles() const;

  const Node& root() const { return *root_; }

  // Whether its value can only be true or false: comparisons, and what joins them.
  bool is_truth() const;

  // An expectation `a < b` as its parts; the operation is empty if it is no comparison at the top.
  std::string comparison(Expression& left, Expression& right) const;

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
};

}  // namespace carom::inline io
