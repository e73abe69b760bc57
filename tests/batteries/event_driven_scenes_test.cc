// Where events once did not end, and contacts that no sign at the ends of an internal step shows: scenes for the
// event-driven scheme. Skipped in builds without it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "batteries/battery.h"
#include "carom/model/multibody.h"

namespace carom::batteries {
namespace {

bool built() {
  const auto names = scheme_registry().names();
  return std::find(names.begin(), names.end(), "event_driven") != names.end();
}
#define CAROM_NEEDS_EVENTS() \
  if (!built()) GTEST_SKIP() << "a build without SUNDIALS"

BodySpec box(const std::string& name, const Vector3& size, double density, const Vector3& position) {
  BodySpec body;
  body.name = name;
  body.mass = density * size.prod();
  const Vector3 square = size.cwiseProduct(size);
  body.inertia = body.mass / 12.0 * Vector3(square.y() + square.z(), square.z() + square.x(), square.x() + square.y());
  body.position = position;
  body.shape = Shape::box(size);
  return body;
}

SimulationSummary run(const Model& model, double t_end, double dt) {
  return simulate(*model.system, *make_scheme("event_driven"), solver(), model.initial, {.t_end = t_end, .dt = dt});
}

// A box that rests in the corner of a room: twelve contacts, of which friction and pressure at most six are needed. It
// stays.
TEST(EventDrivenScenes, ABoxRestsInACorner) {
  CAROM_NEEDS_EVENTS();
  for (const Vector3& gravity :
       {Vector3(0, 0, -9.81), Vector3(-1, -2, -9.81), Vector3(-7, -7, -7), Vector3(0.5, 0.5, -9)})
    for (const double friction : {0.0, 0.5}) {
      if (friction == 0.0 && gravity.x() > 0.0) continue;
      Multibody scene;
      scene.set_gravity(gravity);
      scene.add_body(box("box", {0.4, 0.3, 0.2}, 100.0, {0.2, 0.15, 0.1}));
      scene.add_plane({"floor", Vector3::Zero(), Vector3::UnitZ()});
      scene.add_plane({"wall", Vector3::Zero(), Vector3::UnitX()});
      scene.add_plane({"side", Vector3::Zero(), Vector3::UnitY()});
      scene.set_default_contact(ContactParameters{.restitution = 0.5, .friction = friction});
      const Model model = scene.build();
      const SimulationSummary summary = run(model, 0.1, 0.02);
      SCOPED_TRACE(fmt::format("gravity {} {} {}, friction {}", gravity.x(), gravity.y(), gravity.z(), friction));
      EXPECT_EQ(summary.outcome, Outcome::finished) << summary.advice;
      EXPECT_LT((summary.last.q - model.initial.q).norm(), 1e-12);
      EXPECT_LT(summary.last.v.norm(), 1e-12);
    }
}

// Two boxes that fall on corners and come to stick, roll and slide on edges: at 0.4686 s one corner begins to slide
// while two others stick, and its direction was lost in rounding.
TEST(EventDrivenScenes, ACornerBeginsToSlide) {
  CAROM_NEEDS_EVENTS();
  Multibody scene;
  scene.set_gravity({0, 0, -9.81});
  BodySpec b0 = box("b0", {0.486693068, 0.222902704, 0.165080612}, 100.0, {0, 0, 0.588449974});
  b0.spin = {2.60657087, -1.46680123, -0.232985969};
  b0.orientation = orientation_from_axis({0.425553199, 0.465254672, -0.776171737}, 0.525828757);
  BodySpec b1 = box("b1", {0.336142711, 0.338189953, 0.313512664}, 100.0, {2, 0, 1.05179464});
  b1.orientation = orientation_from_axis({0.0121900991, 0.548568689, 0.836016624}, 1.24221663);
  scene.add_body(b0);
  scene.add_body(b1);
  scene.add_plane({"floor", Vector3::Zero(), Vector3::UnitZ()});
  scene.set_default_contact(ContactParameters{.restitution = 0.0, .friction = 1.0});
  scene.add_contact({"none", "b0", "b1", std::nullopt});
  const SimulationSummary summary = run(scene.build(), 0.6, 0.05);
  EXPECT_EQ(summary.outcome, Outcome::finished) << summary.advice;
  EXPECT_TRUE(summary.judgement.sound());
  EXPECT_LT(std::abs(summary.audit.scheme_residual), 1e-9 * summary.audit.energy_scale);
}

// Two spheres at up to 10 km/s: their gap has no change of sign at the ends of the internal steps of free flight, but
// its rate has. e = 1, equal masses: the normal velocities are exchanged, at the instant of geometry.
TEST(EventDrivenScenes, FastSpheresMeet) {
  CAROM_NEEDS_EVENTS();
  std::mt19937_64 random(5);
  const auto uniform = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  for (int k = 0; k < 20; ++k) {
    const double speed = std::exp(uniform(std::log(1.0), std::log(1e4))), offset = uniform(-0.095, 0.095);
    Multibody scene;
    BodySpec a;
    a.name = "a";
    a.mass = 1.0;
    a.inertia = Vector3::Constant(1e-3);
    a.shape = Shape::sphere(0.05);
    a.position = {-uniform(0.2, 9.0), offset, 0};
    a.velocity = {speed, 0, 0};
    BodySpec b = a;
    b.name = "b";
    b.position = b.velocity = Vector3::Zero();
    scene.add_body(a);
    scene.add_body(b);
    scene.set_default_contact(ContactParameters{.restitution = 1.0});
    const double meeting = (-a.position.x() - std::sqrt(0.01 - offset * offset)) / speed;
    const SimulationSummary summary = run(scene.build(), 12.0 / speed, 12.0 / speed);
    SCOPED_TRACE(fmt::format("speed {}, offset {}", speed, offset));
    ASSERT_EQ(summary.events.size(), 1u);
    EXPECT_NEAR(summary.events[0].t, meeting, 1e-9 * meeting);
    const Vector3 n = Vector3(-std::sqrt(0.01 - offset * offset), offset, 0) / 0.1;
    const Vector3 v_b = speed * n.x() * n;
    EXPECT_LT((Vector3(summary.last.v.segment<3>(6)) - v_b).norm(), 1e-8 * speed);
    EXPECT_TRUE(summary.judgement.sound());
  }
}

// One step that lasts for hours of impacts ends soon after it is asked to, at the state it started from.
TEST(EventDrivenScenes, ALongStepCanBeInterrupted) {
  CAROM_NEEDS_EVENTS();
  const Model model = make_analytic_model("bouncing_ball", {{"height", 1.0}, {"velocity", 0.0}, {"force", -10.0}},
                                          {.restitution = 1.0});
  std::atomic<bool> stop = false;
  std::thread hand([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop = true;
  });
  SimulationOptions options{.t_end = 1e6, .dt = 1e6};
  options.interrupt = &stop;
  const auto scheme = make_scheme("event_driven", {{"most_events", 1e9}});
  const auto begin = std::chrono::steady_clock::now();
  const auto summary = simulate(*model.system, *scheme, solver(), model.initial, options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  hand.join();
  EXPECT_EQ(summary.outcome, Outcome::interrupted);
  EXPECT_EQ(summary.steps, 0);
  EXPECT_EQ(summary.last.t, 0.0);
  EXPECT_LT(seconds, 60.0);  // not hours; a busy machine may take its time
}

// Events without end are given up with a reason that names them.
TEST(EventDrivenScenes, WhatDoesNotEndIsGivenUp) {
  CAROM_NEEDS_EVENTS();
  const Model model = make_analytic_model("bouncing_ball", {{"height", 1.0}, {"velocity", 0.0}, {"force", -10.0}},
                                          {.restitution = 1.0});
  const auto scheme = make_scheme("event_driven", {{"most_events", 100.0}});
  SimulationOptions options{.t_end = 1e6, .dt = 1e6};
  options.on_failure = FailurePolicy::stop;
  const auto summary = simulate(*model.system, *scheme, solver(), model.initial, options);
  EXPECT_EQ(summary.outcome, Outcome::failed);
  EXPECT_EQ(summary.failure, StepStatus::integrator_failed);
  EXPECT_NE(summary.advice.find("impact of floor"), std::string::npos) << summary.advice;
}

}  // namespace
}  // namespace carom::batteries
