// The registry of analytic models: mechanisms and structures of the literature written down as formulas, ready
// with their data. One file and one line in models.def each.
#pragma once

#include <string>
#include <vector>

#include "carom/base/parameters.h"
#include "carom/base/registry.h"
#include "carom/laws/contact_law.h"
#include "carom/model/model.h"

namespace carom {

struct AnalyticEntry {
  std::string name;
  std::string title;
  std::string reference;
  bool has_contacts = true;  // wants a [law]
  std::vector<ParameterSpec> parameters;
  Model (*make)(const Parameters&, const ContactParameters&);
};

const Registry<AnalyticEntry>& analytic_models();
Model make_analytic_model(std::string_view name, const std::map<std::string, ParameterValue>& given,
                          const ContactParameters& contact);

}  // namespace carom
