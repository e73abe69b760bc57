// carom bench problems: contact problems, each alone, solved by `automatic` and beside it by NSGS, NSN_AC and ADMM of
// Siconos (benchmarks/peers/siconos_problems.py, a process of its own for each with a limit on its CPU time).
//
//   table_problems [--filter EXPRESSION] [--limit SECONDS] [--json] [--without-peers] [FOLDER...]
//
// Problems: the collection by formulas (study/problem_collection.h) and stored ones of the folders; without a folder,
// ../shared/data/friction if it is there. All start from zero. Both sides are held to our residual (a blockwise
// backward error, inclusion/residual.h): Siconos stops by a measure of its own, so it is asked for 1e-8, then for less,
// until our judge is content, and the time of that last call counts. Ours is asked for 1e-8 and for 1e-12.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "carom/base/errors.h"
#include "carom/inclusion/inclusion_solver.h"
#include "carom/inclusion/residual.h"
#include "carom/io/problem_file.h"
#include "carom/study/problem_collection.h"

namespace {

using namespace carom;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr double asked = 1e-8, fine = 1e-12;
constexpr Index largest_for_peers = 12000;  // contacts; beyond, G alone takes hundreds of megabytes as text
const std::vector<std::string> peer_solvers = {"nsgs", "nsn_ac", "admm"};

struct Options {
  std::regex filter{""};
  double limit = 10.0;
  bool json = false, peers = true;
  std::vector<std::string> folders;
};

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Outcome {
  bool solved = false;
  double seconds = 0.0, residual = 1.0;
  std::string word() const {
    return solved ? fmt::format("{:.2f}", 1e3 * seconds) : residual < 1.0 ? fmt::format("({:.0e})", residual) : "-";
  }
};

struct Row {
  std::string name;
  Index contacts = 0;
  Outcome ours, ours_fine;
  std::vector<Outcome> peers;  // as peer_solvers; empty: not asked

  const Outcome* best_peer() const {
    const Outcome* best = nullptr;
    for (const Outcome& peer : peers)
      if (peer.solved && (!best || peer.seconds < best->seconds)) best = &peer;
    return best;
  }
  double ratio() const { return std::max(best_peer()->seconds, 1e-6) / std::max(ours.seconds, 1e-6); }
};

// Small problems several times: the clock ticks in microseconds, and the first call warms the memory.
Outcome solve(const InclusionProblem& problem, double tolerance) {
  const auto solver = make_solver("automatic", {{"tolerance", tolerance}});
  SolverWorkspace workspace;
  InclusionResult result;
  Outcome outcome;
  outcome.seconds = 1e30;
  double spent = 0.0;
  for (int repeat = 0; repeat < 5 && (repeat == 0 || spent < 0.2); ++repeat) {
    result.lambda.assign(problem.rows(), 0.0);
    const double begin = cpu_seconds();
    solver->solve(problem, workspace, result);
    const double seconds = cpu_seconds() - begin;
    spent += seconds;
    outcome.seconds = std::min(outcome.seconds, seconds);
  }
  outcome.solved = result.status == SolveStatus::solved;
  outcome.residual = result.residual;
  return outcome;
}

// What a program prints; nothing if it was ended.
std::string output_of(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(127);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t n; (n = read(ends[0], part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(n));
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return text;
}

class Peers {
 public:
  explicit Peers(double limit) : limit_(limit) {
    script_ = fs::read_symlink("/proc/self/exe").parent_path() / "peer_siconos_problems";
    folder_ = fs::temp_directory_path() / fmt::format("carom-problems-{}", getpid());
    if (fs::exists(script_)) fs::create_directory(folder_);
  }
  ~Peers() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  bool there() const { return fs::exists(script_); }

  std::vector<Outcome> solve(const InclusionProblem& problem) const {
    const fs::path file = folder_ / "problem.h5";
    Buffer zero;
    zero.assign(problem.rows(), 0.0);
    write_problem(file, problem, zero);
    std::vector<Outcome> outcomes;
    for (const std::string& solver : peer_solvers) {
      Outcome outcome;
      for (const double tolerance : {asked, 1e-2 * asked, 1e-4 * asked, 1e-6 * asked}) {
        const Outcome attempt = ask(problem, file, solver, tolerance);
        outcome.residual = std::min(outcome.residual, attempt.residual);
        outcome.seconds = attempt.seconds;
        outcome.solved = attempt.solved;
        if (attempt.solved || attempt.residual == 1.0) break;  // content, or ended by its limit
      }
      outcomes.push_back(outcome);
    }
    return outcomes;
  }

 private:
  Outcome ask(const InclusionProblem& problem, const fs::path& file, const std::string& solver,
              double tolerance) const {
    const fs::path reaction = folder_ / "reaction";
    fs::remove(reaction);
    const Json told = Json::parse(
        output_of({script_, file, solver, fmt::format("{:g}", tolerance), reaction, fmt::format("{:g}", limit_)}),
        nullptr, false);
    Outcome outcome;
    if (told.is_discarded() || !told.contains("cpu_seconds")) return outcome;
    outcome.seconds = told["cpu_seconds"];
    Buffer lambda, xi;
    lambda.assign(problem.rows(), 0.0);
    std::ifstream in(reaction, std::ios::binary);
    in.read(reinterpret_cast<char*>(lambda.data()), static_cast<std::streamsize>(8 * problem.rows()));
    for (const double value : lambda)
      if (!std::isfinite(value)) return outcome;
    ResidualWorkspace workspace;
    outcome.residual = std::min(1.0, residual(problem, lambda, xi, workspace));
    outcome.solved = solves(problem, outcome.residual, asked, workspace);
    return outcome;
  }

  double limit_;
  fs::path script_, folder_;
};

bool of_rigid_contacts(const InclusionProblem& problem) {
  for (Index b = 0; b < problem.block_count(); ++b)
    if (problem.G->block(b).rows != 3 || !problem.laws[static_cast<std::size_t>(b)]->is_contact()) return false;
  return true;
}

Row measure(const std::string& name, const InclusionProblem& problem, const Options& options, const Peers& peers) {
  Row row{name, problem.block_count(), {}, {}, {}};
  row.ours = solve(problem, asked);
  row.ours_fine = solve(problem, fine);
  if (options.peers && peers.there() && row.contacts <= largest_for_peers && of_rigid_contacts(problem))
    row.peers = peers.solve(problem);
  return row;
}

void print(const Row& row, const Options& options) {
  if (options.json) {
    const auto told = [](const Outcome& outcome) {
      return Json{{"solved", outcome.solved}, {"cpu_seconds", outcome.seconds}, {"residual", outcome.residual}};
    };
    Json json = {{"problem", row.name},
                 {"contacts", row.contacts},
                 {"automatic", told(row.ours)},
                 {"automatic_1e-12", told(row.ours_fine)}};
    for (std::size_t k = 0; k < row.peers.size(); ++k) json["siconos"][peer_solvers[k]] = told(row.peers[k]);
    if (row.ours.solved && row.best_peer()) json["times_slower"] = row.ratio();
    fmt::print("{}\n", json.dump());
  } else {
    std::string line =
        fmt::format("{:<32} {:>8} {:>12} {:>12}", row.name, row.contacts, row.ours.word(), row.ours_fine.word());
    for (const Outcome& peer : row.peers) line += fmt::format(" {:>10}", peer.word());
    if (row.ours.solved && row.best_peer()) line += fmt::format(" {:>8.2f}", row.ratio());
    fmt::print("{}\n", line);
  }
  std::fflush(stdout);
}

void print_summary(const std::vector<Row>& rows, const Options& options) {
  double sum = 0.0;
  std::size_t both = 0, ours = 0, ours_fine = 0, asked_peers = 0, any_peer = 0, slower = 0;
  std::vector<std::size_t> each(peer_solvers.size(), 0);
  for (const Row& row : rows) {
    ours += row.ours.solved;
    ours_fine += row.ours_fine.solved;
    asked_peers += !row.peers.empty();
    any_peer += row.best_peer() != nullptr;
    for (std::size_t k = 0; k < row.peers.size(); ++k) each[k] += row.peers[k].solved;
    if (!row.ours.solved || !row.best_peer()) continue;
    ++both;
    sum += std::log(row.ratio());
    slower += row.ratio() < 1.0;
  }
  const double mean = both > 0 ? std::exp(sum / static_cast<double>(both)) : 0.0;
  if (options.json) {
    Json json = {{"problems", rows.size()},
                 {"automatic_solves", ours},
                 {"automatic_solves_1e-12", ours_fine},
                 {"asked_of_siconos", asked_peers},
                 {"siconos_solves", any_peer}};
    for (std::size_t k = 0; k < each.size(); ++k) json["each"][peer_solvers[k]] = each[k];
    json["solved_by_both"] = both;
    json["geometric_mean_times_slower"] = mean;
    json["slower_than_siconos"] = slower;
    fmt::print("{}\n", json.dump());
    return;
  }
  fmt::print("\n{} problems: automatic solves {} to {:g}, {} to {:g}\n", rows.size(), ours, asked, ours_fine, fine);
  if (asked_peers == 0) return;
  fmt::print(
      "Siconos (Debian's package, assertions enabled), asked {}: NSGS solves {}, NSN_AC {}, ADMM {}, any of them {}\n",
      asked_peers, each[0], each[1], each[2], any_peer);
  fmt::print(
      "where both solve ({}), the fastest of the three takes {:.2f} times our time on the geometric mean; it is "
      "faster on {}\n",
      both, mean, slower);
}

std::vector<fs::path> stored_problems(const Options& options) {
  std::vector<fs::path> found;
  std::vector<std::string> folders = options.folders;
  if (folders.empty()) {
    const char* root = std::getenv("CAROM_ROOT");
    folders = {(fs::path(root ? root : ".") / "../shared/data/friction").string()};
  }
  for (const std::string& folder : folders)
    if (fs::is_directory(folder))
      for (const auto& entry : fs::directory_iterator(folder))
        if (const auto kind = entry.path().extension(); kind == ".h5" || kind == ".hdf5" || kind == ".dat")
          found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  if (found.empty() && !options.json) fmt::print("no stored problems: {} is not there\n", folders.front());
  return found;
}

Options options_of(int argc, char** argv) {
  Options options;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word == "--filter" && k + 1 < argc)
      options.filter = std::regex(argv[++k], std::regex::extended);
    else if (word == "--limit" && k + 1 < argc)
      options.limit = std::stod(argv[++k]);
    else if (word == "--json")
      options.json = true;
    else if (word == "--without-peers")
      options.peers = false;
    else
      options.folders.push_back(word);
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = options_of(argc, argv);
  const Peers peers(options.limit);
  if (!options.json)
    fmt::print(
        "CPU ms of one thread; (r): not solved, residual r; -: ended by its limit of {:g} s\n{:<32} {:>8} {:>12} "
        "{:>12} {:>10} {:>10} {:>10} {:>8}\n",
        options.limit, "problem", "contacts", "to 1e-8", "to 1e-12", "NSGS", "NSN_AC", "ADMM", "ratio");
  std::vector<Row> rows;
  const auto add = [&](const std::string& name, const InclusionProblem& problem) {
    rows.push_back(measure(name, problem, options, peers));
    print(rows.back(), options);
  };
  for (const fs::path& path : stored_problems(options)) {
    if (!std::regex_search(path.stem().string(), options.filter)) continue;
    try {
      const StoredProblem stored = read_problem(path);
      add(path.stem().string(), stored.problem);
    } catch (const InputError& error) {
      if (!options.json) fmt::print("{:<32} left out: {}\n", path.stem().string(), error.what());
    }
  }
  for (const ProblemMaker& maker : problem_collection())
    if (std::regex_search(maker.name, options.filter)) add(maker.name, maker.make()->problem);
  print_summary(rows, options);
  if (options.peers && !peers.there() && !options.json)
    fmt::print("Siconos is not beside us: python3-siconos is not installed, or target peers not built\n");
  return 0;
}
