#include "carom/model/bodies/affine_body.h"

#include <utility>

#include "carom/laws/contact_law.h"
#include "carom/model/bodies/mass_distribution.h"
#include "carom/system/curvature.h"
#include "carom/system/layout.h"

namespace carom {

namespace {

constexpr Index n = 12, rows = 6;
// Row k of g is d_a . d_b (less 1 on the diagonal).
constexpr std::pair<Index, Index> pairs[rows] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};

Vector3 director(const Vector& q, Index i) { return q.segment<3>(3 + 3 * i); }

class AffineBody final : public System, public Energetics, public Curvature {
 public:
  explicit AffineBody(const AffineBodyData& data)
      : data_(data), binet_(binet_from_inertia(data.inertia)), law_(make_bilateral_law(rows)) {
    Constraint rigid;
    rigid.id = 1;
    rigid.law = law_.get();
    rigid.bilateral = true;
    rigid.position_rows = rows;
    constraints_.push_back(rigid);
  }

  Index nq() const override { return n; }
  Index nv() const override { return n; }
  Constancy constancy() const override { return {.inertia = true, .affine_force = true, .contacts = true}; }
  FeatureSet features() const override { return {Feature::joints}; }
  void detect(double, const Vector&, const Vector&, double, ContactSet& contacts) const override {
    contacts.constraints = constraints_;
  }

  void evaluate(double, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                Evaluation& out) const override {
    if (has(need, Need::inertia)) {
      MatrixMap M(out.M.dense(n), n, n);
      M.setZero();
      M.topLeftCorner<3, 3>() = data_.mass * Matrix3::Identity();
      for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 3; ++j) M.block<3, 3>(3 + 3 * i, 3 + 3 * j) = binet_(i, j) * Matrix3::Identity();
    }
    if (has(need, Need::force)) {
      out.h.setZero(n);
      out.h[2] = -data_.mass * data_.gravity;
    }
    if (has(need, Need::force_jacobian)) {
      out.dh_dq.set_zero(n);
      out.dh_dv.set_zero(n);
    }
    if (active.empty()) {
      if (has(need, Need::jacobian)) out.W.clear();
      return;
    }
    if (has(need, Need::gap)) {
      out.g.resize(rows);
      for (Index k = 0; k < rows; ++k) {
        const auto [a, b] = pairs[k];
        out.g[k] = director(q, a).dot(director(q, b)) - (a == b ? 1.0 : 0.0);
      }
    }
    if (has(need, Need::jacobian)) {
      out.chi.assign(rows, 0.0);
      out.W.clear();
      out.W.add_block(rows);
      fill_rows(q, out.W.add_segment(0, n));
    }
    if (has(need, Need::gap_rate)) {
      out.g_rate.assign(rows, 0.0);
      double W[rows * n] = {};
      fill_rows(q, W);
      for (Index k = 0; k < rows; ++k)
        for (Index i = 0; i < n; ++i) out.g_rate[k] += W[k * n + i] * v[i];
    }
    if (has(need, Need::convective)) {
      out.zeta.resize(rows);
      for (Index k = 0; k < rows; ++k) {
        const auto [a, b] = pairs[k];
        out.zeta[k] = 2.0 * director(v, a).dot(director(v, b));
      }
    }
  }

  const Energetics* energetics() const override { return this; }
  double kinetic_energy(double, const Vector&, const Vector& v) const override {
    double twice = data_.mass * v.head<3>().squaredNorm();
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 3; ++j) twice += binet_(i, j) * director(v, i).dot(director(v, j));
    return 0.5 * twice;
  }
  double potential_energy(double, const Vector& q) const override { return data_.mass * data_.gravity * q[2]; }
  double other_power(double, const Vector&, const Vector&) const override { return 0.0; }
  void potential_gradient(double, const Vector&, Vector& out) const override {
    out.setZero(n);
    out[2] = data_.mass * data_.gravity;
  }
  bool conservative() const override { return true; }

  // W is linear in q: W(x)'z = W(z)'x.
  const Curvature* curvature() const override { return this; }
  bool directions(double, const Vector&, const ActiveSet&, const double* x, Buffer& out) const override {
    out.assign(n * n, 0.0);
    MatrixMap D(out.data(), n, n);
    for (Index k = 0; k < rows; ++k) {
      const auto [a, b] = pairs[k];
      D.block<3, 3>(3 + 3 * a, 3 + 3 * b) += x[k] * Matrix3::Identity();
      D.block<3, 3>(3 + 3 * b, 3 + 3 * a) += x[k] * Matrix3::Identity();
    }
    return true;
  }
  bool rates(double, const Vector&, const ActiveSet&, const Vector& z, Buffer& out) const override {
    double W[rows * n] = {};
    fill_rows(z, W);
    out.resize(rows * n);
    for (Index k = 0; k < rows; ++k)
      for (Index i = 0; i < n; ++i) out[k + i * rows] = W[k * n + i];
    return true;
  }
  bool convective(double, const Vector&, const Vector& v, const ActiveSet&, Buffer& dq, Buffer& dv) const override {
    double W[rows * n] = {};
    fill_rows(v, W);
    dq.assign(rows * n, 0.0);
    dv.resize(rows * n);
    for (Index k = 0; k < rows; ++k)
      for (Index i = 0; i < n; ++i) dv[k + i * rows] = 2.0 * W[k * n + i];
    return true;
  }
  bool inertia(double, const Vector&, const Vector&, Buffer&) const override { return false; }

  std::string constraint_name(const Constraint&) const override { return "rigidity"; }
  void describe(Layout& layout) const override {
    layout.add_pool("/body", {"body"});
    layout.add_pooled("/body/position", FieldOf::q, 0, 12, 3, "m", "centre of mass in the world");
    layout.add_pooled("/body/directors", FieldOf::q, 3, 12, 9, "1",
                      "axes of the body in the world, one after the other");
    layout.add_pooled("/body/velocity", FieldOf::v, 0, 12, 3, "m/s", "of the centre of mass in the world");
    layout.add_pooled("/body/director_rates", FieldOf::v, 3, 12, 9, "1/s", "of the axes, one after the other");
    layout.add_frame("body", StateFrame::Kind::general);
  }
  std::string coordinate_name(Index i) const override { return name(i, ""); }
  std::string velocity_name(Index i) const override { return name(i, "v"); }

 private:
  static std::string name(Index i, const char* prefix) {
    static constexpr const char* axes[3] = {"x", "y", "z"};
    const std::string part = i < 3 ? "body." : "director" + std::to_string(i / 3) + ".";
    return part + prefix + axes[i % 3];
  }

  // d g/d q, rows x n, row after row; entries not written are zero already.
  static void fill_rows(const Vector& q, double* W) {
    for (Index k = 0; k < rows; ++k) {
      const auto [a, b] = pairs[k];
      for (Index i = 0; i < 3; ++i) {
        W[k * n + 3 + 3 * a + i] += q[3 + 3 * b + i];
        W[k * n + 3 + 3 * b + i] += q[3 + 3 * a + i];
      }
    }
  }

  AffineBodyData data_;
  Matrix3 binet_;
  std::shared_ptr<const Law> law_;
  std::vector<Constraint> constraints_;
};

}  // namespace

std::shared_ptr<const System> make_affine_body(const AffineBodyData& data) {
  return std::make_shared<AffineBody>(data);
}

void affine_from_quaternion(const Vector& q, const Vector& v, Vector& q_affine, Vector& v_affine) {
  const Matrix3 R = rotation_matrix(q.segment<4>(3)), D = R * skew(v.segment<3>(3));
  q_affine.resize(n);
  v_affine.resize(n);
  q_affine.head<3>() = q.head<3>();
  v_affine.head<3>() = v.head<3>();
  for (Index i = 0; i < 3; ++i) {
    q_affine.segment<3>(3 + 3 * i) = R.col(i);
    v_affine.segment<3>(3 + 3 * i) = D.col(i);
  }
}

Vector3 angular_velocity(const Vector& q, const Vector& v) {
  // skew(Omega) = R'R': its entries are d_i . d_j'.
  return {director(q, 2).dot(director(v, 1)), director(q, 0).dot(director(v, 2)), director(q, 1).dot(director(v, 0))};
}

}  // namespace carom
