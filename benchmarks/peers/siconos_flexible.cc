// Siconos on the elastic bar that hits a wall (equations: benchmarks/hand_written/bar.h), Moreau-Jean with theta 1/2,
// the same data and step as Carom's own run. The matrices are stored sparse, or dense with CAROM_PEER_DENSE.
//
// Prints one JSON object per case and line. The time is CPU time of the stepping loop, over as many steps in flight as
// in contact.
//
//   peer_siconos_flexible [elements ...]      (default: 10 100 1000)

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <SiconosKernel.hpp>

namespace {

#ifdef CAROM_PEER_DENSE
constexpr bool sparse = false;
#else
constexpr bool sparse = true;
#endif

constexpr double length = 1.0, section = 3.141592653589793e-4, density = 7800.0, youngs_modulus = 2.1e11;
constexpr double speed = 0.1, wave_speed = 5188.75;

SP::SimpleMatrix matrix(int n) {
  if (!sparse) {
    SP::SimpleMatrix dense(new SimpleMatrix(n, n));
    dense->zero();
    return dense;
  }
  return SP::SimpleMatrix(new SimpleMatrix(n, n, Siconos::SPARSE, 3 * n));
}

void bar(int elements, int steps_each) {
  const int n = elements + 1;
  const double l = length / elements, dt = 2.0 / (elements * wave_speed);
  const double gap = speed * dt * (steps_each + 0.3);
  SP::SimpleMatrix M = matrix(n), K = matrix(n);
  const double m = density * section * l / 6.0, k = youngs_modulus * section / l;
  for (int i = 0; i < n; ++i) {
    const bool end = i == 0 || i == n - 1;
    M->setValue(i, i, end ? 2.0 * m : 4.0 * m);
    K->setValue(i, i, end ? k : 2.0 * k);
    if (i + 1 < n) {
      M->setValue(i, i + 1, m);
      M->setValue(i + 1, i, m);
      K->setValue(i, i + 1, -k);
      K->setValue(i + 1, i, -k);
    }
  }
  SP::SiconosVector q0(new SiconosVector(n)), v0(new SiconosVector(n));
  for (int i = 0; i < n; ++i) {
    q0->setValue(i, 0.0);
    v0->setValue(i, -speed);
  }
  auto body = std::make_shared<LagrangianLinearTIDS>(q0, v0, M);
  body->setKPtr(K);
  SP::SimpleMatrix direction(new SimpleMatrix(1, n));
  direction->zero();
  direction->setValue(0, 0, 1.0);
  SP::SiconosVector offset(new SiconosVector(1));
  offset->setValue(0, gap);
  auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, 10.0 * steps_each * dt);
  model->insertDynamicalSystem(body);
  SP::NonSmoothLaw law(new NewtonImpactNSL(0.0));
  SP::Relation relation(new LagrangianLinearTIR(direction, offset));
  model->link(std::make_shared<Interaction>(law, relation), body);
  SP::OneStepIntegrator integrator(new MoreauJeanOSI(0.5));
  SP::TimeDiscretisation times(new TimeDiscretisation(0.0, dt));
  SP::OneStepNSProblem impact(new LCP());
  auto simulation = std::make_shared<TimeStepping>(model, times, integrator, impact);
  simulation->initialize();

  const int steps = 2 * steps_each;
  double deepest = 0.0;
  const std::clock_t start = std::clock();
  for (int step = 0; step < steps; ++step) {
    simulation->computeOneStep();
    deepest = std::min(deepest, gap + (*body->q())(0));
    simulation->nextStep();
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / steps;
  std::printf(
      "{\"case\":\"bar_%d_implicit\",\"scheme\":\"moreau_jean\",\"dt\":%.9g,\"steps\":%d,"
      "\"cpu_seconds_per_step\":%.6e,\"max_penetration\":%.6e}\n",
      elements, dt, steps, seconds, -deepest);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::max(1, std::atoi(argv[i])));
  if (sizes.empty()) sizes = {10, 100, 1000};
  int failures = 0;
  for (const int elements : sizes) {
    try {
      bar(elements, elements >= 1000 ? 40 : 400);
    } catch (const std::exception& error) {
      std::printf("{\"case\":\"bar_%d_implicit\",\"failed\":\"%s\"}\n", elements, error.what());
      ++failures;
    } catch (...) {
      std::printf("{\"case\":\"bar_%d_implicit\",\"failed\":\"exception of Siconos\"}\n", elements);
      ++failures;
    }
  }
  return failures == 0 ? 0 : 1;
}
