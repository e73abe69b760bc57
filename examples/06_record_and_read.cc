// A run kept in an HDF5 file, and read back.      build/examples/06_record_and_read [FILE]
#include <carom/carom.h>

#include <cstdio>

using namespace carom;

int main(int argc, char** argv) {
  ModelBuilder m(Space::planar);
  m.set_gravity({0, -9.81, 0});
  const BodyRef arm =
      m.add_body({.name = "arm", .mass = 1.0, .inertia = 0.02 * Matrix3::Identity(), .position = {0.25, 0, 0}});
  m.add_joint({.name = "hinge", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = arm.at({-0.25, 0, 0})});
  m.add_limit({.joint = "hinge", .lower = -1.0, .restitution = 0.5});

  Scenario scenario = scenario_of("arm", m.build(), {.t_end = 2.0, .step = 1e-3, .scheme = "projection_combined"});
  scenario.output.fields_every = 0.1;
  scenario.measures = {measured("hits", "sum(hinge.angle.lower.impulse_normal)")};
  const RunReport report = run_scenario(scenario, {.out = argc > 1 ? argv[1] : "arm.h5"});
  std::printf("%s: %ld steps, %s = %.4f N m s\n", report.file.c_str(), report.summary.steps,
              report.measures[0].name.c_str(), report.measures[0].value.value_or(0.0));

  const Recording recording(report.file);
  const std::vector<double> t = recording.times();
  const Matrix angle = recording.series("/planar_body/angle", "arm");
  const Matrix reaction = recording.series("/joint/reaction", "hinge");
  std::printf("%8s %12s %14s\n", "t [s]", ("angle [" + recording.unit("/planar_body/angle") + "]").c_str(),
              "reaction [N]");
  for (std::size_t i = 0; i < t.size(); i += 4) {
    const auto k = static_cast<Eigen::Index>(i);
    std::printf("%8.2f %12.5f %14.4f\n", t[i], angle(k, 0), reaction.row(k).norm());
  }
}
