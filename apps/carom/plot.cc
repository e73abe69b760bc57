// carom plot: formulas of a result over time, or one over another, as a picture or in the terminal.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "carom/base/errors.h"
#include "carom/base/names.h"
#include "carom/io/csv.h"
#include "carom/io/output_file.h"
#include "carom/io/picture.h"
#include "carom/io/recorded_names.h"
#include "carom/io/section_points.h"
#include "carom/io/spectrum.h"
#include "carom/io/text_plot.h"
#include "command.h"
#include "safe_output.h"

namespace carom::cli {
namespace {

struct Options {
  std::string result, x = "t", out;
  std::vector<std::string> formulas;
  bool together = false, spectrum = false, impacts = false, force = false;
  std::string period, impacts_of;  // of a section
  bool section() const { return impacts || !period.empty(); }
};

std::vector<double> values(const std::string& formula, const RecordedNames& names) {
  try {
    const ExpressionValue value = Expression(formula).evaluate(names, Expression::Scope::instant);
    std::vector<double> series;
    for (std::size_t i = 0; i < names.times().size(); ++i) series.push_back(value[i]);
    return series;
  } catch (const ExpressionError& error) {
    std::string hint = error.hint();
    if (hint.empty()) hint = "carom plot RESULT lists what there is";
    throw InputError({"E0131", fmt::format("'{}': {}", formula, error.what()), {}, hint, {}, 0, 0, {}});
  }
}

std::string with_unit(const std::string& formula, const RecordedNames& names) {
  const std::string unit = names.unit(formula);
  return unit.empty() ? formula : fmt::format("{} [{}]", formula, unit);
}

ExitCode list_names(const RecordedNames& names) {
  for (const std::string& name : names.known()) {
    const std::string unit = names.unit(name);
    say("{}{}\n", name, unit.empty() ? "" : fmt::format("  [{}]", unit));
  }
  return ExitCode::fine;
}

// The writer draws three formats; only the one whose name was given stays.
ExitCode write(const Picture& picture, const std::string& out, Replace replace) {
  namespace fs = std::filesystem;
  const fs::path path(out);
  const std::string ending = path.extension().string();
  if (ending == ".csv") {
    write_text_file(out, to_csv(curves_table(picture)), replace);
    say("wrote  {}\n", out);
    return ExitCode::fine;
  }
  if (ending != ".png" && ending != ".svg" && ending != ".pdf")
    throw InputError({"E0001",
                      fmt::format("a picture cannot be a '{}'", ending),
                      {},
                      "name a .png, .svg, .pdf or .csv",
                      {},
                      0,
                      0,
                      {}});
  fs::path stem = path;
  stem.replace_extension();
  stem += ".carom-plot";
  const PictureResult result = write_picture(picture, stem);
  for (const fs::path& file : result.files) {
    if (file.extension() == ending)
      fs::rename(file, path);
    else
      fs::remove(file);
  }
  if (!result.trouble.empty()) {
    say(stderr, "error[E0701]: no picture: {}\n", result.trouble);
    return ExitCode::environment;
  }
  say("wrote  {}\n", out);
  return ExitCode::fine;
}

// Amplitudes over frequency, both on logarithmic axes; what is at rest has none.
Curve spectrum_of(const std::string& formula, const RecordedNames& names) {
  const Spectrum spectrum = amplitude_spectrum(names.times(), values(formula, names));
  if (spectrum.frequency.empty())
    throw InputError({"E0131",
                      fmt::format("'{}' has no spectrum: it needs four samples and numbers in all", formula),
                      {},
                      "record more samples, output.fields.every",
                      {},
                      0,
                      0,
                      {}});
  Curve curve{.label = {}, .x = {}, .y = {}};
  for (std::size_t k = 1; k < spectrum.frequency.size(); ++k) {  // the mean has no place on a logarithmic axis
    if (!(spectrum.amplitude[k] > 0.0)) continue;
    curve.x.push_back(spectrum.frequency[k]);
    curve.y.push_back(spectrum.amplitude[k]);
  }
  return curve;
}

// A formula without recorded names, in seconds.
double period_of(const std::string& text, const RecordedNames& names) {
  const double period = values(text, names).at(0);
  if (!(period > 0.0))
    throw InputError({"E0131", fmt::format("--section {}: a period is positive", text), {}, {}, {}, 0, 0, {}});
  return period;
}

// Moments at which velocities may jump are impacts.
Curve section_of(const Options& options, const Recording& recording, const RecordedNames& names,
                 const std::vector<double>& x, const std::vector<double>& y) {
  const std::vector<double>& times = names.times();
  const SectionPoints points =
      options.impacts ? section_at(times, x, y, impact_times(recording, options.impacts_of))
                      : section_every(period_of(options.period, names), times, x, y, impact_times(recording, {}));
  if (points.t.empty())
    throw InputError(
        {"E0131",
         options.impacts ? "the section is empty: no contact closes" : "the section is empty",
         {},
         options.impacts ? "--section PERIOD looks at multiples of a time" : "a period shorter than the run",
         {},
         0,
         0,
         {}});
  return {.label = {}, .x = points.x, .y = points.y, .style = CurveStyle::dots};
}

// The terminal has even axes only.
void take_logarithms(Panel& panel) {
  for (Axis* axis : {&panel.x, &panel.y}) {
    axis->logarithmic = false;
    if (!axis->label.empty()) axis->label = "log10 " + axis->label;
  }
  for (Curve& curve : panel.curves)
    for (std::vector<double>* numbers : {&curve.x, &curve.y})
      for (double& number : *numbers) number = std::log10(number);
}

ExitCode run_plot(const Options& options) {
  const Recording recording(options.result);
  const RecordedNames names(recording);
  if (options.formulas.empty()) return list_names(names);
  Picture picture;
  if (options.spectrum && options.section())
    throw InputError({"E0103", "a spectrum has no section", {}, "leave out one of them", {}, 0, 0, {}});
  if (options.impacts && !options.period.empty())
    throw InputError({"E0103", "a section is at impacts or every period", {}, "leave out one of them", {}, 0, 0, {}});
  if (options.spectrum && options.x != "t")
    throw InputError({"E0103", "a spectrum is over frequency", {}, "leave out -x", {}, 0, 0, {}});
  const std::vector<double> x = values(options.x, names);
  for (const std::string& formula : options.formulas) {
    if (!options.together || picture.panels.empty())
      picture.panels.push_back({.title = {},
                                .x = {.label = options.spectrum ? "frequency [Hz]" : with_unit(options.x, names),
                                      .logarithmic = options.spectrum},
                                .y = {.label = with_unit(formula, names), .logarithmic = options.spectrum},
                                .curves = {}});
    Curve curve =
        options.spectrum ? spectrum_of(formula, names) : Curve{.label = {}, .x = x, .y = values(formula, names)};
    if (options.section()) curve = section_of(options, recording, names, x, curve.y);
    curve.label = options.together ? formula : "";
    if (options.x == "t" && !options.spectrum && !options.section()) curve.jumps = abrupt_changes(curve.y);
    picture.panels.back().curves.push_back(std::move(curve));
    if (options.together) picture.panels.back().y.label = {};
  }
  if (!options.out.empty()) return write(picture, options.out, options.force ? Replace::anything : Replace::ours);
  for (Panel& panel : picture.panels) {
    if (options.spectrum) take_logarithms(panel);
    panel.title = panel.y.label;
    for (const Curve& curve : panel.curves)
      if (!curve.label.empty()) panel.title += (panel.title.empty() ? "" : ", ") + curve.label;
    fmt::print("{}", text_plot(panel));
  }
  return ExitCode::fine;
}

}  // namespace

void add_plot(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("plot", "Draw formulas of a result, in the terminal or as a picture");
  command->footer(R"(
Examples:
  carom plot slider_crank.h5                                        what can be drawn
  carom plot slider_crank.h5 crank.rate 'min(guide.gap)'            in the terminal
  carom plot slider_crank.h5 energy.total energy.kinetic --together -o energy.pdf
  carom plot slider_crank.h5 slider.rate -x slider.angle -o phase.png
  carom plot slider_crank.h5 crank.rate --spectrum                  its amplitudes over frequency
  carom plot slider_crank.h5 slider.rate -x slider.angle --impacts guide     where it is at impacts (Poincare section)
  carom plot slider_crank.h5 slider.rate -x slider.angle --section 20ms -o section.png)");
  command->add_option("result", options->result, "Result file of carom run")->required();
  command->add_option("formula", options->formulas, "Names and formulas of them (none: the list)");
  command->add_option("-x", options->x, "What goes to the right (default: t)");
  command->add_option("-o,--out", options->out, "Picture: .png (300 dots an inch), .svg, .pdf; or the numbers: .csv");
  command->add_flag("--force", options->force, "Replace a .csv that is there and holds other columns");
  command->add_flag("--spectrum", options->spectrum, "Amplitudes over frequency instead (Fourier, Hann's window)");
  command->add_option("--section", options->period, "A Poincare section: points at multiples of this time only");
  CLI::Option* impacts = command
                             ->add_option("--impacts", options->impacts_of,
                                          "A Poincare section: points after impacts only, of this contact or of any")
                             ->expected(0, 1);
  command->add_flag("--together", options->together, "All in one panel");
  command->callback([options, impacts, &code] {
    options->impacts = impacts->count() > 0;
    code = run_plot(*options);
  });
}

}  // namespace carom::cli
