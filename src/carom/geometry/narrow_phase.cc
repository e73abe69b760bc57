#include "carom/geometry/narrow_phase.h"

#include <array>

#include "carom/base/errors.h"
#include "carom/geometry/pairs/pairs.h"

namespace carom::geometry {

namespace {

struct PairEntry {
  PairFunction function = nullptr;
  bool exchanged = false;  // the function wants the kinds in the other order
};
using PairTable = std::array<std::array<PairEntry, shape_kind_count>, shape_kind_count>;

constexpr std::size_t place(ShapeKind kind) { return static_cast<std::size_t>(kind); }

constexpr PairTable pair_table() {
  PairTable table{};
#define CAROM_PAIR(a, b, function)                                                                       \
  if (ShapeKind::a != ShapeKind::b) table[place(ShapeKind::b)][place(ShapeKind::a)] = {&function, true}; \
  table[place(ShapeKind::a)][place(ShapeKind::b)] = {&function, false};
#include "carom/geometry/pairs.def"
#undef CAROM_PAIR
  return table;
}
constexpr PairTable table = pair_table();

void move_feature(Feature& feature, const Pose& pose) {
  feature.point = pose.point(feature.point);
  feature.direction = pose.direction(feature.direction);
}

void move_window(Window& window, const Pose& pose) {
  for (int k = 0; k < window.point_count; ++k) {
    auto& bound = window.points[static_cast<std::size_t>(k)];
    bound.normal = pose.direction(bound.normal);
    bound.offset += bound.normal.dot(pose.x);
  }
  for (int k = 0; k < window.direction_count; ++k) {
    auto& direction = window.directions[static_cast<std::size_t>(k)];
    direction = pose.direction(direction);
  }
  window.centre = pose.point(window.centre);
  window.axis = pose.direction(window.axis);
}

// From the frame of a part of a compound to that of the body. The angle of a ring counts from an axis that depends on
// the frame.
void move_side(Feature& feature, FeatureId& id, Window& window, const Pose& pose, std::uint32_t leaf) {
  const bool ring = element_kind(id) == Element::rim;
  Vector3 e1, e2, towards = Vector3::Zero();
  if (ring) {
    ring_frame(feature.direction, e1, e2);
    towards = pose.direction(std::cos(feature.parameter) * e1 + std::sin(feature.parameter) * e2);
  }
  move_feature(feature, pose);
  if (ring) {
    ring_frame(feature.direction, e1, e2);
    feature.parameter = std::atan2(e2.dot(towards), e1.dot(towards));
  }
  move_window(window, pose);
  id.leaf = leaf;
}

void find_plain(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                PairScratch& scratch, ContactList& contacts) {
  const PairEntry& entry = table[place(a.kind())][place(b.kind())];
  if (!entry.function) return;
  const std::size_t before = contacts.size();
  if (entry.exchanged) {
    entry.function({b, a, pose_b, pose_a, margin, scratch, contacts});
    for (std::size_t k = before; k < contacts.size(); ++k)
      contacts.primitives[k].swapped = !contacts.primitives[k].swapped;
  } else {
    entry.function({a, b, pose_a, pose_b, margin, scratch, contacts});
  }
}

}  // namespace

NarrowPhase::NarrowPhase() : scratch_(std::make_unique<PairScratch>()) {}
NarrowPhase::~NarrowPhase() = default;
NarrowPhase::NarrowPhase(NarrowPhase&&) noexcept = default;
NarrowPhase& NarrowPhase::operator=(NarrowPhase&&) noexcept = default;

bool has_pair(ShapeKind a, ShapeKind b) { return table[place(a)][place(b)].function != nullptr; }

void NarrowPhase::find(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                       ContactList& contacts) {
  if (a.kind() != ShapeKind::compound && b.kind() != ShapeKind::compound)
    return find_plain(a, pose_a, b, pose_b, margin, *scratch_, contacts);
  const auto parts = [](const Shape& shape) -> std::size_t {
    return shape.kind() == ShapeKind::compound ? shape.as<Compound>().parts->size() : 1;
  };
  const auto part = [](const Shape& shape, std::size_t k) -> const Shape& {
    return shape.kind() == ShapeKind::compound ? (*shape.as<Compound>().parts)[k].shape : shape;
  };
  const auto offset = [](const Shape& shape, std::size_t k) {
    return shape.kind() == ShapeKind::compound ? (*shape.as<Compound>().parts)[k].pose : Pose{};
  };
  for (std::size_t i = 0; i < parts(a); ++i) {
    const Pose in_a = offset(a, i), world_a = pose_a * in_a;
    const Bounds bounds_a = part(a, i).bounds(world_a).grown(margin);
    for (std::size_t j = 0; j < parts(b); ++j) {
      const Pose in_b = offset(b, j), world_b = pose_b * in_b;
      if (!bounds_a.meets(part(b, j).bounds(world_b))) continue;
      const std::size_t before = contacts.size();
      find_plain(part(a, i), world_a, part(b, j), world_b, margin, *scratch_, contacts);
      for (std::size_t k = before; k < contacts.size(); ++k) {
        ContactPrimitive& p = contacts.primitives[k];
        ContactWindows& w = contacts.windows[k];
        const auto leaf_a = static_cast<std::uint32_t>(i), leaf_b = static_cast<std::uint32_t>(j);
        move_side(p.first, p.first_id, w.first, p.swapped ? in_b : in_a, p.swapped ? leaf_b : leaf_a);
        move_side(p.second, p.second_id, w.second, p.swapped ? in_a : in_b, p.swapped ? leaf_a : leaf_b);
      }
    }
  }
}

}  // namespace carom::geometry
