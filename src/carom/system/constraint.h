// The constraints a system has at one moment (joints always, contacts that are near), and which of
// them take part in a problem.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "carom/base/make_room.h"
#include "carom/base/types.h"
#include "carom/laws/law.h"
#include "carom/system/constraint_id.h"

namespace carom::inline system {

struct Constraint {
  ConstraintId id;  // the same contact keeps its id from step to step
  const Law* law = nullptr;
  bool bilateral = false;     // a joint: always active
  Index position_rows = 1;    // how many leading rows exist on position level (normal: 1, joint: all,
                              // clutch: 0)
  double length_scale = 1.0;  // what counts as a length here, for relative tolerances
  double clearance = 0.0;     // the play it bounds (a block in its guide, a pin in its bore); 0: none
  // Where it comes from, for the system that made it: an element of the model, the bodies or features
  // that meet. Nobody else reads these.
  Index element = 0, a = 0, b = 0, feature = 0;
  Index record = -1;  // its number in ContactSet::records; -1: none
};

// A list that copies share: a driver, a scheme and whoever draws look at the same contacts. Who changes it makes one of
// its own, unless it is alone; who begins anew copies nothing.
class ConstraintList {
 public:
  ConstraintList() = default;
  ConstraintList& operator=(const std::vector<Constraint>& constraints) {
    renewed() = constraints;
    return *this;
  }
  std::size_t size() const { return list_ ? list_->size() : 0; }
  bool empty() const { return size() == 0; }
  const Constraint& operator[](std::size_t k) const { return (*list_)[k]; }
  const Constraint& back() const { return list_->back(); }
  const Constraint* begin() const { return list_ ? list_->data() : nullptr; }
  const Constraint* end() const { return begin() + size(); }

  void clear() { renewed().clear(); }
  void assign(std::size_t count, const Constraint& constraint) { renewed().assign(count, constraint); }
  void push_back(const Constraint& constraint) {
    std::vector<Constraint>& list = edit();
    make_room_behind(list);
    list.push_back(constraint);
  }
  std::vector<Constraint>& edit() {
    if (!list_ || list_.use_count() > 1)
      list_ = list_ ? std::make_shared<std::vector<Constraint>>(*list_) : std::make_shared<std::vector<Constraint>>();
    return *list_;
  }

 private:
  std::vector<Constraint>& renewed() {
    if (!list_ || list_.use_count() > 1) list_ = std::make_shared<std::vector<Constraint>>();
    return *list_;
  }

  std::shared_ptr<std::vector<Constraint>> list_;
};

// Filled by System::detect once a step and frozen during it. Ordered by id.
struct ContactSet {
  ConstraintList constraints;
  // What the system that found the contacts fixed of them for the step (features on both bodies). Of a type of its own;
  // copies share it, so who writes anew makes a new one unless it is alone.
  std::shared_ptr<void> records;
  std::uint64_t records_of = 0;  // the system whose they are

  Index size() const { return static_cast<Index>(constraints.size()); }
  const Constraint& operator[](Index k) const { return constraints[static_cast<std::size_t>(k)]; }
};

// Some constraints of a contact set, ascending. Rows of W, g, chi, zeta follow the members.
class ActiveSet {
 public:
  void reset(const ContactSet& contacts) {
    contacts_ = &contacts;
    members_.clear();
    rows_ = 0;
  }
  void add(Index k) {
    make_room_behind(members_);
    members_.push_back(k);
    rows_ += (*contacts_)[k].law->dim();
  }
  void add_all() {
    const Index n = contacts_->size();
    make_room(members_, static_cast<std::size_t>(n));
    members_.resize(static_cast<std::size_t>(n));
    rows_ = 0;
    for (Index k = 0; k < n; ++k) {
      members_[static_cast<std::size_t>(k)] = k;
      rows_ += (*contacts_)[k].law->dim();
    }
  }

  const ContactSet& contacts() const { return *contacts_; }
  Index size() const { return static_cast<Index>(members_.size()); }
  bool empty() const { return members_.empty(); }
  Index operator[](Index i) const { return members_[static_cast<std::size_t>(i)]; }
  const Constraint& constraint(Index i) const { return (*contacts_)[(*this)[i]]; }
  const std::vector<Index>& members() const { return members_; }
  Index rows() const { return rows_; }

 private:
  const ContactSet* contacts_ = nullptr;
  std::vector<Index> members_;
  Index rows_ = 0;
};

}  // namespace carom::inline system
