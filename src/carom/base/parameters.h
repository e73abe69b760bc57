// Named parameters of schemes, solvers and models: declared once with default and range, given by
// name, checked in one place.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace carom::inline base {

// A whole number is given as a double; a list of numbers as a vector.
using ParameterValue = std::variant<double, bool, std::string, std::vector<double>>;

struct ParameterSpec {
  std::string name;
  ParameterValue default_value;
  std::string doc;
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::vector<std::string> words = {};  // the allowed words of a string parameter; empty: any
  bool exclusive_min = false;           // the value must be strictly above min (masses, lengths)
};

std::string to_text(const ParameterValue& value);

// The resolved values of one object: every declared name has a value.
class Parameters {
 public:
  Parameters() = default;

  // `owner` names the object in messages ("scheme moreau_jean"). Unknown names, wrong types, values
  // out of range and unknown words throw InputError; missing names take their default.
  Parameters(const std::vector<ParameterSpec>& specs, const std::map<std::string, ParameterValue>& given,
             const std::string& owner);

  double number(const std::string& name) const;
  bool flag(const std::string& name) const;
  const std::string& word(const std::string& name) const;
  const std::vector<double>& list(const std::string& name) const;

  const std::map<std::string, ParameterValue>& values() const { return values_; }

 private:
  std::map<std::string, ParameterValue> values_;
};

}  // namespace carom::inline base
