// Siconos on two small systems, for a comparison of the time one step takes: the planar slider-crank
// with clearance and the bouncing ball, with the same data, step and tolerances as Carom's own runs
// (equations: benchmarks/hand_written/slider_crank.h).
//
// Prints one JSON object per case and line. The time is CPU time of the stepping loop: the
// calls a step needs, plus a copy of three angles from which the gaps are computed afterwards.
//
//   peer_siconos_small [--dt SECONDS] [--repeat N] [case/scheme ...]
//   cases: slider_crank/moreau_jean slider_crank/projection_direct slider_crank/projection_combined
//          ball/moreau_jean                                         (default: all)
// With --repeat the shortest time counts.
//
// The slider-crank is in siconos_slider_crank.h.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <SolverOptions.h>
#include <SiconosKernel.hpp>

#include "siconos_slider_crank.h"

namespace {

using namespace siconos_crank;

struct Options {
  double crank_dt = 1e-5;
  int repeat = 1;
};

void slider_crank(const std::string& scheme, const Options& options) {
  const double end = 0.2, dt = options.crank_dt;
  const long steps = std::lround(end / dt);
  double seconds = 0.0, penetration = 0.0, turns = 0.0, tilt = 0.0, newton = 0.0;
  double projections = 0.0, index_sets = 0.0;

  for (int run = 0; run < options.repeat; ++run) {
    auto crank = std::make_shared<SliderCrank>(vector_of({0, 0, 0}), vector_of({150, -75, 0}));
    auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, end);
    model->insertDynamicalSystem(crank);
    for (const auto& side : sides) {
      SP::NonSmoothLaw law(new NewtonImpactFrictionNSL(0.4, 0.0, 0.01, 2));
      SP::Relation relation(new Corner(side[0], side[1]));
      model->link(std::make_shared<Interaction>(law, relation), crank);
    }

    SP::TimeDiscretisation times(new TimeDiscretisation(0.0, dt));
    SP::FrictionContact impact(new FrictionContact(2, SICONOS_FRICTION_2D_ENUM));
    impact->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-12;

    SP::TimeStepping simulation;
    std::shared_ptr<TimeSteppingDirectProjection> direct;
    std::shared_ptr<TimeSteppingCombinedProjection> combined;
    if (scheme == "moreau_jean") {
      SP::OneStepIntegrator integrator(new MoreauJeanOSI(0.5));
      simulation = std::make_shared<TimeStepping>(model, times, integrator, impact);
    } else {
      SP::OneStepNSProblem position(new MLCPProjectOnConstraints(SICONOS_MLCP_ENUM, 1.0));
      if (scheme == "projection_direct") {
        SP::OneStepIntegrator integrator(new MoreauJeanDirectProjectionOSI(0.5));
        // Level 0: all corners are projected; with the default, 1, only those in contact are.
        direct = std::make_shared<TimeSteppingDirectProjection>(model, times, integrator, impact, position, 0u);
        direct->setConstraintTolUnilateral(1e-10);
        direct->setProjectionMaxIteration(100);
        simulation = direct;
      } else {
        SP::OneStepIntegrator integrator(new MoreauJeanCombinedProjectionOSI(0.5));
        combined = std::make_shared<TimeSteppingCombinedProjection>(model, times, integrator, impact, position);
        combined->setConstraintTolUnilateral(1e-10);
        combined->setProjectionMaxIteration(100);
        simulation = combined;
      }
    }
    simulation->setNewtonTolerance(1e-10);
    simulation->setNewtonMaxIteration(30);
    simulation->initialize();

    std::vector<std::array<double, 3>> path(static_cast<std::size_t>(steps));
    long newton_sum = 0, projection_sum = 0, index_sum = 0;
    const std::clock_t start = std::clock();
    for (long k = 0; k < steps; ++k) {
      simulation->advanceToEvent();
      const SiconosVector& q = *crank->q();
      path[static_cast<std::size_t>(k)] = {q(0), q(1), q(2)};
      newton_sum += simulation->getNewtonNbIterations();
      if (direct) projection_sum += direct->nbProjectionIteration();
      if (combined) {
        projection_sum += combined->nbCumulatedProjectionIteration();
        index_sum += combined->nbIndexSetsIteration();
      }
      simulation->nextStep();
    }
    const double elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / static_cast<double>(steps);
    seconds = run == 0 ? elapsed : std::min(seconds, elapsed);

    double deepest = 1.0;
    tilt = 0.0;
    for (const auto& q : path) {
      for (const auto& side : sides) {
        deepest = std::min(deepest, corner_gap(q[0], q[1], q[2], side[0], side[1]));
      }
      tilt = std::max(tilt, std::fabs(q[2]));
    }
    penetration = std::max(0.0, -deepest);
    turns = path.back()[0] / (2 * pi);
    const double n = static_cast<double>(steps);
    newton = static_cast<double>(newton_sum) / n;
    projections = static_cast<double>(projection_sum) / n;
    index_sets = static_cast<double>(index_sum) / n;
  }
  std::printf(
      "{\"case\":\"slider_crank\",\"scheme\":\"%s\",\"dt\":%.9g,\"steps\":%ld,"
      "\"cpu_seconds_per_step\":%.6e,\"max_penetration\":%.6e,\"end_angle_turns\":%.9f,"
      "\"largest_tilt\":%.3e,\"newton_average\":%.4f,\"projection_average\":%.5f,"
      "\"index_set_average\":%.4f}\n",
      scheme.c_str(), dt, steps, seconds, penetration, turns, tilt, newton, projections, index_sets);
  std::fflush(stdout);
}

void bouncing_ball(const Options& options) {
  const double dt = 1e-4, end = 8.0;
  const long steps = std::lround(end / dt);
  double seconds = 0.0, penetration = 0.0, height = 0.0;
  for (int run = 0; run < options.repeat; ++run) {
    SP::SimpleMatrix mass(new SimpleMatrix(1, 1));
    mass->setValue(0, 0, 1.0);
    auto ball = std::make_shared<LagrangianLinearTIDS>(vector_of({1.0}), vector_of({0.0}), mass);
    ball->setFExtPtr(vector_of({-gravity}));
    SP::SimpleMatrix direction(new SimpleMatrix(1, 1));
    direction->setValue(0, 0, 1.0);
    SP::NonSmoothLaw law(new NewtonImpactNSL(0.8));
    SP::Relation relation(new LagrangianLinearTIR(direction));
    auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, end);
    model->insertDynamicalSystem(ball);
    model->link(std::make_shared<Interaction>(law, relation), ball);
    SP::OneStepIntegrator integrator(new MoreauJeanOSI(0.5));
    SP::TimeDiscretisation times(new TimeDiscretisation(0.0, dt));
    SP::OneStepNSProblem impact(new LCP());
    auto simulation = std::make_shared<TimeStepping>(model, times, integrator, impact);
    simulation->initialize();

    double deepest = 1.0;
    const std::clock_t start = std::clock();
    for (long k = 0; k < steps; ++k) {
      simulation->computeOneStep();
      deepest = std::min(deepest, (*ball->q())(0));
      simulation->nextStep();
    }
    const double elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / static_cast<double>(steps);
    seconds = run == 0 ? elapsed : std::min(seconds, elapsed);
    penetration = std::max(0.0, -deepest);
    height = (*ball->q())(0);
  }
  std::printf(
      "{\"case\":\"ball\",\"scheme\":\"moreau_jean\",\"dt\":%.9g,\"steps\":%ld,"
      "\"cpu_seconds_per_step\":%.6e,\"max_penetration\":%.6e,\"end_height\":%.9e}\n",
      dt, steps, seconds, penetration, height);
  std::fflush(stdout);
}

void run(const std::string& name, const Options& options) {
  if (name == "ball/moreau_jean") return bouncing_ball(options);
  const std::string prefix = "slider_crank/";
  if (name.compare(0, prefix.size(), prefix) == 0) {
    const std::string scheme = name.substr(prefix.size());
    if (scheme == "moreau_jean" || scheme == "projection_direct" || scheme == "projection_combined") {
      return slider_crank(scheme, options);
    }
  }
  std::fprintf(stderr, "unknown case %s\n", name.c_str());
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--dt") == 0 && i + 1 < argc) {
      options.crank_dt = std::atof(argv[++i]);
    } else if (std::strcmp(argv[i], "--repeat") == 0 && i + 1 < argc) {
      options.repeat = std::max(1, std::atoi(argv[++i]));
    } else {
      names.push_back(argv[i]);
    }
  }
  if (!(options.crank_dt > 0.0)) {
    std::fprintf(stderr, "--dt must be positive\n");
    return 2;
  }
  if (names.empty()) {
    names = {"slider_crank/moreau_jean", "slider_crank/projection_direct", "slider_crank/projection_combined",
             "ball/moreau_jean"};
  }
  int failures = 0;
  for (const std::string& name : names) {
    try {
      run(name, options);
    } catch (const std::exception& error) {
      std::printf("{\"case\":\"%s\",\"failed\":\"%s\"}\n", name.c_str(), error.what());
      ++failures;
    } catch (...) {
      std::printf("{\"case\":\"%s\",\"failed\":\"exception of Siconos\"}\n", name.c_str());
      ++failures;
    }
  }
  return failures == 0 ? 0 : 1;
}
