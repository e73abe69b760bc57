// Siconos' half-explicit schemes (D1MinusLinearOSI on velocity and on acceleration level) on the frictionless
// slider-crank, for a comparison of the time one step takes. They know no friction.
//
// Prints one JSON object per case and line; the time is CPU time of the stepping loop.
//
//   peer_siconos_half_explicit [--dt SECONDS]

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

// The normal row alone, with the time derivative of its Jacobian for the acceleration level.
class NormalCorner : public LagrangianScleronomousR {
 public:
  NormalCorner(double sx, double sy) : sx_(sx), sy_(sy) {
    _jachq.reset(new SimpleMatrix(1, 3));
    _jachq->zero();
    _dotjachq.reset(new SimpleMatrix(1, 3));
    _dotjachq->zero();
  }

  void computeh(const BlockVector& positions, BlockVector&, SiconosVector& y) override {
    const double* q = positions.vector(0)->getArray();
    y.getArray()[0] = corner_gap(q[0], q[1], q[2], sx_, sy_);
  }
  void computeJachq(const BlockVector& positions, BlockVector&) override {
    const double* q = positions.vector(0)->getArray();
    double* H = _jachq->getArray();
    H[0] = -sy_ * l1 * std::cos(q[0]);
    H[1] = -sy_ * l2 * std::cos(q[1]);
    H[2] = -sy_ * sx_ * half_length * std::cos(q[2]) + half_height * std::sin(q[2]);
  }
  void computeDotJachq(const BlockVector& positions, BlockVector&, const BlockVector& velocities) override {
    const double* q = positions.vector(0)->getArray();
    const double* v = velocities.vector(0)->getArray();
    double* H = _dotjachq->getArray();
    H[0] = sy_ * l1 * std::sin(q[0]) * v[0];
    H[1] = sy_ * l2 * std::sin(q[1]) * v[1];
    H[2] = (sy_ * sx_ * half_length * std::sin(q[2]) + half_height * std::cos(q[2])) * v[2];
  }

 private:
  double sx_, sy_;
};

void slider_crank(const char* scheme, unsigned int type, double dt) {
  const double end = 0.1;
  const long steps = std::lround(end / dt);
  auto crank = std::make_shared<SliderCrank>(vector_of({0, 0, 0}), vector_of({150, -75, 0}));
  auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, end);
  model->insertDynamicalSystem(crank);
  for (const auto& side : sides) {
    SP::NonSmoothLaw law(new NewtonImpactNSL(0.4));
    SP::Relation relation(new NormalCorner(side[0], side[1]));
    model->link(std::make_shared<Interaction>(law, relation), crank);
  }
  SP::TimeDiscretisation times(new TimeDiscretisation(0.0, dt));
  SP::OneStepIntegrator integrator(new D1MinusLinearOSI(type));
  SP::OneStepNSProblem impact(new LCP(SICONOS_LCP_ENUM)), force(new LCP(SICONOS_LCP_ENUM));
  auto simulation = std::make_shared<TimeSteppingD1Minus>(model, times, 2);
  simulation->insertIntegrator(integrator);
  simulation->insertNonSmoothProblem(impact, SICONOS_OSNSP_TS_VELOCITY);
  simulation->insertNonSmoothProblem(force, SICONOS_OSNSP_TS_VELOCITY + 1);
  simulation->initialize();

  double deepest = 1.0;
  const std::clock_t start = std::clock();
  long k = 0;
  for (; k < steps && simulation->hasNextEvent(); ++k) {
    simulation->advanceToEvent();
    const SiconosVector& q = *crank->q();
    for (const auto& side : sides) deepest = std::min(deepest, corner_gap(q(0), q(1), q(2), side[0], side[1]));
    simulation->processEvents();
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / static_cast<double>(k);
  std::printf(
      "{\"case\":\"slider_crank_frictionless\",\"scheme\":\"%s\",\"dt\":%.9g,\"steps\":%ld,\"cpu_seconds_per_step\":%."
      "6e,"
      "\"max_penetration\":%.6e,\"end_angle\":%.9f}\n",
      scheme, dt, k, seconds, std::max(0.0, -deepest), (*crank->q())(0));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  double dt = 1e-5;
  for (int i = 1; i + 1 < argc; ++i)
    if (std::strcmp(argv[i], "--dt") == 0) dt = std::atof(argv[i + 1]);
  int failures = 0;
  const auto attempt = [&](const char* scheme, unsigned int type) {
    try {
      slider_crank(scheme, type, dt);
    } catch (const std::exception& error) {
      std::printf("{\"case\":\"slider_crank_frictionless\",\"scheme\":\"%s\",\"failed\":\"%s\"}\n", scheme,
                  error.what());
      ++failures;
    } catch (...) {
      std::printf("{\"case\":\"slider_crank_frictionless\",\"scheme\":\"%s\",\"failed\":\"exception of Siconos\"}\n",
                  scheme);
      ++failures;
    }
  };
  attempt("half_explicit_velocity", D1MinusLinearOSI::halfexplicit_velocity_level);
  attempt("half_explicit_acceleration", D1MinusLinearOSI::halfexplicit_acceleration_level);
  return failures == 0 ? 0 : 1;
}
