// A structure given by its matrices, held at two nodes and struck by a ball.      build/examples/08_struck_structure
#include <carom/carom.h>

#include <cstdio>
#include <utility>
#include <vector>

using namespace carom;

// A beam of masses in a row along x, three displacements each: bars between neighbours, bending by second differences.
static model::LinearBodySpec row_of_masses(Index count, double length, double mass, double stretching, double bending) {
  model::LinearBodySpec spec;
  spec.name = "structure";
  const double l = length / static_cast<double>(count - 1);
  std::vector<Eigen::Triplet<double>> M, K;
  const auto add = [&](double stiffness, const std::vector<std::pair<Index, double>>& row) {
    for (const auto& [i, a] : row)
      for (const auto& [j, b] : row) K.emplace_back(i, j, stiffness * a * b);
  };
  for (Index i = 0; i < count; ++i) {
    spec.nodes.push_back({{static_cast<double>(i) * l, 0, 0}, {3 * i, 3 * i + 1, 3 * i + 2}, {-1, -1, -1}});
    for (Index c = 0; c < 3; ++c) M.emplace_back(3 * i + c, 3 * i + c, mass / static_cast<double>(count));
    if (i + 1 < count) add(stretching / l, {{3 * i, -1.0}, {3 * i + 3, 1.0}});
    for (Index c = 1; c < 3 && i + 2 < count; ++c)
      add(bending / (l * l * l), {{3 * i + c, 1.0}, {3 * i + 3 + c, -2.0}, {3 * i + 6 + c, 1.0}});
  }
  spec.M.resize(3 * count, 3 * count);
  spec.K.resize(3 * count, 3 * count);
  spec.M.setFromTriplets(M.begin(), M.end());
  spec.K.setFromTriplets(K.begin(), K.end());
  return spec;
}

int main() {
  const Index count = 21;
  const double speed = 2.0, mass = 0.3;
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -9.81});
  m.set_default_contact(ContactParameters{.restitution = 0.5});
  const auto structure = m.add_linear_body(row_of_masses(count, 1.0, 4.2, 1e4, 10.0));
  m.add_joint({.name = "left", .kind = "spherical", .a = m.ground().at({0, 0, 0}), .b = structure.node(0)});
  m.add_joint({.name = "right", .kind = "spherical", .a = m.ground().at({1, 0, 0}), .b = structure.node(count - 1)});
  const BodyRef ball = m.add_body({.name = "ball",
                                   .mass = mass,
                                   .inertia = 3e-4 * Matrix3::Identity(),
                                   .position = {0.5, 0, 0.061},
                                   .velocity = {0, 0, -speed}});
  m.add_surface({.body = ball.number, .shape = geometry::Sphere(0.05)});
  m.add_surface({.name = "middle", .shape = geometry::Sphere(0.01), .at = structure.node(count / 2)});
  const Model model = m.build();

  const auto run =
      simulate(scenario_of("struck", model, {.t_end = 0.02, .step = 1e-5, .scheme = "projection_combined"}));
  const Audit& a = run.audit;
  std::printf("ball: %.4f m/s before, %.4f m/s after\n", -speed, run.last.v[2]);
  std::printf("energy: start %.6f J, lost in blows %.6f J, end %.6f J, open %.6f J; joints open by %.1e m\n",
              a.start_energy, a.impact_loss, a.end_energy, a.scheme_residual, a.joint_error);
}
