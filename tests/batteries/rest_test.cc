// What falls comes to rest: a ball, a rocking block, a box and a mass on a driven roller are dropped with 0 <= e < 1
// and random steps. After the last bounce every step must carry the weight and nothing else, to the digits, and what
// friction holds must not creep. A scheme that cannot do it says so in its entry (`rests`), and is held to that
// too: an entry that is out of date fails.
#include <fmt/format.h>

#include <random>

#include "batteries/battery.h"
#include "carom/model/multibody_scenes.h"

namespace carom::batteries {
namespace {

struct Drop {
  std::string name;
  Model model;
  double weight;    // N, that the contacts carry in the end
  double t_end;     // s, by which everything is at rest
  Index held = -1;  // a coordinate that friction holds in the end; none if negative
};

std::vector<Drop> drops(double e) {
  std::vector<Drop> out;
  out.push_back({"ball",
                 make_analytic_model("bouncing_ball", {{"height", 0.05}, {"mass", 2.0}, {"force", -2.0 * 9.81}},
                                     {.restitution = e}),
                 2.0 * 9.81, 2.5});
  out.push_back({"rocking block",
                 make_analytic_model("rocking_block", {{"y", 0.76}, {"angle", 0.01}, {"rate", 0.0}},
                                     {.restitution = e, .friction = 0.4}),
                 9.81, 6.0, 0});
  out.push_back(
      {"roller", make_analytic_model("slider_roller", {}, {.restitution = e, .friction = 0.3}), 9.81, 2.5, 1});
  Multibody scene;
  scene.set_gravity({0, 0, -9.81});
  scene.add_plane({.name = "floor"});
  scene.add_body({.name = "box",
                  .mass = 16.0,
                  .inertia = {0.23, 0.23, 0.42},
                  .position = {0, 0, 0.07},
                  .shape = Shape::box({0.4, 0.4, 0.1})});
  scene.set_default_contact(ContactParameters{.restitution = e, .friction = 0.5});
  out.push_back({"box", scene.build(), 16.0 * 9.81, 2.0, 0});
  return out;
}

// What disturbs the rest of the last 60 steps, in a sentence; empty if nothing does.
std::string unrest(const Drop& drop, const Scheme& scheme, double dt) {
  const long steps = std::lround(drop.t_end / dt);
  double force_error = 0, speed = 0, creep = 0, held = 0;
  State state = drop.model.initial;
  scheme.start(*drop.model.system, dt, state);
  StepWorkspace workspace;
  StepResult result;
  for (long k = 0; k < steps; ++k) {
    scheme.step(*drop.model.system, solver(), state, dt, workspace, result);
    if (result.status != StepStatus::ok) return fmt::format("step {}: {}", k, to_text(result.status));
    std::swap(state, result.next);
    if (k < steps - 60) continue;
    double normal = 0;
    for (const StepContact& contact : result.contacts) normal += result.impulse[contact.row];
    force_error = std::max(force_error, std::abs(normal / (drop.weight * dt) - 1.0));
    speed = std::max(speed, state.v.lpNorm<Eigen::Infinity>());
    if (drop.held < 0) continue;
    if (k == steps - 60) held = state.q[drop.held];
    creep = std::max(creep, std::abs(state.q[drop.held] - held));
  }
  // The solver's 1e-12 leaves as much of the impulse, and its share of the speed of a free step.
  if (force_error <= 1e-9 && speed <= 1e-9 * 9.81 * dt && creep <= 1e-11) return "";
  return fmt::format("force off by {:.2g} of the weight, speed {:.2g} m/s, creep {:.2g}", force_error, speed, creep);
}

class Rest : public EveryScheme {};

TEST_P(Rest, ComesAfterTheLastBounce) {
  CAROM_NEEDS_CONTACTS();
  CAROM_NEEDS_ORDER();
  CAROM_SKIP_IF_IT_SINKS();
  CAROM_SKIP_IF_IT_ALTERNATES();
  std::mt19937_64 random(2026);
  int tried = 0, unresting = 0;
  for (const double e : {0.0, 0.3, 0.5, 0.8})
    for (const Drop& drop : drops(e)) {
      const double dt = std::exp(std::uniform_real_distribution<double>(std::log(1e-3), std::log(5e-3))(random));
      if (refusal(entry(), *drop.model.system)) continue;
      ++tried;
      const std::string why = unrest(drop, *scheme(), dt);
      unresting += !why.empty();
      if (entry().promises.rests) {
        EXPECT_EQ(why, "") << drop.name << ", e " << e << ", step " << dt;
      }
    }
  if (tried > 0 && !entry().promises.rests) {
    EXPECT_GT(unresting, 0) << "its entry says that it does not come to rest";
  }
}

CAROM_FOR_EVERY_SCHEME(Rest);

}  // namespace
}  // namespace carom::batteries
