// The energy guard of the projected schemes (schemes/projection/energy_guard.h): without friction their contacts bring
// in next to nothing. With the guard off, as published, single steps gain several percent: the same scenes can show it.
#include "batteries/passive_scenes.h"

namespace carom::batteries {
namespace {

// The largest rise of the energy in a step, relative to what the scene has, of scenes with or without restitution.
struct Rise {
  double elastic = 0.0, inelastic = 0.0;
};

Rise largest_rise(const std::string& scheme_name, bool guard) {
  passive::Random random(7);
  const auto scheme = make_scheme(scheme_name, {{"energy_guard", guard}});
  Rise rise;
  for (int sample = 0; sample < 60; ++sample) {
    const passive::Scene scene = passive::draw(random);
    double worst = 0.0, before = passive::energy(scene, scene.model.initial);
    class Watch final : public Recorder {
     public:
      Watch(const passive::Scene& of, double& start, double& rise_of) : scene_(of), before_(start), worst_(rise_of) {}
      void step(const System&, const StepView& view) override {
        const double after = passive::energy(scene_, view.result.next);
        worst_ = std::max(worst_, (after - before_) / scene_.energy);
        before_ = after;
      }

     private:
      const passive::Scene& scene_;
      double &before_, &worst_;
    } watch(scene, before, worst);
    SimulationOptions options{.t_end = 200.0 * scene.dt, .dt = scene.dt};
    const auto summary = simulate(*scene.model.system, *scheme, solver(), scene.model.initial, options, &watch);
    EXPECT_EQ(summary.outcome, Outcome::finished) << scene.text << ": " << summary.advice;
    double& part = scene.restitution > 0.0 ? rise.elastic : rise.inelastic;
    part = std::max(part, worst);
  }
  return rise;
}

TEST(EnergyGuard, KeepsReboundsOfTheCombinedProjectionFromGaining) {
  EXPECT_GT(largest_rise("projection_combined", false).elastic, 0.01);
  const Rise rise = largest_rise("projection_combined", true);
  EXPECT_LE(rise.elastic, 1e-9);
  EXPECT_LE(rise.inelastic, 1e-5);  // the lift out of a wall of a contact that others have closed
}

// It projects contacts that were not in its forecast, without an impact: such a lift no restitution can pay for.
TEST(EnergyGuard, KeepsReboundsOfTheDirectProjectionFromGaining) {
  EXPECT_GT(largest_rise("projection_direct", false).elastic, 0.01);
  const Rise rise = largest_rise("projection_direct", true);
  EXPECT_LE(rise.elastic, 5e-4);
  EXPECT_LE(rise.inelastic, 1e-3);
}

// A frictionless elastic box that tumbles at 10 rad/s: the normals turn during a step.
class TumblingBox : public ::testing::TestWithParam<std::tuple<const char*, double>> {};

double gain_of_box(const char* scheme, double dt, bool guard) {
  Multibody scene;
  scene.set_gravity({0, 0, -9.81});
  scene.add_plane({.name = "floor"});
  scene.set_default_contact(ContactParameters{.restitution = 1.0});
  BodySpec box{.name = "box"};
  box.shape = Shape::box({0.3, 0.4, 0.45});
  const MassProperties solid_body = solid(box.shape, 1000.0);
  box.mass = solid_body.mass;
  box.inertia = solid_body.inertia;
  box.position = {0, 0, 1.0};
  box.spin = {9.5, -2.5, -2.0};
  scene.add_body(box);
  const Model model = scene.build();
  SimulationOptions options{.t_end = 2.0, .dt = dt};
  const auto summary =
      simulate(*model.system, *make_scheme(scheme, {{"energy_guard", guard}}), solver(), model.initial, options);
  EXPECT_EQ(summary.outcome, Outcome::finished) << summary.advice;
  return summary.audit.largest_rise / summary.audit.start_energy;
}

// What is left is of second order: forces and normals of one step are taken at one of its positions.
TEST_P(TumblingBox, GainsHardlyAnything) {
  const auto [scheme, dt] = GetParam();
  EXPECT_GT(gain_of_box(scheme, dt, false), dt);
  EXPECT_LE(gain_of_box(scheme, dt, true), 50.0 * dt * dt);
}

INSTANTIATE_TEST_SUITE_P(Schemes, TumblingBox,
                         ::testing::Combine(::testing::Values("projection_combined", "projection_direct"),
                                            ::testing::Values(1e-2, 1e-3)));

}  // namespace
}  // namespace carom::batteries
