// Mechanisms with play: the ring and the slider-crank of Acary 2012, the circuit breaker, the benchmarks of smooth
// mechanisms.
#include "study/judged_rows.h"

namespace carom {
namespace {

TEST(Mechanisms, PendulumInRing) {
  expect_judged("acary-2012-fig-20", {}, {"Moreau-Jean, W(q_1): largest penetration over the thickness of the ring"});
}

TEST(Mechanisms, SliderCrankWithPlay) {
  expect_judged("acary-2012-fig-28", {}, {"W(q_1): largest penetration of the pin over the play"});
  for (const char* id : {"acary-2012-fig-29", "acary-2012-fig-30"}) expect_judged(id);
}

TEST(Mechanisms, CircuitBreaker) { expect_judged("circuit-breaker"); }

TEST(Benchmarks, SmoothMechanisms) {
  for (const char* id : {"benchmark-pendulum", "benchmark-four-bars", "benchmark-andrews", "benchmark-bricard",
                         "benchmark-governor", "benchmark-slider-crank"})
    expect_judged(id);
}

}  // namespace
}  // namespace carom
