#include "carom/io/formula_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "carom/base/names.h"
#include "carom/io/expression_node.h"
#include "carom/io/spline_curve.h"

namespace carom::inline io {

namespace {

using Node = Expression::Node;
using Operation = FormulaProgram::Operation;

constexpr struct {
  const char* word;
  Operation operation;
  int arguments;
} kOperations[] = {{"+", Operation::add, 2},
                   {"-", Operation::subtract, 2},
                   {"*", Operation::multiply, 2},
                   {"/", Operation::divide, 2},
                   {"^", Operation::power, 2},
                   {"negative", Operation::negative, 1},
                   {"<", Operation::less, 2},
                   {"<=", Operation::less_equal, 2},
                   {">", Operation::greater, 2},
                   {">=", Operation::greater_equal, 2},
                   {"==", Operation::equal, 2},
                   {"!=", Operation::unequal, 2},
                   {"and", Operation::both, 2},
                   {"or", Operation::either, 2},
                   {"not", Operation::negation, 1},
                   {"sin", Operation::sin, 1},
                   {"cos", Operation::cos, 1},
                   {"tan", Operation::tan, 1},
                   {"asin", Operation::asin, 1},
                   {"acos", Operation::acos, 1},
                   {"atan", Operation::atan, 1},
                   {"atan2", Operation::atan2, 2},
                   {"sqrt", Operation::sqrt, 1},
                   {"exp", Operation::exp, 1},
                   {"log", Operation::log, 1},
                   {"abs", Operation::abs, 1},
                   {"sign", Operation::sign, 1},
                   {"min", Operation::min, 2},
                   {"max", Operation::max, 2},
                   {"clamp", Operation::clamp, 3},
                   {"smoothstep", Operation::smoothstep, 3},
                   {"if", Operation::choose, 3},
                   {"step", Operation::step, 2},
                   {"pulse", Operation::pulse, 3}};

Jet on_curve(const SplineCurve& curve, const Jet& x) {
  const SplineCurve::Jet y = curve.at(x.value);
  return Jet::chain(x, y.value, y.slope, y.second);
}
double on_curve(const SplineCurve& curve, double x) { return curve.value(x); }

double value_of(double x) { return x; }

template <class S>
S smoothstep(const S& a, const S& b, const S& x) {
  const S z = (x - a) / (b - a);
  const S s = value_of(z) <= 0.0 ? S(0.0) : value_of(z) >= 1.0 ? S(1.0) : z;
  return s * s * (S(3.0) - S(2.0) * s);
}

template <class S>
S apply(Operation operation, const S* x) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::exp, std::log, std::pow, std::sin,
      std::sqrt, std::tan;
  const auto v = [&](int i) { return value_of(x[i]); };
  switch (operation) {
    case Operation::add: return x[0] + x[1];
    case Operation::subtract: return x[0] - x[1];
    case Operation::multiply: return x[0] * x[1];
    case Operation::divide: return x[0] / x[1];
    case Operation::power: return pow(x[0], x[1]);
    case Operation::negative: return -x[0];
    case Operation::less: return S(double(v(0) < v(1)));
    case Operation::less_equal: return S(double(v(0) <= v(1)));
    case Operation::greater: return S(double(v(0) > v(1)));
    case Operation::greater_equal: return S(double(v(0) >= v(1)));
    case Operation::equal: return S(double(v(0) == v(1)));
    case Operation::unequal: return S(double(v(0) != v(1)));
    case Operation::both: return S(double(v(0) != 0.0 && v(1) != 0.0));
    case Operation::either: return S(double(v(0) != 0.0 || v(1) != 0.0));
    case Operation::negation: return S(double(v(0) == 0.0));
    case Operation::sin: return sin(x[0]);
    case Operation::cos: return cos(x[0]);
    case Operation::tan: return tan(x[0]);
    case Operation::asin: return asin(x[0]);
    case Operation::acos: return acos(x[0]);
    case Operation::atan: return atan(x[0]);
    case Operation::atan2: return atan2(x[0], x[1]);
    case Operation::sqrt: return sqrt(x[0]);
    case Operation::exp: return exp(x[0]);
    case Operation::log: return log(x[0]);
    case Operation::abs: return v(0) < 0.0 ? -x[0] : x[0];
    case Operation::sign: return S(v(0) > 0.0 ? 1.0 : v(0) < 0.0 ? -1.0 : 0.0);
    case Operation::min: return v(1) < v(0) ? x[1] : x[0];
    case Operation::max: return v(1) > v(0) ? x[1] : x[0];
    case Operation::clamp: return v(0) < v(1) ? x[1] : v(0) > v(2) ? x[2] : x[0];
    case Operation::smoothstep: return smoothstep(x[0], x[1], x[2]);
    case Operation::choose: return v(0) != 0.0 ? x[1] : x[2];
    case Operation::step: return S(double(v(0) >= v(1)));
    case Operation::pulse: return S(double(v(0) >= v(1) && v(0) < v(2)));
  }
  return x[0];
}

}  // namespace

FormulaProgram::FormulaProgram(const Expression& expression, const ExpressionNames& names,
                               const std::vector<std::string>& inputs) {
  compile(expression.root(), names, inputs, 1);
}

void FormulaProgram::compile(const Node& node, const ExpressionNames& names, const std::vector<std::string>& inputs,
                             int depth) {
  if (depth > most_depth)
    throw ExpressionError(fmt::format("the formula needs more than {} intermediate numbers", most_depth), node.offset,
                          "give its parts names of their own in [parameters]");
  const std::size_t begin = code_.size();
  if (node.kind == Node::Kind::number) {
    code_.push_back({.kind = Kind::number, .number = node.number});
    return;
  }
  if (node.kind == Node::Kind::name) {
    const auto found = std::find(inputs.begin(), inputs.end(), node.word);
    if (found != inputs.end()) {
      code_.push_back({.kind = Kind::input, .input = static_cast<std::size_t>(found - inputs.begin())});
      return;
    }
    const auto number = names.find(node.word, Reduction::none);
    if (!number || number->series) {
      std::vector<std::string> known = names.known();
      known.insert(known.end(), inputs.begin(), inputs.end());
      throw ExpressionError(fmt::format("unknown name '{}'", node.word), node.offset, suggestion(node.word, known));
    }
    code_.push_back({.kind = Kind::number, .number = number->data[0]});
    return;
  }
  if (node.word == "table") {
    auto curve = names.curve(node.arguments[1]->word, node.arguments[1]->offset);
    if (!curve) throw ExpressionError("there are no tables here", node.offset, "");
    compile(*node.arguments[0], names, inputs, depth);
    code_.push_back({.kind = Kind::curve, .curve = std::move(curve)});
    return;
  }
  const auto entry =
      std::find_if(std::begin(kOperations), std::end(kOperations), [&](const auto& e) { return node.word == e.word; });
  if (is_reduction(node) || entry == std::end(kOperations))
    throw ExpressionError(fmt::format("{}() of a whole run is not known while it runs", node.word), node.offset,
                          "in motions and forces functions of numbers may stand");
  bool numbers = true;
  for (std::size_t i = 0; i < node.arguments.size(); ++i) {
    const std::size_t from = code_.size();
    compile(*node.arguments[i], names, inputs, depth + static_cast<int>(i));
    numbers = numbers && code_.size() == from + 1 && code_.back().kind == Kind::number;
  }
  if (numbers) {  // everything constant is one number
    double x[3] = {};
    for (std::size_t i = 0; i < node.arguments.size(); ++i) x[i] = code_[begin + i].number;
    code_.resize(begin);
    code_.push_back({.kind = Kind::number, .number = carom::apply(*find_pointwise(node.word), x)});
    return;
  }
  code_.push_back(
      {.kind = Kind::operation, .operation = entry->operation, .input = static_cast<std::size_t>(entry->arguments)});
}

template <class S>
S FormulaProgram::run(const S* inputs) const {
  std::array<S, most_depth + 4> stack;
  std::size_t top = 0;
  for (const Instruction& instruction : code_) {
    switch (instruction.kind) {
      case Kind::number: stack[top++] = S(instruction.number); break;
      case Kind::input: stack[top++] = inputs[instruction.input]; break;
      case Kind::curve: stack[top - 1] = on_curve(*instruction.curve, stack[top - 1]); break;
      case Kind::operation: {
        top -= instruction.input;
        stack[top] = apply(instruction.operation, &stack[top]);
        ++top;
        break;
      }
    }
  }
  return stack[0];
}

double FormulaProgram::value(const double* inputs) const { return run(inputs); }

Jet FormulaProgram::jet(double t) const {
  const Jet time(t, 1.0, 0.0);
  return run(&time);
}

bool FormulaProgram::uses(std::size_t input) const {
  return std::any_of(code_.begin(), code_.end(),
                     [&](const Instruction& i) { return i.kind == Kind::input && i.input == input; });
}

}  // namespace carom::inline io
