#include "carom/io/drive_signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "carom/io/renamed_text.h"

namespace carom::inline io {

namespace {

std::string without_joint(const std::string& name) { return name.starts_with("joint.") ? name.substr(6) : name; }

// All names that end in a quantity of drives, as they are written.
std::set<std::string> asked_for(const Scenario& scenario) {
  std::set<std::string> names;
  const auto collect = [&](const std::vector<NamedExpression>& list) {
    for (const NamedExpression& named : list)
      for (const Expression::Reference& reference : named.expression.references())
        for (const char* word : {".power", ".torque", ".force"})
          if (reference.name.ends_with(word)) names.insert(reference.name);
  };
  collect(scenario.signals);
  collect(scenario.measures);
  collect(scenario.expectations);
  for (const StudySettings& study : scenario.studies) collect(study.measures);
  return names;
}

// [drive.NAME], or the drive of [joint.NAME].
const DocumentNode* drive_table(const DocumentNode& root, const std::string& name, std::string& joint) {
  const auto member = [](const DocumentNode* table, const std::string& key) {
    const DocumentNode* found = table && table->is_table() ? table->find(key) : nullptr;
    return found && found->is_table() ? found : nullptr;
  };
  const std::string plain = name.starts_with("drive.") ? name.substr(6) : without_joint(name);
  if (const DocumentNode* drive = member(root.find("drive"), plain)) {
    const DocumentNode* of = drive->find("joint");
    joint = of ? without_joint(of->text) : "";
    return drive;
  }
  if (!plain.ends_with(".drive")) return nullptr;
  joint = plain.substr(0, plain.size() - 6);
  return member(member(root.find("joint"), joint), "drive");
}

const JointReading* reading_of(const Scenario& scenario, const std::string& joint) {
  for (const JointReading& reading : scenario.joints)
    if (reading.name == joint || reading.name.starts_with(joint + ".")) return &reading;
  return nullptr;
}

}  // namespace

std::vector<NamedExpression> drive_signals(const DocumentNode& root, const Scenario& scenario) {
  std::vector<NamedExpression> list;
  for (const std::string& name : asked_for(scenario)) {
    const std::size_t dot = name.rfind('.');
    const std::string word = name.substr(dot + 1);
    std::string joint;
    const DocumentNode* drive = drive_table(root, name.substr(0, dot), joint);
    const JointReading* reading = drive ? reading_of(scenario, joint) : nullptr;
    if (!reading) continue;
    const bool turns = reading->kind == JointReading::Kind::angle;
    const DocumentNode* effort = drive->find(turns ? "torque" : "force");
    if (word != "power" && word != (turns ? "torque" : "force")) continue;
    if (!effort) {  // a prescribed motion
      list.push_back({name, Expression(fmt::format("{}.drive.{}", reading->name, word))});
      continue;
    }
    const std::string coordinate = reading->name.substr(reading->name.rfind('.') + 1);
    const std::string formula = effort->kind == DocumentNode::Kind::text
                                    ? renamed(effort->text,
                                              [&](const std::string& part) -> std::optional<std::string> {
                                                if (part == coordinate) return reading->name;
                                                if (part == "rate") return reading->rate_name;
                                                return std::nullopt;
                                              })
                                    : fmt::format("{}", effort->number);
    list.push_back(
        {name, Expression(word == "power" ? fmt::format("({}) * {}", formula, reading->rate_name) : formula)});
  }
  return list;
}

}  // namespace carom::inline io
