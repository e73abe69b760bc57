// A number that comes from outside while a run goes on: a motor's torque set by a controller, a force from another
// program. A force of the model reads it whenever it is evaluated; whoever steps the model changes it between two
// steps, never in one. The model and the stepper share it, so a model with inputs is run by one stepper at a time.
#pragma once

#include <memory>
#include <string>

namespace carom::inline system {

struct Input {
  std::string name, unit;
  std::shared_ptr<double> value = std::make_shared<double>(0.0);
};

}  // namespace carom::inline system
