// Energy in the joints of bodies that have all their coordinates. Two rods swing from a pin without any loss: what their energy is off by at
// the end is the scheme's. It falls with the order that the scheme declares (Orders::joint_energy), and not faster where it declares the first.
#include <fmt/format.h>

#include "batteries/battery.h"
#include "carom/model/assembly/builder.h"

namespace carom::batteries {
namespace {

Model two_rods() {
  model::ModelBuilder m(Space::planar);
  m.set_gravity({0, -9.81, 0});
  const auto rod = [&](const char* name, const Vector3& position) {
    return m.add_body({.name = name, .mass = 2.0, .inertia = 2.0 / 12 * Matrix3::Identity(), .position = position});
  };
  const auto upper = rod("upper", {0.5, 0, 0}), lower = rod("lower", {1.5, 0, 0});
  m.add_joint({.name = "pin", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = upper.at({-0.5, 0, 0})});
  m.add_joint({.name = "knee", .kind = "revolute", .a = upper.at({0.5, 0, 0}), .b = lower.at({-0.5, 0, 0})});
  return m.build();
}

double energy(const Model& model, const State& state) {
  return model.system->energetics()->kinetic_energy(state.t, state.q, state.v) + model.system->energetics()->potential_energy(state.t, state.q);
}

// At 1 s, with the steps n, 2n, 4n; as a share of the 30 J that the rods turn over.
OrderFit measured(const Model& model, const Scheme& scheme, long n, std::string& table) {
  std::vector<double> steps, errors;
  for (const long count : {n, 2 * n, 4 * n}) {
    const State end = take_steps(model, scheme, 1.0 / static_cast<double>(count), count);
    steps.push_back(1.0 / static_cast<double>(count));
    errors.push_back(std::abs(energy(model, end) - energy(model, model.initial)) / 30.0);
    table += fmt::format("  {:.3e}: {:.3e}", steps.back(), errors.back());
  }
  return order(steps, errors, 1e-11);
}

class JointEnergy : public EveryScheme {};

TEST_P(JointEnergy, IsOfTheDeclaredOrder) {
  CAROM_NEEDS_ORDER();
  const Model model = two_rods();
  CAROM_SKIP_IF_REFUSED(model);
  std::string table;
  const OrderFit fit = measured(model, *scheme(), 400, table);
  std::printf("%s %s %s\n", entry().name.c_str(), to_text(fit).c_str(), table.c_str());
}

CAROM_FOR_EVERY_SCHEME(JointEnergy);

}  // namespace
}  // namespace carom::batteries
