// What an expression measures, from its tree. Sums, comparisons and choices want the same on both sides; products
// multiply; functions want angles or pure numbers.
#include <fmt/format.h>

#include <algorithm>

#include "carom/base/names.h"
#include "carom/base/units.h"
#include "carom/io/expression_node.h"
#include "carom/io/spline_curve.h"

namespace carom::inline io {

namespace {

using Node = Expression::Node;

class Dimensions {
 public:
  explicit Dimensions(const ExpressionNames& names) : names_(names) {}

  Dimension of(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::number: return of_number(node);
      case Node::Kind::name: return of_name(node);
      case Node::Kind::operation: break;
    }
    const std::string& word = node.word;
    if (word == "table") return of_table(node);
    if (is_reduction(node)) {
      const Dimension x = of(*node.arguments[0]);
      return word == "count" ? Dimension{} : x;
    }
    if (word == "+" || word == "-" || word == "min" || word == "max" || word == "clamp") return alike(node, 0);
    if (word == "*") return of(*node.arguments[0]) * of(*node.arguments[1]);
    if (word == "/") return of(*node.arguments[0]) / of(*node.arguments[1]);
    if (word == "^") return of_power(node);
    if (word == "negative" || word == "abs") return of(*node.arguments[0]);
    if (word == "if") {
      want_pure(node, 0);
      return alike(node, 1);
    }
    if (word == "sqrt") return rooted(node);
    if (word == "sign") return of(*node.arguments[0]), Dimension{};
    if (word == "atan2") return alike(node, 0), Dimension::of(0, 0, 0, 1);
    if (word == "asin" || word == "acos" || word == "atan") return want_pure(node, 0), Dimension::of(0, 0, 0, 1);
    if (is_comparison(word) || word == "smoothstep" || word == "step" || word == "pulse")
      return alike(node, 0), Dimension{};
    if (find_pointwise(word)) {  // sin cos tan exp log and or not
      for (std::size_t i = 0; i < node.arguments.size(); ++i) want_pure(node, i);
      return {};
    }
    want(node, 0, Dimension::of(0, 0, 1), "a time");  // name(t)
    return of_word(word, node.offset);
  }

 private:
  static bool is_comparison(const std::string& word) {
    return word == "<" || word == "<=" || word == ">" || word == ">=" || word == "==" || word == "!=";
  }

  Dimension of_number(const Node& node) const {
    if (node.unit) return *node.unit;
    return names_.bare_numbers() || node.number == 0.0 ? Dimension::anything() : Dimension{};
  }
  Dimension of_name(const Node& node) const { return of_word(node.word, node.offset); }
  Dimension of_word(const std::string& word, std::size_t offset) const {
    if (const auto known = names_.dimension(word)) return *known;
    throw ExpressionError(fmt::format("unknown name '{}'", word), offset, suggestion(word, names_.known()));
  }

  Dimension of_table(const Node& node) const {
    const auto curve = names_.curve(node.arguments[1]->word, node.arguments[1]->offset);
    if (!curve) return Dimension::anything();
    want(node, 0, curve->of_x, to_text(curve->of_x).c_str());
    return curve->of_y;
  }

  // All arguments from the first one on measure the same.
  Dimension alike(const Node& node, std::size_t first) const {
    Dimension all = Dimension::anything();
    for (std::size_t i = first; i < node.arguments.size(); ++i) {
      const Dimension next = of(*node.arguments[i]);
      if (!agree(all, next))
        throw ExpressionError(
            fmt::format("{} and {} are not of one kind in '{}'", to_text(all), to_text(next), node.word), node.offset,
            names_.bare_numbers() ? "check the units" : "check the units; a number without unit is a pure number",
            "E0137");
      if (all.any || (!next.any && all.sixths[3] == 0)) all = next;
    }
    return all;
  }

  void want(const Node& node, std::size_t argument, const Dimension& wanted, const char* words) const {
    const Dimension found = of(*node.arguments[argument]);
    if (!agree(found, wanted))
      throw ExpressionError(fmt::format("{}() wants {}, not {}", node.word, words, to_text(found)),
                            node.arguments[argument]->offset, "check the units", "E0137");
  }
  void want_pure(const Node& node, std::size_t argument) const {
    want(node, argument, {}, "an angle or a pure number");
  }

  Dimension rooted(const Node& node) const {
    const auto root = power(of(*node.arguments[0]), 0.5);
    return root.value_or(Dimension::anything());
  }

  Dimension of_power(const Node& node) const {
    const Dimension base = of(*node.arguments[0]);
    want_pure(node, 1);
    if (base.any || is_pure(base)) return base.any ? base : Dimension{};
    const auto exponent = constant(*node.arguments[1]);
    const auto result = exponent ? power(base, *exponent) : std::nullopt;
    if (!result)
      throw ExpressionError(fmt::format("the exponent of {} must be a plain number", to_text(base)),
                            node.arguments[1]->offset, "as in r^2 or r^(1/2)", "E0137");
    return *result;
  }

  static std::optional<double> constant(const Node& node) {
    if (node.kind == Node::Kind::number && !node.unit) return node.number;
    if (node.kind != Node::Kind::operation) return std::nullopt;
    const Pointwise* operation = find_pointwise(node.word);
    if (!operation || node.arguments.size() != operation->arguments) return std::nullopt;
    double x[3] = {};
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
      const auto value = constant(*node.arguments[i]);
      if (!value) return std::nullopt;
      x[i] = *value;
    }
    return apply(*operation, x);
  }

  const ExpressionNames& names_;
};

const Node& behind_sign(const Node& node) {
  return node.kind == Node::Kind::operation && node.word == "negative" ? behind_sign(*node.arguments[0]) : node;
}

}  // namespace

Dimension Expression::dimension(const ExpressionNames& names) const { return Dimensions(names).of(*root_); }

bool Expression::is_bare_number() const {
  const Node& node = behind_sign(*root_);
  return node.kind == Node::Kind::number && !node.unit && node.number != 0.0;
}

bool Expression::counts_cycles() const { return behind_sign(*root_).cycles; }

}  // namespace carom::inline io
