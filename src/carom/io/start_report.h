// What can be said about a scenario before it runs: degrees of freedom, redundant joints, gaps, energy,
// and how far a step moves the contacts.
#pragma once

#include <string>
#include <vector>

#include "carom/io/scenario.h"

namespace carom::inline io {

struct StartReport {
  Index coordinates = 0, velocities = 0;
  Index joints = 0, joint_rows = 0;
  Index joint_rank = -1;                      // -1: too large to tell
  std::vector<std::string> redundant_joints;  // those that add fewer rows of rank than they have
  struct Gap {
    std::string name;
    double gap;
  };
  std::vector<Gap> gaps;  // of the contacts near the start
  bool has_energy = false;
  double kinetic = 0, potential = 0;
  // The fastest closing of a gap in the first steps, tried with the scenario's own scheme.
  long tried_steps = 0;
  double approach_speed = 0;
  std::string fastest_contact;
  double smallest_open_gap = 0;  // 0: none
  struct SchemeVerdict {
    std::string scheme;
    std::string untreated;  // what of the model it cannot treat; empty: can run
  };
  std::vector<SchemeVerdict> schemes;
  std::vector<std::string> remarks;  // of whoever made the model
};

StartReport report_start(const Scenario& scenario);

// Whether the joints at the start say nothing twice; false too where there are too many to tell.
bool joints_are_independent(const Model& model);

}  // namespace carom::inline io
