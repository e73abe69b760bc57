// A small mechanism written down as formulas, seen as a System: q' = v and
//
//     M(q) dv - h(q,v) dt = W(q) dLambda      gamma = W(q)' v      gamma' = W' v' + zeta(q,v)
//
// All constraints are listed all the time; fixed sizes, no allocation, one pass over sines and
// cosines an evaluation. What a model writes down:
//
//     struct Formulas {
//       static constexpr Index n;                                   degrees of freedom
//       static constexpr std::array<ConstraintFormula, m> constraints;
//       static constexpr std::array<const char*, n> coordinate_names, velocity_names;
//       static constexpr bool constant_inertia, affine_force, constant_jacobian;
//       static constexpr bool has_tangents;                         contacts have a second row
//       static constexpr bool costly_kinematics;                    kept with an evaluation and found again at
//                                                                   the same q; absent: false
//       double length_scale() const;
//       double clearance(Index k) const;       // optional: the play constraint k bounds, 0 if none
//       Kinematics kinematics(const double* q, Need need) const;    what several formulas share
//       void inertia(const Kinematics&, double* M) const;           n x n
//       void force(const Kinematics&, const double* v, double* h) const;
//       void force_jacobian(const Kinematics&, const double* v, double* dh_dq, double* dh_dv) const;
//                                                                   column-major, absent: zero
//       void gaps(const Kinematics&, Index k, double* g) const;     the position rows of constraint k
//       void rows(const Kinematics&, Index k, Index rows, double* W) const;   rows x n, row after row
//       double gap_rate(const Kinematics&, Index k, const double* v) const;   absent: the first of `rows`
//       void convective(const Kinematics&, Index k, Index rows, const double* v, double* zeta) const;
//       double kinetic_energy(q, v), potential_energy(q), other_power(q, v) const;   last absent: zero
//       void potential_gradient(q, double* out) const;              absent: central differences
//
//     and, so that full Newton need not difference (all three or none):
//       void bends(const Kinematics&, Index k, Index rows, double* B) const;  dW_ri/dq_j, row after row of
//                                                                   n x n row-major matrices
//       void convective_jacobian(const Kinematics&, Index k, Index rows, const double* v, double* D) const;
//                                                                   d zeta/dq, rows x n, row after row
//       void inertia_jacobian(const Kinematics&, const double* x, double* D) const;   d(M x)/dq, column-major
//     };
//
// A model in maximal coordinates keeps its structure instead: `inertia` takes Matrix3* (the diagonal
// blocks), `rows` takes a ConstraintJacobian& and adds one segment per body.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include "carom/base/errors.h"
#include "carom/base/scalar_code.h"
#include "carom/laws/contact_law.h"
#include "carom/system/curvature.h"
#include "carom/system/gap_rate.h"
#include "carom/system/layout.h"
#include "carom/system/system.h"

namespace carom {

struct ConstraintFormula {
  const char* name;
  Index joint_rows = 0;  // 0: a contact
};

// True if a quantity of the constraints is asked for.
constexpr bool needs_constraints(Need need) {
  return has(need, Need::gap | Need::gap_rate | Need::jacobian | Need::convective);
}

template <class Formulas>
class LagrangianSystem final : public System, public Energetics, private Curvature {
  static constexpr Index n = Formulas::n;
  static constexpr Index m = static_cast<Index>(Formulas::constraints.size());
  static constexpr Index max_position_rows = [] {
    Index most = 1;
    for (const ConstraintFormula& c : Formulas::constraints) most = std::max(most, c.joint_rows);
    return most;
  }();
  using Kinematics = decltype(std::declval<const Formulas&>().kinematics(nullptr, Need::none));

 public:
  LagrangianSystem(const Formulas& formulas, const ContactParameters& contact)
      : LagrangianSystem(formulas, contact, {}) {}
  // `special`: parameters of single constraints, by their index.
  LagrangianSystem(const Formulas& formulas, const ContactParameters& contact,
                   const std::map<Index, ContactParameters>& special)
      : formulas_(formulas) {
    if (contact.friction > 0.0 && !Formulas::has_tangents)
      throw InputError({"E0121",
                        "friction in a model without tangential motion",
                        "friction",
                        "its contacts have a normal direction only: set friction to 0",
                        {},
                        0,
                        0,
                        {}});
    features_.insert(Feature::variable_inertia, !Formulas::constant_inertia);
    std::shared_ptr<const Law> contact_law;
    for (Index k = 0; k < m; ++k) {
      const Index joint_rows = Formulas::constraints[static_cast<std::size_t>(k)].joint_rows;
      if (joint_rows == 0 && !contact_law) {
        contact_law = make_contact_law(Space::planar, contact);
        laws_.push_back(contact_law);
        features_.insert(features_of_contact(*contact_law));
      }
      if (joint_rows > 0) {
        laws_.push_back(make_bilateral_law(joint_rows));
        features_.insert(Feature::joints);
      }
      const auto own = special.find(k);
      if (own != special.end()) {
        laws_.push_back(make_contact_law(Space::planar, own->second));
        features_.insert(features_of_contact(*laws_.back()));
      }
      Constraint c;
      c.id = static_cast<std::uint64_t>(k + 1);
      c.law = joint_rows > 0 || own != special.end() ? laws_.back().get() : contact_law.get();
      c.bilateral = joint_rows > 0;
      c.position_rows = joint_rows > 0 ? joint_rows : 1;
      c.length_scale = formulas_.length_scale();
      if constexpr (requires { formulas_.clearance(k); })
        if (joint_rows == 0) c.clearance = formulas_.clearance(k);
      c.element = k;
      constraints_.push_back(c);
      rows_[static_cast<std::size_t>(k)] = c.law->dim();
    }
  }

  const Formulas& formulas() const { return formulas_; }

  Index nq() const override { return n; }
  Index nv() const override { return n; }
  Constancy constancy() const override {  // the formulas do not see t
    return {.inertia = Formulas::constant_inertia,
            .affine_force = Formulas::affine_force,
            .jacobian = Formulas::constant_jacobian,
            .contacts = true};
  }
  FeatureSet features() const override { return features_; }

  void detect(double, const Vector&, const Vector&, double, ContactSet& contacts) const override {
    contacts.constraints = constraints_;
  }

  void evaluate(double, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                Evaluation& out) const override {
    Kinematics anew;
    const Kinematics& k = kinematics(q.data(), need, out.intermediates, anew);
    if (has(need, Need::inertia)) evaluate_inertia(k, out.M);
    if (has(need, Need::force)) {
      if (out.h.size() != n) out.h.resize(n);
      formulas_.force(k, v.data(), out.h.data());
    }
    if (has(need, Need::force_jacobian)) evaluate_force_jacobian(k, v.data(), out);
    if (has(need, Need::gap)) evaluate_gaps(k, active, out.g);
    if (has(need, Need::jacobian)) evaluate_jacobian(k, active, out);
    if (has(need, Need::gap_rate)) evaluate_gap_rates(k, v, active, out);
    if (has(need, Need::convective)) evaluate_convective(k, v.data(), active, out.zeta);
  }

  CAROM_SCALAR_CODE void move(const Vector& q, const Vector& dq, Vector& q_next) const override {
    if (q_next.size() != n) q_next.resize(n);
    for (Index i = 0; i < n; ++i) q_next[i] = q[i] + dq[i];
  }
  void difference(const Vector& qa, const Vector& qb, Vector& dq) const override {
    if (dq.size() != n) dq.resize(n);
    for (Index i = 0; i < n; ++i) dq[i] = qb[i] - qa[i];
  }

  const Energetics* energetics() const override { return this; }
  double kinetic_energy(double, const Vector& q, const Vector& v) const override {
    return formulas_.kinetic_energy(q.data(), v.data());
  }
  double potential_energy(double, const Vector& q) const override { return formulas_.potential_energy(q.data()); }
  void potential_gradient(double t, const Vector& q, Vector& out) const override {
    if constexpr (requires { formulas_.potential_gradient(q.data(), out.data()); }) {
      if (out.size() != n) out.resize(n);
      formulas_.potential_gradient(q.data(), out.data());
    } else {
      Energetics::potential_gradient(t, q, out);
    }
  }
  bool conservative() const override {
    return !(requires { formulas_.other_power(nullptr, nullptr); });
  }
  double other_power(double, const Vector& q, const Vector& v) const override {
    if constexpr (requires { formulas_.other_power(q.data(), v.data()); })
      return formulas_.other_power(q.data(), v.data());
    else
      return 0.0;
  }

  const Curvature* curvature() const override {
    if constexpr (knows_curvature) return this;
    return nullptr;
  }

  void describe(Layout& layout) const override { layout.add_lengths_and_angles(*this, n); }
  std::string constraint_name(const Constraint& constraint) const override {
    return Formulas::constraints[static_cast<std::size_t>(constraint.element)].name;
  }
  std::string coordinate_name(Index i) const override {
    return Formulas::coordinate_names[static_cast<std::size_t>(i)];
  }
  std::string velocity_name(Index i) const override { return Formulas::velocity_names[static_cast<std::size_t>(i)]; }

 private:
  static constexpr bool knows_curvature = requires(const Formulas& f, const Kinematics& k, double* D) {
    f.bends(k, Index{}, Index{}, D);
  };

  // visit(row of the set, r-th matrix dW_ri/dq_j) for every row of the set.
  template <class Visit>
  void for_each_bend(const Vector& q, const ActiveSet& active, Visit visit) const {
    if constexpr (knows_curvature) {
      const Kinematics k = formulas_.kinematics(q.data(), Need::jacobian);
      double B[Law::max_dim * n * n] = {};
      Index row = 0;
      for (const Index c : active.members()) {
        formulas_.bends(k, c, rows_of(c), B);
        for (Index r = 0; r < rows_of(c); ++r) visit(row++, B + r * n * n);
      }
    }
  }

  bool directions(double, const Vector& q, const ActiveSet& active, const double* x, Buffer& out) const override {
    if (Formulas::constant_jacobian || active.empty()) return false;
    out.assign(n * n, 0.0);
    for_each_bend(q, active, [&](Index row, const double* B) {
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) out[j * n + i] += x[row] * B[i * n + j];
    });
    return true;
  }
  bool rates(double, const Vector& q, const ActiveSet& active, const Vector& z, Buffer& out) const override {
    if (Formulas::constant_jacobian || active.empty()) return false;
    const Index rows = active.rows();
    out.assign(rows * n, 0.0);
    for_each_bend(q, active, [&](Index row, const double* B) {
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) out[j * rows + row] += z[i] * B[i * n + j];
    });
    return true;
  }
  // zeta_r = v' B_r v.
  bool convective(double, const Vector& q, const Vector& v, const ActiveSet& active, Buffer& dq,
                  Buffer& dv) const override {
    if (Formulas::constant_jacobian || active.empty()) return false;
    const Index rows = active.rows();
    dv.assign(rows * n, 0.0);
    for_each_bend(q, active, [&](Index row, const double* B) {
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) dv[j * rows + row] += v[i] * (B[i * n + j] + B[j * n + i]);
    });
    dq.resize(rows * n);
    if constexpr (knows_curvature) {
      const Kinematics k = formulas_.kinematics(q.data(), Need::convective);
      double D[Law::max_dim * n] = {};
      Index row = 0;
      for (const Index c : active.members()) {
        formulas_.convective_jacobian(k, c, rows_of(c), v.data(), D);
        for (Index r = 0; r < rows_of(c); ++r, ++row)
          for (Index j = 0; j < n; ++j) dq[j * rows + row] = D[r * n + j];
      }
    }
    return true;
  }
  bool inertia(double, const Vector& q, const Vector& x, Buffer& out) const override {
    if (Formulas::constant_inertia) return false;
    out.resize(n * n);
    if constexpr (knows_curvature)
      formulas_.inertia_jacobian(formulas_.kinematics(q.data(), Need::inertia), x.data(), out.data());
    return true;
  }

  // Computed anew, or where it was kept.
  const Kinematics& kinematics(const double* q, Need need, Intermediates& kept, Kinematics& anew) const {
    if constexpr (requires { requires Formulas::costly_kinematics; }) {
      static_assert(std::is_trivially_copyable_v<Kinematics> && sizeof(Kinematics) % sizeof(double) == 0);
      const bool constraints = needs_constraints(need);
      if (kept.system == serial() && kept.constraints >= constraints && std::equal(q, q + n, kept.q.data()))
        return *std::launder(reinterpret_cast<const Kinematics*>(kept.values.data()));
      kept.system = serial();
      kept.constraints = constraints;
      std::copy_n(q, n, kept.q.resized(n));
      return *new (kept.values.resized(sizeof(Kinematics) / sizeof(double))) Kinematics(formulas_.kinematics(q, need));
    } else {
      return anew = formulas_.kinematics(q, need);
    }
  }

  Index rows_of(Index k) const { return rows_[static_cast<std::size_t>(k)]; }

  void evaluate_inertia(const Kinematics& k, Inertia& M) const {
    if constexpr (requires(Matrix3 * blocks) { formulas_.inertia(k, blocks); })
      formulas_.inertia(k, M.block_diagonal(n));
    else
      formulas_.inertia(k, M.dense(n));
  }

  void evaluate_force_jacobian(const Kinematics& k, const double* v, Evaluation& out) const {
    if constexpr (requires(double* D) { formulas_.force_jacobian(k, v, D, D); }) {
      formulas_.force_jacobian(k, v, out.dh_dq.dense(n), out.dh_dv.dense(n));
    } else {
      out.dh_dq.set_zero(n);
      out.dh_dv.set_zero(n);
    }
  }

  void evaluate_gaps(const Kinematics& k, const ActiveSet& active, Buffer& g) const {
    g.resize(active.rows());
    double* out = g.data();
    for (const Index c : active.members()) {
      formulas_.gaps(k, c, out);
      out += rows_of(c);
      // The tangential row of a planar contact has no gap.
      if (constraints_[static_cast<std::size_t>(c)].position_rows < rows_of(c)) out[-1] = 0.0;
    }
  }

  void evaluate_jacobian(const Kinematics& k, const ActiveSet& active, Evaluation& out) const {
    out.chi.assign(active.rows(), 0.0);
    out.W.clear();
    for (const Index c : active.members()) {
      out.W.add_block(rows_of(c));
      if constexpr (requires { formulas_.rows(k, c, Index{}, out.W); })
        formulas_.rows(k, c, rows_of(c), out.W);
      else
        formulas_.rows(k, c, rows_of(c), out.W.add_segment(0, n));
    }
  }

  void evaluate_gap_rates(const Kinematics& k, const Vector& v, const ActiveSet& active, Evaluation& out) const {
    if constexpr (max_position_rows > 1) {
      evaluate_jacobian(k, active, out);
      gap_rate_from_jacobian(v, out);
    } else {        // only the normal rows, and without storing them
      double w[n];  // no store below can change it, so that what constraints share is computed once
      std::copy_n(v.data(), n, w);
      double* rate = out.g_rate.resized(active.rows());
      for (const Index c : active.members()) {
        *rate = gap_rate(k, c, w);
        rate += rows_of(c);
      }
    }
  }

  double gap_rate(const Kinematics& k, Index c, const double* v) const {
    if constexpr (requires { formulas_.gap_rate(k, c, v); }) {
      return formulas_.gap_rate(k, c, v);
    } else {
      double row[n], sum = 0.0;
      formulas_.rows(k, c, 1, row);
      for (Index i = 0; i < n; ++i) sum += row[i] * v[i];
      return sum;
    }
  }

  void evaluate_convective(const Kinematics& k, const double* v, const ActiveSet& active, Buffer& zeta) const {
    zeta.resize(active.rows());
    double* out = zeta.data();
    for (const Index c : active.members()) {
      formulas_.convective(k, c, rows_of(c), v, out);
      out += rows_of(c);
    }
  }

  Formulas formulas_;
  FeatureSet features_;
  std::vector<std::shared_ptr<const Law>> laws_;
  std::vector<Constraint> constraints_;
  std::array<Index, static_cast<std::size_t>(m)> rows_{};
};

}  // namespace carom
