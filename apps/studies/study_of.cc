#include "study_of.h"

#include <fmt/format.h>

#include <vector>

#include "carom/base/errors.h"
#include "carom/base/names.h"

namespace carom::cli {

namespace {

std::string command_of(const std::string& kind) {
  return kind == "convergence" ? "converge" : kind == "compare" ? "compare" : "sweep";
}

}  // namespace

const StudySettings& study_of(const Scenario& scenario, const std::string& name, const std::string& kind,
                              const std::string& or_kind) {
  std::vector<std::string> known;
  std::string hint;
  for (const StudySettings& study : scenario.studies) {
    const bool right = study.kind == kind || study.kind == or_kind;
    if (right) known.push_back(study.name);
    if (study.name != name) continue;
    if (right) return study;
    hint = fmt::format("[study.{}] is a {}: carom {} {} {}", name, study.kind, command_of(study.kind), scenario.file,
                       name);
  }
  if (hint.empty()) hint = known.empty() ? "it has none of this kind" : suggestion(name, known);
  throw InputError({"E0161", fmt::format("the file has no {} [study.{}]", kind, name), {}, hint, {}, 0, 0, {}});
}

}  // namespace carom::cli
