#include "carom/model/contacts/surface_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/geometry/narrow_phase.h"

namespace carom::model {

namespace {

constexpr double size_part = 0.01;

// Both features in one word. Half of it each: 8 bits for the part of a compound, 4 for the kind of element, 20 for its
// number.
std::uint64_t features_word(const geometry::ContactPrimitive& p) {
  const auto half = [](geometry::FeatureId id) {
    return (static_cast<std::uint64_t>(id.leaf & 0xFFu) << 24) |
           (static_cast<std::uint64_t>(geometry::element_kind(id)) << 20) | (geometry::element_number(id) & 0xFFFFFu);
  };
  return p.swapped ? half(p.second_id) << 32 | half(p.first_id) : half(p.first_id) << 32 | half(p.second_id);
}

// Nothing for shapes that touch in one way only.
std::string feature_name(const geometry::Shape& shape, std::uint64_t half) {
  using geometry::Element;
  using enum geometry::ShapeKind;
  if (shape.kind() == sphere || shape.kind() == half_space || shape.kind() == disc || shape.kind() == half_plane)
    return {};
  const auto number = std::to_string(half & 0xFFFFFu), leaf = std::to_string(half >> 24);
  const std::string part = half >> 24 ? ".part" + leaf : "";
  switch (static_cast<Element>((half >> 20) & 0xFu)) {
    case Element::vertex: return part + ".corner" + number;
    case Element::edge: return part + ".edge" + number;
    case Element::face: return part + ".face" + number;
    case Element::rim: return part + ".rim" + number;
    case Element::rim_point: return part + ".rim_point" + number;
    case Element::side: return part + ".side" + number;
    case Element::span: return part + ".span" + number;
    case Element::body: break;
  }
  return part;
}

}  // namespace

// Memory of the search, which only ever grows; per thread because a system is shared by threads.
struct SurfaceContacts::Search {
  geometry::PairFinder finder;
  geometry::NarrowPhase narrow;
  std::vector<geometry::FinderItem> items;
  std::vector<geometry::IndexPair> pairs;
  geometry::ContactList found;
};

SurfaceContacts::SurfaceContacts(SurfaceSet set) : set_(std::move(set)) {
  for (const Surface& surface : set_.surfaces) sizes_.push_back(surface.shape.bounded() ? surface.shape.radius() : 0.0);
}

const Law* SurfaceContacts::law(const Frames& frames, Index a, Index b) const {
  const bool planar = frames.planar(surface(a).frame) && frames.planar(surface(b).frame) && surface(a).shape.planar();
  return (planar ? set_.planar : set_.spatial).find(surface(a).material, surface(b).material);
}

bool SurfaceContacts::may_touch(const Frames& frames, Index a, Index b) const {
  const Surface &x = surface(a), &y = surface(b);
  if (x.frame == y.frame || !(frames.moves_with_v(x.frame) || frames.moves_with_v(y.frame))) return false;
  if ((x.groups & y.meets) == 0 || (y.groups & x.meets) == 0) return false;
  const bool compound =
      x.shape.kind() == geometry::ShapeKind::compound || y.shape.kind() == geometry::ShapeKind::compound;
  const bool pair =
      compound ? x.shape.planar() == y.shape.planar() : geometry::has_pair(x.shape.kind(), y.shape.kind());
  return pair && !set_.apart.contains(x.frame, y.frame);
}

// Whoever a blow throws aside must still be found: boxes grow to all sides.
void SurfaceContacts::detect(const At& at, double dt, Index number, ContactSet& contacts) const {
  thread_local Search search;
  const double fall = set_.acceleration * dt * dt;
  search.items.clear();
  for (std::size_t s = 0; s < set_.surfaces.size(); ++s) {
    const Surface& surface = set_.surfaces[s];
    const auto f = static_cast<std::size_t>(surface.frame);
    const Twist& twist = at.place.twists[f];
    const double speed = twist.velocity.norm() + twist.omega.norm() * sizes_[s];
    geometry::Bounds bounds;
    if (sizes_[s] > 0.0)
      bounds = surface.shape.bounds(at.place.poses[f]).grown(2.0 * speed * dt + fall + size_part * sizes_[s]);
    else  // a plane that turns is anywhere
      bounds = twist.velocity.isZero(0.0) && twist.omega.isZero(0.0) ? surface.shape.bounds(at.place.poses[f])
                                                                     : geometry::unbounded();
    search.items.push_back(
        {bounds, surface.frame, surface.groups, surface.meets, !at.frames.moves_with_v(surface.frame)});
  }
  search.finder.find(search.items, set_.apart, search.pairs);
  std::vector<Constraint>& list = contacts.constraints.edit();
  for (const geometry::IndexPair& pair : search.pairs) {
    const auto begin = static_cast<std::ptrdiff_t>(list.size());
    add_pair(at, dt, number, pair.first, pair.second, search, contacts);
    // Pairs come in the order of ids, the features of a pair do not.
    std::sort(list.begin() + begin, list.end(), [](const Constraint& x, const Constraint& y) { return x.id < y.id; });
  }
}

double SurfaceContacts::smaller_size(Index a, Index b) const {
  return size(a) == 0.0 ? size(b) : size(b) == 0.0 ? size(a) : std::min(size(a), size(b));
}

void SurfaceContacts::find_features(const At& at, Index a, Index b, double margin, Search& search) const {
  const Pose &pa = at.place.poses[static_cast<std::size_t>(surface(a).frame)],
             &pb = at.place.poses[static_cast<std::size_t>(surface(b).frame)];
  search.found.clear();
  search.narrow.find(surface(a).shape, pa, surface(b).shape, pb, margin, search.found);
}

Constraint SurfaceContacts::constraint(Index number, Index a, Index b, const Law* law,
                                       const geometry::ContactPrimitive& primitive) const {
  Constraint c;
  c.id = {pair_word(number, static_cast<std::uint64_t>(a) << 28 | static_cast<std::uint64_t>(b)),
          features_word(primitive)};
  c.law = law;
  c.length_scale = smaller_size(a, b);
  c.element = number;
  c.a = a;
  c.b = b;
  return c;
}

void SurfaceContacts::add_pair(const At& at, double dt, Index number, Index a, Index b, Search& search,
                               ContactSet& contacts) const {
  if (!may_touch(at.frames, a, b)) return;
  const Law* between = law(at.frames, a, b);
  if (!between) return;
  const Index frame[2] = {surface(a).frame, surface(b).frame};
  const Twist &ta = at.place.twists[static_cast<std::size_t>(frame[0])],
              &tb = at.place.twists[static_cast<std::size_t>(frame[1])];
  const double speed = (ta.velocity - tb.velocity).norm() + ta.omega.norm() * size(a) + tb.omega.norm() * size(b);
  const double margin = 2.0 * speed * dt + set_.acceleration * dt * dt + size_part * smaller_size(a, b);

  find_features(at, a, b, margin, search);
  const bool planar = between->dim() == 2 || surface(a).shape.planar();
  ContactRecords& records = records_of(contacts);
  const std::size_t first = contacts.constraints.size();
  for (const geometry::ContactPrimitive& p : search.found.primitives) {
    Constraint c = constraint(number, a, b, between, p);
    // The same features twice (found as the closest, and as company of others) are one contact.
    const auto same = [&](const Constraint& other) { return other.id == c.id; };
    if (std::any_of(contacts.constraints.begin() + first, contacts.constraints.end(), same)) continue;
    c.record = records.add(make_record(p, frame[p.swapped ? 1 : 0], frame[p.swapped ? 0 : 1], planar));
    contacts.constraints.push_back(c);
  }
}

void SurfaceContacts::evaluate(const At& at, Need need, const ActiveSet& active, Index begin, Index end, Index row,
                               Evaluation& out) const {
  for (Index i = begin; i < end; ++i) {
    const Constraint& c = active.constraint(i);
    evaluate_contact(record_of(active.contacts(), c), *c.law, at, need, row, out);
    row += c.law->dim();
  }
}

// Of a contact that is no longer near: the same features where they still face each other, else the nearest of the
// pair.
void SurfaceContacts::act(const At& at, const ContactSet& contacts, const Acting& acting, Action& action) const {
  const Constraint& c = *acting.constraint;
  if (c.record >= 0) {
    action = contact_action(record_of(contacts, c), *c.law, at.place, acting.impulse);
    return;
  }
  thread_local Search search;
  find_features(at, c.a, c.b, std::numeric_limits<double>::infinity(), search);
  double best = std::numeric_limits<double>::infinity();
  for (const geometry::ContactPrimitive& p : search.found.primitives) {
    const Index first = surface(p.swapped ? c.b : c.a).frame, second = surface(p.swapped ? c.a : c.b).frame;
    const ContactRecord record = make_record(p, first, second, surface(c.a).shape.planar());
    const bool same = constraint(c.element, c.a, c.b, c.law, p).id == c.id;
    const double gap = contact_gap(record, at.place);
    if (!same && !(gap < best)) continue;
    best = gap;
    action = contact_action(record, *c.law, at.place, acting.impulse);
    if (same) return;
  }
}

std::string SurfaceContacts::name(const Constraint& c) const {
  return surface(c.a).name + feature_name(surface(c.a).shape, c.id.features >> 32) + "-" + surface(c.b).name +
         feature_name(surface(c.b).shape, c.id.features & 0xFFFFFFFFu);
}

Index SurfaceContacts::partner(std::string_view name) const {
  for (std::size_t s = 0; s < set_.surfaces.size(); ++s)
    if (set_.surfaces[s].name == name) return static_cast<Index>(s);
  return -1;
}

bool SurfaceContacts::can_touch(const Frames& frames, Index partner) const {
  for (Index other = 0; other < static_cast<Index>(set_.surfaces.size()); ++other)
    if (other != partner && may_touch(frames, partner, other) && law(frames, partner, other)) return true;
  return false;
}

bool SurfaceContacts::visit_pair(const At& at, Index number, Index a, Index b, const VisitFar& visit) const {
  thread_local Search search;
  const Law* between = may_touch(at.frames, a, b) ? law(at.frames, a, b) : nullptr;
  if (!between) return true;
  find_features(at, a, b, std::numeric_limits<double>::infinity(), search);
  for (const geometry::ContactPrimitive& p : search.found.primitives) {
    const Index first = surface(p.swapped ? b : a).frame, second = surface(p.swapped ? a : b).frame;
    if (!visit(constraint(number, a, b, between, p),
               contact_gap(make_record(p, first, second, surface(a).shape.planar()), at.place)))
      return false;
  }
  return true;
}

void SurfaceContacts::visit_far(const At& at, Index number, Index partner, const VisitFar& visit) const {
  const auto count = static_cast<Index>(set_.surfaces.size());
  for (Index a = 0; a < count; ++a) {
    if (partner >= 0) {
      if (a != partner && !visit_pair(at, number, std::min(a, partner), std::max(a, partner), visit)) return;
      continue;
    }
    for (Index b = a + 1; b < count; ++b)
      if (!visit_pair(at, number, a, b, visit)) return;
  }
}

double SurfaceContacts::far_gap(const At& at, const Constraint& contact) const {
  double own = std::numeric_limits<double>::infinity(), nearest = own;
  visit_pair(at, contact.element, contact.a, contact.b, [&](const Constraint& other, double gap) {
    nearest = std::min(nearest, gap);
    if (other.id == contact.id) own = gap;
    return true;
  });
  return std::isfinite(own) ? own : nearest;
}

void SurfaceContacts::describe(FeatureSet& features, Constancy& constancy) const {
  if (set_.surfaces.empty()) return;
  constancy.contacts = constancy.jacobian = false;
  features.insert(set_.spatial.features());
  features.insert(set_.planar.features());
}

}  // namespace carom::model
