// Generalized-alpha on the pendulum: which levels of the joint hold, orders of position, velocity and joint force,
// what the start excites, a changed step, damping by the spectral radius.
#include <gtest/gtest.h>

#include <cmath>

#include "batteries/smooth_motion.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/multibody_scenes.h"
#include "carom/schemes/alpha/past.h"
#include "carom/schemes/scheme.h"
#include "schemes/run_scheme.h"
#include "schemes/spring_chain.h"

namespace carom {
namespace {

using testing::Given;

// Largest components of the joint's equations over a run, and of the second difference of its force.
struct JointErrors {
  double g = 0, gamma = 0, rate = 0, early_rate = 0, force_jump = 0;
};

class Joint {
 public:
  explicit Joint(const System& system) : system_(system) {}

  void look(const State& state, JointErrors& errors, long step) {
    system_.detect(state.t, state.q, state.v, 0.0, contacts_);
    all_.reset(contacts_);
    all_.add_all();
    alpha::recall(state, all_, state.memory[0], system_.nv(), past_);
    system_.evaluate(state.t, state.q, state.v, Need::gap | Need::jacobian | Need::convective, all_, at_);
    Vector gamma(all_.rows()), rate(all_.rows());
    at_.W.transpose_multiply(state.v.data(), gamma.data());
    at_.W.transpose_multiply(past_.a.data(), rate.data());
    rate += at_.zeta.vec();
    errors.g = std::max(errors.g, at_.g.vec().lpNorm<Eigen::Infinity>());
    errors.gamma = std::max(errors.gamma, gamma.lpNorm<Eigen::Infinity>());
    errors.rate = std::max(errors.rate, rate.lpNorm<Eigen::Infinity>());
    if (step < 20) errors.early_rate = errors.rate;
    before_.push_back(past_.lambda[0]);
    if (const auto n = before_.size(); n >= 3)
      errors.force_jump = std::max(errors.force_jump, std::abs(before_[n - 1] - 2 * before_[n - 2] + before_[n - 3]));
  }

 private:
  const System& system_;
  ContactSet contacts_;
  ActiveSet all_;
  Evaluation at_;
  alpha::Past past_;
  std::vector<double> before_;
};

JointErrors swing(const Given& given, double dt = 2e-3, double t_end = 2.0) {
  const Model model = make_analytic_model("pendulum", {}, {});
  Joint joint(*model.system);
  JointErrors errors;
  long step = 0;
  testing::run(*model.system, model.initial, "generalized_alpha", given, dt, static_cast<int>(std::lround(t_end / dt)),
               [&](const StepResult& result) { joint.look(result.next, errors, step++); });
  return errors;
}

Given level(const std::string& word, const std::string& start = "consistent") {
  return {{"constraint_level", word}, {"start", start}};
}

// 1e-12 of the scales: 1 m, 10 m/s, 100 m/s^2.
constexpr double g_exact = 1e-12, gamma_exact = 1e-11, rate_exact = 1e-10;

TEST(GeneralizedAlpha, ImposedLevelsHoldToRounding) {
  EXPECT_LE(swing(level("position")).g, g_exact);
  EXPECT_LE(swing(level("velocity")).gamma, gamma_exact);
  EXPECT_LE(swing(level("acceleration")).rate, rate_exact);
  for (const char* both : {"position_velocity", "position_velocity_original"}) {
    EXPECT_LE(swing(level(both)).g, g_exact) << both;
    EXPECT_LE(swing(level(both)).gamma, gamma_exact) << both;
  }
  for (const char* start : {"consistent", "shifted", "zero"}) {
    const JointErrors all = swing(level("position_velocity_acceleration", start));
    EXPECT_LE(all.g, g_exact) << start;
    EXPECT_LE(all.gamma, gamma_exact) << start;
    EXPECT_LE(all.rate, rate_exact) << start;
  }
}

// The published pattern, with the numbers of an independent implementation (components; here within 10 %).
TEST(GeneralizedAlpha, LevelsNotImposedDrift) {
  EXPECT_NEAR(swing(level("position")).gamma, 6.6e-4, 0.7e-4);
  EXPECT_NEAR(swing(level("position")).rate, 4.4, 0.44);
  EXPECT_NEAR(swing(level("velocity")).g, 5.8e-5, 0.6e-5);
  EXPECT_NEAR(swing(level("velocity")).rate, 2.6e-2, 0.3e-2);
  EXPECT_NEAR(swing(level("position_velocity")).rate, 2.6e-2, 0.3e-2);
  EXPECT_NEAR(swing(level("acceleration")).g, 6.8e-4, 0.7e-4);
  EXPECT_NEAR(swing(level("baumgarte")).g, 7.7e-5, 0.8e-5);
  EXPECT_NEAR(swing(level("baumgarte")).rate, 3.7e-3, 0.4e-3);
}

TEST(GeneralizedAlpha, OnlyAllLevelsAreFreeOfOscillationAfterADisturbedStart) {
  for (const char* word : {"position", "velocity", "position_velocity"}) {
    EXPECT_NEAR(swing(level(word, "zero")).rate, 86.0, 2.0) << word;
    EXPECT_GE(swing(level(word, "zero")).force_jump, 50.0) << word;
  }
  // What is left is the curvature of the force itself: the same without the disturbance, and of the order of dt^2.
  const double jump = swing(level("position_velocity_acceleration", "zero")).force_jump;
  EXPECT_LE(jump, 1.05 * swing(level("position_velocity_acceleration")).force_jump);
  EXPECT_NEAR(jump / swing(level("position_velocity_acceleration", "zero"), 1e-3).force_jump, 4.0, 0.2);
}

TEST(GeneralizedAlpha, TransientOfTheAccelerationIsSecondOrderWithTheShiftedStart) {
  for (const char* word : {"velocity", "position_velocity"}) {
    const auto ratio = [&](const char* start) {
      return swing(level(word, start), 2e-3, 0.05).early_rate / swing(level(word, start), 1e-3, 0.05).early_rate;
    };
    EXPECT_NEAR(ratio("consistent"), 2.0, 0.2) << word;
    EXPECT_NEAR(ratio("shifted"), 4.0, 0.3) << word;
  }
}

// q and v at t = 1 against Runge-Kutta on acceleration level.
struct End {
  Vector q, v;
};
const End& exact_end() {
  static const End end = [] {
    const Model model = make_analytic_model("pendulum", {}, {});
    batteries::SmoothMotion motion(model, true);
    motion.run(1.0, 20000);
    return End{motion.q, motion.v};
  }();
  return end;
}

// From the last halving.
double order(const std::vector<double>& steps, const std::vector<double>& errors) {
  const std::size_t n = steps.size();
  return std::log(errors[n - 2] / errors[n - 1]) / std::log(steps[n - 2] / steps[n - 1]);
}

TEST(GeneralizedAlpha, EveryLevelIsOfSecondOrder) {
  const Model model = make_analytic_model("pendulum", {}, {});
  for (const char* word : {"position_velocity_acceleration", "position", "velocity", "acceleration", "baumgarte",
                           "position_velocity", "position_velocity_original"})
    for (const double radius : {1.0, 0.9, 0.5}) {
      // Without damping the oscillation of the joint force never ends and costs half an order.
      if (radius == 1.0 && word == std::string("position")) continue;
      std::vector<double> steps, errors_q, errors_v;
      for (const int n : {250, 500, 1000, 2000}) {
        Given given = level(word);
        given["spectral_radius"] = radius;
        const State end = testing::run(*model.system, model.initial, "generalized_alpha", given, 1.0 / n, n);
        steps.push_back(1.0 / n);
        errors_q.push_back((end.q - exact_end().q).norm());
        errors_v.push_back((end.v - exact_end().v).norm());
      }
      EXPECT_NEAR(order(steps, errors_q), 2.0, 0.1) << word << " " << radius;
      EXPECT_NEAR(order(steps, errors_v), 2.0, 0.1) << word << " " << radius;
    }
}

// Steps of two lengths in turn: the memory of the acceleration is carried over, not restarted.
TEST(GeneralizedAlpha, AChangedStepKeepsTheOrder) {
  const Model model = make_analytic_model("pendulum", {}, {});
  const auto solver = make_solver("automatic");
  const auto scheme = make_scheme("generalized_alpha", {{"spectral_radius", 0.5}});
  std::vector<double> steps, errors;
  for (const int n : {250, 500, 1000}) {
    const double dt = 1.0 / n;
    StepWorkspace workspace;
    StepResult result;
    State state = model.initial;
    scheme->start(*model.system, dt, state);
    for (int k = 0; k < 2 * n; ++k) {
      scheme->step(*model.system, *solver, state, (k % 2 == 0 ? 0.2 : 0.8) * dt, workspace, result);
      ASSERT_EQ(result.status, StepStatus::ok);
      std::swap(state, result.next);
    }
    steps.push_back(dt);
    errors.push_back((state.q - exact_end().q).norm());
  }
  EXPECT_NEAR(order(steps, errors), 2.0, 0.1);
}

// A spring so stiff that the step sees nothing of its period: vibration shrinks by the spectral radius a step.
TEST(GeneralizedAlpha, DampsTheFastestByTheSpectralRadius) {
  for (const double radius : {1.0, 0.8, 0.5}) {
    const testing::SpringChain chain(2, true, 0.0);
    State start;
    start.q = Vector::Constant(2, 1e6);  // far above the floor
    start.q[1] += 10.0;                  // what is left of it after 30 steps is still well above rounding
    start.v = Vector::Zero(2);
    std::vector<double> stretch;
    testing::run(chain, start, "nonsmooth_generalized_alpha", {{"spectral_radius", radius}}, 5.0, 30,
                 [&](const StepResult& result) { stretch.push_back(std::abs(result.next.q[1] - result.next.q[0])); });
    // At infinite frequency all three roots of the recursion are -rho: the amplitude follows k^2 rho^k.
    const double polynomial = radius < 1.0 ? std::pow(30.0 / 20.0, 2) : 1.0;
    const double rate = std::pow(stretch[29] / stretch[19] / polynomial, 0.1);
    EXPECT_NEAR(rate, radius, 0.02 * radius) << radius;
  }
}

// Four rods on ball joints swing in space.
TEST(GeneralizedAlpha, ChainOfBodiesWithQuaternions) {
  const Model model = pendulum_chain(4).build();
  ASSERT_FALSE(refusal(scheme_registry().find("generalized_alpha"), *model.system));
  std::vector<Vector> ends;
  for (const int n : {100, 200, 400}) {
    JointErrors errors;
    Joint joint(*model.system);
    long step = 0;
    ends.push_back(
        testing::run(*model.system, model.initial, "generalized_alpha", {}, 0.5 / n, n, [&](const StepResult& result) {
          joint.look(result.next, errors, step++);
        }).q);
    EXPECT_LE(errors.g, 1e-12);
    EXPECT_LE(errors.gamma, 1e-11);
    EXPECT_LE(errors.rate, 1e-9);
  }
  EXPECT_NEAR(std::log2((ends[1] - ends[0]).norm() / (ends[2] - ends[1]).norm()), 2.0, 0.2);
}

}  // namespace
}  // namespace carom
