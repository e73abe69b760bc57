#include "own_law.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "carom/system/far_contacts.h"
#include "carom/system/layout.h"

namespace carom::python {

namespace {

// An object with project(x), and if it has them derivative(x), shift(gamma_minus).
class OwnLaw final : public Law {
 public:
  OwnLaw(py::object law, const Law& replaced)
      : Law(replaced.dim()), law_(std::move(law)), contact_(*replaced.contact()) {
    contact_.restitution = number("restitution", contact_.restitution);
    contact_.friction = number("friction", contact_.friction);
    contact_.impact = ImpactLaw::newton;
    differentiable_ = py::hasattr(law_, "derivative");
    shifts_ = py::hasattr(law_, "shift");
  }
  ~OwnLaw() override {
    const py::gil_scoped_acquire lock;
    law_ = py::object();
  }

  LawKind kind() const override { return LawKind::other; }
  const ContactParameters* contact() const override { return &contact_; }
  ContactState state(const double* lambda, const double* xi) const override {
    if (!(lambda[0] > 0.0)) return ContactState::open;
    double speed = 0.0;
    for (Index k = 1; k < dim() && xi; ++k) speed = std::max(speed, std::abs(xi[k]));
    return dim() > 1 && speed <= state_rounding ? ContactState::stick : ContactState::slip;
  }

  void project(const double* x, double* y) const override {
    const py::gil_scoped_acquire lock;
    copy(law_.attr("project")(vector(x)), y, dim(), "project");
  }

  // Central differences unless the law knows better: elements of the generalised Jacobian but on kinks.
  void project_derivative(const double* x, double* D) const override {
    if (differentiable_) {
      const py::gil_scoped_acquire lock;
      const auto answer = law_.attr("derivative")(vector(x)).cast<Eigen::MatrixXd>();
      if (answer.rows() != dim() || answer.cols() != dim())
        throw py::value_error("derivative of a law must be a square matrix");
      std::copy_n(answer.data(), dim() * dim(), D);
      return;
    }
    double scale = 0.0;
    for (Index k = 0; k < dim(); ++k) scale = std::max(scale, std::abs(x[k]));
    const double h = 1e-7 * (scale > 0.0 ? scale : 1.0);
    double moved[max_dim], above[max_dim], below[max_dim];
    std::copy_n(x, dim(), moved);
    for (Index k = 0; k < dim(); ++k) {
      moved[k] = x[k] + h;
      project(moved, above);
      moved[k] = x[k] - h;
      project(moved, below);
      moved[k] = x[k];
      for (Index i = 0; i < dim(); ++i) D[k * dim() + i] = (above[i] - below[i]) / (2.0 * h);
    }
  }

  void impact_shift(const double* gamma_minus, double* shift) const override {
    if (shifts_) {
      const py::gil_scoped_acquire lock;
      copy(law_.attr("shift")(vector(gamma_minus)), shift, dim(), "shift");
      return;
    }
    std::fill_n(shift, dim(), 0.0);
    shift[0] = contact_.restitution * gamma_minus[0];
  }

  // lambda <- project(lambda - r (G lambda + c)).
  bool solve_local(const double* G, const double* c, double* lambda) const override {
    double trace = 0.0;
    for (Index k = 0; k < dim(); ++k) trace += G[k * dim() + k];
    if (!(trace > 0.0)) return false;
    double next[max_dim];
    for (int iteration = 0; iteration < 2000; ++iteration) {
      double change = 0.0, size = 0.0;
      for (Index i = 0; i < dim(); ++i) {
        double xi = c[i];
        for (Index k = 0; k < dim(); ++k) xi += G[k * dim() + i] * lambda[k];
        next[i] = lambda[i] - xi / trace;
      }
      project(next, next);
      for (Index i = 0; i < dim(); ++i) {
        change = std::max(change, std::abs(next[i] - lambda[i]));
        size = std::max(size, std::abs(next[i]));
        lambda[i] = next[i];
      }
      if (change <= 1e-15 * size) return true;
    }
    return false;
  }

 private:
  double number(const char* name, double otherwise) const {
    return py::hasattr(law_, name) ? law_.attr(name).cast<double>() : otherwise;
  }
  py::array_t<double> vector(const double* x) const { return py::array_t<double>(dim(), x); }
  static void copy(const py::object& answer, double* to, Index count, const char* what) {
    const auto values = answer.cast<std::vector<double>>();
    if (static_cast<Index>(values.size()) != count)
      throw py::value_error(std::string(what) + " of a law must return one number for each row of the contact");
    std::copy(values.begin(), values.end(), to);
  }

  py::object law_;
  ContactParameters contact_;
  bool differentiable_ = false, shifts_ = false;
};

bool fits(const std::string& contact, const std::string& asked) {
  if (contact == asked || contact.starts_with(asked + ".")) return true;
  const std::size_t dash = contact.find('-');
  return dash != std::string::npos && (contact.substr(0, dash) == asked || contact.substr(dash + 1) == asked);
}

// The system of a model, with other laws at some contacts.
class SystemWithOwnLaws final : public System {
 public:
  SystemWithOwnLaws(std::shared_ptr<const System> system, OwnLaws laws)
      : inner_(std::move(system)), laws_(std::move(laws)) {}
  ~SystemWithOwnLaws() override {
    const py::gil_scoped_acquire lock;
    laws_.clear();
    replaced_.clear();
  }

  void detect(double t, const Vector& q, const Vector& v, double dt, ContactSet& contacts) const override {
    inner_->detect(t, q, v, dt, contacts);
    for (Constraint& constraint : contacts.constraints.edit())
      if (!constraint.bilateral)
        if (const Law* own = law_of(constraint)) constraint.law = own;
  }

  Index nq() const override { return inner_->nq(); }
  Index nv() const override { return inner_->nv(); }
  Constancy constancy() const override { return inner_->constancy(); }
  FeatureSet features() const override { return inner_->features(); }
  void evaluate(double t, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                Evaluation& out) const override {
    inner_->evaluate(t, q, v, need, active, out);
  }
  void move(const Vector& q, const Vector& dq, Vector& q_next) const override { inner_->move(q, dq, q_next); }
  void rational_move(const Vector& q, const Vector& dq, Vector& q_next) const override {
    inner_->rational_move(q, dq, q_next);
  }
  void difference(const Vector& qa, const Vector& qb, Vector& dq) const override { inner_->difference(qa, qb, dq); }
  void apply_T(const Vector& q, const Vector& v, Vector& dq) const override { inner_->apply_T(q, v, dq); }
  void apply_T_transpose(const Vector& q, const Vector& p, Vector& r) const override {
    inner_->apply_T_transpose(q, p, r);
  }
  const Energetics* energetics() const override { return inner_->energetics(); }
  const Curvature* curvature() const override { return inner_->curvature(); }
  const DecomposedInertia* decomposed() const override { return inner_->decomposed(); }
  const FarContacts* far_contacts() const override { return inner_->far_contacts(); }
  const DiscreteState* discrete_state() const override { return inner_->discrete_state(); }
  void describe(Layout& layout) const override { inner_->describe(layout); }
  std::string constraint_name(const Constraint& constraint) const override {
    return inner_->constraint_name(constraint);
  }
  std::string coordinate_name(Index i) const override { return inner_->coordinate_name(i); }
  std::string velocity_name(Index i) const override { return inner_->velocity_name(i); }

 private:
  // One law for each of those it replaces; null: it stays. Names are looked at once a contact.
  const Law* law_of(const Constraint& constraint) const {
    const auto known = replaced_.find(constraint.id);
    if (known != replaced_.end()) return known->second.get();
    const py::gil_scoped_acquire lock;
    std::shared_ptr<const Law> own;
    const std::string name = inner_->constraint_name(constraint);
    for (const auto& [contact, law] : laws_)
      if (!own && constraint.law->is_contact() && fits(name, contact))
        own = std::make_shared<OwnLaw>(law, *constraint.law);
    return replaced_.emplace(constraint.id, own).first->second.get();
  }

  std::shared_ptr<const System> inner_;
  OwnLaws laws_;
  mutable std::map<ConstraintId, std::shared_ptr<const Law>> replaced_;
};

}  // namespace

Model with_own_laws(Model model, const OwnLaws& laws) {
  if (!laws.empty()) model.system = std::make_shared<SystemWithOwnLaws>(model.system, laws);
  return model;
}

}  // namespace carom::python
