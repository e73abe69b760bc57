// carom sweep: one scenario over many values of its parameters; a table of measures, or a bifurcation diagram.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "carom/base/names.h"
#include "carom/io/named_files.h"
#include "carom/io/output_file.h"
#include "carom/io/report/page.h"
#include "carom/study/section.h"
#include "carom/study/sweep.h"
#include "carom/study/sweep_chapters.h"
#include "command.h"
#include "interrupt.h"
#include "json_line.h"
#include "ranks.h"
#include "safe_output.h"
#include "scenario_arguments.h"
#include "study_commands.h"
#include "study_of.h"

namespace carom::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  ScenarioArguments scenario;
  std::string study;
  std::vector<std::string> over, measure;
  std::string design = "grid", out, page, section, show, against, follow = "none";
  bool impacts = false;
  std::string impacts_of;
  std::size_t samples = 0, workers = 0;
  std::uint64_t seed = 1;
  int skip = 100, keep = 50;
  bool skip_given = false, keep_given = false, follow_given = false;
  bool retry = false, mpi = false, quiet = false, json = false, force = false;
};

ScenarioMaker maker_of(const ScenarioArguments& arguments) {
  return [&arguments, given = overrides(arguments)](const std::vector<Override>& more) {
    std::vector<Override> all = given;
    all.insert(all.end(), more.begin(), more.end());
    return read_scenario(arguments.model, all, arguments.allow_outside ? NamedFiles::anywhere : NamedFiles::inside);
  };
}

// One line that is overwritten on a terminal, one every ten seconds elsewhere.
class ProgressLine {
 public:
  explicit ProgressLine(const Options& options)
      : silent_(options.quiet || mpi_rank() > 0),
        json_(options.json),
        terminal_(isatty(STDOUT_FILENO) && !options.json) {}
  ~ProgressLine() {
    if (drawn_) to_terminal(STDOUT_FILENO, "\r\x1b[K");
  }

  void operator()(const SweepProgress& p) {
    const Clock::time_point now = Clock::now();
    if (silent_ || now - shown_ < (terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(10))) return;
    shown_ = now;
    const double elapsed = std::chrono::duration<double>(now - begin_).count();
    if (first_done_ < 0) first_done_ = static_cast<double>(p.done) - 1;
    const double rate = (static_cast<double>(p.done) - first_done_) / elapsed;
    const double left = static_cast<double>(p.of - p.done) / std::max(rate, 1e-9);
    if (json_) {
      print_json_line(
          {{"event", "progress"}, {"done", p.done}, {"of", p.of}, {"failed", p.failed}, {"seconds", elapsed}});
      return;
    }
    const std::string text = fmt::format("{}/{} runs   {} failed   {:.0f} s left", p.done, p.of, p.failed, left);
    if (terminal_) {
      constexpr int width = 30;
      const int full = static_cast<int>(width * p.done / std::max<std::size_t>(1, p.of));
      to_terminal(STDOUT_FILENO, fmt::format("\r[{:#<{}}{:.<{}}]  {}\x1b[K", "", full, "", width - full, text));
      drawn_ = true;
    } else {
      say("{}\n", text);
    }
    std::fflush(stdout);
  }

 private:
  bool silent_, json_, terminal_, drawn_ = false;
  double first_done_ = -1;
  Clock::time_point begin_ = Clock::now(), shown_ = begin_;
};

// What the table [study.NAME] of the file says, values in SI units.
void read_study(const Scenario& scenario, const std::string& name, SweepOptions& settings) {
  const StudySettings& study = study_of(scenario, name, "sweep", "bifurcation");
  for (const auto& [parameter, values] : study.over) {
    SweepAxis axis = list_axis(parameter, values);
    for (const NamedNumber& number : scenario.parameters)
      if (number.name == parameter && !number.dimension.any && !(number.dimension == Dimension{}))
        for (std::string& value : axis.values) value += " " + si_unit(number.dimension);
    settings.axes.push_back(std::move(axis));
  }
  settings.measures.insert(settings.measures.end(), study.measures.begin(), study.measures.end());
}

// Axes of the command line go before those of the file.
void add_axes(const std::vector<std::string>& given, std::vector<SweepAxis>& axes) {
  const std::size_t of_file = axes.size();
  for (const std::string& text : given) {
    SweepAxis axis = parse_axis(text);
    const auto end = axes.begin() + static_cast<std::ptrdiff_t>(of_file);
    const auto same = std::find_if(axes.begin(), end, [&](const SweepAxis& known) { return known.name == axis.name; });
    if (same != end)
      *same = std::move(axis);
    else
      axes.push_back(std::move(axis));
  }
}

// What the file says of a diagram, where the command line does not.
void complete(const StudySettings& study, Options& options) {
  if (study.kind != "bifurcation") return;
  if (options.section.empty() && !options.impacts) {
    options.section = study.section;
    options.impacts = study.impacts.has_value();
    options.impacts_of = study.impacts.value_or("");
  }
  if (options.show.empty()) options.show = study.show;
  if (!options.follow_given && !study.follow.empty()) options.follow = study.follow;
  if (!options.skip_given && study.skip) options.skip = *study.skip;
  if (!options.keep_given && study.keep) options.keep = *study.keep;
}

Design design_of(const std::string& word) {
  if (word == "list") return Design::list;
  if (word == "random") return Design::random;
  if (word == "latin_hypercube" || word == "lhs") return Design::latin_hypercube;
  return Design::grid;
}

std::string stem_of(const Options& options) { return std::filesystem::path(options.scenario.model).stem().string(); }

// Over the runs that have one.
void print_percentiles(const SweepTable& table) {
  say("{:<20} {:>12} {:>12} {:>12} {:>12} {:>12}  unit\n", "measure", "least", "5 %", "median", "95 %", "largest");
  for (std::size_t k = 0; k < table.measures.size(); ++k) {
    const std::vector<double> x = percentiles(table, table.measures[k]);
    if (!x.empty())
      say("{:<20} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g}  {}\n", table.measures[k], x[0], x[1], x[2], x[3],
          x[4], table.measure_units[k]);
  }
}

nlohmann::json percentiles_json(const SweepTable& table) {
  nlohmann::json out = nlohmann::json::object();
  for (std::size_t k = 0; k < table.measures.size(); ++k) {
    const std::vector<double> x = percentiles(table, table.measures[k]);
    if (x.empty()) continue;
    out[table.measures[k]] = {{"least", x[0]}, {"p5", x[1]},      {"median", x[2]},
                              {"p95", x[3]},   {"largest", x[4]}, {"unit", table.measure_units[k]}};
  }
  return out;
}

void print_troubles(const SweepTable& table) {
  constexpr std::size_t few = 5;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const SweepRow& row = table.rows[i];
    if (row.outcome == SweepRow::Outcome::finished || row.outcome == SweepRow::Outcome::missing || ++shown > few)
      continue;
    std::string where;
    for (std::size_t k = 0; k < table.axes.size(); ++k)
      where += fmt::format(" --set {}={}", table.axes[k], table.points[i][k]);
    say("{}:{}   {}\n", to_word(row.outcome), where, row.trouble);
  }
  if (shown > few) say("and {} more; the table has them all\n", shown - few);
}

void write_study_page(const Options& options, std::vector<Chapter> chapters) {
  if (options.page.empty()) return;
  const Page page{.title = "Sweep of " + std::filesystem::path(options.scenario.model).filename().string(),
                  .subtitle = maker_of(options.scenario)({}).title,
                  .chapters = std::move(chapters)};
  write_page(page, options.page, options.force ? Replace::anything : Replace::ours);
  if (!options.json && !options.quiet) say("wrote {}\n", options.page);
}

ExitCode run_table(const Options& options, Workers& workers) {
  SweepOptions settings;
  if (!options.study.empty()) read_study(maker_of(options.scenario)({}), options.study, settings);
  if (options.study.empty() && options.over.empty())
    throw InputError({"E0161",
                      "there is nothing to sweep over",
                      {},
                      "name values, --over c=1e-4:2e-3:20, or a sweep of the file",
                      {},
                      0,
                      0,
                      {}});
  add_axes(options.over, settings.axes);
  settings.design = design_of(options.design);
  settings.samples = options.samples;
  settings.seed = options.seed;
  for (const std::string& text : options.measure) {
    const Override named = parse_override(text);
    settings.measures.push_back(measured(named.key, named.value));
  }
  const bool first_rank = mpi_rank() == 0;
  const std::string out = options.out.empty() ? stem_of(options) + ".sweep.csv" : options.out;
  settings.journal = first_rank ? std::filesystem::path(out).replace_extension(".jsonl").string() : "";
  settings.retry = options.retry;
  settings.interrupt = &interrupt_flag();
  const Clock::time_point begin = Clock::now();
  const SweepTable table = [&] {
    const OrderlyEnd orderly;
    ProgressLine line(options);
    settings.progress = [&](const SweepProgress& progress) { line(progress); };
    return sweep(maker_of(options.scenario), settings, workers);
  }();
  if (!first_rank) return ExitCode::fine;
  const Replace replace = options.force ? Replace::anything : Replace::ours;
  if (out.ends_with(".h5"))
    write_hdf5(table, out);
  else
    write_text_file(out, to_csv(table), replace);
  const std::size_t finished = table.count(SweepRow::Outcome::finished),
                    missing = table.count(SweepRow::Outcome::missing);
  const std::size_t bad = table.rows.size() - finished - missing;
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  const auto unsound =
      static_cast<std::size_t>(std::count_if(table.rows.begin(), table.rows.end(), [](const SweepRow& row) {
        return row.outcome == SweepRow::Outcome::finished && !row.sound;
      }));
  if (options.json) {
    print_json_line({{"event", "done"},
                     {"runs", table.rows.size()},
                     {"finished", finished},
                     {"failed", bad},
                     {"missing", missing},
                     {"found", table.found},
                     {"not_sound", unsound},
                     {"workers", workers.count()},
                     {"seconds", seconds},
                     {"measures", percentiles_json(table)},
                     {"file", out}});
  } else {
    if (!options.quiet) {
      say("{} runs: {} finished, {} failed, {} of them done before   {} not sound   {} workers, {:.1f} s\n",
          table.rows.size(), finished, bad, table.found, unsound, workers.count(), seconds);
      print_percentiles(table);
    }
    print_troubles(table);
    if (bad > 0) say("only those again: --retry\n");
    if (!options.quiet) say("wrote {}\n", out);
  }
  write_study_page(options, chapters_of(table));
  if (table.interrupted) {
    if (!options.json) say(stderr, "interrupted: {} runs are missing; the same command goes on\n", missing);
    return interrupted_exit();
  }
  return bad > 0 ? ExitCode::numerical_failure : ExitCode::fine;
}

ExitCode run_section(const Options& options, Workers& workers) {
  SweepOptions of_file;
  if (!options.study.empty()) read_study(maker_of(options.scenario)({}), options.study, of_file);
  add_axes(options.over, of_file.axes);
  if (of_file.axes.size() != 1 || options.show.empty())
    throw InputError({"E0161",
                      "a section is over one parameter, and --show says of what",
                      {},
                      "--over omega=1:2:500 --section '2*pi/omega' --show mass.velocity",
                      {},
                      0,
                      0,
                      {}});
  SectionOptions settings;
  settings.axis = of_file.axes[0];
  if (settings.axis.values.empty())
    throw InputError(
        {"E0161", "a section is over values, not a distribution", {}, "--over omega=1:2:500", {}, 0, 0, {}});
  settings.period = options.section;
  settings.contact = options.impacts_of;
  settings.show = options.show;
  settings.against = options.against;
  settings.skip = options.skip;
  settings.keep = options.keep;
  settings.follow = options.follow == "forward"    ? Follow::forward
                    : options.follow == "backward" ? Follow::backward
                    : options.follow == "both"     ? Follow::both
                                                   : Follow::none;
  settings.interrupt = &interrupt_flag();
  const Clock::time_point begin = Clock::now();
  const Section diagram = [&] {
    const OrderlyEnd orderly;
    ProgressLine line(options);
    settings.progress = [&](const SweepProgress& progress) { line(progress); };
    return section(maker_of(options.scenario), settings, workers);
  }();
  if (mpi_rank() > 0) return ExitCode::fine;
  const std::string out = options.out.empty() ? stem_of(options) + ".section.csv" : options.out;
  const bool was_there = std::filesystem::exists(out);
  const std::string stem = std::filesystem::path(out).replace_extension().string();
  write_text_file(out, to_csv(table_of(diagram)), options.force ? Replace::anything : Replace::ours);
  check_pictures(stem, was_there, options.force ? Replace::anything : Replace::ours);
  const std::string title = maker_of(options.scenario)({}).title;
  const PictureResult picture = write_picture(picture_of(diagram, title), stem);
  std::size_t points = 0, troubled = 0;
  for (const SectionRun& run : diagram.runs) {
    points += run.values.size();
    troubled += !run.trouble.empty();
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (options.json) {
    print_json_line({{"event", "done"},
                     {"runs", diagram.runs.size()},
                     {"points", points},
                     {"failed", troubled},
                     {"seconds", seconds},
                     {"file", out}});
  } else if (!options.quiet) {
    std::map<int, std::size_t> periods;
    for (const SectionRun& run : diagram.runs)
      if (run.trouble.empty()) ++periods[period_of(run, 1e-4)];
    say("{} runs, {} points, {} failed   {} workers, {:.1f} s\n", diagram.runs.size(), points, troubled,
        workers.count(), seconds);
    for (const auto& [period, count] : periods)
      if (period == 0)
        say("  {} runs repeat nothing within {} points\n", count, options.keep / 2);
      else
        say("  {} runs of period {}\n", count, period);
    say("wrote {}\n", out);
    for (const auto& file : picture.files) say("wrote {}\n", file.string());
    if (!picture.trouble.empty()) say("no picture: {}\n", picture.trouble);
  }
  for (const SectionRun& run : diagram.runs)
    if (!run.trouble.empty() && !options.json) {
      say("failed: --set {}={}   {}\n", diagram.parameter, run.parameter, run.trouble);
      break;
    }
  write_study_page(options, chapters_of(diagram, title));
  if (diagram.interrupted) return interrupted_exit();
  return troubled > 0 ? ExitCode::numerical_failure : ExitCode::fine;
}

ExitCode run_sweep(Options options) {
  std::unique_ptr<Workers> workers;
  if (options.mpi) {
    if (!become_mpi_program()) {
      fmt::print(stderr, "{}\n",
                 describe(InputProblem{"E0703",
                                       "--mpi: this build has no MPI",
                                       {},
                                       "install libopenmpi-dev and build again, or use --workers",
                                       {},
                                       0,
                                       0,
                                       {}}));
      return ExitCode::environment;
    }
    workers = make_rank_workers();
  } else {
    workers = std::make_unique<ThreadWorkers>(options.workers);
  }
  if (!options.study.empty()) {
    const Scenario scenario = maker_of(options.scenario)({});
    complete(study_of(scenario, options.study, "sweep", "bifurcation"), options);
  }
  const bool diagram = !options.section.empty() || options.impacts;
  return diagram ? run_section(options, *workers) : run_table(options, *workers);
}

}  // namespace

void add_sweep(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("sweep", sweep_text);
  add_scenario_arguments(*command, options->scenario);
  command->add_option("study", options->study, "NAME of a sweep or a bifurcation [study.NAME] of the file");
  command
      ->add_option("--over", options->over,
                   "NAME=VALUES: low:high:count, low:high:count:log, a,b,c, or uniform(a, b), "
                   "loguniform(a, b), normal(mean, deviation); one for each parameter")
      ->expected(1)
      ->take_all();
  command->add_option("--measure", options->measure, "NAME=FORMULA: a column of the table, besides those of [measure]")
      ->expected(1)
      ->take_all();
  command
      ->add_option("--design", options->design,
                   "grid (every value with every other), list (side by side), random, latin_hypercube")
      ->check(CLI::IsMember({"grid", "list", "random", "latin_hypercube", "lhs"}));
  command->add_option("--samples", options->samples, "How many runs a random design or a Latin hypercube has");
  command->add_option("--seed", options->seed, "Of drawn designs (1)");
  command->add_option("--workers", options->workers, "Threads (one for each core)");
  command->add_flag("--mpi", options->mpi, "Work on the ranks of mpirun: mpirun -n 8 carom sweep ... --mpi");
  command->add_flag("--retry", options->retry, "Do runs again that failed before");
  command->add_option("--section", options->section,
                      "A bifurcation diagram at t = k T instead: T by a formula, '2*pi/omega'");
  CLI::Option* impacts = command
                             ->add_option("--impacts", options->impacts_of,
                                          "A bifurcation diagram at impacts instead, of this contact or of any")
                             ->expected(0, 1);
  command->add_option("--show", options->show, "What a diagram shows: a formula, mass.velocity");
  command->add_option("--against", options->against,
                      "Another formula, mass.position: the page also has Poincare sections, --show over it");
  CLI::Option* skip =
      command
          ->add_option("--skip", options->skip, "Points of the section passed over before those that are shown (100)")
          ->check(CLI::NonNegativeNumber);
  CLI::Option* keep =
      command->add_option("--keep", options->keep, "Points shown for each value (50)")->check(CLI::PositiveNumber);
  CLI::Option* follow = command
                            ->add_option("--follow", options->follow,
                                         "Go from value to value with the last state: none, forward, backward, both")
                            ->check(CLI::IsMember({"none", "forward", "backward", "both"}));
  command->add_option("-o,--out", options->out, "Table: .csv or .h5 (NAME.sweep.csv, NAME.section.csv)");
  command->add_option("--report", options->page,
                      "Also one page: percentiles, curves, heat maps over two parameters, diagrams (HTML)");
  command->add_flag("--force", options->force, "Replace the table even if it is no such table");
  command->add_flag("--quiet", options->quiet, "Print only what is wrong");
  command->add_flag("--json", options->json, "One JSON object per line");
  command->footer(
      "Examples:\n"
      "  carom sweep scenarios/driven_impact_oscillator.toml frequency      the diagram that stands in the file\n"
      "  carom sweep scenarios/slider_crank.toml --over clearance=1e-4:2e-3:20 --over "
      "law.steel.tangential.friction=0,0.01,0.1 \\\n"
      "              --measure 'worst=max(guide.impulse_normal)' --report sweep.html\n\n"
      "What was done stands in the file .jsonl beside the table; the same command again does only what is missing. The "
      "table is the\n"
      "same for any number of workers. Axes are all that --set can name.");
  command->callback([options, impacts, skip, keep, follow, &code] {
    options->impacts = impacts->count() > 0;
    options->skip_given = skip->count() > 0;
    options->keep_given = keep->count() > 0;
    options->follow_given = follow->count() > 0;
    code = run_sweep(*options);
  });
}

}  // namespace carom::cli
