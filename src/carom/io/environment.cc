#include "carom/io/environment.h"

#include <fmt/format.h>
#include <hdf5.h>
#include <unistd.h>
#include <zlib.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <thread>

#include "carom/base/version.h"
#include "carom/io/recording.h"
#include "carom/io/report/page.h"
#include "carom/io/run_scenario.h"
#include "carom/schemes/scheme.h"

namespace carom::inline io {

namespace {

namespace fs = std::filesystem;
using Is = Ability::State;

// The first of PATH that may be run.
std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path program = fs::path(folder) / name;
    if (access(program.c_str(), X_OK) == 0 && !fs::is_directory(program)) return program.string();
  }
  return {};
}

Ability program(const std::string& name, const std::string& what_for, const std::string& package) {
  const std::string found = find_program(name);
  if (!found.empty()) return {name, Is::fine, fmt::format("{} ({})", found, what_for)};
  return {name, Is::missing, fmt::format("not found: no {}", what_for), fmt::format("apt-get install {}", package)};
}

constexpr const char* kBall = R"(schema = 1
[units]
bare = "SI"
[analytic]
model = "bouncing_ball"
law = "hard"
[law.hard]
normal = { type = "newton", restitution = 0.8 }
[simulation]
t_end = 1
step = 1e-3
)";

}  // namespace

std::vector<Ability> abilities() {
  std::vector<Ability> list;
  const BuildInfo& build = build_info();
  list.push_back({"carom", Is::fine,
                  fmt::format("{} ({}, {}, {})", build.version, build.commit, build.compiler, build.build_type)});
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  list.push_back({"HDF5", Is::fine, fmt::format("{}.{}.{}", major, minor, release)});
  list.push_back({"zlib", Is::fine, zlibVersion()});
  bool events = false;
  for (const SchemeEntry* entry : scheme_registry().entries()) events |= entry->name == "event_driven";
  list.push_back(events ? Ability{"SUNDIALS", Is::fine, "the event-driven reference is there"}
                        : Ability{"SUNDIALS", Is::missing, "not in this build: no event_driven scheme",
                                  "apt-get install libsundials-dev, and build again"});
  list.push_back({"processors", Is::fine, fmt::format("{} (a run uses one)", std::thread::hardware_concurrency())});
  list.push_back(program("gnuplot", "pictures of carom plot, converge and reproduce", "gnuplot-nox"));
  list.push_back(program("xdg-open", "opening pages by carom view", "xdg-utils"));
  return list;
}

Ability self_test() {
  std::string folder = (fs::temp_directory_path() / "carom-doctor-XXXXXX").string();
  if (!mkdtemp(folder.data()))
    return {"self-test", Is::broken, "no temporary folder can be made", "set TMPDIR to a folder that can be written"};
  Ability result{"self-test", Is::fine, {}};
  try {
    const std::string file = folder + "/ball.h5";
    Scenario scenario = parse_scenario("ball.toml", kBall);
    run_scenario(scenario, {.out = file});
    const Recording recording(file);
    const Matrix height = recording.series("/coordinate/ball.height");
    Vector q, v;
    double worst = 0.0;
    const std::vector<double> times = recording.times();
    for (std::size_t i = 0; i < times.size(); ++i) {
      scenario.model.exact(times[i], q, v);
      worst = std::max(worst, std::abs(height(static_cast<Eigen::Index>(i), 0) - q[0]));
    }
    const std::size_t page = to_html(report_page({file})).size();
    result.detail =
        fmt::format("a ball bounced, {:.1e} m from the exact solution; its page has {} kB", worst, page / 1024);
    if (!(worst < 2e-2))
      result.state = Is::broken, result.remedy = "this build computes wrongly: build it again";  // O(step) with e = 0.8
  } catch (const std::exception& error) {
    result = {"self-test", Is::broken, error.what(), "./carom test says more"};
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return result;
}

}  // namespace carom::inline io
