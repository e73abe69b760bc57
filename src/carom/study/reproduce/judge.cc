#include "carom/study/reproduce/judge.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace carom {

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
}  // namespace

Accept within(double relative, double of) {
  const double margin = relative * std::abs(of);
  return {of - margin, of + margin, fmt::format("{:.6g} +- {:g} %", of, 100.0 * relative)};
}
Accept between(double low, double high) { return {low, high, fmt::format("{:.6g} to {:.6g}", low, high)}; }
Accept at_most(double limit) { return {-kInfinity, limit, fmt::format("<= {:.6g}", limit)}; }
Accept at_least(double limit) { return {limit, kInfinity, fmt::format(">= {:.6g}", limit)}; }
Accept exactly(double value) { return {value, value, fmt::format("{:g}", value)}; }

ReproductionRow judge(std::string quantity, std::string published, double computed, const Accept& accept) {
  return judge(std::move(quantity), std::move(published), computed, accept, {});
}

ReproductionRow judge(std::string quantity, std::string published, double computed, const Accept& accept,
                      const Explanation& explanation) {
  ReproductionRow row{std::move(quantity), std::move(published), computed, accept.text, Verdict::failed, {}};
  if (accept(computed)) {
    row.verdict = Verdict::met;
  } else if (explanation.supported && !explanation.reason.empty() && std::isfinite(computed)) {
    row.verdict = Verdict::explained;
    row.explanation = explanation.reason;
  }
  return row;
}

}  // namespace carom
