// A part that brings constraints along: contacts by its own coordinates, rows that make it rigid.
#pragma once

#include <memory>

#include "carom/model/assembly/groups.h"

namespace carom::model {

class OwnConstraints {
 public:
  virtual ~OwnConstraints() = default;
  // With the offsets of the part in the model; null: none. The group lives as long as the part.
  virtual std::shared_ptr<const ConstraintGroup> own_constraints(Index q, Index v) const = 0;
};

}  // namespace carom::model
