// A system together with the state it starts from.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "carom/model/drawing.h"
#include "carom/system/system.h"

namespace carom {

struct Model {
  std::shared_ptr<const System> system;
  State initial;
  std::shared_ptr<const Drawing> drawing = nullptr;  // none: nothing to show but curves
  // The exact solution at time t, where one is known (right-continuous in v).
  std::function<void(double t, Vector& q, Vector& v)> exact = nullptr;
  // What whoever made it should know: "joint.slide has friction: it stays rows". `carom check` shows them.
  std::vector<std::string> remarks = {};
};

}  // namespace carom
