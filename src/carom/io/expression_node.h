// The tree of an expression: what its parser makes, and evaluation, dimensions and programs walk.
#pragma once

#include "carom/io/expression.h"

namespace carom::inline io {

// A node is a number, a name, or an operation (an operator or a function) on its arguments.
struct Expression::Node {
  enum class Kind { number, name, operation } kind;
  // What a reduction runs over; unsaid: what is natural where it stands.
  enum class Over { unsaid, steps, contacts };

  std::size_t offset;
  double number = 0.0;
  std::string word = {};  // of a table its file
  std::vector<std::shared_ptr<const Node>> arguments = {};
  int height = 1;  // of the tree below: evaluation and destruction go down it by calling themselves
  Over over = Over::unsaid;
  std::optional<Dimension> unit = {};  // of a number written with one
  bool cycles = false;                 // it was Hz
};

// min max sum mean count first last increase: of one argument these run over steps or contacts.
bool is_reduction(const Expression::Node& node);

// An operator or function of numbers, by its word; null if there is none.
struct Pointwise {
  const char* name;
  std::size_t arguments;
  double (*apply)(const double*);
};
const Pointwise* find_pointwise(const std::string& name);
// With arguments that are not numbers the result is none either, in comparisons too.
double apply(const Pointwise& operation, const double* x);

}  // namespace carom::inline io
