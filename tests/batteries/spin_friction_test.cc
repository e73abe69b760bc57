// Coulomb-Contensou friction, four rows a contact: a scheme either refuses it before the run, or keeps it.
#include "batteries/battery.h"

namespace carom::batteries {
namespace {

class SpinFriction : public EveryScheme {};

// The tippe top in its first 50 ms, as a unit quaternion and as a scalable body with a joint.
TEST_P(SpinFriction, IsRefusedOrKept) {
  for (const SpinReservoir reservoir : {SpinReservoir::ellipsoid, SpinReservoir::exact})
    for (const std::string formulation : {"quaternion", "scalable"}) {
      const bool exact = reservoir == SpinReservoir::exact;
      SCOPED_TRACE(formulation + (exact ? ", exact" : ", ellipsoid"));
      const Model top = make_analytic_model("tippe_top", {{"formulation", formulation}},
                                            {.friction = 0.3, .spin_radius = 2.945e-4, .spin_reservoir = reservoir});
      if (refusal(entry(), *top.system)) continue;
      double outside = 0, spun = 0;
      take_steps(top, *scheme(), 1e-3, 50, [&](const State&, const StepResult& result) {
        for (const StepContact& contact : result.contacts) {
          const Law& law = *contact.constraint.law;
          if (law.dim() != 4) continue;
          const double* Lambda = result.impulse.data() + contact.row;
          double y[4];
          law.project(Lambda, y);
          for (int r = 0; r < 4; ++r) outside = std::max(outside, std::abs(y[r] - Lambda[r]) / (1e-9 + Lambda[0]));
          spun = std::max(spun, std::abs(Lambda[3]));
        }
      });
      EXPECT_LE(outside, 1e-9) << "the impulse leaves its reservoir";
      EXPECT_GT(spun, 0.0) << "spinning meets a moment";
    }
}

CAROM_FOR_EVERY_SCHEME(SpinFriction);

}  // namespace
}  // namespace carom::batteries
