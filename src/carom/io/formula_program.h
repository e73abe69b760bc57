// An expression made ready for every step: names are resolved once to places in an array, everything constant is
// computed, and evaluation goes through a list of operations without allocating. Functions of time alone also give
// their first two derivatives.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/base/jet.h"
#include "carom/io/expression.h"

namespace carom::inline io {

class SplineCurve;

class FormulaProgram {
 public:
  FormulaProgram() = default;
  // `inputs` are the names whose values are given at each evaluation, in their order; all others are numbers of
  // `names`. Throws ExpressionError for names nobody knows.
  FormulaProgram(const Expression& expression, const ExpressionNames& names, const std::vector<std::string>& inputs);

  double value(const double* inputs) const;
  Jet jet(double t) const;  // inputs are {"t"}

  bool constant() const { return code_.size() == 1 && code_[0].kind == Kind::number; }
  bool uses(std::size_t input) const;

  enum class Kind : unsigned char { number, input, curve, operation };
  enum class Operation : unsigned char {
    add,
    subtract,
    multiply,
    divide,
    power,
    negative,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    unequal,
    both,
    either,
    negation,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    atan2,
    sqrt,
    exp,
    log,
    abs,
    sign,
    min,
    max,
    clamp,
    smoothstep,
    choose,
    step,
    pulse
  };

 private:
  struct Instruction {
    Kind kind;
    Operation operation = Operation::add;
    double number = 0.0;
    std::size_t input = 0;  // which one; of an operation how many it takes
    std::shared_ptr<const SplineCurve> curve = nullptr;
  };
  static constexpr int most_depth = 64;

  void compile(const Expression::Node& node, const ExpressionNames& names, const std::vector<std::string>& inputs,
               int depth);
  template <class S>
  S run(const S* inputs) const;

  std::vector<Instruction> code_;
};

}  // namespace carom::inline io
