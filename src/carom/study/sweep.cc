#include "carom/study/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "carom/base/content_hash.h"
#include "carom/base/errors.h"
#include "carom/base/units.h"
#include "carom/base/version.h"
#include "carom/io/channel_recorder.h"
#include "carom/io/csv.h"
#include "carom/io/hdf5_file.h"
#include "carom/study/sweep_journal.h"

namespace carom::inline study {

namespace {

using Json = nlohmann::json;
using enum SweepRow::Outcome;

// What is measured if nobody says what.
struct AuditMeasure {
  const char *name, *unit;
  double (*of)(const Audit&);
};
constexpr AuditMeasure kAuditMeasures[] = {
    {"energy_end", "J", [](const Audit& a) { return a.end_energy; }},
    {"penetration", "m", [](const Audit& a) { return std::max(0.0, -a.deepest_gap); }},
    {"normal_impulse", "N*s", [](const Audit& a) { return a.normal_impulse; }},
    {"largest_impulse", "N*s", [](const Audit& a) { return a.largest_normal_impulse; }}};

// What nobody knows has none, a pure number "1".
std::string unit_of(const Dimension& dimension) { return dimension.any ? "" : si_unit(dimension); }

SweepRow::Outcome outcome_of(const std::string& word) {
  for (const auto outcome : {finished, failed, refused})
    if (word == to_word(outcome)) return outcome;
  return missing;
}

std::string to_line(const std::string& run, const SweepRow& row) {
  Json json = {{"run", run},
               {"outcome", to_word(row.outcome)},
               {"sound", row.sound},
               {"steps", row.steps},
               {"trouble", row.trouble}};
  Json& measures = json["measures"] = Json::array();
  for (const auto& value : row.measures)
    measures.push_back(value && std::isfinite(*value) ? Json(*value) : Json(nullptr));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

SweepRow from_line(const std::string& line) {
  const Json json = Json::parse(line);
  SweepRow row;
  row.outcome = outcome_of(json.at("outcome"));
  row.sound = json.at("sound");
  row.steps = json.at("steps");
  row.trouble = json.at("trouble");
  for (const Json& value : json.at("measures"))
    row.measures.push_back(value.is_null() ? std::nullopt : std::optional<double>(value.get<double>()));
  return row;
}

std::vector<Override> overrides_of(const SweepTable& table, std::size_t run) {
  std::vector<Override> list;
  for (std::size_t k = 0; k < table.axes.size(); ++k) list.push_back({table.axes[k], table.points[run][k]});
  return list;
}

class Sweep {
 public:
  Sweep(const ScenarioMaker& make, const SweepOptions& options) : make_(make), options_(options) {
    for (const SweepAxis& axis : options.axes) table_.axes.push_back(axis.name);
    table_.points = sweep_points(options.axes, options.design, options.samples, options.seed);
    table_.rows.resize(table_.points.size());
    name_measures();
  }

  SweepTable run(Workers& workers) {
    SweepJournal journal(options_.journal);
    std::vector<std::string> hashes;
    std::vector<std::size_t> tasks;
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      hashes.push_back(hash(i));
      const std::string* line = journal.find(hashes[i]);
      if (line) table_.rows[i] = from_line(*line);
      if (!line || (options_.retry && table_.rows[i].outcome != finished))
        tasks.push_back(i);
      else
        ++table_.found;
    }
    SweepProgress progress{table_.found, table_.rows.size(), 0};
    workers.run(
        tasks, [&](std::size_t i) { return work(i, hashes[i]); },
        [&](std::size_t i, const std::string& line) {
          table_.rows[i] = from_line(line);
          journal.add(hashes[i], line);
          ++progress.done;
          progress.failed += table_.rows[i].outcome != finished;
          if (options_.progress) options_.progress(progress);
        },
        options_.interrupt);
    table_.interrupted = options_.interrupt && *options_.interrupt;
    return std::move(table_);
  }

 private:
  // The columns, from the first run whose values are possible; names that mean nothing are found here, before anything
  // is run.
  void name_measures() {
    std::optional<InputError> first;
    for (std::size_t i = 0; i < table_.points.size(); ++i) {
      try {
        const Scenario scenario = prepared(i);
        check_measures(scenario);
        source_ = scenario.source;
        overrides_ = scenario.overrides;
        name_units(scenario);
        for (const NamedExpression& measure : scenario.measures) {
          table_.measures.push_back(measure.name);
          formulas_ += measure.name + "=" + measure.expression.text() + "\n";
        }
        if (table_.measures.empty())
          for (const AuditMeasure& measure : kAuditMeasures) {
            table_.measures.emplace_back(measure.name);
            table_.measure_units.emplace_back(measure.unit);
          }
        return;
      } catch (const InputError& error) {
        if (!first) first = error;
        if (i >= 20) break;  // it is not the values
      }
    }
    throw *first;
  }

  void name_units(const Scenario& scenario) {
    for (const std::string& axis : table_.axes) {
      std::string unit;
      for (const NamedNumber& parameter : scenario.parameters)
        if (parameter.name == axis) unit = unit_of(parameter.dimension);
      table_.axis_units.push_back(unit);
    }
    const ChannelRecorder recorder(scenario);
    for (const NamedExpression& measure : scenario.measures)
      table_.measure_units.push_back(unit_of(measure.expression.dimension(recorder.channels())));
  }

  void check_measures(const Scenario& scenario) const {
    ChannelRecorder channels(scenario);
    try {
      channels.need(scenario.measures);
      for (const NamedExpression& measure : scenario.measures) measure.expression.dimension(channels.channels());
    } catch (const ExpressionError& error) {
      throw InputError({"E0161", fmt::format("--measure: {}", error.what()), {}, error.hint(), {}, 0, 0, {}});
    }
  }

  Scenario prepared(std::size_t i) const {
    Scenario scenario = make_(overrides_of(table_, i));
    scenario.measures.insert(scenario.measures.end(), options_.measures.begin(), options_.measures.end());
    return scenario;
  }

  std::string hash(std::size_t i) const {
    const BuildInfo& build = build_info();
    std::string text = fmt::format("{}\n{}\n{}\n{}\n", build.version, build.commit, source_, formulas_);
    for (const std::string& given : overrides_) {  // those all runs share
      const bool swept = std::any_of(table_.axes.begin(), table_.axes.end(),
                                     [&](const std::string& name) { return given.starts_with(name + "="); });
      if (!swept) text += given + "\n";
    }
    for (const Override& o : overrides_of(table_, i)) text += fmt::format("{}={}\n", o.key, o.value);
    return content_hash(text);
  }

  std::string work(std::size_t i, const std::string& run) const {
    SweepRow row;
    try {
      const Scenario scenario = prepared(i);
      ChannelRecorder channels(scenario);
      channels.need(scenario.measures);
      const auto scheme = make_scheme(scenario);
      const auto solver = make_solver(scenario);
      SimulationOptions settings = simulation_options(scenario);
      settings.interrupt = options_.interrupt;
      const SimulationSummary summary =
          simulate(*scenario.model.system, *scheme, *solver, scenario.model.initial, settings, &channels);
      if (summary.outcome == Outcome::interrupted) return {};
      row.outcome = summary.outcome == Outcome::finished ? finished : failed;
      row.sound = summary.judgement.sound();
      row.steps = summary.steps;
      row.trouble = summary.advice;
      for (const Finding& finding : summary.judgement.findings)
        row.trouble += (row.trouble.empty() ? "" : "; ") + to_text(finding);
      for (const Measurement& measure : channels.measure(scenario.measures)) row.measures.push_back(measure.value);
      if (scenario.measures.empty())
        for (const AuditMeasure& measure : kAuditMeasures) row.measures.push_back(measure.of(summary.audit));
    } catch (const InputError& error) {
      row.outcome = refused;
      row.trouble = error.problems().empty() ? error.what()
                                             : error.problems().front().code + " " + error.problems().front().message;
      row.measures.assign(table_.measures.size(), std::nullopt);
    }
    return to_line(run, row);
  }

  const ScenarioMaker& make_;
  const SweepOptions& options_;
  SweepTable table_;
  std::string source_, formulas_;
  std::vector<std::string> overrides_;
};

}  // namespace

std::string to_word(SweepRow::Outcome outcome) {
  switch (outcome) {
    case missing: return "missing";
    case finished: return "finished";
    case failed: return "failed";
    case refused: return "refused";
  }
  return "";
}

std::size_t SweepTable::count(SweepRow::Outcome outcome) const {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [&](const SweepRow& row) { return row.outcome == outcome; }));
}

SweepTable sweep(const ScenarioMaker& make, const SweepOptions& options, Workers& workers) {
  return Sweep(make, options).run(workers);
}

namespace {

// A number in SI units, if the text is one, with a unit or without.
std::optional<double> number_of(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  const std::string digits(text.c_str(), static_cast<const char*>(end));
  const auto unit = parse_unit(std::string_view(end).substr(std::strspn(end, " ")));
  if (digits.empty() || !unit) return std::nullopt;
  return with_unit(digits, *unit);
}

// A cell of a column that tells its unit is a number.
std::string in_si(const std::string& text, const std::string& unit) {
  const bool bare = text.find_first_not_of("0123456789+-.eE") == std::string::npos;
  const auto number = bare || unit.empty() ? std::nullopt : number_of(text);
  return number ? fmt::format("{}", *number) : text;
}

}  // namespace

std::string to_csv(const SweepTable& table) {
  std::string text = "run";
  for (std::size_t k = 0; k < table.axes.size(); ++k)
    text += "," + csv_cell(csv_title(table.axes[k], table.axis_units[k]));
  text += ",outcome,sound,steps";
  for (std::size_t k = 0; k < table.measures.size(); ++k)
    text += "," + csv_cell(csv_title(table.measures[k], table.measure_units[k]));
  text += ",trouble\n";
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const SweepRow& row = table.rows[i];
    text += fmt::format("{}", i + 1);
    for (std::size_t k = 0; k < table.axes.size(); ++k)
      text += "," + csv_cell(in_si(table.points[i][k], table.axis_units[k]));
    text += fmt::format(",{},{},{}", to_word(row.outcome), row.sound ? 1 : 0, row.steps);
    for (std::size_t k = 0; k < table.measures.size(); ++k)
      text += k < row.measures.size() && row.measures[k] ? fmt::format(",{}", *row.measures[k]) : ",";
    text += "," + csv_cell(row.trouble) + "\n";
  }
  return text;
}

std::vector<double> column(const SweepTable& table, const std::string& name) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> values(table.rows.size(), none);
  const auto place = [&](const std::vector<std::string>& names) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  const std::size_t axis = place(table.axes), measure = place(table.measures);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (axis < table.axes.size()) {
      values[i] = number_of(table.points[i][axis]).value_or(none);
    } else if (measure < table.rows[i].measures.size()) {
      values[i] = table.rows[i].measures[measure].value_or(none);
    }
  }
  return values;
}

double percentile(const std::vector<double>& sorted, double p) {
  return sorted[static_cast<std::size_t>(std::lround(p * static_cast<double>(sorted.size() - 1)))];
}

std::vector<double> percentiles(const SweepTable& table, const std::string& name) {
  std::vector<double> x = column(table, name), out;
  std::erase_if(x, [](double value) { return std::isnan(value); });
  if (x.empty()) return out;
  std::sort(x.begin(), x.end());
  for (const double level : percentile_levels) out.push_back(percentile(x, level));
  return out;
}

void write_hdf5(const SweepTable& table, const std::string& path) {
  Hdf5File file = Hdf5File::create(path);
  const auto put = [&](const std::string& path_in_file, const std::vector<double>& values, const std::string& unit) {
    file.write(path_in_file, values.data(), values.size());
    if (!unit.empty()) file.set_attribute(path_in_file, "unit", unit);
  };
  for (std::size_t k = 0; k < table.axes.size(); ++k)
    put("/parameter/" + table.axes[k], column(table, table.axes[k]), table.axis_units[k]);
  put("/percentile/level", {std::begin(percentile_levels), std::end(percentile_levels)}, "1");
  for (std::size_t k = 0; k < table.measures.size(); ++k) {
    put("/measure/" + table.measures[k], column(table, table.measures[k]), table.measure_units[k]);
    put("/percentile/measure/" + table.measures[k], percentiles(table, table.measures[k]), table.measure_units[k]);
  }
  std::vector<std::string> outcomes, troubles;
  std::vector<int> sound;
  for (const SweepRow& row : table.rows) {
    outcomes.push_back(to_word(row.outcome));
    troubles.push_back(row.trouble);
    sound.push_back(row.sound);
  }
  file.write_texts("/outcome", outcomes);
  file.write_texts("/trouble", troubles);
  file.write_integers("/sound", sound);
  file.commit();
}

}  // namespace carom::inline study
