// A system together with the state it starts from.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "carom/system/input.h"
#include "carom/system/system.h"

namespace carom {

struct Model {
  std::shared_ptr<const System> system;
  State initial;
  // The exact solution at time t, where one is known (right-continuous in v).
  std::function<void(double t, Vector& q, Vector& v)> exact = nullptr;
  std::vector<Input> inputs = {};
};

}  // namespace carom
