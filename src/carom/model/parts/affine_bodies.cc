#include "carom/model/parts/affine_bodies.h"

#include <utility>

#include "carom/model/assembly/frames.h"
#include "carom/model/bodies/mass_distribution.h"
#include "carom/model/parts/body_manifold.h"
#include "carom/model/parts/rigidity.h"

namespace carom::model {

namespace {

using manifold::three;

constexpr Index n = AffineBodies::size;

Eigen::Map<const Matrix3> directors(const double* q) { return Eigen::Map<const Matrix3>(q + 3); }

struct OrthonormalDirectors {
  static constexpr Index size = n, rows = 6;
  static constexpr bool constant = false;
  // Row k of g is d_a . d_b (less 1 on the diagonal).
  static constexpr std::pair<Index, Index> pairs[rows] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};

  static void gap(const double* q, double* g) {
    for (Index k = 0; k < rows; ++k) {
      const auto [a, b] = pairs[k];
      g[k] = directors(q).col(a).dot(directors(q).col(b)) - (a == b ? 1.0 : 0.0);
    }
  }
  static void fill(const double* q, double* W) {
    for (Index k = 0; k < rows; ++k) {
      const auto [a, b] = pairs[k];
      for (Index i = 0; i < 3; ++i) {
        W[k * n + 3 + 3 * a + i] += q[3 + 3 * b + i];
        W[k * n + 3 + 3 * b + i] += q[3 + 3 * a + i];
      }
    }
  }
  static void convective(const double* v, double* zeta) {
    for (Index k = 0; k < rows; ++k) {
      const auto [a, b] = pairs[k];
      zeta[k] = 2.0 * directors(v).col(a).dot(directors(v).col(b));
    }
  }
};

template <class S>
Matrix3Of<S> inverse_transpose(const Matrix3Of<S>& A) {
  const Vector3Of<S> a = A.col(0), b = A.col(1), c = A.col(2);
  const S det = a.dot(Vector3Of<S>(b.cross(c)));
  Matrix3Of<S> result;
  result.col(0) = b.cross(c) / det;
  result.col(1) = c.cross(a) / det;
  result.col(2) = a.cross(b) / det;
  return result;
}

// The rotation nearest to D and what turns with it.
template <class S>
struct Turning {
  Matrix3Of<S> R, G_inverse;  // G = tr(U) I - U

  // Newton's iteration R <- (R + R^-T)/2: a pass or two near a rotation, one more for derivatives.
  explicit Turning(const Matrix3Of<S>& D) : R(D) {
    constexpr int most = 30;
    constexpr double converged = 1e-15;
    bool last = false;
    for (int pass = 0; pass < most; ++pass) {
      const Matrix3Of<S> next = S(0.5) * (R + inverse_transpose<S>(R));
      double change = 0.0;
      for (int i = 0; i < 9; ++i) change = std::max(change, std::abs(value_of(next(i)) - value_of(R(i))));
      R = next;
      if (last) break;
      last = change < converged;
    }
    const Matrix3Of<S> U = R.transpose() * D;
    const Matrix3Of<S> G = (U(0, 0) + U(1, 1) + U(2, 2)) * Matrix3Of<S>::Identity() - U;
    G_inverse = inverse_transpose<S>(G).transpose();
  }

  // Of the frame, at the rates D' of the directors.
  Vector3Of<S> omega(const Matrix3& rates) const {
    Vector3Of<S> sum = Vector3Of<S>::Zero();
    for (int i = 0; i < 3; ++i) {
      const Vector3Of<S> rate = R.transpose() * Vector3(rates.col(i)).template cast<S>();
      sum += Vector3(Vector3::Unit(i)).template cast<S>().cross(rate);
    }
    return R * (G_inverse * sum);
  }
  // What a torque at the frame does to the directors.
  Matrix3Of<S> load(const Vector3& torque) const {
    const Vector3Of<S> w = G_inverse.transpose() * (R.transpose() * torque.template cast<S>());
    Matrix3Of<S> result;
    for (int i = 0; i < 3; ++i) {
      const Vector3Of<S> across = w.cross(Vector3(Vector3::Unit(i)).template cast<S>());
      result.col(i) = R * across;
    }
    return result;
  }
};

template <int N>
Matrix3Of<Dual<N>> dual(const Matrix3& D) {
  Matrix3Of<Dual<N>> result;
  for (int i = 0; i < 9; ++i) result(i) = D(i);
  return result;
}

}  // namespace

AffineBodies::AffineBodies(std::vector<BodyData> bodies) : BodyPool(std::move(bodies), size, size, 3) {
  for (const BodyData& body : bodies_) binet_.push_back(binet_from_inertia(body.inertia));
}

void AffineBodies::declare(Index offset, MatrixAssembly& M, MatrixAssembly&, MatrixAssembly&) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b, offset += n) {
    M.declare({offset, offset, 3, 3});
    M.declare({offset + 3, offset + 3, 9, 9});
  }
}

void AffineBodies::inertia(const double*, MatrixAssembly::Writer& M) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    M.add(bodies_[b].mass * Matrix3::Identity());
    Eigen::Matrix<double, 9, 9> turning;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) turning.block<3, 3>(3 * i, 3 * j) = binet_[b](i, j) * Matrix3::Identity();
    M.add(turning);
  }
}

void AffineBodies::add_force(double, const double*, const double*, double* h) const {
  for (const BodyData& body : bodies_) {
    three(h) += body.weight;
    h += n;
  }
}

void AffineBodies::place(double, const double* q, Pose* poses) const {
  for (Index b = 0; b < frame_count(); ++b, q += n) poses[b] = {three(q), Turning<double>(directors(q)).R};
}

void AffineBodies::twists(double, const double* q, const double* v, const Pose*, Twist* twists) const {
  for (Index b = 0; b < frame_count(); ++b, q += n, v += n)
    twists[b] = {three(v), Turning<double>(directors(q)).omega(directors(v))};
}

void AffineBodies::rates(double, const double* q, const double* v, const Pose*, Twist* rates) const {
  for (Index b = 0; b < frame_count(); ++b, q += n, v += n) {
    Matrix3Of<Dual<1>> D = dual<1>(directors(q));
    for (int i = 0; i < 9; ++i) D(i).d[0] = directors(v)(i);
    const Vector3Of<Dual<1>> omega = Turning<Dual<1>>(D).omega(directors(v));
    rates[b] = {Vector3::Zero(), {omega[0].d[0], omega[1].d[0], omega[2].d[0]}};
  }
}

void AffineBodies::add_load(const double* q, Index frame, const Pose&, const Vector3& force, const Vector3& torque,
                            double* h) const {
  h += n * frame;
  three(h) += force;
  Eigen::Map<Matrix3>(h + 3) += Turning<double>(directors(q + n * frame)).load(torque);
}

void AffineBodies::add_rows(const double* q, Index frame, const Pose&, Index rows, const Vector3* force,
                            const Vector3* torque, Index offset, ConstraintJacobian& W) const {
  double* entries = W.add_segment(offset + n * frame, n);
  const Turning<double> turning(directors(q + n * frame));
  for (Index r = 0; r < rows; ++r, entries += n) {
    three(entries) = force[r];
    Eigen::Map<Matrix3>(entries + 3) = turning.load(torque[r]);
  }
}

void AffineBodies::frame_derivatives(const double* q, const double* v, Index frame, const Pose&, const Vector3&,
                                     const Vector3& torque, FrameColumns& out) const {
  Matrix3Of<Dual<9>> D = dual<9>(directors(q + n * frame));
  for (int i = 0; i < 9; ++i) D(i).d[static_cast<std::size_t>(i)] = 1.0;
  const Turning<Dual<9>> turning(D);
  const Vector3Of<Dual<9>> omega = turning.omega(directors(v + n * frame));
  const Matrix3Of<Dual<9>> load = turning.load(torque);
  for (int j = 0; j < 9; ++j) {
    const auto by = static_cast<std::size_t>(j);
    for (int k = 0; k < 3; ++k) out.twist_by_q(3 + k, 3 + j) += omega[k].d[by];
    for (int i = 0; i < 9; ++i) out.load_by_q(3 + i, 3 + j) += load(i).d[by];
  }
}

double AffineBodies::kinetic_energy(const double*, const double* v) const {
  double twice = 0.0;
  for (std::size_t b = 0; b < bodies_.size(); ++b, v += n)
    twice += bodies_[b].mass * three(v).squaredNorm() +
             (directors(v).transpose() * directors(v)).cwiseProduct(binet_[b]).sum();
  return 0.5 * twice;
}

std::shared_ptr<const ConstraintGroup> AffineBodies::own_constraints(Index q, Index v) const {
  return std::make_shared<const Rigidity<OrthonormalDirectors>>(names(), q, v);
}

void AffineBodies::describe(Layout& layout) const {
  layout.add_pool("/affine_body", names());
  layout.add_pooled("/affine_body/position", FieldOf::q, 0, n, 3, "m", "centre of mass in the world");
  layout.add_pooled("/affine_body/directors", FieldOf::q, 3, n, 9, "1",
                    "axes of the body in the world, one after the other");
  layout.add_pooled("/affine_body/velocity", FieldOf::v, 0, n, 3, "m/s", "of the centre of mass in the world");
  layout.add_pooled("/affine_body/director_rates", FieldOf::v, 3, n, 9, "1/s", "of the axes, one after the other");
  for (const BodyData& body : bodies_) layout.add_frame(body.name, StateFrame::Kind::general);
}

namespace {

std::string axis_name(Index i, const char* prefix) {
  static constexpr const char* axes[3] = {"x", "y", "z"};
  const std::string director = i < 3 ? "" : "d" + std::to_string(i / 3) + ".";
  return director + prefix + axes[i % 3];
}

}  // namespace

std::string AffineBodies::name_in_q(Index i) const { return axis_name(i, ""); }
std::string AffineBodies::name_in_v(Index i) const { return axis_name(i, "v"); }

}  // namespace carom::model
