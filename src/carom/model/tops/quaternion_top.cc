#include "carom/model/tops/quaternion_top.h"

#include "carom/model/contacts/contact_point.h"
#include "carom/model/forces/rigid_body_force.h"
#include "carom/system/layout.h"

namespace carom {

namespace {

class QuaternionTop final : public System, public Energetics {
 public:
  explicit QuaternionTop(const Top& top) : top_(top) {
    if (top_.spheres.empty()) return;
    law_ = make_contact_law(Space::spatial, top_.contact);
    add_sphere_constraints(top_, law_.get(), 1, constraints_);
  }

  Index nq() const override { return body_q; }
  Index nv() const override { return body_v; }
  Constancy constancy() const override {
    return {.inertia = true, .jacobian = top_.spheres.empty(), .contacts = true};
  }
  FeatureSet features() const override {
    FeatureSet features{Feature::quaternions};
    if (!top_.spheres.empty()) features.insert(features_of_contact(*law_));
    return features;
  }

  void detect(double, const Vector&, const Vector&, double, ContactSet& contacts) const override {
    contacts.constraints = constraints_;
  }

  void evaluate(double, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                Evaluation& out) const override {
    if (has(need, Need::inertia)) {
      Matrix3* blocks = out.M.block_diagonal(body_v);
      blocks[0] = top_.mass * Matrix3::Identity();
      blocks[1] = top_.inertia.asDiagonal();
    }
    if (has(need, Need::force)) {
      if (out.h.size() != body_v) out.h.resize(body_v);
      out.h.head<3>() = Vector3(0.0, 0.0, -top_.mass * top_.gravity);
      out.h.tail<3>() = gyroscopic_torque(top_.inertia, v.tail<3>());
    }
    if (has(need, Need::force_jacobian)) {
      out.dh_dq.set_zero(body_v);
      Matrix3* blocks = out.dh_dv.block_diagonal(body_v);
      blocks[0].setZero();
      blocks[1] = gyroscopic_derivative(top_.inertia, v.tail<3>());
    }
    if (!has(need, Need::gap | Need::gap_rate | Need::jacobian | Need::convective)) return;
    const Index rows = active.rows();
    if (has(need, Need::gap)) out.g.assign(rows, 0.0);
    if (has(need, Need::gap_rate)) out.g_rate.assign(rows, 0.0);
    if (has(need, Need::convective)) out.zeta.assign(rows, 0.0);
    if (has(need, Need::jacobian)) {
      out.W.clear();
      out.chi.assign(rows, 0.0);
    }
    const Pose pose = body_pose(q.data(), 0);
    const Twist twist = body_twist(v.data(), 0, pose.R), still;
    Index row = 0;
    for (Index i = 0; i < active.size(); ++i) {
      const TopSphere& sphere = top_.spheres[static_cast<std::size_t>(active.constraint(i).a)];
      const Index dim = active.constraint(i).law->dim();
      const Vector3 centre = sphere.offset * pose.R.col(2);
      ContactPoint contact;
      contact.gap = pose.x.z() + centre.z() - sphere.radius;
      contact.lever_a = centre - sphere.radius * contact.normal;
      contact.spin_radius = law_->spin_radius();
      if (has(need, Need::gap)) out.g[row] = contact.gap;
      if (has(need, Need::gap_rate)) out.g_rate[row] = contact_gap_rate(contact, twist, still);
      if (has(need, Need::jacobian))
        add_contact_block(contact, dim, 0, pose.R, ground_body, Matrix3::Identity(), out.W);
      if (has(need, Need::convective)) {
        ContactRates rates;
        rates.lever_a = twist.omega.cross(centre);
        contact_convective(contact, rates, dim, twist, still, out.zeta.data() + row);
      }
      row += dim;
    }
  }

  void move(const Vector& q, const Vector& dq, Vector& q_next) const override {
    turn(q, dq, quaternion_exp(dq.tail<3>()), q_next);
    q_next.tail<4>().normalize();
  }
  void rational_move(const Vector& q, const Vector& dq, Vector& q_next) const override {
    turn(q, dq, quaternion_cayley(dq.tail<3>()), q_next);
    q_next.tail<4>() *= unit_correction(q_next.tail<4>());
  }
  void difference(const Vector& qa, const Vector& qb, Vector& dq) const override {
    dq.resize(body_v);
    dq.head<3>() = qb.head<3>() - qa.head<3>();
    dq.tail<3>() = quaternion_log(quaternion_product(quaternion_conjugate(qa.tail<4>()), qb.tail<4>()));
  }
  void apply_T(const Vector& q, const Vector& v, Vector& dq) const override {
    dq.resize(body_q);
    dq.head<3>() = v.head<3>();
    dq.tail<4>().noalias() = quaternion_rate_map(q.tail<4>()) * v.tail<3>();
  }
  void apply_T_transpose(const Vector& q, const Vector& p, Vector& r) const override {
    r.resize(body_v);
    r.head<3>() = p.head<3>();
    r.tail<3>().noalias() = quaternion_rate_map(q.tail<4>()).transpose() * p.tail<4>();
  }

  const Energetics* energetics() const override { return this; }
  double kinetic_energy(double, const Vector&, const Vector& v) const override {
    const Vector3 Omega = v.tail<3>();
    return 0.5 * (top_.mass * v.head<3>().squaredNorm() + Omega.dot(top_.inertia.cwiseProduct(Omega)));
  }
  double potential_energy(double, const Vector& q) const override { return top_.mass * top_.gravity * q[2]; }
  double other_power(double, const Vector&, const Vector&) const override { return 0.0; }
  void potential_gradient(double, const Vector&, Vector& out) const override {
    out.setZero(body_q);
    out[2] = top_.mass * top_.gravity;
  }
  bool conservative() const override { return true; }

  std::string constraint_name(const Constraint& c) const override {
    return top_.spheres[static_cast<std::size_t>(c.a)].name + "-floor";
  }
  void describe(Layout& layout) const override { layout.add_bodies({"top"}); }
  std::string coordinate_name(Index i) const override {
    static constexpr const char* names[body_q] = {"x", "y", "z", "p0", "p1", "p2", "p3"};
    return std::string("top.") + names[i];
  }
  std::string velocity_name(Index i) const override {
    static constexpr const char* names[body_v] = {"vx", "vy", "vz", "spin_x", "spin_y", "spin_z"};
    return std::string("top.") + names[i];
  }

 private:
  static void turn(const Vector& q, const Vector& dq, const Quaternion& by, Vector& q_next) {
    if (q_next.size() != body_q) q_next.resize(body_q);
    const Quaternion p = q.tail<4>();
    q_next.head<3>() = q.head<3>() + dq.head<3>();
    q_next.tail<4>() = quaternion_product(p, by);
  }

  Top top_;
  std::shared_ptr<const Law> law_;
  std::vector<Constraint> constraints_;
};

}  // namespace

std::shared_ptr<const System> make_quaternion_top(const Top& top) { return std::make_shared<QuaternionTop>(top); }

}  // namespace carom
