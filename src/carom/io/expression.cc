#include "carom/io/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "carom/base/names.h"
#include "carom/base/units.h"
#include "carom/io/expression_node.h"
#include "carom/io/spline_curve.h"

namespace carom::inline io {

namespace {

using Node = Expression::Node;
using NodePtr = std::shared_ptr<const Node>;
using Value = ExpressionValue;

// --- what operations mean --------------------------------------------------------------------------

// Deep enough for any formula a person writes, small against the stack.
constexpr int kMostNesting = 200;
constexpr int kMostHeight = 1000;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
bool is_missing(double x) { return std::isnan(x); }

double sign(double x) { return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : 0.0); }
double clamp(double x, double low, double high) { return std::min(std::max(x, low), high); }
double smoothstep(double a, double b, double x) {
  const double s = clamp((x - a) / (b - a), 0.0, 1.0);
  return s * s * (3.0 - 2.0 * s);
}

const std::vector<Pointwise>& pointwise_operations() {
  static const std::vector<Pointwise> table = {
      {"+", 2, [](const double* x) { return x[0] + x[1]; }},
      {"-", 2, [](const double* x) { return x[0] - x[1]; }},
      {"*", 2, [](const double* x) { return x[0] * x[1]; }},
      {"/", 2, [](const double* x) { return x[0] / x[1]; }},
      {"^", 2, [](const double* x) { return std::pow(x[0], x[1]); }},
      {"negative", 1, [](const double* x) { return -x[0]; }},
      {"<", 2, [](const double* x) { return double(x[0] < x[1]); }},
      {"<=", 2, [](const double* x) { return double(x[0] <= x[1]); }},
      {">", 2, [](const double* x) { return double(x[0] > x[1]); }},
      {">=", 2, [](const double* x) { return double(x[0] >= x[1]); }},
      {"==", 2, [](const double* x) { return double(x[0] == x[1]); }},
      {"!=", 2, [](const double* x) { return double(x[0] != x[1]); }},
      {"and", 2, [](const double* x) { return double(x[0] != 0.0 && x[1] != 0.0); }},
      {"or", 2, [](const double* x) { return double(x[0] != 0.0 || x[1] != 0.0); }},
      {"not", 1, [](const double* x) { return double(x[0] == 0.0); }},
      {"sin", 1, [](const double* x) { return std::sin(x[0]); }},
      {"cos", 1, [](const double* x) { return std::cos(x[0]); }},
      {"tan", 1, [](const double* x) { return std::tan(x[0]); }},
      {"asin", 1, [](const double* x) { return std::asin(x[0]); }},
      {"acos", 1, [](const double* x) { return std::acos(x[0]); }},
      {"atan", 1, [](const double* x) { return std::atan(x[0]); }},
      {"atan2", 2, [](const double* x) { return std::atan2(x[0], x[1]); }},
      {"sqrt", 1, [](const double* x) { return std::sqrt(x[0]); }},
      {"exp", 1, [](const double* x) { return std::exp(x[0]); }},
      {"log", 1, [](const double* x) { return std::log(x[0]); }},
      {"abs", 1, [](const double* x) { return std::abs(x[0]); }},
      {"sign", 1, [](const double* x) { return sign(x[0]); }},
      {"min", 2, [](const double* x) { return std::min(x[0], x[1]); }},
      {"max", 2, [](const double* x) { return std::max(x[0], x[1]); }},
      {"clamp", 3, [](const double* x) { return clamp(x[0], x[1], x[2]); }},
      {"smoothstep", 3, [](const double* x) { return smoothstep(x[0], x[1], x[2]); }},
      {"if", 3, [](const double* x) { return x[0] != 0.0 ? x[1] : x[2]; }},
      // time constants
      {"step", 2, [](const double* x) { return double(x[0] >= x[1]); }},
      {"pulse", 3, [](const double* x) { return double(x[0] >= x[1] && x[0] < x[2]); }}};
  return table;
}

}  // namespace

// A choice or a comparison by something that is not a number would look like an answer.
double apply(const Pointwise& operation, const double* x) {
  const bool choice = std::string_view(operation.name) == "if";
  const double* end = x + (choice ? 1 : operation.arguments);
  return std::any_of(x, end, is_missing) ? kNotANumber : operation.apply(x);
}

const Pointwise* find_pointwise(const std::string& name) {
  for (const Pointwise& operation : pointwise_operations())
    if (operation.name == name) return &operation;
  return nullptr;
}

namespace {

// Of one argument, over the steps of a run; the result is a number, for `increase` a series.
constexpr const char* kOverRun[] = {"min", "max", "sum", "mean", "count", "first", "last", "increase"};

bool is_over_run(const std::string& name) {
  return std::find(std::begin(kOverRun), std::end(kOverRun), name) != std::end(kOverRun);
}

// Those that also put together the members of one name.
Reduction member_reduction(const std::string& name) {
  if (name == "min") return Reduction::min;
  if (name == "max") return Reduction::max;
  if (name == "sum") return Reduction::sum;
  if (name == "mean") return Reduction::mean;
  return Reduction::none;
}

Value over_run(const std::string& name, const Value& x, std::size_t offset) {
  if (!x.series)
    throw ExpressionError(fmt::format("{}() runs over the steps, but what stands in it is one number already", name),
                          offset,
                          "min max sum mean of a contact quantity run over contacts and steps in one; "
                          "of the contacts of each step: max(steps, sum(contacts, guide.impulse_normal))");
  const std::vector<double>& data = x.data;
  if (name == "increase") {
    Value out{true, {}};
    for (std::size_t i = 1; i < data.size(); ++i) out.data.push_back(data[i] - data[i - 1]);
    return out;
  }
  if (data.empty() && name != "sum" && name != "count")
    throw ExpressionError(name + "() of nothing: the run is too short", offset);
  if (name != "first" && name != "last" && std::any_of(data.begin(), data.end(), is_missing))
    return Value::number(kNotANumber);
  if (name == "min") return Value::number(*std::min_element(data.begin(), data.end()));
  if (name == "max") return Value::number(*std::max_element(data.begin(), data.end()));
  if (name == "first") return Value::number(data.front());
  if (name == "last") return Value::number(data.back());
  if (name == "count")
    return Value::number(
        static_cast<double>(std::count_if(data.begin(), data.end(), [](double y) { return y != 0.0; })));
  const double sum = std::accumulate(data.begin(), data.end(), 0.0);
  return Value::number(name == "mean" ? sum / static_cast<double>(data.size()) : sum);
}

// --- from text to nodes ----------------------------------------------------------------------------

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  NodePtr parse() {
    NodePtr node = either();
    skip_space();
    if (at_ < text_.size()) complain_about_rest(*node);
    return node;
  }

 private:
  // Counts how often the parser has called itself.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : depth_(parser.depth_) {
      // Two counts a pair of brackets: one in negation(), one in signed_power().
      if (++depth_ > 2 * kMostNesting) {
        --depth_;
        throw ExpressionError(fmt::format("the formula is nested more than {} deep", kMostNesting), parser.at_,
                              "give its parts names of their own in [parameters]");
      }
    }
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    int& depth_;
  };

  NodePtr either() {
    NodePtr left = both();
    while (const auto at = take_word("or")) left = operation("or", *at, {left, both()});
    return left;
  }
  NodePtr both() {
    NodePtr left = negation();
    while (const auto at = take_word("and")) left = operation("and", *at, {left, negation()});
    return left;
  }
  NodePtr negation() {
    const Nesting nesting(*this);
    if (const auto at = take_word("not")) return operation("not", *at, {negation()});
    return comparison();
  }
  NodePtr comparison() {
    NodePtr left = sum();
    for (const char* symbol : {"<=", ">=", "==", "!=", "<", ">"})
      if (const auto at = take(symbol)) return operation(symbol, *at, {left, sum()});
    return left;
  }
  NodePtr sum() { return left_chain({"+", "-"}, &Parser::product); }
  NodePtr product() { return left_chain({"*", "/"}, &Parser::signed_power); }
  NodePtr signed_power() {
    const Nesting nesting(*this);
    if (const auto at = take("-")) return operation("negative", *at, {signed_power()});
    if (take("+")) return signed_power();
    NodePtr base = primary();
    if (const auto at = take("^")) return operation("^", *at, {base, signed_power()});
    return base;
  }
  NodePtr left_chain(std::initializer_list<const char*> symbols, NodePtr (Parser::*next)()) {
    NodePtr left = (this->*next)();
    while (true) {
      bool found = false;
      for (const char* symbol : symbols) {
        const auto at = take(symbol);
        if (!at) continue;
        left = operation(symbol, *at, {left, (this->*next)()});
        found = true;
        break;
      }
      if (!found) return left;
    }
  }

  NodePtr primary() {
    skip_space();
    if (at_ == text_.size()) throw ExpressionError("the expression ends too early", at_, "something is missing");
    const std::size_t begin = at_;
    if (take("(")) {
      NodePtr inner = either();
      if (!take(")")) throw ExpressionError("')' is missing", at_, "opened with '(' before");
      return inner;
    }
    if (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.') return number();
    if (text_[at_] == '\'') return quoted_name();
    if (starts_name(text_[at_])) {
      const std::string name = take_name();
      if (take("(")) return call(name, begin);
      if (name == "pi") return constant(std::numbers::pi, begin);
      if (name == "g0") {
        auto node = std::make_shared<Node>(*constant(9.80665, begin));
        node->unit = Dimension::of(1, 0, -2);
        return node;
      }
      return std::make_shared<Node>(Node{.kind = Node::Kind::name, .offset = begin, .word = name});
    }
    throw ExpressionError(fmt::format("'{}' is not expected here", text_[at_]), at_,
                          "a number, a name or '(' must stand here");
  }

  // Digits, and a unit behind them: with a space or without.
  NodePtr number() {
    double x = 0.0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), x);
    if (error != std::errc()) throw ExpressionError("this is not a number", at_);
    const std::size_t offset = at_;
    const std::string_view digits(begin, static_cast<std::size_t>(end - begin));
    at_ += digits.size();
    std::size_t behind = at_;
    while (behind < text_.size() && text_[behind] == ' ') ++behind;
    const std::size_t unit_at = behind;
    const auto unit = behind < text_.size() && text_[behind] != '1' ? read_unit(text_, behind) : std::nullopt;
    if (!unit) return constant(x, offset);
    at_ = behind;
    auto node =
        std::make_shared<Node>(Node{.kind = Node::Kind::number, .offset = offset, .number = with_unit(digits, *unit)});
    node->unit = unit->dimension;
    node->cycles = text_.substr(unit_at, behind - unit_at).ends_with("Hz");
    return node;
  }

  NodePtr quoted_name() {
    const std::size_t begin = at_;
    return std::make_shared<Node>(Node{.kind = Node::Kind::name, .offset = begin, .word = quoted()});
  }
  std::string quoted() {
    const std::size_t begin = at_;
    const std::size_t end = text_.find(text_[begin], at_ + 1);
    if (end == std::string_view::npos) throw ExpressionError("the quote is not closed", at_);
    at_ = end + 1;
    return std::string(text_.substr(begin + 1, end - begin - 1));
  }

  NodePtr call(const std::string& name, std::size_t begin) {
    if (name == "table") return table(begin);
    std::vector<NodePtr> arguments;
    do {
      arguments.push_back(either());
    } while (take(","));
    if (!take(")")) throw ExpressionError("')' is missing", at_, "closes " + name + "(");
    const Pointwise* pointwise = find_pointwise(name);
    const std::size_t n = arguments.size();
    const bool of_name = n == 1 && arguments[0]->kind == Node::Kind::name;
    if (name == "impacts") {  // how often contacts began to push
      if (!of_name) throw ExpressionError("impacts wants a contact", begin, "as in impacts(guide.c1), impacts(guide)");
      return operation(
          "sum", begin,
          {std::make_shared<Node>(Node{
              .kind = Node::Kind::name, .offset = arguments[0]->offset, .word = arguments[0]->word + ".impacts"})});
    }
    if (name == "energy.lost") {  // since the start
      const std::string to = of_name ? arguments[0]->word : "";
      if (to != "impact" && to != "friction" && to != "joint")
        throw ExpressionError("energy.lost wants impact, friction or joint", begin, "energy.lost(impact)");
      auto node = std::make_shared<Node>(*operation(
          "last", begin,
          {std::make_shared<Node>(Node{.kind = Node::Kind::name, .offset = begin, .word = "energy." + to + "_loss"})}));
      node->over = Node::Over::steps;
      return node;
    }
    if (n == 2 && is_over_run(name) && arguments[0]->kind == Node::Kind::name) {
      const bool steps = arguments[0]->word == "steps";
      if (steps || arguments[0]->word == "contacts") {
        auto node = std::make_shared<Node>(*operation(name, begin, {arguments[1]}));
        node->over = steps ? Node::Over::steps : Node::Over::contacts;
        check_reduction(*node);
        return node;
      }
    }
    // min and max of three and more are chains of two.
    if ((name == "min" || name == "max") && n > 2) {
      NodePtr chain = arguments[0];
      for (std::size_t i = 1; i < n; ++i) chain = operation(name, begin, {chain, arguments[i]});
      return chain;
    }
    const bool fits = pointwise ? n == pointwise->arguments || (n == 1 && is_over_run(name)) : n == 1;
    if (!fits)
      throw ExpressionError(
          fmt::format("{} takes {} argument(s), here are {}", name, pointwise ? pointwise->arguments : 1, n), begin);
    return operation(name, begin, std::move(arguments));
  }

  static void check_reduction(const Node& node) {
    if (node.over != Node::Over::contacts) return;
    if (member_reduction(node.word) == Reduction::none)
      throw ExpressionError(fmt::format("{} does not run over contacts", node.word), node.offset,
                            "min, max, sum and mean do; over the steps: " + node.word + "(steps, ...)");
    if (node.arguments[0]->kind != Node::Kind::name)
      throw ExpressionError("what runs over contacts is a bare name", node.arguments[0]->offset,
                            "for example sum(contacts, guide.impulse_normal); put signs and factors outside");
  }

  // table('lift.csv', x)
  NodePtr table(std::size_t begin) {
    skip_space();
    if (at_ == text_.size() || (text_[at_] != '\'' && text_[at_] != '"'))
      throw ExpressionError("table wants the name of a file first", at_, "as in table('lift.csv', t)");
    const std::string file = quoted();
    if (!take(",")) throw ExpressionError("',' is missing", at_, "table('lift.csv', t)");
    NodePtr argument = either();
    if (!take(")")) throw ExpressionError("')' is missing", at_, "closes table(");
    auto node = std::make_shared<Node>(*operation("table", begin, {argument}));
    node->arguments.push_back(std::make_shared<Node>(Node{.kind = Node::Kind::name, .offset = begin, .word = file}));
    return node;
  }

  [[noreturn]] void complain_about_rest(const Node& before) const {
    if (starts_name(text_[at_]) && before.kind == Node::Kind::number && !before.unit) {
      const std::size_t end = text_.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", at_);
      const std::string word(text_.substr(at_, end == std::string_view::npos ? end : end - at_));
      throw ExpressionError(fmt::format("unknown unit '{}'", word), at_, unit_suggestion(word), "E0138");
    }
    throw ExpressionError(fmt::format("'{}' is not expected here", text_.substr(at_)), at_,
                          "an operator is missing before it");
  }

  static NodePtr operation(const std::string& name, std::size_t offset, std::vector<NodePtr> arguments) {
    int height = 0;
    for (const NodePtr& argument : arguments) height = std::max(height, argument->height);
    if (height >= kMostHeight)
      throw ExpressionError(fmt::format("the formula has more than {} operations in a row", kMostHeight), offset,
                            "give its parts names of their own in [parameters]");
    return std::make_shared<Node>(Node{.kind = Node::Kind::operation,
                                       .offset = offset,
                                       .word = name,
                                       .arguments = std::move(arguments),
                                       .height = height + 1});
  }
  static NodePtr constant(double x, std::size_t offset) {
    return std::make_shared<Node>(Node{.kind = Node::Kind::number, .offset = offset, .number = x});
  }

  static bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
  static bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  std::optional<std::size_t> take(std::string_view symbol) {
    skip_space();
    if (text_.substr(at_, symbol.size()) != symbol) return std::nullopt;
    const std::size_t begin = at_;
    at_ += symbol.size();
    return begin;
  }
  std::optional<std::size_t> take_word(std::string_view word) {
    skip_space();
    const std::size_t end = at_ + word.size();
    if (text_.substr(at_, word.size()) != word || (end < text_.size() && in_name(text_[end]))) return std::nullopt;
    return take(word);
  }
  std::string take_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (in_name(text_[at_]) || (text_[at_] == '.' && at_ + 1 < text_.size() && in_name(text_[at_ + 1]))))
      ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

// --- from nodes to values --------------------------------------------------------------------------

class Evaluator {
 public:
  Evaluator(const ExpressionNames& names, Expression::Scope scope) : names_(names), scope_(scope) {}

  Value value(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::number: return Value::number(node.number);
      case Node::Kind::name: return look_up(node, Reduction::none);
      case Node::Kind::operation: break;
    }
    if (is_reduction(node)) return reduce(node);
    if (node.word == "table") return on_curve(node);
    if (const Pointwise* operation = find_pointwise(node.word)) return pointwise(*operation, node);
    return value_at_time(node);
  }

 private:
  Value look_up(const Node& node, Reduction reduction) const {
    if (auto found = names_.find(node.word, reduction)) return *std::move(found);
    throw ExpressionError(fmt::format("unknown name '{}'", node.word), node.offset,
                          suggestion(node.word, names_.known()));
  }

  Value reduce(const Node& node) const {
    const Node& argument = *node.arguments.front();
    const Reduction members = member_reduction(node.word);
    if (node.over == Node::Over::contacts) return look_up(argument, members);
    const bool instant = scope_ == Expression::Scope::instant;
    if (node.over == Node::Over::unsaid && argument.kind == Node::Kind::name && members != Reduction::none) {
      const Value x = look_up(argument, members);
      return instant ? x : over_run(node.word, x, node.offset);
    }
    if (instant)
      throw ExpressionError(fmt::format("{}() of a whole run is not known while it runs", node.word), node.offset,
                            "in a signal only min, max, sum and mean of the contacts of a bare name may stand");
    return over_run(node.word, value(argument), node.offset);
  }

  Value on_curve(const Node& node) const {
    const Node& file = *node.arguments[1];
    const auto curve = names_.curve(file.word, file.offset);
    if (!curve)
      throw ExpressionError("there are no tables here", node.offset, "tables are for motions, forces and parameters");
    Value x = value(*node.arguments[0]);
    for (double& number : x.data) number = curve->value(number);
    return x;
  }

  Value pointwise(const Pointwise& operation, const Node& node) const {
    std::vector<Value> arguments;
    Value out;
    std::size_t n = 1;
    for (const NodePtr& argument : node.arguments) {
      arguments.push_back(value(*argument));
      if (!arguments.back().series) continue;
      if (out.series && arguments.back().data.size() != n)
        throw ExpressionError("these two have different lengths", node.offset, "increase(x) has one value less than x");
      out.series = true;
      n = arguments.back().data.size();
    }
    out.data.resize(n);
    std::vector<double> x(arguments.size());
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < x.size(); ++k) x[k] = arguments[k][i];
      out.data[i] = apply(operation, x.data());
    }
    return out;
  }

  // name(t): the value of the last step up to time t; not a number after the end.
  Value value_at_time(const Node& node) const {
    const auto series = names_.find(node.word, Reduction::none);
    const auto times = names_.find("t", Reduction::none);
    if (!series) {
      std::vector<std::string> known = names_.known();
      for (const Pointwise& operation : pointwise_operations())
        if (std::isalpha(static_cast<unsigned char>(operation.name[0]))) known.push_back(operation.name);
      throw ExpressionError(fmt::format("unknown function '{}'", node.word), node.offset, suggestion(node.word, known));
    }
    const Value t = value(*node.arguments.front());
    if (!series->series || !times || t.series || scope_ == Expression::Scope::instant)
      throw ExpressionError(fmt::format("{}(t) wants a signal and one time", node.word), node.offset);
    if (is_missing(t.data[0])) return Value::number(kNotANumber);
    const auto after = std::upper_bound(times->data.begin(), times->data.end(), t.data[0]);
    if (after == times->data.begin())
      throw ExpressionError(fmt::format("{}({}) is before the start", node.word, t.data[0]), node.offset);
    const double end = times->data.back();
    if (t.data[0] > end + 1e-9 * std::abs(end)) return Value::number(kNotANumber);
    const std::size_t step = static_cast<std::size_t>(after - times->data.begin()) - 1;
    return Value::number(step < series->data.size() ? series->data[step] : kNotANumber);
  }

  const ExpressionNames& names_;
  Expression::Scope scope_;
};

void collect(const Node& node, std::vector<Expression::Reference>& out) {
  if (node.kind == Node::Kind::name) out.push_back({node.word, Reduction::none, node.offset});
  if (node.kind != Node::Kind::operation) return;
  if (node.word == "table") return collect(*node.arguments[0], out);
  const bool known = find_pointwise(node.word) || is_over_run(node.word);
  if (!known) {
    out.push_back({node.word, Reduction::none, node.offset});
    out.push_back({"t", Reduction::none, node.offset});
  }
  const bool reduces = node.arguments.size() == 1 && node.over != Node::Over::steps;
  const Reduction members = reduces ? member_reduction(node.word) : Reduction::none;
  for (const NodePtr& argument : node.arguments) {
    if (members != Reduction::none && argument->kind == Node::Kind::name)
      out.push_back({argument->word, members, argument->offset});
    else
      collect(*argument, out);
  }
}

}  // namespace

bool is_reduction(const Expression::Node& node) {
  return node.kind == Node::Kind::operation && node.arguments.size() == 1 && is_over_run(node.word);
}

bool is_word_of_formulas(std::string_view name) {
  return name == "pi" || name == "g0" || name == "steps" || name == "contacts" || name == "table" ||
         name == "impacts" || is_over_run(std::string(name)) || find_pointwise(std::string(name));
}

Expression::Expression(std::string_view text) : text_(text), root_(Parser(text_).parse()) {}

ExpressionValue Expression::evaluate(const ExpressionNames& names, Scope scope) const {
  return Evaluator(names, scope).value(*root_);
}

std::vector<Expression::Reference> Expression::references() const {
  std::vector<Reference> out;
  collect(*root_, out);
  return out;
}

namespace {

bool is_comparison(const std::string& word) {
  return word == "<" || word == "<=" || word == ">" || word == ">=" || word == "==" || word == "!=";
}

bool is_truth_node(const Node& node) {
  if (node.kind != Node::Kind::operation) return false;
  if (is_comparison(node.word)) return true;
  const std::size_t first = node.word == "if" ? 1 : 0;
  if (node.word != "and" && node.word != "or" && node.word != "not" && node.word != "if") return false;
  return std::all_of(node.arguments.begin() + static_cast<std::ptrdiff_t>(first), node.arguments.end(),
                     [](const NodePtr& argument) { return is_truth_node(*argument); });
}

}  // namespace

bool Expression::is_truth() const { return is_truth_node(*root_); }

std::string Expression::comparison(Expression& left, Expression& right) const {
  if (root_->kind != Node::Kind::operation || !is_comparison(root_->word)) return "";
  left.root_ = root_->arguments[0];
  right.root_ = root_->arguments[1];
  return root_->word;
}

}  // namespace carom::inline io
