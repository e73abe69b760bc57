#include "carom/study/reproduce/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::inline study {

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

namespace {

std::string with_gloss(const std::string& text, const std::string& gloss) {
  return gloss.empty() ? text : text + " (" + gloss + ")";
}

}  // namespace

Expected printed(const std::string& number, const std::string& gloss) {
  return {Source::printed_number, with_gloss(number, gloss)};
}
Expected says(const std::string& words, const std::string& gloss) {
  return {Source::printed_statement, with_gloss('"' + words + '"', gloss)};
}
Expected independent(const std::string& number, const std::string& by) {
  return {Source::independent_run, with_gloss(number, by)};
}
Expected derived(std::string formula) { return {Source::derived, std::move(formula)}; }
Expected own(std::string statement) { return {Source::own_addition, std::move(statement)}; }

Explanation Explanation::range(const std::string& open, double published, const std::vector<double>& measured) {
  Explanation result;
  if (measured.empty()) return result;
  double low = kInfinity, high = -kInfinity;
  for (const double x : measured) {
    if (!std::isfinite(x)) return result;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  result.supported_ = published >= low && published <= high;
  result.text_ = fmt::format("{}: {:.4g} to {:.4g} in {} runs", open, low, high, measured.size());
  return result;
}

Explanation Explanation::setting(const std::string& setting, const std::vector<Column>& whole_row) {
  Explanation result;
  result.supported_ = !whole_row.empty();
  result.text_ = setting + ": ";
  for (std::size_t i = 0; i < whole_row.size(); ++i) {
    result.supported_ = result.supported_ && whole_row[i].accept(whole_row[i].computed);
    result.text_ += fmt::format("{}{:.4g}", i == 0 ? "" : ", ", whole_row[i].computed);
  }
  return result;
}

ReproductionRow judge(std::string quantity, const Expected& expected, double computed, const Accept& accept) {
  return {std::move(quantity),
          expected.source,
          expected.text,
          computed,
          accept.text,
          accept(computed) ? RowVerdict::met : RowVerdict::failed,
          {}};
}

ReproductionRow judge(std::string quantity, const Expected& expected, double computed, const Accept& accept,
                      const std::function<Explanation()>& explain) {
  ReproductionRow row = judge(std::move(quantity), expected, computed, accept);
  if (row.verdict == RowVerdict::met || !is_printed(row.source) || !std::isfinite(computed)) return row;
  const Explanation explanation = explain();
  if (explanation.supported()) row.verdict = RowVerdict::explained;
  row.explanation = explanation.text();  // also one that does not hold: what was tried is worth knowing
  return row;
}

ReproductionRow judge(std::string quantity, const Expected& expected, double computed, const Accept& accept,
                      const Explanation& explanation) {
  return judge(std::move(quantity), expected, computed, accept, [&] { return explanation; });
}

ReproductionRow judge(std::string quantity, const Expected& expected, double computed, const Accept& accept,
                      const Confirmation& confirmation) {
  ReproductionRow row = judge(std::move(quantity), expected, computed, accept);
  if (row.verdict == RowVerdict::met || !is_printed(row.source)) return row;
  const bool agrees = std::abs(computed - confirmation.value) <= confirmation.margin;  // false for a NaN
  if (agrees && !accept(confirmation.value)) row.verdict = RowVerdict::contradicted;
  row.explanation = fmt::format("{}: {:.6g}, {} {:.2g} of what is computed here", confirmation.method,
                                confirmation.value, agrees ? "within" : "not within", confirmation.margin);
  return row;
}

}  // namespace carom::inline study
