// A ball falls on a floor and bounces.      build/examples/01_first_bounce
#include <carom/carom.h>

#include <cstdio>

using namespace carom;

// A recorder is shown every step.
class Bounces : public Recorder {
 public:
  void step(const System& system, const StepView& view) override {
    const StepResult& r = view.result;
    for (const StepContact& contact : r.contacts)
      if (r.impulse[contact.row] > 0.0)
        std::printf("t = %.4f s  %s  %.4f N s  %+.4f -> %+.4f m/s\n", r.next.t,
                    system.constraint_name(contact.constraint).c_str(), r.impulse[contact.row],
                    r.gamma_minus[contact.row], r.gamma_plus[contact.row]);
  }
};

int main() {
  const double radius = 0.1, mass = 1.0;
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -9.81});
  m.set_default_contact(ContactParameters{.restitution = 0.7});
  m.add_surface({.name = "floor", .shape = geometry::HalfSpace()});
  const BodyRef ball = m.add_body({.name = "ball",
                                   .mass = mass,
                                   .inertia = 0.4 * mass * radius * radius * Matrix3::Identity(),
                                   .position = {0, 0, 0.6}});
  m.add_surface({.body = ball.number, .shape = geometry::Sphere(radius)});

  Bounces bounces;
  const auto run = simulate(scenario_of("bounce", m.build(), {.t_end = 1.5, .step = 1e-4}), &bounces);
  std::printf("%ld steps, the ball is at z = %.4f m\n", run.steps, run.last.q[2]);
}
