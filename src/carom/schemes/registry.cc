#include <fmt/format.h>
#include <fmt/ranges.h>

#include "carom/schemes/scheme.h"

namespace carom {

#define CAROM_SCHEME(name) extern const SchemeEntry name##_entry;
#include "carom/schemes/schemes.def"
#undef CAROM_SCHEME

const Registry<SchemeEntry>& schemes() {
  static const Registry<SchemeEntry> registry(
      "scheme",
      {
#define CAROM_SCHEME(name) &name##_entry,
#include "carom/schemes/schemes.def"
#undef CAROM_SCHEME
      },
      {
#ifndef CAROM_SUNDIALS
          {"event_driven", "this build is without SUNDIALS: install the Debian package libsundials-dev and build again "
                           "(./carom test does both)"},
#endif
      });
  return registry;
}

std::unique_ptr<Scheme> make_scheme(std::string_view name,
                                    const std::map<std::string, ParameterValue>& given) {
  const SchemeEntry& entry = schemes().find(name);
  return entry.make(Parameters(entry.parameters, given, "scheme " + entry.name));
}

namespace {

// What a system has that a scheme must be able to treat.
struct Demand {
  const char* what;
  bool (*of)(const Traits&);
  bool SchemeEntry::*ability;
};
constexpr Demand demands[] = {
    {"contacts", [](const Traits& t) { return t.contacts; }, &SchemeEntry::contacts},
    {"joints", [](const Traits& t) { return t.bilateral; }, &SchemeEntry::joints},
    {"friction", [](const Traits& t) { return t.friction; }, &SchemeEntry::friction},
    {"a restitution below 1", [](const Traits& t) { return t.inelastic; }, &SchemeEntry::inelastic},
    {"rotations by quaternions", [](const Traits& t) { return t.quaternions; }, &SchemeEntry::quaternions},
    {"an inertia that depends on the position", [](const Traits& t) { return !t.constant_inertia; },
     &SchemeEntry::variable_inertia},
    {"friction that meets spin (spin_radius above 0)", [](const Traits& t) { return t.spin_friction; },
     &SchemeEntry::spin_friction},
    {"the exact reservoir of Coulomb-Contensou friction, only its ellipsoid",
     [](const Traits& t) { return !t.friction_in_balls; }, &SchemeEntry::any_reservoir},
    {"Poisson's impact law", [](const Traits& t) { return t.two_phases; }, &SchemeEntry::two_phases},
    {"friction in joints", [](const Traits& t) { return t.joint_friction; }, &SchemeEntry::joint_friction},
};

}  // namespace

std::optional<std::string> untreated(const SchemeEntry& scheme, const System& system) {
  const Traits traits = system.traits();
  for (const Demand& demand : demands)
    if (demand.of(traits) && !(scheme.*demand.ability)) return demand.what;
  return std::nullopt;
}

std::optional<std::string> refusal(const SchemeEntry& scheme, const System& system) {
  const auto what = untreated(scheme, system);
  if (!what) return std::nullopt;
  std::vector<std::string> able;
  for (const SchemeEntry* other : schemes().entries())
    if (!untreated(*other, system)) able.push_back(other->name);
  return fmt::format("{} does not treat {}; schemes that can: {}", scheme.name, *what, fmt::join(able, ", "));
}

std::string_view to_text(StepStatus status) {
  switch (status) {
    case StepStatus::ok: return "ok";
    case StepStatus::solver_failed: return "the contact solver did not converge";
    case StepStatus::newton_failed: return "the Newton iteration did not converge";
    case StepStatus::projection_failed: return "the position projection did not converge";
    case StepStatus::singular: return "a matrix is singular";
    case StepStatus::integrator_failed: return "the smooth motion between events could not be integrated";
    case StepStatus::not_finite: return "a result is not a number";
  }
  return "";
}

std::string_view to_text(EventKind kind) {
  switch (kind) {
    case EventKind::impact: return "impact";
    case EventKind::release: return "release";
    case EventKind::stick: return "stick";
    case EventKind::slip: return "slip";
    case EventKind::accumulation: return "accumulation of impacts";
  }
  return "";
}

void Scheme::start(const System&, double, State& state) const { state.memory.clear(); }

}  // namespace carom
