// Coulomb-Contensou friction: one iteration of the projected fixed point on a block of four rows, with the ellipsoid
// scaled to a ball, the ellipsoid as it is, and the exact set; and steps of the tippe top.
#include <random>

#include "carom/laws/contensou_law.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/schemes/scheme.h"
#include "carom/sets/ellipsoid.h"
#include "run_benchmarks.h"

namespace {

using namespace carom;

constexpr double mu = 0.3, radius = 2.945e-4;

// lambda <- P(lambda - r (G lambda + c)) on blocks that slide and spin, for a top's inertia.
struct Blocks {
  static constexpr int count = 64;
  Eigen::Matrix4d G;
  std::vector<Eigen::Vector4d> c, lambda;

  // In physical rows (N, T1, T2, spin), or with the spin row scaled.
  explicit Blocks(bool scaled) {
    Eigen::Vector4d mobility(2e2, 4e2, 4e2, 1.4e6);
    Eigen::Matrix4d coupled = mobility.asDiagonal();
    coupled(0, 1) = coupled(1, 0) = 50.0;
    const Eigen::Vector4d scale(1.0, 1.0, 1.0, scaled ? radius : 1.0);
    G = scale.asDiagonal() * coupled * scale.asDiagonal();
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    for (int k = 0; k < count; ++k) {
      const Eigen::Vector4d velocity(-1e-2, 0.3 * normal(random), 0.3 * normal(random), 600.0 * normal(random));
      c.push_back(scale.asDiagonal() * velocity);
      const double pressure = 1e-4;
      lambda.push_back(Eigen::Vector4d(pressure, 0.0, 0.0, 0.0));
    }
  }
};

template <class Project>
void iterate(benchmark::State& state, bool scaled, Project project) {
  Blocks blocks(scaled);
  const double r = 1.0 / blocks.G.diagonal().maxCoeff();
  int k = 0;
  for (auto _ : state) {
    Eigen::Vector4d& lambda = blocks.lambda[static_cast<std::size_t>(k)];
    Eigen::Vector4d x = lambda - r * (blocks.G * lambda + blocks.c[static_cast<std::size_t>(k)]);
    project(x, lambda);
    benchmark::DoNotOptimize(lambda.data());
    k = (k + 1) % Blocks::count;
  }
}

void iterate_law(benchmark::State& state, const Law& law) {
  iterate(state, true, [&](const Eigen::Vector4d& x, Eigen::Vector4d& y) { law.project(x.data(), y.data()); });
}

// The ellipsoid in physical rows: an iterative projection, its size following the normal force.
void iterate_ellipsoid(benchmark::State& state) {
  const Ellipsoid unit(Eigen::Vector3d(1.0, 1.0, radius).asDiagonal().toDenseMatrix());
  iterate(state, false, [&](const Eigen::Vector4d& x, Eigen::Vector4d& y) {
    y[0] = std::max(0.0, x[0]);
    const double reach = mu * y[0];
    if (reach == 0.0) {
      y.tail<3>().setZero();
      return;
    }
    const Eigen::Vector3d z = x.tail<3>() / reach;
    Eigen::Vector3d p;
    unit.project(z.data(), p.data());
    y.tail<3>() = reach * p;
  });
}

void top_steps(benchmark::State& state, const std::string& scheme_name, SpinReservoir reservoir, double dt) {
  const Model model = make_analytic_model(
      "tippe_top", {}, {.restitution = 0.0, .friction = mu, .spin_radius = radius, .spin_reservoir = reservoir});
  const auto scheme = make_scheme(scheme_name);
  const auto solver = make_solver("automatic");
  StepWorkspace workspace;
  StepResult result;
  State start = model.initial;
  scheme->start(*model.system, dt, start);
  State x = start;
  long failures = 0;
  for (auto _ : state) {
    scheme->step(*model.system, *solver, x, dt, workspace, result);
    failures += result.status != StepStatus::ok;
    std::swap(x, result.next);
    if (x.t >= 3.0) x = start;
  }
  state.SetItemsProcessed(state.iterations());  // steps per second
  state.counters["failed_steps"] = static_cast<double>(failures);
}

void register_all() {
  static const ContensouEllipsoidLaw ball(0.0, mu, radius);
  static const ContensouLaw exact(0.0, mu, radius);
  benchmark::RegisterBenchmark("iteration/ball", [](benchmark::State& s) { iterate_law(s, ball); });
  benchmark::RegisterBenchmark("iteration/ellipsoid", iterate_ellipsoid);
  benchmark::RegisterBenchmark("iteration/exact_set", [](benchmark::State& s) { iterate_law(s, exact); });
  for (const char* scheme : {"moreau_midpoint", "consistent_quaternion_one_step", "consistent_quaternion_two_step"})
    for (const auto& [name, reservoir] :
         {std::pair{"ellipsoid", SpinReservoir::ellipsoid}, std::pair{"exact_set", SpinReservoir::exact}})
      benchmark::RegisterBenchmark(("tippe_top_" + std::string(name) + "/" + scheme).c_str(), top_steps,
                                   std::string(scheme), reservoir, 1e-4);
}

}  // namespace

int main(int argc, char** argv) { return run_benchmarks(argc, argv, register_all); }
