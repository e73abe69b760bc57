#include "carom/model/contacts/contact_records.h"

#include <cstring>

#include "carom/base/make_room.h"
#include "carom/base/rotation.h"

namespace carom::model {

namespace {

// The fields in the order they are kept in, each as doubles.
template <class Primitive, class Act>
inline void each_field(Primitive& p, Act act) {
  act(p.normal);
  for (auto* feature : {&p.first, &p.second}) {
    act(feature->radius);
    act(feature->point);
    act(feature->direction);
    act(feature->half_length);
    act(feature->parameter);
    act(feature->curve);
  }
  act(p.side);
}

}  // namespace

Vector3 choose_tangent_axis(const Vector3& n) { return tangent_axis(n); }

ContactRecord make_record(const geometry::ContactPrimitive& primitive, Index first, Index second, bool planar) {
  return {primitive, first, second, choose_tangent_axis(primitive.normal), planar};
}

Index ContactRecords::add(const ContactRecord& record) {
  Head head{record.primitive.kind,
            record.primitive.swapped,
            record.planar,
            0,
            record.first,
            record.second,
            static_cast<std::uint32_t>(numbers_.size())};
  static const geometry::ContactPrimitive by_default;
  const char* base = reinterpret_cast<const char*>(&record.primitive);
  std::uint32_t bit = 1;
  each_field(record.primitive, [&](const auto& field) {
    static_assert(sizeof(field) % sizeof(double) == 0);
    const auto* usual = reinterpret_cast<const char*>(&by_default) + (reinterpret_cast<const char*>(&field) - base);
    if (std::memcmp(&field, usual, sizeof(field)) != 0) {
      head.differs |= bit;
      const std::size_t at = numbers_.size();
      make_room_behind(numbers_, sizeof(field) / sizeof(double));
      numbers_.resize(at + sizeof(field) / sizeof(double));
      std::memcpy(numbers_.data() + at, &field, sizeof(field));
    }
    bit <<= 1;
  });
  make_room_behind(heads_);
  heads_.push_back(head);
  return size() - 1;
}

ContactRecord ContactRecords::operator[](Index number) const {
  const Head& head = heads_[static_cast<std::size_t>(number)];
  ContactRecord record;
  geometry::ContactPrimitive& p = record.primitive;
  p.kind = head.kind;
  p.swapped = head.swapped;
  const double* next = numbers_.data() + head.begin;
  std::uint32_t bits = head.differs;
  each_field(p, [&](auto& field) {
    if ((bits & 1) != 0) {
      std::memcpy(static_cast<void*>(&field), next, sizeof(field));
      next += sizeof(field) / sizeof(double);
    }
    bits >>= 1;
  });
  record.first = head.first;
  record.second = head.second;
  record.tangent_axis = choose_tangent_axis(p.normal);
  record.planar = head.planar;
  return record;
}

}  // namespace carom::model
