// What detection fixes of a contact for a step, and the many records of a contact set. A record has fields for every
// kind of feature; of a sphere only its radius differs from what they are by default. Kept are the fields that differ,
// bit by bit, and a word that says which: two spheres take 60 bytes instead of 264. A pile has two such sets at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "carom/geometry/contact_features.h"
#include "carom/model/assembly/placement.h"

namespace carom::model {

struct ContactRecord {
  geometry::ContactPrimitive primitive;  // features in the components of the two frames
  Index first = ground_frame, second = ground_frame;
  Vector3 tangent_axis = Vector3::UnitX();  // choose_tangent_axis of the normal at detection
  bool planar = false;
};

// A fixed axis well away from n, which the tangents start from.
Vector3 choose_tangent_axis(const Vector3& n);

ContactRecord make_record(const geometry::ContactPrimitive& primitive, Index first, Index second, bool planar);

// Records of make_record. The gap and the names of features at detection are not kept.
class ContactRecords {
 public:
  void clear() {
    heads_.clear();
    numbers_.clear();
  }
  Index size() const { return static_cast<Index>(heads_.size()); }
  // Its number.
  Index add(const ContactRecord& record);
  ContactRecord operator[](Index number) const;
  std::size_t bytes() const { return heads_.size() * sizeof(Head) + numbers_.size() * sizeof(double); }

 private:
  struct Head {
    geometry::PrimitiveKind kind;
    bool swapped, planar;
    std::uint32_t differs;  // a bit for every field that is kept
    Index first, second;
    std::uint32_t begin;  // of its numbers
  };
  std::vector<Head> heads_;
  std::vector<double> numbers_;
};

}  // namespace carom::model
