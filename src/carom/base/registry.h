// A table of named makers. Filled from a `.def` list, read by everything that chooses by word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/base/errors.h"
#include "carom/base/names.h"

namespace carom::inline base {

// Entry needs a member `std::string name`.
template <class Entry>
class Registry {
 public:
  // An entry this build could have but has not, and how to get it.
  struct Absent {
    std::string name, remedy;
  };

  // `kind` is what an entry is called in messages ("scheme").
  Registry(std::string kind, std::vector<const Entry*> entries, std::vector<Absent> absent = {})
      : kind_(std::move(kind)), entries_(std::move(entries)), absent_(std::move(absent)) {}

  const std::vector<const Entry*>& entries() const { return entries_; }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Entry* entry : entries_) names.push_back(entry->name);
    return names;
  }

  const Entry& find(std::string_view word) const {
    const std::string name = canonical_name(word);
    for (const Entry* entry : entries_)
      if (entry->name == name) return *entry;
    throw InputError(missing(word));
  }

  // What to say about a word that names no entry.
  InputProblem missing(std::string_view word) const {
    const std::string name = canonical_name(word);
    for (const Absent& entry : absent_)
      if (entry.name == name)
        return {"E0111", "the " + kind_ + " '" + name + "' is not in this build", kind_, entry.remedy, {}, 0, 0, {}};
    return {"E0110", "unknown " + kind_ + " '" + std::string(word) + "'", kind_, suggestion(word, names()), {}, 0, 0,
            {}};
  }

 private:
  std::string kind_;
  std::vector<const Entry*> entries_;
  std::vector<Absent> absent_;
};

}  // namespace carom::inline base
