// Masses in a row, linked by springs and dampers, the first above a floor: the same chain with dense
// and with sparse matrices, so that a scheme cannot tell the structure from the result.
//
//   m q_i'' = k (q_{i+1} - 2 q_i + q_{i-1}) + d (...) - m g,   gap q_0
#pragma once

#include "carom/laws/contact_law.h"
#include "carom/system/gap_rate.h"
#include "carom/system/system.h"

namespace carom::testing {

class SpringChain final : public System {
 public:
  SpringChain(Index n, bool sparse, double restitution)
      : n_(n), sparse_(sparse), law_(make_contact_law(Space::planar, {.restitution = restitution})) {}

  Index nq() const override { return n_; }
  Index nv() const override { return n_; }
  Constancy constancy() const override { return {.inertia = true, .affine_force = true, .jacobian = true}; }
  FeatureSet features() const override { return features_of_contact(*law_); }
  void detect(double, const Vector&, const Vector&, double, ContactSet& contacts) const override {
    contacts.constraints.assign(1, {.id = 1, .law = law_.get()});
  }
  void evaluate(double, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                Evaluation& out) const override {
    if (has(need, Need::inertia)) fill(out.M, [](Index i, Index j) { return i == j ? 2.0 : 0.0; });
    if (has(need, Need::force)) {
      out.h.setConstant(n_, -2.0 * 9.81);
      for (Index i = 0; i < n_; ++i)
        for (Index j : {i - 1, i, i + 1})
          if (j >= 0 && j < n_) out.h[i] += laplacian(i, j) * (k_ * q[j] + d_ * v[j]);
    }
    if (has(need, Need::force_jacobian)) {
      fill(out.dh_dq, [&](Index i, Index j) { return k_ * laplacian(i, j); });
      fill(out.dh_dv, [&](Index i, Index j) { return d_ * laplacian(i, j); });
    }
    if (has(need, Need::gap)) {
      out.g.resize(active.rows());
      if (!active.empty()) out.g[0] = q[0];
    }
    if (has(need, Need::jacobian | Need::gap_rate)) {
      out.W.clear();
      out.chi.assign(active.rows(), 0.0);
      if (!active.empty()) {
        out.W.add_block(1);
        out.W.add_segment(0, 1)[0] = 1.0;
      }
    }
    if (has(need, Need::gap_rate)) gap_rate_from_jacobian(v, out);
  }
  void move(const Vector& q, const Vector& dq, Vector& q_next) const override { q_next = q + dq; }
  void difference(const Vector& qa, const Vector& qb, Vector& dq) const override { dq = qb - qa; }
  void apply_T(const Vector&, const Vector& v, Vector& dq) const override { dq = v; }
  void apply_T_transpose(const Vector&, const Vector& p, Vector& r) const override { r = p; }
  std::string constraint_name(const Constraint&) const override { return "floor"; }
  std::string coordinate_name(Index i) const override { return "mass" + std::to_string(i); }
  std::string velocity_name(Index i) const override { return coordinate_name(i) + ".velocity"; }

  State start() const {
    State state;
    state.q = Vector::LinSpaced(n_, 0.01, 0.01 + 0.001 * n_);
    state.v = Vector::Constant(n_, -1.0);
    return state;
  }

 private:
  double laplacian(Index i, Index j) const {
    if (i != j) return 1.0;
    return (i > 0 ? -1.0 : 0.0) + (i < n_ - 1 ? -1.0 : 0.0);
  }
  template <class Entry>
  void fill(StructuredMatrix& A, Entry entry) const {
    if (!sparse_) {
      MatrixMap dense(A.dense(n_), n_, n_);
      dense.setZero();
      for (Index i = 0; i < n_; ++i)
        for (Index j : {i - 1, i, i + 1})
          if (j >= 0 && j < n_) dense(i, j) = entry(i, j);
      return;
    }
    std::vector<Eigen::Triplet<double>> triplets;
    for (Index i = 0; i < n_; ++i)
      for (Index j : {i - 1, i, i + 1})
        if (j >= 0 && j < n_) triplets.emplace_back(i, j, entry(i, j));
    A.sparse(n_).setFromTriplets(triplets.begin(), triplets.end());
  }

  Index n_;
  bool sparse_;
  double k_ = 1e4, d_ = 3.0;
  std::shared_ptr<const Law> law_;
};

}  // namespace carom::testing
