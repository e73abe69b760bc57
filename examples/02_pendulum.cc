// A pendulum on a revolute joint, and where its energy goes.      build/examples/02_pendulum
#include <carom/carom.h>

#include <cstdio>

using namespace carom;

int main() {
  const double length = 1.0, mass = 2.0;
  ModelBuilder m(Space::planar);
  m.set_gravity({0, -9.81, 0});
  const BodyRef rod = m.add_body({.name = "rod",
                                  .mass = mass,
                                  .inertia = mass * length * length / 12 * Matrix3::Identity(),
                                  .position = {length / 2, 0, 0}});
  m.add_joint({.name = "hinge", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = rod.at({-length / 2, 0, 0})});
  m.add_spring({.name = "bearing friction", .joint = "hinge", .damping = 0.05});
  const Model model = m.build();

  // start + damper + scheme = end. In maximal coordinates a scheme of first order turns the rod off its circle in every
  // step and pays for it by energy: it halves with the step.
  std::printf("%-28s %12s %12s %12s %12s\n", "scheme", "start [J]", "end [J]", "damper [J]", "scheme [J]");
  for (const char* scheme : {"moreau_jean", "projection_combined", "nonsmooth_generalized_alpha"}) {
    const auto run = simulate(scenario_of("pendulum", model, {.t_end = 5.0, .step = 1e-3, .scheme = scheme}));
    const Audit& audit = run.audit;
    std::printf("%-28s %12.6f %12.6f %12.6f %12.6f   hinge open by %.1e m\n", scheme, audit.start_energy,
                audit.end_energy, audit.other_work, audit.scheme_residual, audit.joint_error);
  }
}
