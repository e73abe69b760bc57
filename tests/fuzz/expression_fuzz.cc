// A formula: parsed, then evaluated over the three steps of a run and in an instant.
#include <cstdint>
#include <string>

#include "carom/io/expression.h"

namespace {

class Names final : public carom::ExpressionNames {
 public:
  std::optional<carom::ExpressionValue> find(const std::string& name, carom::Reduction) const override {
    if (name == "t") return carom::ExpressionValue{true, {0.0, 1.0, 2.0}};
    if (name == "x") return carom::ExpressionValue::number(0.0);
    if (name == "empty") return carom::ExpressionValue{true, {}};
    if (name.size() < 6) return carom::ExpressionValue{true, {-1.0, 0.5, 4.0}};
    return std::nullopt;
  }
  std::vector<std::string> known() const override { return {"t", "x", "clearance"}; }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using carom::Expression;
  if (size > 20000) return 0;
  try {
    const Expression expression(std::string(data, data + size));
    (void)expression.references();
    (void)expression.is_truth();
    Expression left, right;
    expression.comparison(left, right);
    for (const auto scope : {Expression::Scope::run, Expression::Scope::instant}) {
      try {
        (void)expression.evaluate(Names(), scope);
      } catch (const carom::ExpressionError&) {
      }
    }
  } catch (const carom::ExpressionError&) {
  }
  return 0;
}
