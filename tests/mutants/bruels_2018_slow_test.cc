// Errors in the pendulums, the bar and the method that the reproductions of Bruels, Acary, Cardona 2018 must notice.
#include "mutants/noticed.h"

namespace carom {
namespace {

TEST(Mutants, FivePercentInThePendulum) {
  for (const char* parameter : {"mass", "inertia", "gravity"})
    expect_noticed("bruels-2018-fig-2", model_parameter_times("pendulum", parameter, 1.05));
  expect_noticed("bruels-2018-fig-2", scheme_parameter("spectral_radius", 0.85));
}

TEST(Mutants, FivePercentInTheBouncingPendulum) {
  for (const Mutant& mutant : {restitution_times(0.95), model_parameter_times("bouncing_pendulum", "gravity", 1.05),
                               model_parameter_times("bouncing_pendulum", "inertia", 1.05)})
    expect_noticed("bruels-2018-fig-5", mutant);
  for (const Mutant& mutant : {restitution_times(0.95), scheme_parameter("spectral_radius", 0.8)})
    expect_noticed("bruels-2018-fig-6", mutant);
}

TEST(Mutants, FivePercentInTheSoftBar) {
  for (const char* id : {"bruels-2018-fig-14", "bruels-2018-fig-15"})
    for (const char* parameter : {"youngs_modulus", "density"})
      expect_noticed(id, model_parameter_times("horizontal_bar", parameter, 1.05));
  expect_noticed("bruels-2018-fig-16", scheme_parameter("spectral_radius", 0.76));
}

}  // namespace
}  // namespace carom
