#include "carom/model/flexible/linear_structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "carom/base/errors.h"
#include "carom/base/vector_kernels.h"
#include "carom/system/layout.h"

namespace carom {

LinearStructure::LinearStructure(std::string name, LinearDynamics dynamics, std::vector<LinearContact> contacts,
                                 std::string unit)
    : name_(std::move(name)), unit_(std::move(unit)), dynamics_(std::move(dynamics)) {
  traits_.constant_inertia = traits_.affine_force = true;
  traits_.constant_jacobian = traits_.constant_contacts = true;
  traits_.contacts = !contacts.empty();
  for (const LinearContact& contact : contacts) add_contact(contact);
}

void LinearStructure::add_contact(const LinearContact& contact) {
  const bool friction = contact.law.friction > 0.0;
  if (contact.rows.empty() || contact.rows.size() > 3) throw LogicError("a contact has one to three rows");
  if (friction && contact.rows.size() == 1)
    throw InputError({"E0121", fmt::format("friction at '{}', which has no tangential motion", contact.name),
                      "friction", "it has a normal direction only: set friction to 0", {}, 0, 0, {}});
  if (contact.law.spin_radius > 0.0)
    throw InputError({"E0122", fmt::format("spin_radius at '{}', which has no row for spin", contact.name),
                      "spin_radius", "contacts of linear bodies have a normal and tangents: leave spin_radius out",
                      {}, 0, 0, {}});
  const Space space = contact.rows.size() == 3 ? Space::spatial : Space::planar;
  laws_.push_back(make_contact_law(space, contact.law));
  traits_.friction = traits_.friction || friction;
  traits_.inelastic = traits_.inelastic || contact.law.restitution < 1.0;
  traits_.two_phases = traits_.two_phases || contact.law.has_two_phases();

  Constraint constraint;
  constraint.element = static_cast<Index>(constraints_.size());
  constraint.id = constraints_.size() + 1;
  constraint.law = laws_.back().get();
  constraint.length_scale = contact.length_scale;
  constraints_.push_back(constraint);
  contact_names_.push_back(contact.name);
  gaps_.push_back(contact.gap);

  // One segment for each run of neighbouring coordinates that some row touches.
  const Index rows = constraint.law->dim();
  std::set<Index> touched;
  for (Index r = 0; r < rows; ++r)
    for (const auto& [i, weight] : contact.rows[static_cast<std::size_t>(r)]) touched.insert(i);
  if (!touched.empty() && (*touched.begin() < 0 || *touched.rbegin() >= nv()))
    throw LogicError("a contact touches a coordinate the structure does not have");
  W_.add_block(rows);
  for (auto begin = touched.begin(); begin != touched.end();) {
    auto end = std::next(begin);
    while (end != touched.end() && *end == *std::prev(end) + 1) ++end;
    const Index offset = *begin, size = *std::prev(end) + 1 - offset;
    double* entries = W_.add_segment(offset, size);
    for (Index r = 0; r < rows; ++r)
      for (const auto& [i, weight] : contact.rows[static_cast<std::size_t>(r)])
        if (i >= offset && i < offset + size) entries[r * size + i - offset] += weight;
    begin = end;
  }
}

void LinearStructure::detect(double, const Vector&, const Vector&, double, ContactSet& contacts) const {
  contacts.constraints = constraints_;
}

void LinearStructure::evaluate(double, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                               Evaluation& out) const {
  if (has(need, Need::inertia)) dynamics_.inertia(out.M);
  if (has(need, Need::force)) dynamics_.force(q, v, out.h);
  if (has(need, Need::force_jacobian)) dynamics_.force_jacobian(out.dh_dq, out.dh_dv);
  if (has(need, Need::gap)) evaluate_gaps(q, active, out.g);
  if (has(need, Need::gap_rate)) evaluate_rates(v, active, out.g_rate);
  if (has(need, Need::jacobian)) {
    out.chi.assign(active.rows(), 0.0);
    out.W.clear();
    for (const Index k : active.members()) out.W.append_leading_rows(W_, k, W_.block(k).rows);
  }
  if (has(need, Need::convective)) out.zeta.assign(active.rows(), 0.0);
}

void LinearStructure::evaluate_rates(const Vector& v, const ActiveSet& active, Buffer& rate) const {
  double* row = rate.resized(active.rows());
  for (const Index k : active.members()) {
    W_.transpose_multiply(k, v.data(), row);
    row += W_.block(k).rows;
  }
}

void LinearStructure::evaluate_gaps(const Vector& q, const ActiveSet& active, Buffer& g) const {
  evaluate_rates(q, active, g);  // w'q
  double* row = g.data();
  for (const Index k : active.members()) {
    row[0] += gaps_[static_cast<std::size_t>(k)];
    std::fill_n(row + 1, W_.block(k).rows - 1, 0.0);  // tangents have no gap
    row += W_.block(k).rows;
  }
}

double LinearStructure::kinetic_energy(double, const Vector&, const Vector& v) const {
  return dynamics_.kinetic_energy(v);
}
double LinearStructure::potential_energy(double, const Vector& q) const { return dynamics_.potential_energy(q); }
double LinearStructure::other_power(double, const Vector&, const Vector& v) const {
  return dynamics_.damping_power(v);
}

std::string LinearStructure::constraint_name(const Constraint& constraint) const {
  return contact_names_[static_cast<std::size_t>(constraint.element)];
}
void LinearStructure::describe(Layout& layout) const {
  std::vector<std::string> names;
  for (Index i = 0; i < nq(); ++i) names.push_back(coordinate_name(i));
  layout.add_pool("/structure", std::move(names));
  layout.add_pooled("/structure/displacement", FieldOf::q, 0, 1, 1, unit_, "of each coordinate from the unloaded structure");
  layout.add_pooled("/structure/velocity", FieldOf::v, 0, 1, 1, unit_ == "SI" ? unit_ : unit_ + "/s", "of each coordinate");
}

std::string LinearStructure::coordinate_name(Index i) const { return fmt::format("{}.q{}", name_, i); }
std::string LinearStructure::velocity_name(Index i) const { return fmt::format("{}.v{}", name_, i); }

}  // namespace carom
