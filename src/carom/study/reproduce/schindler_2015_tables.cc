// Tables 2 and 3: errors of explicit Moreau-Jean and of the half-explicit scheme on velocity level, at three steps.
#include <fmt/format.h>

#include <cmath>

#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/schindler_2015.h"
#include "carom/study/reproduce/slider_crank_print.h"

namespace carom::inline study {

namespace {

using namespace schindler_2015;

constexpr double kSteps[] = {1e-3, 1e-4, 1e-5};
struct Row {
  const char* title;
  const char* scheme;
  double order;
  double published[3];
};

// Errors at the three steps, and the order of the last decade: the slope and one half.
struct Computed {
  double errors[3];
  double order() const { return std::log10(errors[1] / errors[2]) + 0.5; }
};

Computed compute(const Model& model, const char* scheme, const Angles& reference) {
  Computed computed{};
  for (int i = 0; i < 3; ++i) computed.errors[i] = error(angles(model, scheme, kSteps[i]), reference);
  return computed;
}

const char* const kAnother = "another implementation";

// Errors beside the printed ones; `elsewhere` are those of another implementation, which may confirm a disagreement.
void judge_errors(const Row& row, const double (&elsewhere)[3], const Computed& computed, ReproductionReport& report) {
  for (int i = 0; i < 3; ++i)
    report.rows.push_back(judge(
        fmt::format("{}, dt {:.0e}: error", row.title, kSteps[i]), printed(fmt::format("{:.1e}", row.published[i])),
        computed.errors[i], within(0.1, row.published[i]), Confirmation{kAnother, elsewhere[i], 0.005 * elsewhere[i]}));
}

void add_picture_and_table(const char* title, const Row* rows, const std::vector<Computed>& computed,
                           ReproductionReport& report) {
  Panel panel{"slope = order - 1/2", {"time step [s]", true}, {"error of the angles", true}, {}};
  CsvTable table{"", {{"dt [s]", {std::begin(kSteps), std::end(kSteps)}}}};
  for (std::size_t r = 0; r < computed.size(); ++r) {
    const std::vector<double> steps(std::begin(kSteps), std::end(kSteps));
    const std::vector<double> ours(std::begin(computed[r].errors), std::end(computed[r].errors));
    const std::vector<double> theirs(std::begin(rows[r].published), std::end(rows[r].published));
    panel.curves.push_back({rows[r].title, steps, ours, CurveStyle::line_points, static_cast<int>(r)});
    panel.curves.push_back(
        {fmt::format("published, {}", rows[r].title), steps, theirs, CurveStyle::open_points, static_cast<int>(r)});
    table.columns.push_back({rows[r].title, ours});
    table.columns.push_back({fmt::format("{} published", rows[r].title), theirs});
  }
  report.picture = {title, {panel}, 1};
  report.tables = {table};
}

constexpr Row kTable2[] = {{"explicit Moreau-Jean", "moreau_jean_explicit", 1, {6.9e-1, 2.1e-1, 6.6e-2}},
                           {"half-explicit, velocity level", "half_explicit_velocity", 2, {4.2e-1, 2.4e-2, 8.4e-4}}};

ReproductionReport run_table_2() {
  ReproductionReport report;
  report.settings = {
      "slider-crank without clearance and friction: four contacts that are always closed, restitution 0 (not "
      "printed; 0.4 changes the errors by 6 % at most); T 0.1 s (not printed); reference: the solution in "
      "one coordinate"};
  const Model model = slider_crank(0.0, 0.0, 0.0);
  const Angles reference = ideal_guide(1e-5);
  // An error is a difference of two runs that share masses and lengths: these are held against the print.
  const double angle = slider_crank_print::ideal_crank_angle(kTableTime);
  report.rows.push_back(judge("reference, crank angle at 0.1 s [rad]",
                              derived("conservation of energy with the data of table 1"),
                              reference.rows(reference.rows.rows() - 1, 0), between(angle - 1e-8, angle + 1e-8)));
  constexpr double elsewhere[2][3] = {{7.04e-1, 2.23e-1, 6.62e-2}, {5.03e-1, 2.46e-2, 8.27e-4}};
  std::vector<Computed> all;
  for (const Row& row : kTable2) {
    all.push_back(compute(model, row.scheme, reference));
    judge_errors(row, elsewhere[all.size() - 1], all.back(), report);
    report.rows.push_back(judge(fmt::format("{}: order of the last decade", row.title),
                                says(fmt::format("order of convergence of {:g}", row.order)), all.back().order(),
                                between(row.order - 0.1, row.order + 0.1)));
  }
  add_picture_and_table("Slider-crank without clearance (Schindler et al. 2015, table 2)", kTable2, all, report);
  return report;
}

constexpr Row kTable3[] = {{"explicit Moreau-Jean", "moreau_jean_explicit", 1, {7.1e-1, 1.5e-1, 4.5e-2}},
                           {"half-explicit, velocity level", "half_explicit_velocity", 1, {4.7e-1, 1.8e-2, 3.3e-3}}};

ReproductionReport run_table_3() {
  ReproductionReport report;
  report.settings = {
      "clearance 1 mm, restitution 0.4, friction 0.01; T 0.1 s (not printed); reference: the half-explicit "
      "scheme with dt 1e-7 s"};
  const Model model = slider_crank();
  // In 1e-7 s a gap moves by 1e-13 m when it begins to open: a nanometre is not closed here.
  const Angles reference =
      angles(model, "half_explicit_velocity", 1e-7, kTableTime, 1, {{"activation_tolerance", 1e-12}});
  constexpr double elsewhere[2][3] = {{7.94e-1, 1.53e-1, 4.53e-2}, {4.72e-1, 1.75e-2, 3.30e-3}};
  std::vector<Computed> all;
  for (const Row& row : kTable3) {
    all.push_back(compute(model, row.scheme, reference));
    judge_errors(row, elsewhere[all.size() - 1], all.back(), report);
  }
  const char* const drops = "drops down to 1 for both integration schemes";
  report.rows.push_back(
      judge("explicit Moreau-Jean: order of the last decade", says(drops), all[0].order(), between(0.9, 1.1)));
  report.rows.push_back(
      judge("half-explicit: order of the last decade", says(drops), all[1].order(), between(0.75, 1.25)));
  const Eigen::Index last = reference.rows.rows() - 1;
  report.rows.push_back(judge("reference, crank angle at 0.1 s [rad]", independent("9.00063787", kAnother),
                              reference.rows(last, 0), between(9.00063785, 9.00063789)));
  report.rows.push_back(judge("reference, rod angle at 0.1 s [rad]", independent("-0.21058968", kAnother),
                              reference.rows(last, 1), between(-0.21058970, -0.21058966)));
  report.rows.push_back(judge("reference, energy at 0.1 s [J]", independent("7.22764", kAnother), reference.end_energy,
                              between(7.227635, 7.227645)));
  report.rows.push_back(judge("reference, steps with an impact", independent("52", kAnother),
                              static_cast<double>(reference.impacts.size()), between(51, 53)));
  constexpr double impacts[] = {2.693e-3, 5.613e-3, 7.474e-3};
  for (std::size_t k = 0; k < 3; ++k)
    report.rows.push_back(judge(
        fmt::format("reference, time of impact {} [s]", k + 1), independent(fmt::format("{:g}", impacts[k]), kAnother),
        reference.impacts.size() > k ? reference.impacts[k] : NAN, between(impacts[k] - 1e-6, impacts[k] + 1e-6)));
  if (reference.impacts.size() > 3)
    report.notes.push_back(fmt::format(
        "impact 4 at {:.7g} s; 8.418e-3 s in the other implementation, 8.422e-3 s located by the event-driven scheme",
        reference.impacts[3]));
  add_picture_and_table("Slider-crank with clearance (Schindler et al. 2015, table 3)", kTable3, all, report);
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction schindler_2015_table_2() {
  return {"schindler-2015-table-2", "slider-crank without clearance: errors at three steps, order 1 against 2",
          kPublication, run_table_2};
}
Reproduction schindler_2015_table_3() {
  return {"schindler-2015-table-3", "slider-crank with clearance: errors at three steps", kPublication, run_table_3};
}

}  // namespace reproduce_entries

}  // namespace carom::inline study
