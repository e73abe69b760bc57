// A mass point in n dimensions in a corner of smooth walls under a constant force: the smallest system in which several
// contacts impact at once.
//
//   v' = h,   g_i = w_i' q + d_i >= 0,   |w_i| = 1
#pragma once

#include "carom/laws/contact_law.h"
#include "carom/system/gap_rate.h"
#include "carom/system/system.h"

namespace carom::testing {

class Corner final : public System {
 public:
  // Walls are the columns of W.
  Corner(Matrix W, Vector d, Vector h, double restitution)
      : W_(std::move(W)),
        d_(std::move(d)),
        h_(std::move(h)),
        law_(make_contact_law(Space::planar, {.restitution = restitution})) {}

  Index nq() const override { return static_cast<Index>(W_.rows()); }
  Index nv() const override { return static_cast<Index>(W_.rows()); }
  Constancy constancy() const override {
    return {.inertia = true, .affine_force = true, .jacobian = true, .contacts = true};
  }
  FeatureSet features() const override { return features_of_contact(*law_); }
  void detect(double, const Vector&, const Vector&, double, ContactSet& contacts) const override {
    contacts.constraints.clear();
    for (Index k = 0; k < W_.cols(); ++k)
      contacts.constraints.push_back({.id = static_cast<std::uint64_t>(k + 1), .law = law_.get()});
  }
  void evaluate(double, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                Evaluation& out) const override {
    const Index n = nv();
    if (has(need, Need::inertia)) MatrixMap(out.M.dense(n), n, n).setIdentity();
    if (has(need, Need::force)) out.h = h_;
    if (has(need, Need::force_jacobian))
      for (ForceJacobian* K : {&out.dh_dq, &out.dh_dv}) MatrixMap(K->dense(n), n, n).setZero();
    if (has(need, Need::gap)) {
      out.g.resize(active.rows());
      for (Index i = 0; i < active.size(); ++i) out.g[i] = W_.col(active[i]).dot(q) + d_[active[i]];
    }
    if (has(need, Need::jacobian | Need::gap_rate)) {
      out.W.clear();
      out.chi.assign(active.rows(), 0.0);
      for (Index i = 0; i < active.size(); ++i) {
        out.W.add_block(1);
        VectorMap(out.W.add_segment(0, n), n) = W_.col(active[i]);
      }
    }
    if (has(need, Need::gap_rate)) gap_rate_from_jacobian(v, out);
    if (has(need, Need::convective)) out.zeta.assign(active.rows(), 0.0);
  }
  void move(const Vector& q, const Vector& dq, Vector& q_next) const override { q_next = q + dq; }
  void difference(const Vector& qa, const Vector& qb, Vector& dq) const override { dq = qb - qa; }
  void apply_T(const Vector&, const Vector& v, Vector& dq) const override { dq = v; }
  void apply_T_transpose(const Vector&, const Vector& p, Vector& r) const override { r = p; }
  std::string constraint_name(const Constraint& c) const override { return "wall" + std::to_string(c.id.pair); }
  std::string coordinate_name(Index i) const override { return "x" + std::to_string(i); }
  std::string velocity_name(Index i) const override { return coordinate_name(i) + ".velocity"; }

 private:
  Matrix W_;
  Vector d_, h_;
  std::shared_ptr<const Law> law_;
};

}  // namespace carom::testing
