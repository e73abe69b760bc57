// A beam on a revolute joint, driven against a stop: where the motor's work goes.      build/examples/07_driven_beam
#include <carom/carom.h>

#include <cmath>
#include <cstdio>

using namespace carom;

int main() {
  ModelBuilder m(Space::planar);
  m.set_gravity({0, -9.81, 0});
  m.set_default_contact(ContactParameters{.restitution = 0.3, .friction = 0.2});
  model::PlanarBeamSpec arm;
  arm.name = "arm";
  arm.elements = 8;
  arm.section = {.EA = 2e4, .GA = 8e3, .EI = 4.0, .rho_A = 0.5, .rho_I = 1e-4};
  const auto beam = m.add_planar_beam(arm);
  m.add_joint({.name = "hinge", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = beam.node(0)});
  // A torque that swells and falls within 0.15 s.
  m.add_spring({.name = "motor", .joint = "hinge", .drive = [](double t, double, double) {
                  return t < 0.15 ? 6.0 * std::pow(std::sin(M_PI * t / 0.15), 2) : 0.0;
                }});
  m.add_surface({.name = "tip", .shape = geometry::Disc(0.02), .at = beam.at_length(1.0)});
  m.add_surface({.name = "stop", .shape = geometry::HalfPlane({0, -1}, -0.14)});  // everything above y = 0.14
  const Model model = m.build();

  std::printf("%-28s %10s %10s %10s %10s %10s\n", "scheme", "start [J]", "motor [J]", "blows [J]", "end [J]",
              "open [J]");
  for (const char* scheme : {"moreau_jean", "projection_combined", "nonsmooth_generalized_alpha"}) {
    const auto run = simulate(scenario_of("driven beam", model, {.t_end = 0.2, .step = 1e-4, .scheme = scheme}));
    const Audit& a = run.audit;
    std::printf("%-28s %10.5f %10.5f %10.5f %10.5f %10.5f\n", scheme, a.start_energy, a.other_work,
                a.impact_loss + a.friction_loss + a.joint_loss, a.end_energy, a.scheme_residual);
  }
}
