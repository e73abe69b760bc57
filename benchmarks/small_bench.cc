// Small mechanisms: the cost of Scheme::step alone, no recording, no audit, beside a loop written by
// hand for the one model. Names are case/scheme; `carom bench small` sets them beside the peers.
#include "assembled/slider_crank.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/schemes/scheme.h"
#include "hand_written/slider_crank.cc"  // the stick is compiled with the same flags
#include "run_benchmarks.h"

namespace {

using namespace carom;

struct Case {
  std::string model;
  ContactParameters contact;
  double dt, t_end;
  std::map<std::string, ParameterValue> parameters;
};

const Case slider_crank{"slider_crank", {0.4, 0.01, 0.0}, 1e-5, 0.2, {}};
const Case slider_crank_frictionless{"slider_crank", {0.4, 0.0, 0.0}, 1e-5, 0.2, {}};
const Case slider_crank_maximal{"slider_crank_maximal", {0.4, 0.01, 0.0}, 1e-5, 0.2, {}};
const Case slider_crank_assembled{"assembled", {0.4, 0.01, 0.0}, 1e-5, 0.2, {}};
const Case slider_crank_joint{"joint", {0.4, 0.01, 0.0}, 1e-5, 0.2, {}};
const Case ball{"bouncing_ball", {0.8, 0.0, 0.0}, 1e-4, 8.0, {{"force", -9.81}, {"height", 1.0}}};

Model model_of(const Case& c) {
  if (c.model == "assembled") return testing::assembled_slider_crank(model::Coordinates::maximal, c.contact);
  if (c.model == "joint") return testing::assembled_slider_crank(model::Coordinates::joint, c.contact);
  return make_analytic_model(c.model, c.parameters, c.contact);
}

// One iteration is one step; the run starts again at its end.
void steps(benchmark::State& benchmark_state, const Case& c, const std::string& scheme_name) {
  const Model model = model_of(c);
  const std::unique_ptr<Scheme> scheme = make_scheme(scheme_name);
  const std::unique_ptr<InclusionSolver> solver = make_solver("automatic");
  StepWorkspace workspace;
  StepResult result;
  State start = model.initial;
  scheme->start(*model.system, c.dt, start);
  State state = start;
  long failures = 0;
  for (auto _ : benchmark_state) {
    scheme->step(*model.system, *solver, state, c.dt, workspace, result);
    if (result.status != StepStatus::ok) ++failures;
    std::swap(state, result.next);
    if (state.t >= c.t_end) state = start;
  }
  benchmark_state.counters["failed_steps"] = static_cast<double>(failures);
}

void slider_crank_by_hand(benchmark::State& benchmark_state) {
  hand_written::SliderCrankLoop loop;
  long k = 0;
  for (auto _ : benchmark_state) {
    loop.step(slider_crank.dt);
    if (++k == 20000) {
      loop = hand_written::SliderCrankLoop();
      k = 0;
    }
  }
}

void register_all() {
  for (const SchemeEntry* entry : scheme_registry().entries()) {
    if (!entry->treats.contains(Feature::contacts)) continue;
    const Case& crank = entry->treats.contains(Feature::friction) ? slider_crank : slider_crank_frictionless;
    for (const auto& [name, c] : {std::pair{"slider_crank/", &crank}, std::pair{"ball/", &ball}})
      if (!refusal(*entry, *make_analytic_model(c->model, c->parameters, c->contact).system))
        benchmark::RegisterBenchmark((name + entry->name).c_str(), steps, *c, entry->name);
  }
  benchmark::RegisterBenchmark("slider_crank/hand_written", slider_crank_by_hand);
  // The same mechanism in maximal coordinates, by formulas and put together, and put together in joint coordinates.
  for (const char* scheme : {"moreau_jean", "projection_combined", "ggl_unified"}) {
    benchmark::RegisterBenchmark((std::string("slider_crank_maximal/") + scheme).c_str(), steps, slider_crank_maximal,
                                 scheme);
    benchmark::RegisterBenchmark((std::string("slider_crank_assembled/") + scheme).c_str(), steps,
                                 slider_crank_assembled, scheme);
    benchmark::RegisterBenchmark((std::string("slider_crank_joint/") + scheme).c_str(), steps, slider_crank_joint,
                                 scheme);
  }
}

}  // namespace

int main(int argc, char** argv) { return run_benchmarks(argc, argv, register_all); }
