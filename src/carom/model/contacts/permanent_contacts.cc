#include "carom/model/contacts/permanent_contacts.h"

namespace carom::model {

void PermanentContacts::detect(const At&, double, Index number, ContactSet& contacts) const {
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    Constraint c;
    c.id = pair_word(number, k);
    c.law = contacts_[k].law.get();
    c.length_scale = contacts_[k].length;
    c.element = number;
    c.a = static_cast<Index>(k);
    contacts.constraints.push_back(c);
  }
}

void PermanentContacts::evaluate(const At& at, Need need, const ActiveSet& active, Index begin, Index end, Index row,
                                 Evaluation& out) const {
  for (Index i = begin; i < end; ++i) {
    const PermanentContact& contact = contacts_[static_cast<std::size_t>(active.constraint(i).a)];
    evaluate_contact(contact.record, *contact.law, at, need, row, out);
    row += contact.law->dim();
  }
}

std::string PermanentContacts::name(const Constraint& constraint) const {
  return contacts_[static_cast<std::size_t>(constraint.a)].name;
}

void PermanentContacts::describe(Traits& traits) const {
  if (contacts_.empty()) return;
  traits.constant_jacobian = false;
  for (const PermanentContact& contact : contacts_) describe_law(*contact.law, traits);
}

}  // namespace carom::model
