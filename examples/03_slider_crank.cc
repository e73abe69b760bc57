// How much play in the guide of a slider-crank costs.      build/examples/03_slider_crank
#include <cstdio>

#include "slider_crank.h"

using namespace carom;

int main() {
  std::printf("%14s %14s %18s %16s\n", "clearance [mm]", "energy [J]", "impulses [N s]", "largest [mN s]");
  for (const double clearance : {0.1e-3, 0.5e-3, 1e-3}) {
    const Scenario scenario = scenario_of("slider_crank", slider_crank(clearance), {.t_end = 0.1, .step = 1e-5});
    const auto run = simulate(scenario);
    const Audit& audit = run.audit;
    std::printf("%14.2f %14.4f %18.4f %16.2f   at %s, t = %.4f s\n", 1e3 * clearance, audit.end_energy,
                audit.normal_impulse, 1e3 * audit.largest_normal_impulse, audit.largest_normal_impulse_name.c_str(),
                audit.largest_normal_impulse_time);
  }
}
