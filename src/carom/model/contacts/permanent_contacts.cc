#include "carom/model/contacts/permanent_contacts.h"

#include <numbers>

#include "carom/model/contacts/primitives/rings.h"

namespace carom::model {

namespace {

bool seeks(const PermanentContact& contact) {
  return contact.record.primitive.kind == geometry::PrimitiveKind::rim_line_inner;
}

// The angle of the farthest point of the rim, or of the next local maximum after it; the opposite point if there is
// none.
double farthest_angle(const PermanentContact& contact, const Placement& place) {
  const geometry::ContactPrimitive& p = contact.record.primitive;
  const Ring<double> ring(p.first, place.poses[static_cast<std::size_t>(contact.record.first)]);
  const Pose& bore = place.poses[static_cast<std::size_t>(contact.record.second)];
  const Vector3 o = bore.point(p.second.point), t = bore.direction(p.second.direction);
  constexpr int samples = 24;
  double distance[samples];
  int best = 0, next = -1;
  for (int k = 0; k < samples; ++k) {
    const Vector3 from = ring.point(2.0 * std::numbers::pi * k / samples) - o;
    distance[k] = (from - t.dot(from) * t).squaredNorm();
    if (distance[k] > distance[best]) best = k;
  }
  if (contact.second) {
    for (int k = 0; k < samples; ++k)
      if (k != best && distance[k] > distance[(k + 1) % samples] &&
          distance[k] >= distance[(k + samples - 1) % samples] && (next < 0 || distance[k] > distance[next]))
        next = k;
    best = next >= 0 ? next : (best + samples / 2) % samples;
  }
  return 2.0 * std::numbers::pi * best / samples;
}

bool within(const FaceWindow& window, const ContactRecord& record, const Placement& place) {
  const geometry::ContactPrimitive& p = record.primitive;
  const Pose& face = place.poses[static_cast<std::size_t>(record.second)];
  const Vector3 from =
      place.poses[static_cast<std::size_t>(record.first)].point(p.first.point) - face.point(p.second.point);
  const double along = face.direction(window.along).dot(from);
  return along >= window.from && along <= window.to;
}

}  // namespace

PermanentContacts::PermanentContacts(std::vector<PermanentContact> contacts) : contacts_(std::move(contacts)) {
  for (const PermanentContact& contact : contacts_) {
    ground_faces_.emplace_back();
    if (GroundFace::is(contact.record, *contact.law)) ground_faces_.back().emplace(contact.record, *contact.law);
  }
}

void PermanentContacts::detect(const At& at, double, Index number, ContactSet& contacts) const {
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const PermanentContact& contact = contacts_[k];
    if (contact.window && !within(*contact.window, contact.record, at.place)) continue;
    const bool found = seeks(contact);
    ContactRecord record = contact.record;
    if (found) record.primitive.first.parameter = farthest_angle(contact, at.place);
    if (std::isfinite(contact.depth) && contact_gap(record, at.place) < -contact.depth) continue;
    Constraint c;
    c.id = pair_word(number, k);
    c.law = contact.law.get();
    c.length_scale = contact.length;
    c.clearance = contact.clearance;
    c.element = number;
    c.a = static_cast<Index>(k);
    if (found) c.record = records_of(contacts).add(record);
    contacts.constraints.push_back(c);
  }
}

CAROM_SCALAR_CODE void PermanentContacts::evaluate(const At& at, Need need, const ActiveSet& active, Index begin,
                                                   Index end, Index row, Evaluation& out) const {
  const bool simple = !at.place.drifting && !has(need, Need::convective);
  const Pose* poses = at.place.poses.data();
  const Twist* twists = at.place.twists.data();
  double *gaps = out.g.data(), *rates = out.g_rate.data();
  for (Index i = begin; i < end; ++i) {
    const Constraint& constraint = active.constraint(i);
    const std::optional<GroundFace>& face = ground_faces_[static_cast<std::size_t>(constraint.a)];
    if (simple && face) {
      face->evaluate(poses, twists, need, gaps + row, rates + row);
      if (has(need, Need::jacobian)) face->add_rows(at, out.W);
      row += face->rows();
      continue;
    }
    const PermanentContact& contact = contacts_[static_cast<std::size_t>(constraint.a)];
    if (constraint.record >= 0)
      evaluate_contact(record_of(active.contacts(), constraint), *contact.law, at, need, row, out);
    else
      evaluate_contact(contact.record, *contact.law, at, need, row, out);
    row += contact.law->dim();
  }
}

void PermanentContacts::act(const At& at, const ContactSet& contacts, const Acting& acting, Action& action) const {
  const Constraint& c = *acting.constraint;
  const ContactRecord record = c.record >= 0 ? record_of(contacts, c) : contacts_[static_cast<std::size_t>(c.a)].record;
  action = contact_action(record, *c.law, at.place, acting.impulse);
}

std::string PermanentContacts::name(const Constraint& constraint) const {
  return contacts_[static_cast<std::size_t>(constraint.a)].name;
}

void PermanentContacts::describe(FeatureSet& features, Constancy& constancy) const {
  if (contacts_.empty()) return;
  constancy.jacobian = false;
  for (const PermanentContact& contact : contacts_) {
    features.insert(features_of_contact(*contact.law));
    if (seeks(contact) || contact.window || std::isfinite(contact.depth))
      constancy.contacts = false;  // their features change
  }
}

}  // namespace carom::model
