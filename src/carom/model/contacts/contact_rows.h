// The rows of one contact, however its bodies meet: with the directions d = n, t1 (, t2) and the levers rho from the
// origins of the two frames to the touching points,
//
//   gamma_d = d . (v_1 + omega_1 x rho_1 - v_2 - omega_2 x rho_2)       spin: radius n . (omega_1 - omega_2)
//   zeta_d  = d' . v_rel + d . (omega_1 x rho_1' - omega_2 x rho_2') + d . (what the frames' own rates bring)
//
// ' on vectors is the rate along the motion, taken with dual numbers through the primitive's one formula. Tangents
// start from an axis that is frozen with the contact, so that they do not jump within a step; in the plane t1 = e_z x
// n.
#pragma once

#include "carom/base/scalar_code.h"
#include "carom/model/assembly/groups.h"
#include "carom/model/contacts/contact_records.h"
#include "carom/model/contacts/primitives/touch.h"

namespace carom::model {

// The records of a contact set, whose type only contact groups know.
inline ContactRecords& records_of(ContactSet& contacts) {
  return *static_cast<ContactRecords*>(contacts.records.get());
}
inline ContactRecord record_of(const ContactSet& contacts, const Constraint& constraint) {
  return (*static_cast<const ContactRecords*>(contacts.records.get()))[constraint.record];
}

// A corner or a disc of a planar body on a straight face of the ground: the formula of contact_rows.cc with all that is
// fixed taken out of it once.
class GroundFace {
 public:
  static bool is(const ContactRecord& record, const Law& law);
  GroundFace(const ContactRecord& record, const Law& law);

  // As evaluate_contact, but for convective terms; nothing may drift. Gaps and their rates by the rows of all contacts.
  CAROM_INLINE void evaluate(const Pose* poses, const Twist* twists, Need need, double* gap, double* gap_rate) const {
    const double *R = poses[frame_].R.data(), *x = poses[frame_].x.data(), nx = normal_[0], ny = normal_[1];
    const double sx = R[0] * corner_[0] + R[3] * corner_[1], sy = R[1] * corner_[0] + R[4] * corner_[1];
    if (has(need, Need::gap)) *gap = nx * (x[0] + sx - point_[0]) + ny * (x[1] + sy - point_[1]) - radius_;
    if (!has(need, Need::gap_rate)) return;
    const double *velocity = twists[frame_].velocity.data(), moment = sx * ny - sy * nx;
    *gap_rate = nx * velocity[0] + ny * velocity[1] + moment * twists[frame_].omega.z();
  }
  void add_rows(const At& at, ConstraintJacobian& W) const;
  Index rows() const { return rows_; }

 private:
  std::size_t frame_;
  Index rows_;
  double corner_[2], point_[2], normal_[2], radius_;
};

// Fills the rows of one contact that `need` names, from `row` on.
void evaluate_contact(const ContactRecord& record, const Law& law, const At& at, Need need, Index row, Evaluation& out);
double contact_gap(const ContactRecord& record, const Placement& place);
// Half way between the touching points; the impulse on the body that is named first, `swapped` by the record or not.
Action contact_action(const ContactRecord& record, const Law& law, const Placement& place, const double* impulse);

}  // namespace carom::model
