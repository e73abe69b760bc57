// Drives as formulas name them: motor.power, motor.torque or motor.force of [drive.motor]; bearing.drive.power of the
// drive of a joint. Each is a signal made of what formulas know already:
//
//   a motor with a formula of t, angle and rate     the formula, and the formula times the joint's rate
//   a prescribed motion                             the reaction of its constraint (joint_load.h)
#pragma once

#include <vector>

#include "carom/io/document.h"
#include "carom/io/scenario.h"

namespace carom::inline io {

// Those that the scenario's signals, measures and expectations name.
std::vector<NamedExpression> drive_signals(const DocumentNode& root, const Scenario& scenario);

}  // namespace carom::inline io
