// A frame on springs under a thousand balls: who carries what, where energy goes.    build/examples/09_frame_in_a_pile
#include <carom/carom.h>

#include <cstdio>
#include <string>

using namespace carom;

int main() {
  constexpr double radius = 0.05, g = 9.81, wall = 0.02, half = 0.55, height = 0.3;
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -g});
  m.set_default_contact(ContactParameters{.friction = 0.3});
  // A tray with four sides: one body of five boxes, its mass and centre those of the compound.
  const Matrix3 I = Matrix3::Identity();
  const geometry::Compound tray({{geometry::Box({half, half, wall}), {Vector3(0, 0, -wall), I}},
                                 {geometry::Box({wall, half, height / 2}), {Vector3(-half - wall, 0, height / 2), I}},
                                 {geometry::Box({wall, half, height / 2}), {Vector3(half + wall, 0, height / 2), I}},
                                 {geometry::Box({half, wall, height / 2}), {Vector3(0, -half - wall, height / 2), I}},
                                 {geometry::Box({half, wall, height / 2}), {Vector3(0, half + wall, height / 2), I}}});
  const BodyRef frame = m.add_solid({.name = "frame", .shape = tray, .density = 2000.0});
  for (int k = 0; k < 4; ++k) {
    const Vector3 corner((k & 1 ? 1 : -1) * half, (k & 2 ? 1 : -1) * half, -0.1);
    m.add_bushing({.name = "mount" + std::to_string(k),
                   .a = m.ground().at(corner),
                   .b = frame.at(corner),
                   .stiffness = {4e4, 4e4, 2e4},
                   .damping = {400, 400, 400}});
  }
  int balls = 0;
  for (int layer = 0; layer < 10; ++layer)
    for (int i = 0; i < 10; ++i)
      for (int j = 0; j < 10; ++j) {
        const double shift = 0.01 * (layer % 2);
        m.add_solid(
            {.name = "ball" + std::to_string(balls++),
             .shape = geometry::Sphere(radius),
             .position = {-0.47 + 0.102 * i + shift, -0.47 + 0.102 * j + shift, radius + 1e-3 + 0.1005 * layer}});
      }
  const Model model = m.build();

  const auto run = simulate(scenario_of("pile", model, {.t_end = 0.1, .step = 2e-3}));
  const Audit& a = run.audit;
  std::printf("%d balls, %ld steps, %ld failed; the frame sank by %.4f mm\n", balls, run.steps, run.failed_steps,
              1e3 * (model.initial.q[2] - run.last.q[2]));
  std::printf("energy: start %.4f J, dampers %.4f J, blows %.4f J, friction %.4f J, end %.4f J, open %.4f J\n",
              a.start_energy, a.other_work, a.impact_loss, a.friction_loss, a.end_energy, a.scheme_residual);
}
