// One Gauss-Seidel sweep over the contacts of spheres packed face-centred, with random velocities: its time a contact,
// and the share of the memory's bandwidth that its bytes take, measured in the same run by a triad a_i = b_i + s c_i.
//
//   sweep_fcc_N/round_contacts    N cells a side, records of spheres; the time is that of one contact in one sweep
//   sweep_fcc_N/shaped_contacts   records of bodies of any shape
//   .../..._with_momentum         both as runs use them
//   triad/memory                  arrays of 64 MB; the time is that of one element
//
// threads_2: how many times faster two threads are, by the clock and the best of many short turns; each turn needs two
// processors that nobody else wants, so that on a busy machine it says little.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>
#include <vector>

#include "carom/inclusion/round_contacts.h"
#include "carom/inclusion/shaped_contacts.h"
#include "carom/study/problem_collection.h"
#include "run_benchmarks.h"

namespace {

using namespace carom;

// Of this thread.
double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Bytes a second; the best of several, as others on the machine only slow it down.
double triad_bandwidth() {
  constexpr std::size_t n = 8'000'000;
  static std::vector<double> a(n, 1.0), b(n, 2.0), c(n, 3.0);
  double best = 0.0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const double begin = cpu_seconds();
    for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + 0.5 * c[i];
    benchmark::DoNotOptimize(a.data());
    benchmark::ClobberMemory();
    best = std::max(best, 3.0 * sizeof(double) * n / (cpu_seconds() - begin));
  }
  return best;
}

void triad(benchmark::State& state) {
  double bandwidth = 0.0;
  for (auto _ : state) {
    bandwidth = triad_bandwidth();
    state.SetIterationTime(3.0 * sizeof(double) / bandwidth);
  }
  state.counters["gigabytes_per_second"] = 1e-9 * bandwidth;
}

// What is told of a sweep over `count` contacts that took `seconds` and reads `bytes`.
void tell(benchmark::State& state, double count, double bytes, double seconds) {
  const double bandwidth = triad_bandwidth();
  state.counters["contacts"] = count;
  state.counters["bytes_per_contact"] = bytes / count;
  state.counters["gigabytes_per_second"] = 1e-9 * bytes / seconds;
  state.counters["triad_gigabytes_per_second"] = 1e-9 * bandwidth;
  state.counters["share_of_bandwidth"] = bytes / seconds / bandwidth;
}

// Additions and multiplications of a contact by the formulas of round_contacts_sweep.cc and shaped_contacts_sweep.cc,
// there for contacts that stick: for xi and what the solution is found from, the solution, the change and its weight,
// the impulse, both bodies. What momentum adds: the age, the next point, its impulse, both bodies.
template <class Contacts>
constexpr double flops(SweepWay way) {
  constexpr bool round = std::is_same_v<Contacts, RoundContacts>;
  constexpr double plain = round ? 45 + 28 + 9 + 9 + 26 : 57 + 23 + 9 + 45 + 48;
  constexpr double ahead = round ? 12 + 6 + 9 + 26 : 12 + 6 + 45 + 48;
  return way == SweepWay::plain ? plain : plain + ahead;
}

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool build(RoundContacts& contacts, const InclusionProblem& problem) { return contacts.build(problem, 1e-9); }
bool build(ShapedContacts& contacts, const InclusionProblem& problem) { return contacts.build(problem); }

template <class Contacts>
void sweep_by_fours(benchmark::State& state, Index cells, SweepWay way) {
  const GeneratedProblemPtr made = fcc_lattice_problem(cells, 0.3, ProblemMotion::random);
  const std::vector<double> lambda(static_cast<std::size_t>(made->problem.rows()), 0.0);
  const std::vector<double> weight(static_cast<std::size_t>(made->problem.block_count()), 1.0);
  Contacts contacts[2];  // of one and of two threads
  for (int k = 0; k < 2; ++k) {
    if (!build(contacts[k], made->problem)) return state.SkipWithError("not all are contacts of spheres");
    contacts[k].use_threads(k + 1);
    contacts[k].weigh(weight.data());
    contacts[k].load(lambda.data());
    for (int warm = 0; warm < 3; ++warm) contacts[k].sweep(way);
  }
  const auto count = static_cast<double>(made->problem.block_count());
  double best = 1.0, by_clock[2] = {1.0, 1.0};
  for (auto _ : state) {
    for (int turn = 0; turn < 20; ++turn)
      for (int k = 0; k < 2; ++k)
        for (int repeat = 0; repeat < 5; ++repeat) {
          const double begin = cpu_seconds(), clock = clock_seconds();
          contacts[k].sweep(way);
          if (k == 0) best = std::min(best, cpu_seconds() - begin);
          by_clock[k] = std::min(by_clock[k], clock_seconds() - clock);
        }
    state.SetIterationTime(best / count);
  }
  tell(state, count, static_cast<double>(contacts[0].bytes()), best);
  state.counters["flops_per_contact"] = flops<Contacts>(way);
  state.counters["gigaflops"] = 1e-9 * flops<Contacts>(way) * count / best;
  state.counters["threads_2"] = by_clock[0] / by_clock[1];
}

void register_all() {
  const auto add = [](benchmark::internal::Benchmark* one) {
    one->UseManualTime()->Iterations(1)->Unit(benchmark::kNanosecond);
  };
  for (const Index cells : {4, 7, 12, 24}) {  // 1,900 to 345,000 contacts: the last do not fit into caches
    const std::string name = "sweep_fcc_" + std::to_string(cells);
    for (const auto& [suffix, way] :
         {std::pair("", SweepWay::plain), std::pair("_with_momentum", SweepWay::momentum)}) {
      add(benchmark::RegisterBenchmark((name + "/round_contacts" + suffix).c_str(), sweep_by_fours<RoundContacts>,
                                       cells, way));
      add(benchmark::RegisterBenchmark((name + "/shaped_contacts" + suffix).c_str(), sweep_by_fours<ShapedContacts>,
                                       cells, way));
    }
  }
  add(benchmark::RegisterBenchmark("triad/memory", triad));
}

}  // namespace

int main(int argc, char** argv) { return run_benchmarks(argc, argv, register_all); }
