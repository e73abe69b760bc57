// Runs the hand-written loops alone and prints one JSON object per case. Arguments, all of the
// slider-crank: dt (default 1e-5), end time (default 0.2 s), initial tilt of the slider (default 0).
// To build it and count the instructions of a step (divide by the steps):
//   g++ -std=c++20 -O2 -ffp-contract=off slider_crank.cc measure.cc -o measure
//   valgrind --tool=callgrind --collect-atstart=no --toggle-collect='*SliderCrankLoop::step*' measure

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numbers>

#include "slider_crank.h"

int main(int argc, char** argv) {
  using namespace carom::hand_written;
  const double dt = argc > 1 ? std::atof(argv[1]) : 1e-5;
  const double end = argc > 2 ? std::atof(argv[2]) : 0.2;
  const double tilt = argc > 3 ? std::atof(argv[3]) : 0.0;
  const long steps = std::lround(end / dt);

  SliderCrankLoop crank({0.0, 0.0, tilt}, {150.0, -75.0, 0.0});
  const std::clock_t start = std::clock();
  for (long k = 0; k < steps; ++k) crank.step(dt);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf(
      "{\"case\":\"slider_crank\",\"scheme\":\"hand_written\",\"dt\":%.17g,\"steps\":%ld,"
      "\"cpu_seconds_per_step\":%.6e,\"max_penetration\":%.9e,\"end_angle_turns\":%.9f,"
      "\"end_energy\":%.9f,\"largest_tilt\":%.3e,\"newton_average\":%.4f,\"enumerations\":%ld,"
      "\"failures\":%ld}\n",
      dt, steps, seconds / static_cast<double>(steps), -crank.deepest_gap, crank.q[0] / (2 * std::numbers::pi),
      crank.energy(), crank.largest_tilt, static_cast<double>(crank.newton_iterations) / static_cast<double>(steps),
      crank.enumerations, crank.failures);

  BallLoop ball;
  const long ball_steps = 80000;
  const std::clock_t ball_start = std::clock();
  for (long k = 0; k < ball_steps; ++k) ball.step(1e-4);
  const double ball_seconds = static_cast<double>(std::clock() - ball_start) / CLOCKS_PER_SEC;
  std::printf(
      "{\"case\":\"bouncing_ball\",\"scheme\":\"hand_written\",\"dt\":1e-4,\"steps\":%ld,"
      "\"cpu_seconds_per_step\":%.6e,\"max_penetration\":%.9e,\"end_height\":%.9e}\n",
      ball_steps, ball_seconds / static_cast<double>(ball_steps), -ball.deepest_gap, ball.q);
}
