// Flexible bodies: the cost of Scheme::step alone on the elastic bar against its number of elements, beside loops
// written by hand, and on planar and spatial beams. Names are case/scheme; `carom bench flexible` sets them beside the
// peers.
#include "bar_cases.h"
#include "beam_cases.h"
#include "hand_written/bar.cc"  // the sticks are compiled with the same flags
#include "run_benchmarks.h"

namespace {

using namespace carom;

template <class Loop>
void implicit_by_hand(benchmark::State& benchmark_state, int elements, double dt) {
  Loop loop(bar_cases::bar(elements, dt), dt);
  const int length = 2 * bar_cases::half_run(dt);
  int step = 0;
  for (auto _ : benchmark_state) {
    loop.step();
    if (++step % length == 0) loop.restart();
  }
  benchmark_state.counters["max_penetration"] = std::max(0.0, -loop.deepest_gap);
}

struct Method {
  const char* name;  // in the report
  const char* scheme;
  std::map<std::string, ParameterValue> parameters;
};
const Method implicit[] = {{"moreau_jean", "moreau_jean", {}},
                           {"projection_combined", "projection_combined", {}},
                           {"projection_pushing", "projection_combined", {{"first_set", std::string("pushing")}}}};
const Method explicit_schemes[] = {{"half_explicit_velocity", "half_explicit_velocity", {}},
                                   {"moreau_jean_symplectic", "moreau_jean_symplectic", {}}};

void register_all() {
  for (const int elements : {10, 100, 1000, 10000}) {
    const std::string bar = "bar_" + std::to_string(elements);
    double dt = bar_cases::step_length(elements, true);
    benchmark::RegisterBenchmark((bar + "_implicit/hand_written").c_str(),
                                 implicit_by_hand<hand_written::BarMoreauJean>, elements, dt);
    benchmark::RegisterBenchmark((bar + "_implicit/solve_and_two_products").c_str(),
                                 implicit_by_hand<hand_written::BarKernels>, elements, dt);
    for (const Method& method : implicit)
      benchmark::RegisterBenchmark((bar + "_implicit/" + method.name).c_str(), bar_cases::steps, elements, dt,
                                   method.scheme, method.parameters);
    dt = bar_cases::step_length(elements, false);
    benchmark::RegisterBenchmark((bar + "_explicit/hand_written").c_str(), bar_cases::trapezoid_by_hand, elements, dt);
    for (const Method& method : explicit_schemes)
      benchmark::RegisterBenchmark((bar + "_explicit/" + method.name).c_str(), bar_cases::steps, elements, dt,
                                   method.scheme, method.parameters);
    beam_cases::register_steps(elements);
  }
}

}  // namespace

int main(int argc, char** argv) { return run_benchmarks(argc, argv, register_all); }
