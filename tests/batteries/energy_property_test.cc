// A scheme that declares consistency never gains energy: a thousand random models, states, laws and steps, among them
// models with inertia M(q). Joints hold on the levels declared; the gap of a contact that was closed at the start of a
// step does not shrink in it, unless the scheme says that it lets contacts sink.
#include <random>

#include "batteries/battery.h"

namespace carom::batteries {
namespace {

using Random = std::mt19937_64;
using Numbers = std::map<std::string, ParameterValue>;

double uniform(Random& random, double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); }
double spread(Random& random, double a, double b) { return std::exp(uniform(random, std::log(a), std::log(b))); }

struct Sample {
  std::string text;
  Model model;
  double time_scale;  // of its motion
};

// Contacts of one restitution: different ones may gain energy in the impact law itself.
Sample draw(Random& random, double restitution) {
  ContactParameters contact{.restitution = restitution, .tangential_restitution = restitution};
  const double friction = uniform(random, 0.0, 1.0);
  switch (std::uniform_int_distribution<int>(0, 8)(random)) {
    case 0:
      return {"two_mass_oscillator",
              make_analytic_model("two_mass_oscillator",
                                  {{"m1", spread(random, 0.1, 10.0)},
                                   {"m2", spread(random, 1e-3, 10.0)},
                                   {"stiffness", spread(random, 10.0, 1e6)},
                                   {"x1", uniform(random, 0.1, 0.12)},
                                   {"v1", uniform(random, -3.0, 1.0)},
                                   {"v2", uniform(random, -1.0, 1.0)}},
                                  contact),
              1e-2};
    case 1:
      return {"double_pendulum",
              make_analytic_model("double_pendulum",
                                  {{"mass", spread(random, 0.1, 5.0)},
                                   {"length", uniform(random, 0.2, 1.0)},
                                   {"angle1", uniform(random, 0.0, 1.5)},
                                   {"angle2", uniform(random, 0.0, 1.5)},
                                   {"rate1", uniform(random, -8.0, 8.0)},
                                   {"rate2", uniform(random, -8.0, 8.0)}},
                                  contact),
              2e-2};
    case 2:
      return {"overbalanced_wheel",
              make_analytic_model("overbalanced_wheel",
                                  {{"arms", std::floor(uniform(random, 1.0, 7.0))},
                                   {"mass", spread(random, 0.01, 1.0)},
                                   {"rate", uniform(random, -4.0, 4.0)}},
                                  contact),
              1e-2};
    case 3:
      contact.friction = friction;
      return {"woodpecker",
              make_analytic_model("woodpecker",
                                  {{"beak_restitution", restitution},
                                   {"sleeve_angle", uniform(random, -0.1, 0.1)},
                                   {"bird_angle", uniform(random, -0.3, 0.1)},
                                   {"speed", uniform(random, -1.0, 0.2)},
                                   {"bird_rate", uniform(random, -10.0, 10.0)}},
                                  contact),
              2e-3};
    case 4:
      contact.friction = friction;
      return {"ball_in_box",
              make_analytic_model("ball_in_box",
                                  {{"mass", spread(random, 0.1, 10.0)},
                                   {"gravity_angle", uniform(random, 0.0, 1.57)},
                                   {"vx", uniform(random, -9.0, 9.0)},
                                   {"vy", uniform(random, -9.0, 9.0)}},
                                  contact),
              0.1};
    case 5: {
      contact.friction = friction + 0.01;
      if (uniform(random, 0.0, 1.0) < 0.7) contact.spin_radius = spread(random, 1e-4, 2e-3);
      if (uniform(random, 0.0, 1.0) < 0.3) contact.spin_reservoir = SpinReservoir::exact;
      const bool scalable = uniform(random, 0.0, 1.0) < 0.4;
      return {scalable ? "tippe_top, scalable" : "tippe_top",
              make_analytic_model("tippe_top",
                                  {{"formulation", std::string(scalable ? "scalable" : "quaternion")},
                                   {"height", uniform(random, 0.012, 0.02)},
                                   {"inclination", uniform(random, 0.05, 1.0)},
                                   {"spin", uniform(random, -200.0, 200.0)}},
                                  contact),
              2e-3};
    }
    case 6:
      return {"double_pendulum_minimal",
              make_analytic_model("double_pendulum_minimal",
                                  {{"mass", spread(random, 0.1, 5.0)},
                                   {"length", uniform(random, 0.2, 1.0)},
                                   {"angle1", uniform(random, 0.0, 1.5)},
                                   {"angle2", uniform(random, 0.0, 1.5)},
                                   {"rate1", uniform(random, -8.0, 8.0)},
                                   {"rate2", uniform(random, -8.0, 8.0)}},
                                  contact),
              2e-2};
    case 7: {
      const double rate = uniform(random, -150.0, 150.0);
      return {"slider_crank",
              make_analytic_model("slider_crank",
                                  {{"m3", spread(random, 0.01, 0.2)},
                                   {"crank_rate", rate},
                                   {"rod_rate", -0.5 * rate},
                                   {"slider_angle", uniform(random, -0.005, 0.005)}},
                                  contact),
              2e-4};
    }
    default: {
      const char* formulations[] = {"quaternion", "scalable", "affine"};
      const auto* formulation = formulations[std::uniform_int_distribution<int>(0, 2)(random)];
      return {std::string("free_body, ") + formulation,
              make_analytic_model("free_body",
                                  {{"formulation", std::string(formulation)},
                                   {"gravity", uniform(random, 0.0, 10.0)},
                                   {"J1", uniform(random, 1.0, 1.4)},
                                   {"spin1", uniform(random, -5.0, 5.0)},
                                   {"spin2", uniform(random, -5.0, 5.0)},
                                   {"spin3", uniform(random, -5.0, 5.0)}},
                                  {}),
              5e-2};
    }
  }
}

TEST(ConsistentEnergy, NeverRisesOnAThousandRandomModels) {
  // Impulses wrong by the solver's tolerance do work of its size: it must be below what is asked.
  const auto precise = make_solver("automatic", {{"tolerance", 1e-13}});
  Random random(2011);
  std::map<std::string, int> runs, closed;  // samples; gaps looked at in a step
  int samples = 0;
  while (samples < 1000) {
    const double restitution = std::array{0.0, 1.0, uniform(random, 0.0, 1.0)}[static_cast<std::size_t>(samples % 3)];
    const Sample sample = draw(random, restitution);
    const System& system = *sample.model.system;
    std::vector<const SchemeEntry*> able;
    for (const SchemeEntry* entry : scheme_registry().entries())
      if (entry->promises.conserves && !refusal(*entry, system)) able.push_back(entry);
    if (able.empty()) continue;
    const SchemeEntry& entry = *able[std::uniform_int_distribution<std::size_t>(0, able.size() - 1)(random)];
    const double dt = sample.time_scale * spread(random, 1e-2, 1.0);
    SCOPED_TRACE(fmt::format("sample {}: {}, {}, e {}, dt {:.3g}", samples, sample.text, entry.name, restitution, dt));
    ++samples;
    ++runs[entry.name];

    const Energetics& energetics = *system.energetics();
    const auto scheme = make_scheme(entry.name);
    ContactSet contacts;
    system.detect(0.0, sample.model.initial.q, sample.model.initial.v, dt, contacts);
    ActiveSet joints, gaps;
    joints.reset(contacts);
    gaps.reset(contacts);
    for (Index k = 0; k < contacts.size(); ++k) (contacts[k].bilateral ? joints : gaps).add(k);
    const bool holds_gaps = !entry.promises.sinks || restitution == 1.0;
    Evaluation at, at_before;
    take_steps(
        sample.model, *scheme, dt, 60,
        [&](const State& before, const StepResult& result) {
          const State& after = result.next;
          const double T_0 = energetics.kinetic_energy(before.t, before.q, before.v),
                       V_0 = energetics.potential_energy(before.t, before.q);
          const double T_1 = energetics.kinetic_energy(after.t, after.q, after.v),
                       V_1 = energetics.potential_energy(after.t, after.q);
          const double size = T_0 + std::abs(V_0) + std::abs(V_1);
          ASSERT_LE((T_1 + V_1) - (T_0 + V_0), 1e-12 * size) << "t " << after.t;
          if (holds_gaps && !gaps.empty()) {
            system.evaluate(before.t, before.q, before.v, Need::gap, gaps, at_before);
            system.evaluate(after.t, after.q, after.v, Need::gap, gaps, at);
            Index row = 0;
            for (Index k = 0; k < gaps.size(); ++k) {
              const Constraint& contact = gaps.constraint(k);
              if (at_before.g[row] <= 0.0) {
                ++closed[entry.name];
                ASSERT_GE(at.g[row] - at_before.g[row], -1e-12 * contact.length_scale)
                    << system.constraint_name(contact) << ", t " << after.t;
              }
              row += contact.law->dim();
            }
          }
          if (joints.empty()) return;
          system.evaluate(after.t, after.q, after.v, Need::gap | Need::gap_rate, joints, at);
          const double speed = 1.0 + after.v.lpNorm<Eigen::Infinity>();
          for (Index r = 0; r < joints.rows(); ++r) {
            if (entry.promises.position_level) {
              ASSERT_LE(std::abs(at.g[r]), 1e-12);
            }
            if (entry.promises.velocity_level) {
              ASSERT_LE(std::abs(at.g_rate[r]), 1e-12 * speed);
            }
          }
        },
        *precise);
    if (HasFailure()) return;
  }
  for (const SchemeEntry* entry : scheme_registry().entries())
    if (entry->promises.conserves) {
      EXPECT_GE(runs[entry->name], 20) << entry->name;
      EXPECT_GE(closed[entry->name], 100) << entry->name;
    }
}

}  // namespace
}  // namespace carom::batteries
