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
// The model functions are C++ overrides of Siconos' virtual functions, not plug-in libraries opened
// at run time, so that no file search is part of anything.

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

#include <SiconosKernel.hpp>
#include <SolverOptions.h>

namespace {

constexpr double pi = 3.14159265358979323846;

constexpr double l1 = 0.153, l2 = 0.306;
constexpr double half_length = 0.05, half_height = 0.025, clearance = 0.001;
constexpr double m1 = 0.038, m2 = 0.038, m3 = 0.076;
constexpr double J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6;
constexpr double gravity = 9.81;
constexpr double coupling = (m2 / 2 + m3) * l1 * l2;
constexpr double weight1 = (m1 / 2 + m2 + m3) * gravity * l1;
constexpr double weight2 = (m2 / 2 + m3) * gravity * l2;

class SliderCrank : public LagrangianDS {
 public:
  SliderCrank(SP::SiconosVector q0, SP::SiconosVector v0) : LagrangianDS(q0, v0) {
    _mass.reset(new SimpleMatrix(3, 3));
    _mass->zero();
    // Siconos writes M dv/dt + F_int = 0: F_int is minus the force h of our notation. It takes the
    // derivatives into Newton's matrix when these matrices exist.
    _fInt.reset(new SiconosVector(3));
    _jacobianFIntq.reset(new SimpleMatrix(3, 3));
    _jacobianFIntq->zero();
    _jacobianFIntqDot.reset(new SimpleMatrix(3, 3));
    _jacobianFIntqDot->zero();
    init_forces();
    computeMass(_q[0]);
  }

  // Dense matrices are stored by columns; written as in a plug-in, through the bare array.
  void computeMass() override { computeMass(_q[0]); }
  void computeMass(SP::SiconosVector position) override {
    const double* q = position->getArray();
    double* M = _mass->getArray();
    M[0] = J1 + (m1 / 4 + m2 + m3) * l1 * l1;
    M[1] = M[3] = coupling * std::cos(q[0] - q[1]);
    M[4] = J2 + (m2 / 4 + m3) * l2 * l2;
    M[8] = J3;
  }

  void computeFInt(double time) override { computeFInt(time, _q[0], _q[1]); }
  void computeFInt(double, SP::SiconosVector position, SP::SiconosVector velocity) override {
    const double* q = position->getArray();
    const double* v = velocity->getArray();
    double* F = _fInt->getArray();
    const double k = coupling * std::sin(q[0] - q[1]);
    F[0] = k * v[1] * v[1] + weight1 * std::cos(q[0]);
    F[1] = -k * v[0] * v[0] + weight2 * std::cos(q[1]);
    F[2] = 0.0;
  }

  void computeJacobianFIntq(double time) override { computeJacobianFIntq(time, _q[0], _q[1]); }
  void computeJacobianFIntq(double, SP::SiconosVector position,
                            SP::SiconosVector velocity) override {
    const double* q = position->getArray();
    const double* v = velocity->getArray();
    double* J = _jacobianFIntq->getArray();
    const double k = coupling * std::cos(q[0] - q[1]);
    J[0] = k * v[1] * v[1] - weight1 * std::sin(q[0]);
    J[1] = -k * v[0] * v[0];
    J[3] = -k * v[1] * v[1];
    J[4] = k * v[0] * v[0] - weight2 * std::sin(q[1]);
  }

  void computeJacobianFIntqDot(double time) override {
    computeJacobianFIntqDot(time, _q[0], _q[1]);
  }
  void computeJacobianFIntqDot(double, SP::SiconosVector position,
                               SP::SiconosVector velocity) override {
    const double* q = position->getArray();
    const double* v = velocity->getArray();
    double* J = _jacobianFIntqDot->getArray();
    const double k = coupling * std::sin(q[0] - q[1]);
    J[1] = -2.0 * k * v[0];
    J[3] = 2.0 * k * v[1];
  }
};

double corner_gap(double q1, double q2, double q3, double sx, double sy) {
  const double y = l1 * std::sin(q1) + l2 * std::sin(q2);
  return half_height + clearance -
         sy * (y + sx * half_length * std::sin(q3) + sy * half_height * std::cos(q3));
}

class Corner : public LagrangianScleronomousR {
 public:
  Corner(double sx, double sy) : sx_(sx), sy_(sy) {
    _jachq.reset(new SimpleMatrix(2, 3));
    _jachq->zero();
  }

  void computeh(const BlockVector& positions, BlockVector&, SiconosVector& y) override {
    const double* q = positions.vector(0)->getArray();
    double* out = y.getArray();
    out[0] = corner_gap(q[0], q[1], q[2], sx_, sy_);
    out[1] = l1 * std::cos(q[0]) + l2 * std::cos(q[1]) + sx_ * half_length * std::cos(q[2]) -
             sy_ * half_height * std::sin(q[2]);
  }

  void computeJachq(const BlockVector& positions, BlockVector&) override {
    const double* q = positions.vector(0)->getArray();
    const double s3 = std::sin(q[2]), c3 = std::cos(q[2]);
    double* H = _jachq->getArray();
    H[0] = -sy_ * l1 * std::cos(q[0]);
    H[1] = -l1 * std::sin(q[0]);
    H[2] = -sy_ * l2 * std::cos(q[1]);
    H[3] = -l2 * std::sin(q[1]);
    H[4] = -sy_ * sx_ * half_length * c3 + half_height * s3;
    H[5] = -sx_ * half_length * s3 - sy_ * half_height * c3;
  }

 private:
  double sx_, sy_;
};

SP::SiconosVector vector_of(std::initializer_list<double> values) {
  SP::SiconosVector result(new SiconosVector(values.size()));
  unsigned int i = 0;
  for (const double value : values) result->setValue(i++, value);
  return result;
}

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
    constexpr std::array<std::array<double, 2>, 4> sides = {{{-1, 1}, {1, 1}, {-1, -1}, {1, -1}}};
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
        direct = std::make_shared<TimeSteppingDirectProjection>(model, times, integrator, impact,
                                                                position, 0u);
        direct->setConstraintTolUnilateral(1e-10);
        direct->setProjectionMaxIteration(100);
        simulation = direct;
      } else {
        SP::OneStepIntegrator integrator(new MoreauJeanCombinedProjectionOSI(0.5));
        combined = std::make_shared<TimeSteppingCombinedProjection>(model, times, integrator,
                                                                    impact, position);
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
    const double elapsed =
        static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / static_cast<double>(steps);
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
      scheme.c_str(), dt, steps, seconds, penetration, turns, tilt, newton, projections,
      index_sets);
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
    const double elapsed =
        static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / static_cast<double>(steps);
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
    if (scheme == "moreau_jean" || scheme == "projection_direct" ||
        scheme == "projection_combined") {
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
    names = {"slider_crank/moreau_jean", "slider_crank/projection_direct",
             "slider_crank/projection_combined", "ball/moreau_jean"};
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
