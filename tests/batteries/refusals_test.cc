// A scheme treats a feature or refuses it. On the smallest model that has the feature, what it treats it must follow,
// and what it refuses it must really not be able to do: nobody is sent away without need.
#include <cmath>

#include "batteries/battery.h"
#include "carom/model/assembly/builder.h"

namespace carom::batteries {
namespace {

using namespace carom::model;

struct Smallest {
  Feature feature;
  Model model;
  double t_end;
};

Matrix3 diagonal(double a, double b, double c) { return Vector3(a, b, c).asDiagonal(); }

Model spinning_sphere(SpinReservoir reservoir) {
  const double radius = 0.1, mass = 1.0;
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -9.81});
  m.set_default_contact(
      ContactParameters{.restitution = 1.0, .friction = 0.3, .spin_radius = 0.05, .spin_reservoir = reservoir});
  m.add_surface({.name = "floor", .shape = geometry::HalfSpace()});
  const BodyRef ball = m.add_body({.name = "ball",
                                   .mass = mass,
                                   .inertia = 0.4 * mass * radius * radius * Matrix3::Identity(),
                                   .position = {0, 0, radius},
                                   .velocity = {0.5, 0, 0},
                                   .spin = {0, 0, 40}});
  m.add_surface({.body = ball.number, .shape = geometry::Sphere(radius)});
  return m.build();
}

Model wheel(double friction, bool driven) {
  ModelBuilder m(Space::planar);
  m.set_gravity({0, -9.81, 0});
  const BodyRef body = m.add_body({.name = "wheel",
                                   .mass = 3.0,
                                   .inertia = 0.05 * Matrix3::Identity(),
                                   .position = {0.1, 0, 0},
                                   .velocity = {0, driven ? 0.3 : 0.4, 0},
                                   .spin = {0, 0, driven ? 3.0 : 4.0}});
  JointSpec bearing{.name = "bearing", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = body.at({-0.1, 0, 0})};
  if (friction > 0.0) bearing.friction = JointFriction{friction, 0.01};
  m.add_joint(std::move(bearing));
  if (driven) m.add_drive({.joint = "bearing", .motion = [](double t) { return Prescribed{3.0 * t, 3.0, 0.0}; }});
  return m.build();
}

// A box slides on four corners and comes to rest.
Model sliding_box() {
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -9.81});
  m.set_default_contact(ContactParameters{.restitution = 0.3, .friction = 0.5});
  m.add_surface({.name = "floor", .shape = geometry::HalfSpace()});
  const BodyRef box = m.add_body({.name = "box",
                                  .mass = 1.0,
                                  .inertia = diagonal(0.02, 0.03, 0.04),
                                  .position = {0, 0, 0.1},
                                  .velocity = {0.5, 0.2, 0}});
  m.add_surface({.body = box.number, .shape = geometry::Box({0.3, 0.2, 0.1})});
  return m.build();
}

// A ball on a floor that is lifted ever faster.
Model lifted_ball() {
  ModelBuilder m(Space::spatial);
  m.set_default_contact(ContactParameters{.restitution = 1.0});
  const BodyRef floor = m.add_kinematic_body({.name = "floor", .motion = [](double t) {
                                                PrescribedMotion lift;
                                                lift.pose.x = {0, 0, 0.5 * t * t};
                                                lift.twist.velocity = {0, 0, t};
                                                lift.rate.velocity = {0, 0, 1};
                                                return lift;
                                              }});
  m.add_surface({.body = floor.number, .shape = geometry::HalfSpace()});
  const BodyRef ball = m.add_body({.name = "ball", .mass = 1.0, .position = {0, 0, 0.1}});
  m.add_surface({.body = ball.number, .shape = geometry::Sphere(0.1)});
  return m.build();
}

// More than one where a feature has more than one face.
std::vector<Smallest> smallest(Feature feature) {
  const ContactParameters elastic{.restitution = 1.0};
  switch (feature) {
    case Feature::contacts: return {{feature, make_analytic_model("bouncing_ball", {}, elastic), 1.3}};
    case Feature::inelastic: return {{feature, make_analytic_model("bouncing_ball", {}, {.restitution = 0.5}), 1.3}};
    case Feature::two_phases:
      return {
          {feature, make_analytic_model("bouncing_ball", {}, {.restitution = 0.5, .impact = ImpactLaw::poisson}), 1.3}};
    case Feature::friction:
      return {{feature, make_analytic_model("falling_disc", {}, {.restitution = 1.0, .friction = 0.3}), 1.0},
              {feature, make_analytic_model("sliding_mass", {}, {.restitution = 1.0, .friction = 0.3}), 1.0}};
    case Feature::joints: return {{feature, wheel(0.0, false), 0.5}};
    case Feature::joint_friction: return {{feature, wheel(0.5, false), 0.5}};
    case Feature::rheonomic: return {{feature, wheel(0.0, true), 0.5}, {feature, lifted_ball(), 0.5}};
    case Feature::variable_inertia:
      return {{feature, make_analytic_model("double_pendulum_minimal", {}, elastic), 0.3}};
    case Feature::quaternions: {
      ModelBuilder m(Space::spatial);
      m.add_body({.name = "plate", .mass = 1.0, .inertia = diagonal(1, 2, 3), .spin = {1.0, 2.0, -1.0}});
      return {{feature, m.build(), 0.5}, {feature, sliding_box(), 1.0}};
    }
    case Feature::spin_friction: return {{feature, spinning_sphere(SpinReservoir::ellipsoid), 0.3}};
    case Feature::exact_reservoir: return {{feature, spinning_sphere(SpinReservoir::exact), 0.3}};
  }
  throw std::logic_error("no smallest model");
}

// The state the scheme ends in, or nothing if it gives up.
std::optional<State> end_of(const Smallest& c, const std::string& scheme_name, double dt) {
  try {
    const auto scheme = make_scheme(scheme_name);
    State state = c.model.initial;
    scheme->start(*c.model.system, dt, state);
    StepWorkspace workspace;
    StepResult result;
    for (long k = 0; k < std::lround(c.t_end / dt); ++k) {
      scheme->step(*c.model.system, solver(), state, dt, workspace, result);
      if (result.status != StepStatus::ok) return std::nullopt;
      std::swap(state, result.next);
    }
    return state;
  } catch (const std::exception&) {  // gives up with words
    return std::nullopt;
  }
}

// The distance of two ends, relative to the way and the velocity of the motion.
double apart(const Smallest& c, const State& a, const State& b) {
  const State& start = c.model.initial;
  const double velocity = std::max(b.v.norm(), start.v.norm()), way = (b.q - start.q).norm();
  return (a.q - b.q).norm() / std::max(way, velocity * c.t_end) +
         (a.v - b.v).norm() / std::max(velocity, way / c.t_end);
}

class Refusals : public EveryScheme {};

// What fails only beyond the smallest model.
bool refused_for_more_than_the_smallest(const std::string& scheme, Feature feature) {
  static const struct {
    std::string scheme;
    Feature feature;
  } known[] = {
      {"generalized_alpha", Feature::contacts},  // with impacts it is another scheme: nonsmooth_generalized_alpha
      {"nonsmooth_generalized_alpha_decoupled",
       Feature::quaternions},  // its Newton iteration fails on one of four boxes that drop
  };
  for (const auto& known_one : known)
    if (known_one.scheme == scheme && known_one.feature == feature)
      return !scheme_registry().find(scheme).treats.contains(feature);
  return false;
}

double energy(const System& system, const State& s) {
  return system.energetics()->kinetic_energy(s.t, s.q, s.v) + system.energetics()->potential_energy(s.t, s.q);
}

constexpr double dt = 1e-3, near = 0.02;

// How far from the right end the scheme is. Moreau-Jean treats everything: with a short step it is the reference.
double error(const Smallest& c, const SchemeEntry& scheme) {
  const auto reference = end_of(c, "moreau_jean", dt / 20);
  if (!reference) throw std::logic_error("no reference");
  const auto end = end_of(c, scheme.name, dt);
  if (!end) return INFINITY;
  const System& system = *c.model.system;
  const double scale = system.energetics()->kinetic_energy(reference->t, reference->q, reference->v);
  const double start = energy(system, c.model.initial);
  const bool conservative = std::abs(energy(system, *reference) - start) < 1e-2 * scale;
  if (scheme.promises.conserves && conservative && std::abs(energy(system, *end) - start) > 1e-6 * scale)
    return INFINITY;
  return apart(c, *end, *reference);
}

TEST_P(Refusals, AreNecessaryAndNoneIsMissing) {
  for (const Feature feature : all_features) {
    if (refused_for_more_than_the_smallest(entry().name, feature)) continue;
    double worst = -1.0;
    for (const Smallest& c : smallest(feature)) {
      const FeatureSet features = c.model.system->features();
      ASSERT_TRUE(features.contains(feature)) << name_of(feature);
      if (features.without({feature}).without(entry().treats).empty()) worst = std::max(worst, error(c, entry()));
    }
    if (worst < 0.0) continue;  // refused for something else
    if (entry().treats.contains(feature))
      EXPECT_LE(worst, near) << "does not treat " << name_of(feature);
    else
      EXPECT_GT(worst, near) << "refuses " << name_of(feature) << " without need";
  }
}

CAROM_FOR_EVERY_SCHEME(Refusals);

}  // namespace
}  // namespace carom::batteries
