// The names a formula of one field may use: the parameters of the file, and a few that stand for numbers of each step.
#pragma once

#include <string>
#include <vector>

#include "carom/io/table_reader.h"

namespace carom::inline io {

class LocalNames final : public ExpressionNames {
 public:
  struct Input {
    std::string name;
    Dimension dimension;
  };
  LocalNames(const ParameterTable& parameters, std::vector<Input> inputs)
      : parameters_(parameters), inputs_(std::move(inputs)) {}

  std::optional<ExpressionValue> find(const std::string& name, Reduction reduction) const override {
    return parameters_.find(name, reduction);
  }
  std::vector<std::string> known() const override {
    std::vector<std::string> names = parameters_.known();
    for (const Input& input : inputs_) names.push_back(input.name);
    return names;
  }
  std::optional<Dimension> dimension(const std::string& name) const override {
    for (const Input& input : inputs_)
      if (input.name == name) return input.dimension;
    return parameters_.dimension(name);
  }
  bool bare_numbers() const override { return parameters_.bare_numbers(); }
  std::shared_ptr<const SplineCurve> curve(const std::string& file, std::size_t offset) const override {
    return parameters_.curve(file, offset);
  }

  std::vector<std::string> inputs() const {
    std::vector<std::string> names;
    for (const Input& input : inputs_) names.push_back(input.name);
    return names;
  }

 private:
  const ParameterTable& parameters_;
  std::vector<Input> inputs_;
};

}  // namespace carom::inline io
