#include "mutants/injection.h"

#include <memory>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/flexible/impacting_bar.h"
#include "carom/schemes/scheme.h"

namespace carom {

namespace {

const Mutant* current = nullptr;

bool has_parameter(const std::vector<ParameterSpec>& specs, const std::string& name) {
  for (const ParameterSpec& spec : specs)
    if (spec.name == name) return true;
  return false;
}

}  // namespace

Injected::Injected(const Mutant& mutant) { current = &mutant; }
Injected::~Injected() { current = nullptr; }

// Names as in wrapped_symbols.txt: the linker sends callers to __wrap_X and knows the wrapped function as __real_X.
#define CAROM_WRAPPED(symbol) __asm__("__wrap_" symbol)
#define CAROM_REAL(symbol) __asm__("__real_" symbol)

#define CAROM_MAKE_ANALYTIC_MODEL                                                                                  \
  "_ZN5carom19make_analytic_modelESt17basic_string_viewIcSt11char_traitsIcEERKSt3mapINSt7__cxx1112basic_stringIcS" \
  "2_SaIcEEESt7variantIJdbS8_St6vectorIdSaIdEEEESt4lessIS8_ESaISt4pairIKS8_SD_EEERKNS_4laws17ContactParametersE"
#define CAROM_IMPACTING_BAR "_ZN5carom13impacting_barERKNS_7RodDataEddRKNS_4laws17ContactParametersE"
#define CAROM_MAKE_SCHEME                                                                                          \
  "_ZN5carom7schemes11make_schemeESt17basic_string_viewIcSt11char_traitsIcEERKSt3mapINSt7__cxx1112basic_stringIcS" \
  "3_SaIcEEESt7variantIJdbS9_St6vectorIdSaIdEEEESt4lessIS9_ESaISt4pairIKS9_SE_EEE"

#define CAROM_PENDULUM_IN_RING "_ZN5carom5model16pendulum_in_ringERKNS0_14PendulumInRingE"
#define CAROM_SLIDER_CRANK_CLEARANCE "_ZN5carom5model22slider_crank_clearanceERKNS0_20SliderCrankClearanceE"
#define CAROM_CIRCUIT_BREAKER "_ZN5carom5model15circuit_breakerERKNS0_14CircuitBreakerE"

Model real_pendulum_in_ring(const model::PendulumInRing& data) CAROM_REAL(CAROM_PENDULUM_IN_RING);
Model wrapped_pendulum_in_ring(const model::PendulumInRing& data) CAROM_WRAPPED(CAROM_PENDULUM_IN_RING);
Model real_slider_crank_clearance(const model::SliderCrankClearance& data) CAROM_REAL(CAROM_SLIDER_CRANK_CLEARANCE);
Model wrapped_slider_crank_clearance(const model::SliderCrankClearance& data)
    CAROM_WRAPPED(CAROM_SLIDER_CRANK_CLEARANCE);
Model real_circuit_breaker(const model::CircuitBreaker& data) CAROM_REAL(CAROM_CIRCUIT_BREAKER);
Model wrapped_circuit_breaker(const model::CircuitBreaker& data) CAROM_WRAPPED(CAROM_CIRCUIT_BREAKER);

Model real_make_analytic_model(std::string_view name, const GivenParameters& given, const ContactParameters& contact)
    CAROM_REAL(CAROM_MAKE_ANALYTIC_MODEL);
Model wrapped_make_analytic_model(std::string_view name, const GivenParameters& given, const ContactParameters& contact)
    CAROM_WRAPPED(CAROM_MAKE_ANALYTIC_MODEL);
Model real_impacting_bar(const RodData& rod, double gap, double speed, const ContactParameters& contact)
    CAROM_REAL(CAROM_IMPACTING_BAR);
Model wrapped_impacting_bar(const RodData& rod, double gap, double speed, const ContactParameters& contact)
    CAROM_WRAPPED(CAROM_IMPACTING_BAR);
std::unique_ptr<Scheme> real_make_scheme(std::string_view name, const GivenParameters& given)
    CAROM_REAL(CAROM_MAKE_SCHEME);
std::unique_ptr<Scheme> wrapped_make_scheme(std::string_view name, const GivenParameters& given)
    CAROM_WRAPPED(CAROM_MAKE_SCHEME);

Model wrapped_make_analytic_model(std::string_view name, const GivenParameters& given,
                                  const ContactParameters& contact) {
  GivenParameters changed = given;
  ContactParameters changed_contact = contact;
  if (current != nullptr && current->model) current->model(name, changed, changed_contact);
  return real_make_analytic_model(name, changed, changed_contact);
}

Model wrapped_impacting_bar(const RodData& rod, double gap, double speed, const ContactParameters& contact) {
  RodData changed = rod;
  ContactParameters changed_contact = contact;
  if (current != nullptr && current->bar) current->bar(changed, changed_contact);
  return real_impacting_bar(changed, gap, speed, changed_contact);
}

Model wrapped_pendulum_in_ring(const model::PendulumInRing& data) {
  model::PendulumInRing changed = data;
  if (current != nullptr && current->ring) current->ring(changed);
  return real_pendulum_in_ring(changed);
}

Model wrapped_slider_crank_clearance(const model::SliderCrankClearance& data) {
  model::SliderCrankClearance changed = data;
  if (current != nullptr && current->slider_crank) current->slider_crank(changed);
  return real_slider_crank_clearance(changed);
}

Model wrapped_circuit_breaker(const model::CircuitBreaker& data) {
  model::CircuitBreaker changed = data;
  if (current != nullptr && current->breaker) current->breaker(changed);
  return real_circuit_breaker(changed);
}

std::unique_ptr<Scheme> wrapped_make_scheme(std::string_view name, const GivenParameters& given) {
  GivenParameters changed = given;
  if (current != nullptr && current->scheme) current->scheme(name, changed);
  return real_make_scheme(name, changed);
}

namespace {

Mutant contact_mutant(const std::string& name, std::function<void(ContactParameters&)> change) {
  return {name,
          [change](std::string_view, GivenParameters&, ContactParameters& contact) { change(contact); },
          [change](RodData&, ContactParameters& contact) { change(contact); },
          {},
          [change](model::PendulumInRing& data) { change(data.contact); },
          [change](model::SliderCrankClearance& data) {
            change(data.journal);
            change(data.guide);
          },
          [change](model::CircuitBreaker& data) {
            ContactParameters latch = {.friction = data.latch_friction};
            change(latch);
            data.latch_friction = latch.friction;
          }};
}

}  // namespace

Mutant friction_times(double factor) {
  return contact_mutant("friction x " + to_text(ParameterValue(factor)),
                        [factor](ContactParameters& contact) { contact.friction *= factor; });
}

Mutant restitution_times(double factor) {
  return contact_mutant("restitution x " + to_text(ParameterValue(factor)),
                        [factor](ContactParameters& contact) { contact.restitution *= factor; });
}

Mutant model_parameter_times(const std::string& model, const std::string& parameter, double factor) {
  return {model + "." + parameter + " x " + to_text(ParameterValue(factor)),
          [=](std::string_view name, GivenParameters& given, ContactParameters&) {
            if (name != model) return;
            const auto specs = analytic_models().find(name).parameters;
            for (const ParameterSpec& spec : specs)
              if (spec.name == parameter && !given.contains(parameter)) given[parameter] = spec.default_value;
            std::get<double>(given.at(parameter)) *= factor;
          }};
}

Mutant scheme_parameter(const std::string& parameter, double value) {
  return {
      parameter + " = " + to_text(ParameterValue(value)), {}, {}, [=](std::string_view name, GivenParameters& given) {
        if (has_parameter(scheme_registry().find(name).parameters, parameter)) given[parameter] = value;
      }};
}

}  // namespace carom
