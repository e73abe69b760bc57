// Schemes that cannot run a model, grouped by what of it they cannot treat.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string>
#include <vector>

#include "safe_output.h"

namespace carom::cli {

class Refusals {
 public:
  void add(const std::string& scheme, const std::string& untreated) { by_cause_[untreated].push_back(scheme); }
  void print(const char* indent) const {
    for (const auto& [cause, schemes] : by_cause_)
      say("{}cannot treat {}: {}\n", indent, cause, fmt::format("{}", fmt::join(schemes, ", ")));
  }

 private:
  std::map<std::string, std::vector<std::string>> by_cause_;
};

}  // namespace carom::cli
