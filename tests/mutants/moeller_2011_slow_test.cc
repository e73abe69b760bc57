// Errors in masses, lengths, impact law and friction that the reproductions of Moeller 2011 must notice.
#include "mutants/noticed.h"

namespace carom {
namespace {

TEST(Mutants, MoellerOscillator) {
  for (const char* parameter : {"m1", "m2", "stiffness"}) expect_noticed("moeller-2011-fig-6.2", model_parameter_times("two_mass_oscillator", parameter, 1.05));
  expect_noticed("moeller-2011-fig-6.3", model_parameter_times("two_mass_oscillator", "stiffness", 1.05));
}

TEST(Mutants, MoellerDoublePendulum) {
  expect_noticed("moeller-2011-fig-6.5", model_parameter_times("double_pendulum", "length", 1.05));
  expect_noticed("moeller-2011-fig-6.6", model_parameter_times("double_pendulum", "mass", 1.05));
  expect_noticed("moeller-2011-fig-6.6", model_parameter_times("double_pendulum_minimal", "length", 1.05));
}

TEST(Mutants, MoellerWoodpecker) {
  for (const Mutant& mutant : {friction_times(0.8), model_parameter_times("woodpecker", "beak_restitution", 0.95),
                               model_parameter_times("woodpecker", "mS", 1.05), model_parameter_times("woodpecker", "stiffness", 1.05)})
    expect_noticed("moeller-2011-fig-6.18", mutant);
  expect_noticed("moeller-2011-fig-6.16", model_parameter_times("woodpecker", "JS", 1.05));
  expect_noticed("moeller-2011-fig-6.20", friction_times(0.8));
}

TEST(Mutants, MoellerTippeTop) {
  expect_noticed("moeller-2011-fig-6.25", friction_times(0.8));
  expect_noticed("moeller-2011-fig-6.25", model_parameter_times("tippe_top", "J3", 1.05));
}

}  // namespace
}  // namespace carom
