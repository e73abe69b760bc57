// Table 3: slider-crank, three schemes at three steps: the largest violation of the guide, and Newton,
// projection and index-set iterations a step (average and largest).
//
// What the table does not say decides some of its numbers. Where a computed one differs, it is computed
// again over that freedom, and the published one must lie among the results:
//
//   the phase of the impacts in the steps    steps within 7 %
//   the test that ends Newton's iteration    absolute tolerances from 1e-6 to 1e-10 N s
//   the gap that counts as closed in         0 to 1e-6 m
//   algorithm 1's explicit forecast
//   where positions are projected            after Newton's iteration, or inside it
#include <fmt/format.h>

#include <functional>
#include <optional>

#include "carom/study/reproduce/acary_2012.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/series.h"

namespace carom {

namespace {

using namespace acary_2012;

enum class Method { moreau_jean, direct, combined };
constexpr const char* kMethodNames[] = {"Moreau-Jean", "algorithm 1 (direct)", "algorithm 2 (combined)"};

constexpr const char* kShortNames[] = {"Moreau-Jean", "direct", "combined"};

struct Numbers {
  double violation, newton, newton_max, projection, projection_max, index_set, index_set_max;
};

struct PublishedRow {
  Method method;
  double dt;
  Numbers numbers;  // columns a method does not have are zero and not looked at
};
constexpr PublishedRow kPublished[] = {
    {Method::moreau_jean, 1e-4, {1.324e-4, 2.95, 4, 0, 0, 0, 0}},
    {Method::moreau_jean, 1e-5, {1.234e-5, 1.99, 3, 0, 0, 0, 0}},
    {Method::moreau_jean, 1e-6, {1.119e-6, 1.96, 2, 0, 0, 0, 0}},
    {Method::direct, 1e-4, {8.099e-11, 1.96, 2, 0.09, 2, 0, 0}},
    {Method::direct, 1e-5, {4.833e-11, 1.01, 2, 0.11, 1, 0, 0}},
    {Method::direct, 1e-6, {9.99e-11, 1.001, 2, 0.04, 1, 0, 0}},
    {Method::combined, 1e-4, {8.410e-11, 2.15, 4, 0.20, 2, 1.18, 2}},
    {Method::combined, 1e-5, {9.940e-11, 1.127, 2, 0.019, 1, 1.127, 2}},
    {Method::combined, 1e-6, {8.650e-11, 1.12, 2, 0.00036, 1, 1.12, 2}},
};

constexpr double kPlainNewtonTolerance = 1e-10;  // N s, printed

Numbers compute(Method method, double dt, const Table3Settings& settings = {},
                double plain_newton_tolerance = kPlainNewtonTolerance) {
  const Model model = slider_crank();
  const auto summary = [&]() -> SimulationSummary {
    switch (method) {
      case Method::moreau_jean:
        return summarize_run(
            {model, "moreau_jean", table_3_moreau_jean(plain_newton_tolerance), dt, kSliderCrankTime});
      case Method::direct:
        return summarize_run({model, "projection_direct", table_3_direct(settings), dt, kSliderCrankTime});
      case Method::combined: break;
    }
    return summarize_run({model, "projection_combined", table_3_combined(settings), dt, kSliderCrankTime});
  }();
  const auto average = [&](long count) { return static_cast<double>(count) / static_cast<double>(summary.steps); };
  return {0.0 - summary.audit.deepest_gap,
          average(summary.newton_iterations),
          static_cast<double>(summary.max_newton_iterations),
          average(summary.projection_iterations),
          static_cast<double>(summary.max_projection_iterations),
          average(summary.index_set_iterations),
          static_cast<double>(summary.max_index_set_iterations)};
}

using Column = double Numbers::*;

// The runs over one freedom, made when a column first asks for them.
class Freedom {
 public:
  Freedom(std::string description, std::function<std::vector<Numbers>()> run)
      : description_(std::move(description)), run_(std::move(run)) {}

  UnsortedExplanation explains(double published, Column column, double base) {
    if (!runs_) runs_ = run_();
    double low = base, high = base;
    for (const Numbers& numbers : *runs_) {
      low = std::min(low, numbers.*column);
      high = std::max(high, numbers.*column);
    }
    return {fmt::format("{}: {:.4g} to {:.4g}", description_, low, high), published >= low && published <= high};
  }

 private:
  std::string description_;
  std::function<std::vector<Numbers>()> run_;
  std::optional<std::vector<Numbers>> runs_;
};

Freedom phase(Method method, double dt) {
  return {"it depends on where in a step the impacts fall; over steps within 7 %", [=] {
            std::vector<Numbers> runs;
            for (const double factor : {0.93, 0.95, 0.97, 0.98, 0.99, 1.01, 1.02, 1.03, 1.05, 1.07})
              runs.push_back(compute(method, factor * dt));
            return runs;
          }};
}

Freedom newton_test(Method method, double dt) {
  return {"it depends on the test that ends Newton's iteration (printed: 1e-10 for all rows); over absolute "
          "tolerances from 1e-6 to 1e-10 N s",
          [=] {
            std::vector<Numbers> runs;
            for (const double tolerance : {1e-7, 1e-8, 1e-9, 1e-10})
              runs.push_back(compute(method, dt, {.newton_tolerance = tolerance}));
            return runs;
          }};
}

Freedom coupling(double dt) {
  return {"it depends on where positions are projected, which is not said: after Newton's iteration as here, or inside it "
          "as the algorithm is printed; over both, with tolerances of 1e-6 and 1e-10 N s inside",
          [=] {
            std::vector<Numbers> runs;
            for (const double tolerance : {1e-6, 1e-10})
              runs.push_back(
                  compute(Method::combined, dt, {.newton_tolerance = tolerance, .coupling = "in_loop"}));
            return runs;
          }};
}

Freedom activation(double dt) {
  return {"it depends on the gap that counts as closed, which is not printed; over activation tolerances from 0 to "
          "1e-6 m",
          [=] {
            std::vector<Numbers> runs;
            for (const double tolerance : {0.0, 1e-10, 1e-8})
              runs.push_back(compute(Method::direct, dt, {.activation_tolerance = tolerance}));
            return runs;
          }};
}

// Moreau-Jean's published Newton counts are up to one higher at every step size, as if the evaluation that
// confirms a solve were sometimes counted.
UnsortedExplanation one_more(double dt, double published, Column column, double computed) {
  const double tight = compute(Method::moreau_jean, dt, {}, 1e-3 * kPlainNewtonTolerance).*column;
  return {fmt::format("what counts as an iteration is not said: the published count is higher by {:.2f}, at most one "
                      "a step; here an iteration is a solve, and a tolerance of 1e-13 in place of 1e-10 N s gives {:.4g}",
                      published - computed, tight),
          published >= computed && published <= computed + 1.0};
}

void judge_row(const PublishedRow& published, const Numbers& computed, std::vector<ReproductionRow>& rows) {
  const Method method = published.method;
  const std::string name = fmt::format("{}, dt {:.0e}: ", kMethodNames[static_cast<int>(method)], published.dt);
  Freedom by_phase = phase(method, published.dt), by_newton = newton_test(method, published.dt),
          by_activation = activation(published.dt), by_coupling = coupling(published.dt);
  const auto row = [&](const char* quantity, Column column, const Accept& accept, auto explain) {
    const std::string text = fmt::format("{:.4g}", published.numbers.*column);
    const double value = computed.*column;
    rows.push_back(judge(name + quantity, text, value, accept,
                         accept(value) ? UnsortedExplanation{} : explain(published.numbers.*column, column, value)));
  };
  const auto with = [](Freedom& freedom) {
    return [&freedom](double p, Column column, double value) { return freedom.explains(p, column, value); };
  };
  const auto nothing = [](double, Column, double) { return UnsortedExplanation{}; };
  const auto count_one_more = [&](double p, Column column, double value) {
    return one_more(published.dt, p, column, value);
  };
  const Numbers& p = published.numbers;

  if (method == Method::moreau_jean) {
    row("violation [m]", &Numbers::violation, within(0.15, p.violation), with(by_phase));
    rows.push_back(judge(name + "violation / dt [m/s]", "of the order of the step", computed.violation / published.dt,
                         between(0.4, 1.5)));
    row("Newton average", &Numbers::newton, within(0.1, p.newton), count_one_more);
    row("Newton largest", &Numbers::newton_max, exactly(p.newton_max), count_one_more);
    return;
  }
  row("violation [m]", &Numbers::violation, at_most(1e-10 * (1.0 + 1e-6)), nothing);
  row("Newton average", &Numbers::newton, within(0.1, p.newton), with(by_newton));
  row("Newton largest", &Numbers::newton_max, exactly(p.newton_max), with(by_newton));
  row("projection average", &Numbers::projection, within(0.15, p.projection),
      with(method == Method::direct ? by_activation : by_coupling));
  row("projection largest", &Numbers::projection_max, exactly(p.projection_max), with(by_phase));
  if (method == Method::direct) return;
  row("index sets average", &Numbers::index_set, within(0.03, p.index_set), with(by_phase));
  row("index sets largest", &Numbers::index_set_max, exactly(p.index_set_max), with(by_phase));
}

// "The average number of projection iterations with the combined scheme is lower, for 1e-5 and 1e-6."
ReproductionRow fewer_projections(double dt, const Numbers& direct, const Numbers& together) {
  const auto difference = [&](const Numbers& d) { return d.projection - together.projection; };
  const Accept positive = at_least(0.0);
  UnsortedExplanation explanation;
  if (!positive(difference(direct))) {
    const double tight = difference(compute(Method::direct, dt, {.activation_tolerance = 1e-10}));
    explanation = {fmt::format("it depends on the gap that counts as closed in algorithm 1, which is not printed; with "
                               "1e-10 m in place of 1e-6 m: {:.4g}",
                               tight),
                   positive(tight)};
  }
  return judge(fmt::format("projection average, direct less combined, dt {:.0e}", dt), "combined needs fewer",
               difference(direct), positive, explanation);
}

struct PlottedColumn {
  const char* title;
  Column column;
  bool logarithmic;
  bool plain_scheme;  // Moreau-Jean has it
};

Panel panel_of(const PlottedColumn& what, const std::vector<Numbers>& computed) {
  Panel panel{what.title, {"time step [s]", true, 5e-7, 2e-4}, {what.title, what.logarithmic}, {}};
  for (int m = what.plain_scheme ? 0 : 1; m < 3; ++m) {
    Curve ours{kMethodNames[m], {}, {}, CurveStyle::line_points, m};
    Curve theirs{fmt::format("published, {}", kShortNames[m]), {}, {}, CurveStyle::open_points, m};
    for (std::size_t i = 0; i < std::size(kPublished); ++i) {
      if (static_cast<int>(kPublished[i].method) != m) continue;
      ours.x.push_back(kPublished[i].dt);
      ours.y.push_back(computed[i].*what.column);
      theirs.x.push_back(kPublished[i].dt);
      theirs.y.push_back(kPublished[i].numbers.*what.column);
    }
    panel.curves.push_back(ours);
    panel.curves.push_back(theirs);
  }
  return panel;
}

ReproductionReport run_table_3() {
  ReproductionReport report;
  report.settings = {
      "T 0.2 s (not printed), theta 1/2, J2 5.9e-4 kg m^2 (8.9e-4 printed, see the mechanism's source), forecast g_0",
      "Moreau-Jean: Newton to 1e-10 N s; projections: Newton to 1e-6 N s, projection after the velocities, Euclidean "
      "metric, one-sided stop at 1e-10 m; algorithm 1: gaps up to 1e-6 m count as closed"};
  std::vector<Numbers> computed;
  for (const PublishedRow& published : kPublished) {
    computed.push_back(compute(published.method, published.dt));
    judge_row(published, computed.back(), report.rows);
  }
  report.rows.push_back(fewer_projections(1e-5, computed[4], computed[7]));
  report.rows.push_back(fewer_projections(1e-6, computed[5], computed[8]));

  const struct {
    const char* name;
    Column column;
  } columns[] = {{"violation [m]", &Numbers::violation},
                 {"Newton average", &Numbers::newton},
                 {"Newton largest", &Numbers::newton_max},
                 {"projection average", &Numbers::projection},
                 {"projection largest", &Numbers::projection_max},
                 {"index sets average", &Numbers::index_set},
                 {"index sets largest", &Numbers::index_set_max}};
  CsvTable table{"", {{"algorithm (0: Moreau-Jean)", {}}, {"dt [s]", {}}}};
  for (const auto& column : columns) {
    CsvColumn ours{column.name, {}}, theirs{std::string(column.name) + " published", {}};
    for (std::size_t i = 0; i < computed.size(); ++i) {
      ours.values.push_back(computed[i].*column.column);
      theirs.values.push_back(kPublished[i].numbers.*column.column);
    }
    table.columns.push_back(ours);
    table.columns.push_back(theirs);
  }
  for (const PublishedRow& published : kPublished) {
    table.columns[0].values.push_back(static_cast<double>(published.method));
    table.columns[1].values.push_back(published.dt);
  }
  report.tables = {table};

  const PlottedColumn plotted[] = {{"largest violation [m]", &Numbers::violation, true, true},
                                   {"Newton iterations a step", &Numbers::newton, false, true},
                                   {"projection iterations a step", &Numbers::projection, true, false}};
  report.picture = {"Slider-crank, three schemes (Acary 2012, table 3)", {}, 3};
  for (const PlottedColumn& what : plotted) report.picture.panels.push_back(panel_of(what, computed));
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction acary_2012_table_3() {
  return {"acary-2012-table-3", "slider-crank: violations and iterations of three schemes at three steps",
          kPublication, run_table_3};
}

}  // namespace reproduce_entries

}  // namespace carom
