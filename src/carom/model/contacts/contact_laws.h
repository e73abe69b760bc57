// Which law governs the contact of two surfaces. Bodies and planes that are treated alike share a
// surface, so that the table does not grow with the scene.
#pragma once

#include <memory>
#include <vector>

#include "carom/laws/law.h"

namespace carom {

class ContactLaws {
 public:
  ContactLaws() : ContactLaws(1) {}
  explicit ContactLaws(Index surfaces)
      : surfaces_(surfaces), table_(static_cast<std::size_t>(surfaces * surfaces)) {}

  // Null: the two do not touch each other.
  void set(Index a, Index b, std::shared_ptr<const Law> law) {
    table_[at(a, b)] = law;
    table_[at(b, a)] = std::move(law);
  }
  const Law* find(Index a, Index b) const { return table_[at(a, b)].get(); }

  bool any() const {
    for (const auto& law : table_)
      if (law) return true;
    return false;
  }
  bool friction() const {
    for (const auto& law : table_)
      if (law && law->friction() > 0.0) return true;
    return false;
  }
  bool two_phases() const {
    for (const auto& law : table_)
      if (law && law->expansion() > 0.0) return true;
    return false;
  }
  bool spin_friction() const {
    for (const auto& law : table_)
      if (law && law->spin_radius() > 0.0) return true;
    return false;
  }
  bool friction_in_balls() const {
    for (const auto& law : table_)
      if (law && !law->friction_in_ball()) return false;
    return true;
  }
  // Whether some contact has a restitution below 1.
  bool inelastic() const {
    for (const auto& law : table_) {
      if (!law) continue;
      const double gamma_minus[Law::max_dim] = {-1.0};
      double shift[Law::max_dim] = {};
      law->impact_shift(gamma_minus, shift);
      if (shift[0] > -1.0) return true;
    }
    return false;
  }

 private:
  std::size_t at(Index a, Index b) const { return static_cast<std::size_t>(a * surfaces_ + b); }

  Index surfaces_;
  std::vector<std::shared_ptr<const Law>> table_;
};

}  // namespace carom
