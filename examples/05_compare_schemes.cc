// One mechanism, several schemes: what each makes of it.      build/examples/05_compare_schemes
#include <cstdio>

#include "slider_crank.h"

using namespace carom;

int main() {
  Scenario scenario = scenario_of("slider_crank", slider_crank(1e-3), {.t_end = 0.03, .step = 1e-5});
  scenario.measures = {measured("sum", "sum(guide.impulse_normal)"), measured("lowest", "min(guide.gap)")};

  const StartReport start = report_start(scenario);
  std::printf("%d velocities, %d joints with %d rows of rank %d; %zu contacts near\n", start.velocities, start.joints,
              start.joint_rows, start.joint_rank, start.gaps.size());

  const CompareReport report = compare(
      scenario, scheme_names({"moreau_jean", "projection_combined", "half_explicit_velocity", "moreau_jean_explicit"}));
  std::printf("%-26s %10s %14s %14s %12s  %s\n", "scheme", "energy [J]", "impulses [N s]", "penetration[m]",
              "joints [m]", "judged");
  for (const CompareRow& row : report.rows) {
    if (!row.untreated.empty()) {
      std::printf("%-26s cannot: %s\n", row.scheme.c_str(), row.untreated.c_str());
      continue;
    }
    std::printf("%-26s %10.5f %14.6f %14.2e %12.2e  %s\n", row.scheme.c_str(), row.summary.audit.end_energy,
                row.measures[0].value.value_or(0.0), -row.measures[1].value.value_or(0.0),
                row.summary.audit.joint_error, judged(row).c_str());
  }
}
