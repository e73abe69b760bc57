// Sweeps, convergence and comparisons: the studies of the program, with answers as dictionaries of lists.
#include "bindings.h"
#include "carom/study/compare.h"
#include "carom/study/converge.h"
#include "carom/study/diff.h"
#include "carom/study/sweep.h"

namespace carom::python {

namespace {

using namespace py::literals;

py::dict sweep_model(const std::string& file, const std::vector<std::pair<std::string, std::string>>& overrides,
                     const std::vector<std::pair<std::string, std::vector<std::string>>>& axes,
                     const std::vector<std::string>& specs,
                     const std::vector<std::pair<std::string, std::string>>& measures, const std::string& design,
                     std::size_t samples, std::uint64_t seed, std::size_t workers, const std::string& journal,
                     bool retry) {
  SweepOptions options;
  for (const auto& [name, values] : axes) {
    SweepAxis axis;
    axis.name = name;
    axis.values = values;
    options.axes.push_back(axis);
  }
  for (const std::string& text : specs) options.axes.push_back(parse_axis(text));
  options.design = design == "list"              ? Design::list
                   : design == "random"          ? Design::random
                   : design == "latin_hypercube" ? Design::latin_hypercube
                                                 : Design::grid;
  options.samples = samples;
  options.seed = seed;
  for (const auto& [name, formula] : measures) options.measures.push_back(measured(name, formula));
  options.journal = journal;
  options.retry = retry;
  SignalWatch watch;
  options.interrupt = &watch.flag();
  const ScenarioMaker make = [&](const std::vector<Override>& more) {
    std::vector<Override> all;
    for (const auto& [key, value] : overrides) all.push_back({key, value});
    all.insert(all.end(), more.begin(), more.end());
    return read_scenario(file, all);
  };
  options.progress = [&](const SweepProgress&) { watch.look(); };
  SweepTable table;
  {
    const py::gil_scoped_release release;
    ThreadWorkers threads(workers);
    table = sweep(make, options, threads);
  }
  py::dict columns;
  const auto add = [&](const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const std::vector<double> values = column(table, name);
      columns[py::str(name)] = py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
    }
  };
  add(table.axes);
  py::list outcomes, troubles, sound;
  for (const SweepRow& row : table.rows) {
    outcomes.append(to_word(row.outcome));
    troubles.append(row.trouble);
    sound.append(row.sound);
  }
  columns["outcome"] = outcomes;
  columns["sound"] = sound;
  add(table.measures);
  columns["trouble"] = troubles;
  return columns;
}

}  // namespace

void bind_studies(py::module_& module) {
  module.def("sweep", &sweep_model, "file"_a, "overrides"_a, "axes"_a, "specs"_a, "measures"_a, "design"_a, "samples"_a,
             "seed"_a, "workers"_a, "journal"_a, "retry"_a);
  module.def(
      "converge",
      [](const std::shared_ptr<Scenario>& scenario, const std::vector<std::string>& schemes,
         const std::vector<double>& steps, double until, const std::string& reference) {
        ConvergeOptions options = default_converge_options(*scenario);
        if (!schemes.empty()) options.schemes = scheme_names(schemes);
        if (!steps.empty()) options.steps = steps;
        if (until > 0.0) options.until = until;
        if (!reference.empty()) options.reference_scheme = reference;
        SignalWatch watch;
        options.interrupt = &watch.flag();
        ConvergeReport report;
        {
          const py::gil_scoped_release release;
          report = converge(*scenario, options, [&](const ConvergeProgress&) { watch.look(); });
        }
        py::list list;
        for (const ConvergeScheme& s : report.schemes) {
          py::list dts, positions, velocities, seconds;
          for (const ConvergeRun& run : s.runs) {
            dts.append(run.dt);
            positions.append(run.errors.position_mean);
            velocities.append(run.errors.velocity_mean);
            seconds.append(run.step_seconds);
          }
          py::dict orders;
          for (std::size_t k = 0; k < s.orders.size(); ++k) orders[py::str(error_norms()[k].name)] = s.orders[k].order;
          list.append(py::dict("scheme"_a = s.scheme, "step"_a = dts, "position_error"_a = positions,
                               "velocity_error"_a = velocities, "seconds"_a = seconds, "declared"_a = s.declared,
                               "phase"_a = s.phase, "verdict"_a = std::string(to_text(s.verdict)),
                               "remark"_a = s.remark, "orders"_a = orders));
        }
        return py::dict("reference"_a = report.reference, "chaotic"_a = report.chaotic, "schemes"_a = list,
                        "csv"_a = to_csv(report));
      },
      "scenario"_a, "schemes"_a, "steps"_a, "until"_a, "reference"_a);
  module.def(
      "diff",
      [](const std::string& a, const std::string& b) {
        const ResultDifference d = diff_results(a, b);
        py::list fields;
        for (const FieldDifference& f : d.fields)
          fields.append(py::dict("field"_a = f.field, "different"_a = f.different, "largest"_a = f.largest,
                                 "first_t"_a = f.first_t));
        return py::dict("equal"_a = d.equal(), "fields"_a = fields);
      },
      "a"_a, "b"_a);
}

}  // namespace carom::python
