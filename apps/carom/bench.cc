// carom bench: the benchmark programs beside this one, and the same cases on other codes where they are
// installed, as ratios measured in one run.
//
// bench_<name> is a Google Benchmark program whose cases are called case/scheme; the scheme
// `hand_written` is the loop written for that one model, the yardstick of its case. The half-explicit
// schemes have explicit Moreau-Jean as theirs. peer_<code>_<name> prints one JSON object a
// line: {"case", "scheme", "cpu_seconds_per_step", ...}; a peer that takes long looks at CAROM_BENCH_FILTER, the
// regular expression of --filter, to leave out what nobody asked for.
//
// table_<name> compares other things than times of steps and prints its own table or JSON lines.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <system_error>

#include "carom/base/errors.h"
#include "carom/base/names.h"
#include "command.h"
#include "study_progress.h"

namespace carom::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct Options {
  std::string name;
  std::string filter;  // a regular expression on case/scheme
  bool json = false;
  int repetitions = 3;
};

fs::path program_folder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

// Programs of the folder whose name starts and ends like this, by what stands between.
std::map<std::string, fs::path> programs(const std::string& prefix, const std::string& suffix = "") {
  std::map<std::string, fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(program_folder())) {
    const std::string file = entry.path().filename().string();
    if (file.size() > prefix.size() + suffix.size() && file.starts_with(prefix) && file.ends_with(suffix))
      found[file.substr(prefix.size(), file.size() - prefix.size() - suffix.size())] = entry.path();
  }
  return found;
}

// What a program prints; it ends with this one, however that ends.
std::string output_of(const fs::path& program, std::vector<std::string> arguments) {
  std::vector<char*> words = {const_cast<char*>(program.c_str())};
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(ends[1], STDOUT_FILENO);
    if (const int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    execv(program.c_str(), words.data());
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> part;
  for (ssize_t n; (n = read(ends[0], part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(n));
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return text;
}

// Google Benchmark writes NaN (the variation of a counter that is zero), which JSON does not know.
std::string without_nan(std::string text) {
  for (std::size_t at = text.find(": NaN"); at != std::string::npos; at = text.find(": NaN", at))
    text.replace(at, 5, ": null");
  return text;
}

// One measured case.
struct Measurement {
  std::string scheme;
  double seconds = 0;  // a step
  Json details;
};
using Cases = std::map<std::string, std::vector<Measurement>>;

double seconds_per_unit(const std::string& unit) {
  return unit == "ns" ? 1e-9 : unit == "us" ? 1e-6 : unit == "ms" ? 1e-3 : 1.0;
}

// What a case counted itself, beside what Google Benchmark tells of every case.
Json counters_of(const Json& run) {
  static const std::set<std::string> common = {"family_index", "per_family_instance_index",
                                               "repetitions",  "repetition_index",
                                               "threads",      "iterations",
                                               "real_time",    "cpu_time"};
  Json counters = Json::object();
  for (const auto& [key, value] : run.items())
    if (value.is_number() && !common.contains(key)) counters[key] = value;
  return counters;
}

// Splits "case/scheme/iterations:1" and takes the median where repetitions were made.
Cases measure_ours(const fs::path& program, const Options& options) {
  std::vector<std::string> arguments = {"--benchmark_format=json",
                                        fmt::format("--benchmark_repetitions={}", options.repetitions),
                                        "--benchmark_report_aggregates_only=true"};
  if (!options.filter.empty()) arguments.push_back("--benchmark_filter=" + options.filter);
  const std::string text = output_of(program, arguments);
  Cases cases;
  if (!options.filter.empty() && text.find("\"benchmarks\"") == std::string::npos) return cases;  // nothing matches
  const Json report = Json::parse(without_nan(text), nullptr, false);
  if (report.is_discarded()) throw std::runtime_error(program.filename().string() + " gave no report");
  for (const Json& run : report["benchmarks"]) {
    if (run.value("aggregate_name", "median") != "median") continue;
    std::istringstream name(run["run_name"].get<std::string>());
    std::string case_name, scheme;
    std::getline(name, case_name, '/');
    std::getline(name, scheme, '/');
    const bool manual = run["run_name"].get<std::string>().find("manual_time") != std::string::npos;
    cases[case_name].push_back(
        {scheme,
         run[manual ? "real_time" : "cpu_time"].get<double>() * seconds_per_unit(run["time_unit"].get<std::string>()),
         counters_of(run)});
  }
  return cases;
}

Cases measure_peer(const fs::path& program) {
  Cases cases;
  std::istringstream lines(output_of(program, {}));
  for (std::string line; std::getline(lines, line);) {
    Json run = Json::parse(line, nullptr, false);
    if (run.is_discarded() || !run.contains("cpu_seconds_per_step")) continue;
    const std::string case_name = run["case"], scheme = run["scheme"];
    const double seconds = run["cpu_seconds_per_step"];
    cases[case_name].push_back({scheme, seconds, run});
  }
  return cases;
}

const Measurement* find(const Cases& cases, const std::string& case_name, const std::string& scheme) {
  const auto it = cases.find(case_name);
  if (it == cases.end()) return nullptr;
  for (const Measurement& m : it->second)
    if (m.scheme == scheme) return &m;
  return nullptr;
}

std::string duration(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.3f} us", seconds * 1e6);
  return fmt::format("{:.2f} ms", seconds * 1e3);
}

// Behind the row, or on lines of their own where there are many.
void print_details(const Measurement& m) {
  const bool many = m.details.size() > 6;
  int number = 0;
  for (const auto& [key, value] : m.details.items()) {
    if (many && number++ % 6 == 0) fmt::print("\n     ");
    fmt::print("  {} {:.3g}", key, value.get<double>());
  }
}

void check_filter(const std::string& filter) try {
  const std::regex expression(filter, std::regex::extended);
} catch (const std::regex_error&) {
  throw InputError({"E0103",
                    "carom bench: --filter wants a regular expression, not '" + filter + "'",
                    {},
                    "for example --filter spheres_1000/",
                    {},
                    0,
                    0,
                    {}});
}

// In place of this program, so that its rows show as they come.
ExitCode show_table(const fs::path& program, const Options& options) {
  std::vector<std::string> words = {program.string()};
  if (!options.filter.empty()) words.insert(words.end(), {"--filter", options.filter});
  if (options.json) words.push_back("--json");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::fflush(stdout);
  execv(program.c_str(), arguments.data());
  throw std::system_error(errno, std::generic_category(), program.string());
}

ExitCode run_bench(const Options& options) {
  std::map<std::string, fs::path> ours = programs("bench_");
  const std::map<std::string, fs::path> tables = programs("table_");
  ours.insert(tables.begin(), tables.end());
  if (options.name.empty()) {
    for (const auto& [name, path] : ours) fmt::print("{}\n", name);
    if (ours.empty()) fmt::print("no benchmark program is built; ./carom bench builds them\n");
    return ExitCode::fine;
  }
  const std::string name = canonical_name(options.name);
  if (!ours.contains(name)) {
    std::vector<std::string> known;
    for (const auto& [key, path] : ours) known.push_back(key);
    throw InputError(
        {"E0110", "unknown benchmark '" + options.name + "'", "bench", suggestion(name, known), {}, 0, 0, {}});
  }

  check_filter(options.filter);
  if (tables.contains(name)) return show_table(tables.at(name), options);
  if (!options.filter.empty()) setenv("CAROM_BENCH_FILTER", options.filter.c_str(), 1);
  const auto others = programs("peer_", "_" + name);
  Cases measured;
  std::map<std::string, Cases> peers;
  {
    StudyProgress progress("bench " + name, 1 + others.size(), options.json);
    progress.next("ours");
    measured = measure_ours(ours.at(name), options);
    for (const auto& [peer, path] : others) {
      progress.next(peer);
      peers[peer] = measure_peer(path);
    }
  }

  const std::string yardstick = name == "half_explicit" ? "moreau_jean_explicit" : "hand_written";
  Json json = Json::array();
  if (!options.json)
    fmt::print("{:<25} {:<30} {:>12} {:>16}   peers; yardstick: {}\n", "case", "scheme", "time", "/ yardstick",
               yardstick);
  for (const auto& [case_name, runs] : measured) {
    const Measurement* stick = find(measured, case_name, yardstick);
    for (const Measurement& m : runs) {
      Json row = {{"case", case_name}, {"scheme", m.scheme}, {"seconds_per_step", m.seconds}};
      row.update(m.details);
      std::string by_hand, beside;
      if (stick != nullptr) {
        row["times_" + yardstick] = m.seconds / stick->seconds;
        by_hand = fmt::format("{:.2f}", m.seconds / stick->seconds);
      }
      for (const auto& [peer, cases] : peers) {
        const Measurement* other = find(cases, case_name, m.scheme);
        if (other == nullptr) continue;
        row["peers"][peer] = other->details;
        row["peers"][peer]["times_slower"] = other->seconds / m.seconds;
        beside +=
            fmt::format("{} {} = {:.1f} times ours  ", peer, duration(other->seconds), other->seconds / m.seconds);
      }
      if (options.json) {
        json.push_back(row);
        continue;
      }
      fmt::print("{:<25} {:<30} {:>12} {:>16}   {}", case_name, m.scheme, duration(m.seconds), by_hand, beside);
      print_details(m);
      fmt::print("\n");
    }
  }
  if (options.json) {
    fmt::print("{}\n", json.dump(2));
    return ExitCode::fine;
  }
  for (const auto& [peer, cases] : peers)
    if (cases.empty())
      fmt::print("{}: did not run\n", peer);
    else
      fmt::print("{}: CPU time, one thread, its Debian package as installed (assertions enabled)\n", peer);
  if (peers.empty())
    fmt::print("no other code to compare with: none is installed, or its program is not built (target peers)\n");
  return ExitCode::fine;
}

}  // namespace

void add_bench(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("bench", "Benchmarks, other codes beside ours where installed");
  command->add_option("name", options->name, "Which; without it the list");
  command->add_option("--repetitions", options->repetitions, "Each case is measured so often; the median counts")
      ->check(CLI::PositiveNumber);
  command->add_option("--filter", options->filter, "Only cases whose case/scheme matches this regular expression");
  command->add_flag("--json", options->json, "One JSON array");
  command->footer(R"(
Examples:
  carom bench                         what there is
  carom bench small                   one of them
  carom bench spheres --repetitions 1 --filter spheres_1000/)");
  command->callback([options, &code] { code = run_bench(*options); });
}

}  // namespace carom::cli
