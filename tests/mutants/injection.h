// Deliberate errors, put between the reproductions and the models and schemes they ask for.
//
// The linker redirects the makers named in wrapped_symbols.txt to injection.cc (--wrap), in this test program alone:
// nothing of it is in the library or in the shipped program. What a mutant leaves alone goes through unchanged.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "carom/base/parameters.h"
#include "carom/laws/contact_law.h"
#include "carom/model/flexible/rod.h"
#include "carom/model/mechanisms/circuit_breaker.h"
#include "carom/model/mechanisms/pendulum_in_ring.h"
#include "carom/model/mechanisms/slider_crank_clearance.h"

namespace carom {

using GivenParameters = std::map<std::string, ParameterValue>;

struct Mutant {
  std::string name;
  std::function<void(std::string_view model, GivenParameters& given, ContactParameters& contact)> model = {};
  std::function<void(RodData& rod, ContactParameters& contact)> bar = {};
  std::function<void(std::string_view scheme, GivenParameters& given)> scheme = {};
  std::function<void(model::PendulumInRing& data)> ring = {};
  std::function<void(model::SliderCrankClearance& data)> slider_crank = {};
  std::function<void(model::CircuitBreaker& data)> breaker = {};
};

// The mutant lives while this does.
class Injected {
 public:
  explicit Injected(const Mutant& mutant);
  ~Injected();
  Injected(const Injected&) = delete;
  Injected& operator=(const Injected&) = delete;
};

// Common errors. A parameter that is not given is scaled from its default.
Mutant friction_times(double factor);  // 0: removed
Mutant restitution_times(double factor);
Mutant model_parameter_times(const std::string& model, const std::string& parameter, double factor);
Mutant scheme_parameter(const std::string& parameter, double value);  // in every scheme that has it

}  // namespace carom
