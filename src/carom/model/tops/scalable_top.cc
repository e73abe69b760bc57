#include "carom/model/tops/scalable_top.h"

#include <cmath>

#include "carom/base/rotation.h"
#include "carom/system/decomposed_inertia.h"
#include "carom/system/layout.h"

namespace carom {

namespace {

constexpr Index n = 7;

// phi(A): A B = phi(A) B.
Eigen::Matrix4d product_matrix(const Quaternion& A) {
  Eigen::Matrix4d phi;
  phi << A[0], -A[1], -A[2], -A[3],  //
      A[1], A[0], -A[3], A[2],       //
      A[2], A[3], A[0], -A[1],       //
      A[3], -A[2], A[1], A[0];
  return phi;
}

class ScalableTop final : public System, public Energetics, public DecomposedInertia {
 public:
  explicit ScalableTop(const Top& top) : top_(top), joint_law_(make_bilateral_law(1)) {
    Constraint rigid;
    rigid.id = 1;
    rigid.law = joint_law_.get();
    rigid.bilateral = true;
    constraints_.push_back(rigid);
    if (top_.spheres.empty()) return;
    law_ = make_contact_law(Space::spatial, top_.contact);
    add_sphere_constraints(top_, law_.get(), 2, constraints_);
  }

  Index nq() const override { return n; }
  Index nv() const override { return n; }
  Constancy constancy() const override { return {.inertia = true, .jacobian = false, .contacts = true}; }
  FeatureSet features() const override {
    FeatureSet features{Feature::joints};
    if (!top_.spheres.empty()) features.insert(features_of_contact(*law_));
    return features;
  }
  void detect(double, const Vector&, const Vector&, double, ContactSet& contacts) const override {
    contacts.constraints = constraints_;
  }

  void evaluate(double, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                Evaluation& out) const override {
    if (has(need, Need::inertia)) {
      double* M = out.M.dense(n);
      for (Index i = 0; i < n * n; ++i) M[i] = 0.0;
      const double diagonal[n] = {top_.mass,       top_.mass,       top_.mass,      0.5 * top_.inertia.sum(),
                                  top_.inertia[0], top_.inertia[1], top_.inertia[2]};
      for (Index i = 0; i < n; ++i) M[i * (n + 1)] = diagonal[i];
    }
    if (has(need, Need::force)) evaluate_force(q, v, out.h);
    if (has(need, Need::force_jacobian)) evaluate_force_jacobian(q, v, out);
    if (!has(need, Need::gap | Need::gap_rate | Need::jacobian | Need::convective)) return;
    const Index rows = active.rows();
    if (has(need, Need::gap)) out.g.assign(rows, 0.0);
    if (has(need, Need::gap_rate)) out.g_rate.assign(rows, 0.0);
    if (has(need, Need::convective)) out.zeta.assign(rows, 0.0);
    if (has(need, Need::jacobian)) {
      out.W.clear();
      out.chi.assign(rows, 0.0);
    }
    Index row = 0;
    for (Index i = 0; i < active.size(); ++i) {
      const Constraint& c = active.constraint(i);
      if (c.bilateral)
        evaluate_rigidity(q, v, need, row, out);
      else
        evaluate_sphere(q, v, c, need, row, out);
      row += c.law->dim();
    }
  }

  // The exponential of the motion with constant (nu, omega)/s: exact for s = 1, nu = 0.
  void move(const Vector& q, const Vector& dq, Vector& q_next) const override {
    if (q_next.size() != n) q_next.resize(n);
    const Quaternion A = q.tail<4>();
    const double s = A.squaredNorm();
    q_next.head<3>() = q.head<3>() + dq.head<3>();
    q_next.tail<4>() = std::exp(0.5 * dq[3] / s) * quaternion_product(A, quaternion_exp(Vector3(dq.tail<3>() / s)));
  }
  void difference(const Vector& qa, const Vector& qb, Vector& dq) const override {
    dq.resize(n);
    const Quaternion a = qa.tail<4>(), b = qb.tail<4>();
    const double s = a.squaredNorm();
    dq.head<3>() = qb.head<3>() - qa.head<3>();
    dq[3] = s * std::log(b.squaredNorm() / s);
    dq.tail<3>() = s * quaternion_log(quaternion_product(quaternion_conjugate(a), b).normalized());
  }
  void apply_T(const Vector& q, const Vector& v, Vector& dq) const override {
    dq.resize(n);
    const Quaternion A = q.tail<4>();
    dq.head<3>() = v.head<3>();
    dq.tail<4>() = quaternion_product(A, v.tail<4>()) / (2.0 * A.squaredNorm());
  }
  void apply_T_transpose(const Vector& q, const Vector& p, Vector& r) const override {
    r.resize(n);
    const Quaternion A = q.tail<4>();
    r.head<3>() = p.head<3>();
    r.tail<4>() = product_matrix(A).transpose() * p.tail<4>() / (2.0 * A.squaredNorm());
  }

  const DecomposedInertia* decomposed() const override { return this; }
  void velocity_map(const Vector& q, Matrix& Q) const override {
    Q.setIdentity(n, n);
    Q.bottomRightCorner<4, 4>() = 2.0 * product_matrix(q.tail<4>()).transpose();
  }
  void gyroscopic(const Vector& v, const Vector&, Matrix& H) const override {
    H.setZero(n, n);
    const Vector3 L = top_.inertia.cwiseProduct(v.tail<3>());
    H.block<1, 3>(3, 4) = -4.0 * L.transpose();
    H.block<3, 1>(4, 3) = 4.0 * L;
    H.block<3, 3>(4, 4) = -4.0 * skew(L);
  }

  const Energetics* energetics() const override { return this; }
  double kinetic_energy(double, const Vector&, const Vector& v) const override {
    const Vector3 omega = v.tail<3>();
    return 0.5 * (top_.mass * v.head<3>().squaredNorm() + 0.5 * top_.inertia.sum() * v[3] * v[3] +
                  omega.dot(top_.inertia.cwiseProduct(omega)));
  }
  double potential_energy(double, const Vector& q) const override { return top_.mass * top_.gravity * q[2]; }
  double other_power(double, const Vector&, const Vector&) const override { return 0.0; }
  void potential_gradient(double, const Vector&, Vector& out) const override {
    out.setZero(n);
    out[2] = top_.mass * top_.gravity;
  }
  bool conservative() const override { return true; }

  std::string constraint_name(const Constraint& c) const override {
    return c.bilateral ? "rigidity" : top_.spheres[static_cast<std::size_t>(c.a)].name + "-floor";
  }
  void describe(Layout& layout) const override {
    layout.add_pool("/body", {"top"});
    layout.add_pooled("/body/position", FieldOf::q, 0, n, 3, "m", "centre of mass in the world");
    layout.add_pooled("/body/orientation", FieldOf::q, 3, n, 4, "1",
                      "quaternion of any length, scalar first, body to world");
    layout.add_pooled("/body/velocity", FieldOf::v, 0, n, 3, "m/s", "of the centre of mass in the world");
    layout.add_pooled("/body/scaling", FieldOf::v, 3, n, 1, "1/s", "scaling rate of the quaternion");
    layout.add_pooled("/body/spin", FieldOf::v, 4, n, 3, "rad/s", "angular velocity in the body frame");
    layout.add_frame("top", StateFrame::Kind::general);
  }
  std::string coordinate_name(Index i) const override {
    static constexpr const char* names[n] = {"x", "y", "z", "p0", "p1", "p2", "p3"};
    return std::string("top.") + names[i];
  }
  std::string velocity_name(Index i) const override {
    static constexpr const char* names[n] = {"vx", "vy", "vz", "scaling", "spin_x", "spin_y", "spin_z"};
    return std::string("top.") + names[i];
  }

 private:
  void evaluate_force(const Vector& q, const Vector& v, Vector& h) const {
    const double s = q.tail<4>().squaredNorm(), nu = v[3];
    const Vector3 omega = v.tail<3>(), L = top_.inertia.cwiseProduct(omega);
    if (h.size() != n) h.resize(n);
    h.head<3>() = Vector3(0.0, 0.0, -top_.mass * top_.gravity);
    h[3] = omega.dot(L) / s;
    h.tail<3>() = -(nu * L + omega.cross(L)) / s;
  }

  // ds = nu-direction of dq: s' = nu.
  void evaluate_force_jacobian(const Vector& q, const Vector& v, Evaluation& out) const {
    const double s = q.tail<4>().squaredNorm(), nu = v[3];
    const Vector3 omega = v.tail<3>(), J = top_.inertia, L = J.cwiseProduct(omega);
    MatrixMap dq(out.dh_dq.dense(n), n, n), dv(out.dh_dv.dense(n), n, n);
    dq.setZero();
    dv.setZero();
    dq(3, 3) = -omega.dot(L) / (s * s);
    dq.block<3, 1>(4, 3) = (nu * L + omega.cross(L)) / (s * s);
    dv.block<1, 3>(3, 4) = 2.0 / s * L.transpose();
    dv.block<3, 1>(4, 3) = -L / s;
    dv.block<3, 3>(4, 4) = -(nu * Matrix3(J.asDiagonal()) + skew(omega) * Matrix3(J.asDiagonal()) - skew(L)) / s;
  }

  // g = |A|^2 - 1, gamma = nu exactly: W is constant.
  void evaluate_rigidity(const Vector& q, const Vector& v, Need need, Index row, Evaluation& out) const {
    if (has(need, Need::gap)) out.g[row] = q.tail<4>().squaredNorm() - 1.0;
    if (has(need, Need::gap_rate)) out.g_rate[row] = v[3];
    if (has(need, Need::jacobian)) {
      out.W.add_block(1);
      out.W.add_segment(3, 1)[0] = 1.0;
    }
  }

  // With k = R e3 and the centre s c k: gap = z + s c k_z - r,  centre' = c (nu k + omega_world x k),
  // omega_world = R omega. The scaling rate appears in the normal row, where the coordinates need it; in
  // the others it would only change the joint's impulse.
  void evaluate_sphere(const Vector& q, const Vector& v, const Constraint& c, Need need, Index row,
                       Evaluation& out) const {
    const TopSphere& sphere = top_.spheres[static_cast<std::size_t>(c.a)];
    const Quaternion A = q.tail<4>();
    const double s = A.squaredNorm();
    const Matrix3 R = rotation_matrix(A) / s;
    const Vector3 k = R.col(2), e3 = Vector3::UnitZ();
    const Vector3 lever = sphere.offset * k - sphere.radius * e3;
    const Index rows = c.law->dim();
    if (has(need, Need::gap)) out.g[row] = q[2] + sphere.offset * s * k.z() - sphere.radius;
    const Vector3 normal_torque = R.transpose() * (sphere.offset * k).cross(e3);
    if (has(need, Need::gap_rate))
      out.g_rate[row] = v[2] + sphere.offset * k.z() * v[3] + normal_torque.dot(v.tail<3>());
    if (has(need, Need::jacobian)) {
      out.W.add_block(rows);
      double* entries = out.W.add_segment(0, n);
      const auto write = [&](Index r, const Vector3& direction, double scaling, const Vector3& torque) {
        for (Index i = 0; i < 3; ++i) {
          entries[r * n + i] = direction[i];
          entries[r * n + 4 + i] = torque[i];
        }
        entries[r * n + 3] = scaling;
      };
      write(0, e3, sphere.offset * k.z(), normal_torque);
      if (rows > 1) {
        Vector3 t1, t2;
        tangents(e3, t1, t2);
        write(1, t1, 0.0, R.transpose() * lever.cross(t1));
        write(2, t2, 0.0, R.transpose() * lever.cross(t2));
      }
      if (rows > 3) write(3, Vector3::Zero(), 0.0, law_->spin_radius() * (R.transpose() * e3));
    }
    if (has(need, Need::convective)) evaluate_convective(R, s, k, v, sphere, rows, out.zeta.data() + row);
  }

  // Rates at constant v: R' = R skew(omega)/s, k' = R (omega x e3)/s.
  void evaluate_convective(const Matrix3& R, double s, const Vector3& k, const Vector& v, const TopSphere& sphere,
                           Index rows, double* zeta) const {
    const Vector3 omega = R * Vector3(v.tail<3>()), k_rate = omega.cross(k) / s, e3 = Vector3::UnitZ();
    // omega in the world is constant when its body components are; the lever turns with k.
    const Vector3 drift = omega.cross(sphere.offset * k_rate);
    zeta[0] = sphere.offset * k_rate.z() * v[3] + e3.dot(drift);
    if (rows == 1) return;
    Vector3 t1, t2;
    tangents(e3, t1, t2);
    zeta[1] = t1.dot(drift);
    zeta[2] = t2.dot(drift);
    if (rows > 3) zeta[3] = 0.0;
  }

  Top top_;
  std::shared_ptr<const Law> joint_law_, law_;
  std::vector<Constraint> constraints_;
};

}  // namespace

std::shared_ptr<const System> make_scalable_top(const Top& top) { return std::make_shared<ScalableTop>(top); }

}  // namespace carom
