// carom diff: two result files, number by number.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/study/diff.h"
#include "command.h"
#include "json_line.h"
#include "safe_output.h"
#include "study_commands.h"

namespace carom::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string a, b;
  double tolerance = 0.0;
  bool json = false;
};

std::string time_text(double t) { return std::isnan(t) ? "" : fmt::format("t = {:.9g} s", t); }

// Within a tolerance fields may differ by that share of their largest value, not in their number of rows.
bool within(const FieldDifference& field, double tolerance) {
  return field.rows_a == field.rows_b && field.largest <= tolerance * field.scale;
}

Json to_json(const FieldDifference& d) {
  const auto number = [](double x) { return std::isnan(x) ? Json(nullptr) : Json(x); };
  return {{"event", "difference"},
          {"field", d.field},
          {"rows_a", d.rows_a},
          {"rows_b", d.rows_b},
          {"different", d.different},
          {"largest", d.largest},
          {"scale", d.scale},
          {"first_t", number(d.first_t)},
          {"largest_t", number(d.largest_t)},
          {"name", d.row_name}};
}

void print(const Options& options, const ResultDifference& diff) {
  if (!diff.same_model) say("the models or their settings differ\n");
  for (const std::string& name : diff.only_a) say("only in {}: {}\n", options.a, name);
  for (const std::string& name : diff.only_b) say("only in {}: {}\n", options.b, name);
  if (const FieldDifference* first = diff.first())
    say("first difference at {} in {}\n", time_text(first->first_t), first->field);
  if (!diff.fields.empty()) {
    std::size_t width = 5;
    for (const FieldDifference& d : diff.fields) width = std::max(width, d.field.size());
    say("{:<{}} {:>10} {:>12} {:>12}  {}\n", "field", width, "different", "largest", "of", "where");
    for (const FieldDifference& d : diff.fields) {
      say("{:<{}} {:>10} {:>12.3e} {:>12.3e}  {} {}\n", d.field, width, d.different, d.largest, d.scale, d.row_name,
          time_text(d.largest_t));
      if (d.rows_a != d.rows_b) say("{:<{}} {} rows against {}\n", "", width, d.rows_a, d.rows_b);
    }
  }
  if (diff.equal()) say("equal, bit for bit: {} fields\n", diff.compared);
}

ExitCode run_diff(const Options& options) {
  const ResultDifference diff = diff_results(options.a, options.b);
  const bool fine = diff.only_a.empty() && diff.only_b.empty() &&
                    std::all_of(diff.fields.begin(), diff.fields.end(),
                                [&](const FieldDifference& d) { return within(d, options.tolerance); });
  if (options.json) {
    for (const FieldDifference& d : diff.fields) print_json_line(to_json(d));
    print_json_line({{"event", "done"},
                     {"equal", diff.equal()},
                     {"within_tolerance", fine},
                     {"same_model", diff.same_model},
                     {"fields", diff.compared},
                     {"only_a", diff.only_a},
                     {"only_b", diff.only_b}});
  } else {
    print(options, diff);
  }
  return fine ? ExitCode::fine : ExitCode::expectation_failed;
}

}  // namespace

void add_diff(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("diff", diff_text);
  command->add_option("a", options->a, "Result file (HDF5)")->required();
  command->add_option("b", options->b, "Result file (HDF5)")->required();
  command
      ->add_option("--tolerance", options->tolerance,
                   "Differences up to this share of a field's largest value are none (0)")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--json", options->json, "One JSON object per field that differs");
  command->footer(
      "Dates, wall times and checkpoints are not compared. Bits of one build on one kind of CPU are the same; between "
      "machines\n"
      "say how much may differ.\n\n"
      "Example:\n"
      "  carom diff coarse.h5 fine.h5 --tolerance 1e-9");
  command->callback([options, &code] { code = run_diff(*options); });
}

}  // namespace carom::cli
