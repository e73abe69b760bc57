// Everything a run needs to go on: a copy of a State is a checkpoint.
#pragma once

#include <vector>

#include "carom/base/buffer.h"
#include "carom/base/make_room.h"
#include "carom/base/types.h"
#include "carom/system/constraint_id.h"

namespace carom::inline system {

// Numbers remembered per constraint (impulses for the warm start, multipliers of multistep schemes),
// flat and sorted by id.
class ContactMemory {
 public:
  void clear() {
    entries_.clear();
    values_.clear();
  }
  void begin(std::size_t constraints) {
    clear();
    make_room(entries_, constraints);
  }
  // Ids must come in ascending order.
  void append(const ConstraintId& id, const double* values, Index count) {
    entries_.push_back({id, values_.size(), count});
    values_.resize(values_.size() + count);
    for (Index i = 0; i < count; ++i) values_[entries_.back().begin + i] = values[i];
  }
  // The values of one constraint, or null. `hint` speeds up look-ups in ascending order.
  const double* find(const ConstraintId& id, Index count, std::size_t& hint) const {
    while (hint < entries_.size() && entries_[hint].id < id) ++hint;
    if (hint == entries_.size() || entries_[hint].id != id || entries_[hint].count != count) return nullptr;
    return values_.data() + entries_[hint].begin;
  }

  struct Entry {
    ConstraintId id;
    Index begin, count;
    bool operator==(const Entry&) const = default;
  };
  const std::vector<Entry>& entries() const { return entries_; }
  const Buffer& values() const { return values_; }
  bool operator==(const ContactMemory&) const = default;

 private:
  std::vector<Entry> entries_;
  Buffer values_;
};

struct State {
  double t = 0.0;
  Vector q, v;
  Buffer memory;           // a scheme's past (multistep schemes)
  ContactMemory impulses;  // of the last step, per constraint
};

// Bit-equal.
bool identical(const State& a, const State& b);

}  // namespace carom::inline system
