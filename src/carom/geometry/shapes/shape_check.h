// What every shape holds its numbers to.
#pragma once

#include <cmath>
#include <string>

#include "carom/base/errors.h"

namespace carom::geometry {

[[noreturn]] inline void bad_shape(const std::string& kind, const std::string& what, const std::string& hint) {
  throw InputError(InputProblem{"E0220", kind + ": " + what, kind, hint, {}, 0, 0, {}});
}

inline double positive(double value, const char* kind, const char* field) {
  if (!(value > 0.0) || !std::isfinite(value))
    bad_shape(kind, std::string(field) + " must be a positive length", "give a finite number above zero");
  return value;
}

}  // namespace carom::geometry
