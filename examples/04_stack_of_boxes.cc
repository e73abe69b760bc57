// Boxes on boxes: they rest, and the floor carries all of them.      build/examples/04_stack_of_boxes
#include <carom/carom.h>

#include <cstdio>
#include <string>

using namespace carom;

// Adds up what the contacts of the floor carry in a step.
class FloorForce : public Recorder {
 public:
  double force = 0.0;
  void step(const System& system, const StepView& view) override {
    force = 0.0;
    for (const StepContact& contact : view.result.contacts)
      if (system.constraint_name(contact.constraint).find("floor") != std::string::npos)
        force += view.result.impulse[contact.row] / view.result.dt_taken;
  }
};

int main() {
  const Vector3 size(0.4, 0.3, 0.2);
  const double mass = 2.0, g = 9.81;
  const Vector3 squares = size.cwiseAbs2();
  const Matrix3 inertia =
      Vector3(mass / 12 * Vector3(squares.y() + squares.z(), squares.z() + squares.x(), squares.x() + squares.y()))
          .asDiagonal();
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -g});
  m.set_default_contact(ContactParameters{.friction = 0.5});
  m.add_surface({.name = "floor", .shape = geometry::HalfSpace()});
  constexpr int boxes = 5;
  for (int k = 0; k < boxes; ++k) {
    const BodyRef box = m.add_body({.name = "box" + std::to_string(k),
                                    .mass = mass,
                                    .inertia = inertia,
                                    .position = {0, 0, (k + 0.5) * size.z()}});
    m.add_surface({.body = box.number, .shape = geometry::Box(size / 2)});
  }
  const Model model = m.build();

  FloorForce floor;
  const auto run = simulate(scenario_of("stack", model, {.t_end = 2.0, .step = 1e-2}), &floor);
  std::printf("%d boxes after %.0f s: moved by %.1e m, the floor carries %.6f N of %.6f N\n", boxes, run.last.t,
              (run.last.q - model.initial.q).cwiseAbs().maxCoeff(), floor.force, boxes * mass * g);
}
