// Errors in friction, masses and play that the reproductions of mechanisms with play must notice.
#include "mutants/noticed.h"

namespace carom {
namespace {

TEST(Mutants, PendulumInRing) {
  expect_noticed("acary-2012-fig-20", friction_times(0.9));
  expect_noticed("acary-2012-fig-20", scheme_parameter("theta", 0.6));
  const Mutant heavier{"rod x 1.2", {}, {}, {}, [](model::PendulumInRing& data) { data.rod_mass *= 1.2; }};
  expect_noticed("acary-2012-fig-20", heavier);
}

TEST(Mutants, SliderCrankWithPlay) {
  for (const char* id : {"acary-2012-fig-29", "acary-2012-fig-30"}) {
    expect_noticed(id, friction_times(0.0));
    expect_noticed(id, {"rod inertia x 1.05", {}, {}, {}, {}, [](model::SliderCrankClearance& data) {
                          data.rod_inertia *= 1.05;
                        }});
    expect_noticed(id, {"play x 1.1", {}, {}, {}, {}, [](model::SliderCrankClearance& data) { data.play *= 1.1; }});
  }
}

TEST(Mutants, CircuitBreaker) {
  expect_noticed("circuit-breaker", friction_times(0.25));
  expect_noticed("circuit-breaker",
                 {"trip force x 0.8", {}, {}, {}, {}, {}, [](model::CircuitBreaker& data) { data.trip_force *= 0.8; }});
}

}  // namespace
}  // namespace carom
