// Which law governs the contact of two surfaces. Bodies and planes that are treated alike share a
// surface, so that the table does not grow with the scene.
#pragma once

#include <memory>
#include <vector>

#include "carom/laws/law.h"
#include "carom/system/features.h"

namespace carom {

class ContactLaws {
 public:
  ContactLaws() : ContactLaws(1) {}
  explicit ContactLaws(Index surfaces) : surfaces_(surfaces), table_(static_cast<std::size_t>(surfaces * surfaces)) {}

  // Null: the two do not touch each other.
  void set(Index a, Index b, std::shared_ptr<const Law> law) {
    table_[at(a, b)] = law;
    table_[at(b, a)] = std::move(law);
  }
  const Law* find(Index a, Index b) const { return table_[at(a, b)].get(); }

  // What contacts with any of these laws bring to a model.
  FeatureSet features() const {
    FeatureSet all;
    for (const auto& law : table_)
      if (law) all.insert(features_of_contact(*law));
    return all;
  }

 private:
  std::size_t at(Index a, Index b) const { return static_cast<std::size_t>(a * surfaces_ + b); }

  Index surfaces_;
  std::vector<std::shared_ptr<const Law>> table_;
};

}  // namespace carom
