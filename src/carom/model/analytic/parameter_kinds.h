// The kinds of parameters the analytic models share, so that each is declared in one line.
#pragma once

#include <initializer_list>
#include <string>

#include "carom/base/parameters.h"
#include "carom/system/state.h"

namespace carom::analytic {

// Masses, inertias, lengths: strictly positive.
inline ParameterSpec positive(std::string name, double value, std::string doc) {
  ParameterSpec spec{std::move(name), value, std::move(doc)};
  spec.min = 0.0;
  spec.exclusive_min = true;
  return spec;
}

// Clearances, stiffnesses, dampers: zero is allowed.
inline ParameterSpec not_negative(std::string name, double value, std::string doc) {
  ParameterSpec spec{std::move(name), value, std::move(doc)};
  spec.min = 0.0;
  return spec;
}

// Positions, velocities, angles, forces.
inline ParameterSpec any(std::string name, double value, std::string doc) {
  return {std::move(name), value, std::move(doc)};
}

inline State state(std::initializer_list<double> q, std::initializer_list<double> v) {
  State x;
  x.q = Vector::Map(q.begin(), static_cast<Eigen::Index>(q.size()));
  x.v = Vector::Map(v.begin(), static_cast<Eigen::Index>(v.size()));
  return x;
}

}  // namespace carom::analytic
