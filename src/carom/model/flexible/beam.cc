#include "carom/model/flexible/beam.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/errors.h"
#include "carom/model/contacts/sphere_sphere.h"

namespace carom {

namespace {

// Whether the law's tangential rows turn with the section: then W is not constant in space.
bool grips_skin(const BeamContact& contact) { return contact.thickness > 0.0 && contact.law.friction > 0.0; }

}  // namespace

Beam::Beam(Space space, Index elements, double length, std::vector<BeamContact> contacts)
    : elements_(elements), element_length_(length / elements), contacts_(std::move(contacts)) {
  std::vector<InputProblem> problems;
  const auto refuse = [&](std::string key, std::string message, std::string hint) {
    problems.push_back({"E0150", std::move(message), std::move(key), std::move(hint), {}, 0, 0, {}});
  };
  if (elements < 1) refuse("elements", "a beam needs at least one element", "elements >= 1");
  if (!(length > 0.0)) refuse("length", "the length of a beam must be positive", "length > 0");

  traits_.constant_inertia = true;
  traits_.constant_jacobian = true;
  traits_.constant_contacts = true;
  traits_.contacts = !contacts_.empty();
  for (BeamContact& c : contacts_) {
    if (!(c.at >= 0.0 && c.at <= length * (1.0 + 1e-12)))
      refuse(c.name, fmt::format("contact {} at {} is not on the beam", c.name, c.at),
             fmt::format("0 <= at <= {}", length));
    if (c.law.spin_radius > 0.0)
      refuse(c.name, fmt::format("spin_radius at contact {} of a beam", c.name),
             "contacts of beams have no row for spin: leave spin_radius out");
    if (!(c.thickness >= 0.0)) refuse(c.name, "a negative thickness", "thickness >= 0");
    Vector3& n = c.obstacle.plane.normal;
    const bool plane = c.obstacle.kind == BeamObstacle::Kind::plane;
    if (plane && !(n.norm() > 0.0)) refuse(c.name, "the normal of its plane is zero", "any other vector");
    if (!plane && !(c.obstacle.radius >= 0.0)) refuse(c.name, "a negative radius", "radius >= 0");
    if (plane) n.normalize();
  }
  if (!problems.empty()) throw InputError(std::move(problems));

  for (Index k = 0; k < static_cast<Index>(contacts_.size()); ++k) {
    const BeamContact& c = contact(k);
    places_.push_back(place_of(c.at));
    laws_.push_back(make_contact_law(space, c.law));
    Constraint constraint;
    constraint.id = static_cast<std::uint64_t>(k + 1);
    constraint.law = laws_.back().get();
    constraint.length_scale = length;
    constraint.element = k;
    constraints_.push_back(constraint);
    if (c.law.friction > 0.0) traits_.friction = true;
    if (c.law.restitution < 1.0) traits_.inelastic = true;
    if (c.law.has_two_phases()) traits_.two_phases = true;
    if (c.obstacle.kind == BeamObstacle::Kind::ball || (space == Space::spatial && grips_skin(c)))
      traits_.constant_jacobian = false;
  }
}

Beam::Place Beam::place_of(double at) const {
  const double along = std::clamp(at / element_length_, 0.0, static_cast<double>(elements_));
  const double nearest = std::round(along);
  const double exact = std::abs(along - nearest) < 1e-9 ? nearest : along;  // a node is met exactly
  const Index element = std::min(static_cast<Index>(exact), elements_ - 1);
  return {element, exact - element};
}

void Beam::detect(double, const Vector&, const Vector&, double, ContactSet& contacts) const {
  contacts.constraints = constraints_;
}

std::string Beam::constraint_name(const Constraint& constraint) const {
  return contact(constraint.element).name;
}

Vector3 Beam::position(const Vector& q, const Place& place) const {
  const double w = place.weight;
  return (1.0 - w) * node_position(q, place.element) + w * node_position(q, place.element + 1);
}

Twist Beam::twist(const Vector& q, const Vector& v, const Place& place) const {
  const double w = place.weight;
  const Twist a = node_twist(q, v, place.element), b = node_twist(q, v, place.element + 1);
  return {(1.0 - w) * a.velocity + w * b.velocity, (1.0 - w) * a.omega + w * b.omega};
}

ContactPoint Beam::contact_point(const Vector& q, Index k) const {
  const BeamContact& c = contact(k);
  const Vector3 x = position(q, places_[static_cast<std::size_t>(k)]);
  ContactPoint point;
  if (c.obstacle.kind == BeamObstacle::Kind::plane) {
    point.gap = sphere_plane_gap(x, c.thickness, c.obstacle.plane);
    point.normal = c.obstacle.plane.normal;
  } else {
    point.gap = sphere_sphere_gap(x, c.thickness, c.obstacle.centre, c.obstacle.radius);
    point.normal = sphere_sphere_normal(x, c.obstacle.centre);
  }
  point.lever_a = -c.thickness * point.normal;
  point.central = true;
  return point;
}

void Beam::add_block(const Vector& q, Index k, Index rows, ConstraintJacobian& W) const {
  const ContactPoint point = contact_point(q, k);
  std::array<Vector3, 3> d, torque;
  d[0] = point.normal;
  tangents(point.normal, d[1], d[2]);
  torque[0].setZero();
  for (std::size_t r = 1; r < 3; ++r) torque[r] = point.lever_a.cross(d[r]);
  W.add_block(rows);
  const Place& place = places_[static_cast<std::size_t>(k)];
  if (place.weight < 1.0) add_node_rows(q, place.element, 1.0 - place.weight, rows, d.data(), torque.data(), W);
  if (place.weight > 0.0) add_node_rows(q, place.element + 1, place.weight, rows, d.data(), torque.data(), W);
}

void Beam::evaluate_contacts(const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                             Evaluation& out) const {
  const Index rows = active.rows();
  const bool gap = has(need, Need::gap), jacobian = has(need, Need::jacobian),
             rate = has(need, Need::gap_rate), convective = has(need, Need::convective);
  if (gap) out.g.assign(rows, 0.0);
  if (rate) out.g_rate.assign(rows, 0.0);
  if (convective) out.zeta.assign(rows, 0.0);
  if (jacobian) {
    out.W.clear();
    out.chi.assign(rows, 0.0);
  }
  Index row = 0;
  for (Index i = 0; i < active.size(); ++i) {
    const Index k = active.constraint(i).element, count = active.constraint(i).law->dim();
    const ContactPoint point = contact_point(q, k);
    if (gap) out.g[row] = point.gap;
    if (jacobian) add_block(q, k, count, out.W);
    if (rate || convective) {
      const Twist moving = twist(q, v, places_[static_cast<std::size_t>(k)]);
      if (rate) out.g_rate[row] = contact_gap_rate(point, moving, {});
      const BeamContact& c = contact(k);
      if (convective && c.obstacle.kind == BeamObstacle::Kind::ball) {
        const ContactRates rates =
            sphere_on_sphere_rates(point, c.thickness, c.obstacle.radius, moving.velocity);
        std::array<double, 3> zeta;
        contact_convective(point, rates, 3, moving, {}, zeta.data());
        std::copy_n(zeta.data(), count, out.zeta.data() + row);
      }
    }
    row += count;
  }
}

}  // namespace carom
