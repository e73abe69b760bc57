// A box falls on a floor: the smallest scene in which contacts are redundant (four corners, twelve rows, six
// velocities), and everything about it is drawn at random.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <random>

#include "batteries/battery.h"
#include "carom/model/multibody.h"

namespace carom::batteries {

struct BoxDrop {
  std::string text;
  Model model;
  BodySpec body;  // the first
  ContactParameters contact;
  double dt = 1e-3, t_end = 0.5;
};

class BoxDrops {
 public:
  explicit BoxDrops(std::uint64_t seed) : random_(seed) {}

  // What the scheme cannot treat is taken out of it (friction, restitution below 1).
  BoxDrop draw(const SchemeEntry& scheme) {
    const double e = ends_or_between(), mu = ends_or_between(), dt = spread(1e-4, 5e-3);
    const ContactParameters contact = treatable(scheme, {.restitution = e, .friction = mu});
    Multibody scene;
    scene.set_gravity({0, 0, -9.81});
    scene.add_plane({.name = "floor"});
    scene.set_default_contact(contact);
    const std::string how = add_box("box", 0.0, spread(100.0, 8000.0), scene);
    // A second one of very different mass, far away: the scale of one must not be the measure of the other.
    std::string second;
    if (uniform(0.0, 1.0) < 0.25) {
      second = ", and " + add_box("other", 10.0, spread(1e-3, 1e3) * 1000.0, scene);
      scene.add_contact({.name = "none", .a = "box", .b = "other", .law = {}});
    }
    BoxDrop drop{"",
                 scene.build(),
                 scene.bodies()[0],
                 contact,
                 scheme.promises.implicit_force ? dt : std::min(dt, 0.05 / fastest_spin(scene)),
                 0.0};
    drop.t_end =
        scheme.promises.event_driven ? 0.03 : std::clamp(400.0 * drop.dt, 0.15, 0.8);  // every event is followed: slow
    drop.text = fmt::format("{}{}; e {:.3g}, mu {:.3g}, dt {:.3g}", how, second, contact.restitution, contact.friction,
                            drop.dt);
    return drop;
  }

 private:
  std::string add_box(const char* name, double x, double density, Multibody& scene) {
    BodySpec body{.name = name};
    const Vector3 size(spread(0.02, 0.5), spread(0.02, 0.5), spread(0.02, 0.5));
    body.shape = Shape::box(size);
    const MassProperties solid_body = solid(body.shape, density);
    body.mass = solid_body.mass;
    body.inertia = solid_body.inertia;
    const char* how = "any orientation";
    switch (std::uniform_int_distribution<int>(0, 5)(random_)) {
      case 0: how = "on a face"; break;
      case 1:
        how = "on an edge";
        body.orientation = orientation_from_axis(Vector3::UnitX(), std::atan2(size.y(), size.z()));
        break;
      case 2: {
        how = "on a corner";
        const Vector3 corner = 0.5 * size;
        body.orientation =
            orientation_from_axis(corner.cross(Vector3(0, 0, -1)), std::acos(-corner.z() / corner.norm()));
        break;
      }
      default:
        body.orientation = orientation_from_axis(Vector3(normal(), normal(), normal()), uniform(0.0, std::numbers::pi));
    }
    const bool still = uniform(0.0, 1.0) < 0.3;
    if (!still) {
      body.velocity = Vector3(normal(), normal(), normal());
      body.spin = 5.0 * Vector3(normal(), normal(), normal());
    }
    const Matrix3 R = rotation_matrix(body.orientation);
    const double reach = 0.5 * R.row(2).cwiseAbs() * size;
    // Some start on the floor, to the last bit or nearly so.
    const double height = still && uniform(0.0, 1.0) < 0.5 ? 0.0 : spread(1e-6, 0.1);
    body.position = {x, 0.0, reach + height};
    const std::string text =
        fmt::format("{:.3g} x {:.3g} x {:.3g} m, {:.3g} kg, {}, {}, {:.2g} m above the floor", size.x(), size.y(),
                    size.z(), body.mass, how, still ? "still" : "thrown", height);
    scene.add_body(std::move(body));
    return text;
  }

  // What energy permits. Forces taken at the start of a step let a gyroscopic motion grow by (spin dt)^2 / 2 a step.
  static double fastest_spin(const Multibody& scene) {
    double fastest = 0.0;
    for (const BodySpec& body : scene.bodies()) {
      const double energy = 0.5 * body.mass * body.velocity.squaredNorm() + body.mass * 9.81 * body.position.z() +
                            0.5 * body.spin.dot(body.inertia.cwiseProduct(body.spin));
      fastest = std::max(fastest, std::sqrt(2.0 * energy / body.inertia.minCoeff()));
    }
    return fastest;
  }

  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }
  double spread(double a, double b) { return std::exp(uniform(std::log(a), std::log(b))); }
  double normal() { return std::normal_distribution<double>()(random_); }
  double ends_or_between() {
    const double where = uniform(0.0, 1.0);
    return where < 0.2 ? 0.0 : where > 0.8 ? 1.0 : uniform(0.0, 1.0);
  }

  std::mt19937_64 random_;
};

// The energy of a run against what its contacts have put in: Newton's law with friction may create energy in an impact
// (the tangential velocity of one contact turned by the impulse of another), and the audit knows how much.
class EnergyWatch : public Recorder {
 public:
  void begin(const System& system, const State& state) override {
    start_ = allowed_ = system.energetics()->kinetic_energy(state.t, state.q, state.v) +
                        system.energetics()->potential_energy(state.t, state.q);
  }
  void step(const System&, const StepView& view) override {
    const StepAudit& audit = view.audit;
    allowed_ += std::max(0.0, -audit.impact_loss - audit.friction_loss - audit.joint_loss);
    excess_ = std::max(excess_, (audit.total() - allowed_) / start_);
    if (!std::isfinite(audit.total())) excess_ = INFINITY;
  }
  double excess() const { return excess_; }

 private:
  double start_ = 0.0, allowed_ = 0.0, excess_ = -1.0;
};

struct DropOutcome {
  SimulationSummary summary;
  double excess;  // of energy, relative to that of the start
};

inline DropOutcome run_drop(const BoxDrop& drop, const Scheme& scheme) {
  SimulationOptions options;
  options.dt = drop.dt;
  options.t_end = drop.t_end;
  EnergyWatch watch;
  SimulationSummary summary = simulate(*drop.model.system, scheme, solver(), drop.model.initial, options, &watch);
  return {std::move(summary), watch.excess()};
}

// Runs `count` drops, if the scheme treats them. No run fails.
inline void expect_clean_drops(const SchemeEntry& entry, std::uint64_t first, int count) {
  for (int k = 0; k < count; ++k) {
    const BoxDrop drop = BoxDrops(first + static_cast<std::uint64_t>(k)).draw(entry);
    if (const auto why = untreated(entry, *drop.model.system)) GTEST_SKIP() << to_text(*why);
    SCOPED_TRACE(fmt::format("drop {}: {}", k, drop.text));
    const auto [summary, excess] = run_drop(drop, *make_scheme(entry.name));
    ASSERT_EQ(summary.outcome, Outcome::finished) << summary.advice;
    // Errors of the schemes themselves at steps of up to 5 ms: of forces taken at the start of a step, and of positions
    // that a projection lifts.
    ASSERT_LE(excess, entry.promises.implicit_force && !entry.promises.position_level ? 0.02 : 0.1);
  }
}

}  // namespace carom::batteries
