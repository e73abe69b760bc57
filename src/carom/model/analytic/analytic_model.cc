#include "carom/model/analytic/analytic_model.h"

namespace carom {

namespace analytic {
#define CAROM_ANALYTIC_MODEL(name) AnalyticEntry name();
#include "carom/model/analytic/models.def"
#undef CAROM_ANALYTIC_MODEL
}  // namespace analytic

const Registry<AnalyticEntry>& analytic_models() {
  static const std::vector<AnalyticEntry> entries = {
#define CAROM_ANALYTIC_MODEL(name) analytic::name(),
#include "carom/model/analytic/models.def"
#undef CAROM_ANALYTIC_MODEL
  };
  static const Registry<AnalyticEntry> registry = [] {
    std::vector<const AnalyticEntry*> pointers;
    for (const AnalyticEntry& entry : entries) pointers.push_back(&entry);
    return Registry<AnalyticEntry>("analytic model", std::move(pointers));
  }();
  return registry;
}

Model make_analytic_model(std::string_view name, const std::map<std::string, ParameterValue>& given,
                          const ContactParameters& contact) {
  const AnalyticEntry& entry = analytic_models().find(name);
  return entry.make(Parameters(entry.parameters, given, "model " + entry.name), contact);
}

}  // namespace carom
