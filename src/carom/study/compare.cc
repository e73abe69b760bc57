#include "carom/study/compare.h"

#include <fmt/format.h>

#include "carom/io/csv.h"
#include "carom/io/run_scenario.h"
#include "carom/io/scheme_word.h"

namespace carom::inline study {

std::vector<std::string> scheme_names(const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const std::string& word : words) {
    if (word == "all") return scheme_registry().names();
    names.push_back(parse_scheme_word(word).text);
  }
  return names;
}

namespace {

// The same run with its result in a file.
void record(const Scenario& scenario, const std::string& scheme, std::size_t number, const std::string& folder,
            const std::atomic<bool>* interrupt, CompareRow& row) {
  Scenario own = scenario;
  own.simulation.scheme = scheme;
  row.file = fmt::format("{}/run{}.h5", folder, number);
  const RunReport run = run_scenario(own, {.out = row.file, .interrupt = interrupt});
  row.summary = run.summary;
  row.measures = run.measures;
}

}  // namespace

CompareReport compare(const Scenario& scenario, const std::vector<std::string>& names,
                      const std::function<void(const std::string& scheme)>& before_run,
                      const std::atomic<bool>* interrupt, const std::string& record_in) {
  const System& system = *scenario.model.system;
  const auto solver = make_solver(scenario);
  SimulationOptions options = simulation_options(scenario);
  options.interrupt = interrupt;
  CompareReport report{options.dt, options.t_end, {}, {}, {}};
  for (const NamedExpression& measure : scenario.measures) report.measures.push_back(measure.name);
  for (const std::string& name : names) {
    CompareRow row{name, {}, {}, {}, {}};
    if (const auto what = untreated(scenario, parse_scheme_word(name))) {
      row.untreated = to_text(*what);
    } else {
      if (before_run) before_run(name);
      const auto scheme = make_scheme(scenario, name);
      ChannelRecorder channels(scenario);
      channels.need(scenario.measures);
      try {
        if (!record_in.empty()) {
          record(scenario, name, report.rows.size(), record_in, interrupt, row);
        } else {
          row.summary = simulate(system, *scheme, *solver, scenario.model.initial, options, &channels);
          row.measures = channels.measure(scenario.measures);
        }
        if (row.summary.outcome == Outcome::interrupted) {
          report.interrupted = name;
          return report;
        }
      } catch (const InputError& error) {  // what it cannot treat with these options
        row.untreated = error.problems().front().message;
      }
    }
    report.rows.push_back(std::move(row));
  }
  return report;
}

namespace {

const char* to_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::finished: return "finished";
    case Outcome::interrupted: return "interrupted";
    case Outcome::failed: return "failed";
  }
  return "";
}

}  // namespace

std::string judged(const CompareRow& row) {
  std::string words;
  for (const Finding& finding : row.summary.judgement.findings)
    words += fmt::format("{}{}", words.empty() ? "" : ", ", to_word(finding.flaw));
  return words.empty() ? "sound" : words;
}

std::string to_csv(const CompareReport& report) {
  std::string csv =
      "scheme,outcome,step,t_end,steps,failed_steps,deepest_gap,deepest_gap_time,joint_error,energy_start,"
      "energy_end,largest_energy_rise,impact_loss,friction_loss,scheme_residual,normal_impulse,"
      "newton_iterations,solver_iterations,projection_iterations,index_set_iterations,worst_solver_residual,"
      "step_seconds,judged";
  for (const std::string& measure : report.measures) csv += "," + csv_cell(measure);
  csv += "\n";
  for (const CompareRow& row : report.rows) {
    if (!row.untreated.empty()) {
      csv += fmt::format("{},refused{:,>{}}\n", row.scheme, "", 21 + report.measures.size());
      continue;
    }
    const SimulationSummary& s = row.summary;
    const Audit& a = s.audit;
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},\"{}\"", row.scheme,
                       to_word(s.outcome), report.dt, report.t_end, s.steps, s.failed_steps, a.deepest_gap,
                       a.deepest_time, a.joint_error, a.start_energy, a.end_energy, a.largest_rise, a.impact_loss,
                       a.friction_loss, a.scheme_residual, a.normal_impulse, s.newton_iterations, s.solver_iterations,
                       s.projection_iterations, s.index_set_iterations, s.worst_solver_residual, s.step_seconds,
                       judged(row));
    for (const Measurement& measure : row.measures) csv += measure.value ? fmt::format(",{}", *measure.value) : ",";
    csv += "\n";
  }
  return csv;
}

}  // namespace carom::inline study
