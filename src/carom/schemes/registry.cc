#include <fmt/format.h>
#include <fmt/ranges.h>

#include "carom/schemes/scheme.h"

namespace carom::inline schemes {

#define CAROM_SCHEME(name) extern const SchemeEntry name##_entry;
#include "carom/schemes/schemes.def"
#undef CAROM_SCHEME

const Registry<SchemeEntry>& scheme_registry() {
  static const Registry<SchemeEntry> registry(
      "scheme",
      {
#define CAROM_SCHEME(name) &name##_entry,
#include "carom/schemes/schemes.def"
#undef CAROM_SCHEME
      },
      {
#ifndef CAROM_SUNDIALS
          {"event_driven",
           "this build is without SUNDIALS: install the Debian package libsundials-dev and build again "
           "(./carom test does both)"},
#endif
      });
  return registry;
}

std::unique_ptr<Scheme> make_scheme(std::string_view name, const std::map<std::string, ParameterValue>& given) {
  const SchemeEntry& entry = scheme_registry().find(name);
  return entry.make(Parameters(entry.parameters, given, "scheme " + entry.name));
}

std::optional<Feature> untreated(const SchemeEntry& scheme, const System& system,
                                 const std::map<std::string, ParameterValue>& parameters) {
  const FeatureSet treats = scheme.treats_with
                                ? scheme.treats_with(Parameters(scheme.parameters, parameters, "scheme " + scheme.name))
                                : scheme.treats;
  const FeatureSet left = system.features().without(treats);
  for (const Feature feature : all_features)
    if (left.contains(feature)) return feature;
  return std::nullopt;
}

std::optional<std::string> refusal(const SchemeEntry& scheme, const System& system,
                                   const std::map<std::string, ParameterValue>& parameters) {
  const auto what = untreated(scheme, system, parameters);
  if (!what) return std::nullopt;
  // The default parameters may be enough.
  if (scheme.treats_with && !untreated(scheme, system))
    return fmt::format("{} does not treat {} with these parameters; with its defaults it does", scheme.name,
                       to_text(*what));
  std::vector<std::string> able;
  for (const SchemeEntry* other : scheme_registry().entries())
    if (!untreated(*other, system)) able.push_back(other->name);
  return fmt::format("{} does not treat {}; schemes that can: {}", scheme.name, to_text(*what), fmt::join(able, ", "));
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

}  // namespace carom::inline schemes
