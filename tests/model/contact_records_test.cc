// Records of contacts keep every bit of what an evaluation reads, in few bytes for spheres.
#include "carom/model/contacts/contact_records.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace carom {
namespace {

using geometry::ContactPrimitive;
using model::ContactRecord;
using model::ContactRecords;

class AnyRecord {
 public:
  explicit AnyRecord(unsigned seed) : random_(seed) {}

  // Every field of a feature is what it is by default, or anything, also a zero with a sign.
  ContactRecord operator()() {
    ContactPrimitive p;
    p.kind = static_cast<geometry::PrimitiveKind>(pick(5));
    p.swapped = pick(2) == 0;
    p.normal = Vector3(number(), number(), number()).normalized();
    for (geometry::Feature* feature : {&p.first, &p.second}) {
      for (Vector3* x : {&feature->point, &feature->direction})
        if (pick(2) == 0) *x = {number(), pick(3) == 0 ? -0.0 : number(), number()};
      if (pick(2) == 0) feature->radius = number();
      if (pick(2) == 0) feature->half_length = number();
      if (pick(3) == 0) feature->parameter = pick(2) == 0 ? -0.0 : number();
      if (pick(4) == 0) feature->curve = reinterpret_cast<const geometry::Curve*>(&p);  // never followed
    }
    if (pick(2) == 0) p.side = -1.0;
    return model::make_record(p, static_cast<Index>(pick(1000)), static_cast<Index>(pick(1000)), pick(2) == 0);
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  double number() { return std::uniform_real_distribution<>(-3.0, 3.0)(random_); }
  std::mt19937 random_;
};

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

void expect_same(const ContactRecord& a, const ContactRecord& b) {
  const ContactPrimitive &p = a.primitive, &q = b.primitive;
  EXPECT_EQ(p.kind, q.kind);
  EXPECT_EQ(p.swapped, q.swapped);
  EXPECT_TRUE(same_bits(p.normal, q.normal));
  EXPECT_TRUE(same_bits(p.side, q.side));
  EXPECT_TRUE(same_bits(p.first, q.first));
  EXPECT_TRUE(same_bits(p.second, q.second));
  EXPECT_TRUE(same_bits(a.tangent_axis, b.tangent_axis));
  EXPECT_EQ(a.first, b.first);
  EXPECT_EQ(a.second, b.second);
  EXPECT_EQ(a.planar, b.planar);
}

TEST(ContactRecords, KeepEveryBit) {
  AnyRecord any(7);
  ContactRecords records;
  for (int again = 0; again < 2; ++again) {  // also after what was there before
    std::vector<ContactRecord> given;
    records.clear();
    for (int k = 0; k < 500; ++k) {
      given.push_back(any());
      EXPECT_EQ(records.add(given.back()), k);
    }
    ASSERT_EQ(records.size(), 500);
    for (Index k = 0; k < records.size(); ++k) expect_same(given[static_cast<std::size_t>(k)], records[k]);
  }
}

TEST(ContactRecords, TwoSpheresTakeFewBytes) {
  ContactPrimitive p;
  p.kind = geometry::PrimitiveKind::ball_ball;
  p.first.radius = p.second.radius = 0.05;
  p.normal = Vector3::UnitX();
  ContactRecords records;
  records.add(model::make_record(p, 1, 2, false));
  EXPECT_LE(records.bytes(), 64u);
  expect_same(model::make_record(p, 1, 2, false), records[0]);
}

}  // namespace
}  // namespace carom
