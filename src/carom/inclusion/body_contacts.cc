#include "carom/inclusion/body_contacts.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <typeinfo>

#include "carom/base/at.h"
#include "carom/base/constraint_jacobian.h"
#include "carom/laws/spatial_coulomb_law.h"

namespace carom::inline inclusion {

namespace {

constexpr Index body_size = 6;
constexpr double rounding = 1e-14;  // off-diagonal entries below this share of the diagonal are none

// y += S x with S symmetric by its upper triangle.
inline void add_symmetric(const double* S, const double* x, double* y) {
  y[0] += S[0] * x[0] + S[1] * x[1] + S[2] * x[2];
  y[1] += S[1] * x[0] + S[3] * x[1] + S[4] * x[2];
  y[2] += S[2] * x[0] + S[4] * x[1] + S[5] * x[2];
}

// y += A x with A by columns.
inline void add_product(const double* A, const double* x, double* y) {
  for (int i = 0; i < 3; ++i) y[i] += A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
}

// y = R' x with R by rows.
inline void transpose_times(const double* R, const double* x, double* y) {
  for (int i = 0; i < 3; ++i) y[i] = R[i] * x[0] + R[3 + i] * x[1] + R[6 + i] * x[2];
}

bool is_multiple_of_identity(const Matrix3& M) { return M == M(0, 0) * Matrix3::Identity(); }

}  // namespace

void BodyContacts::build(const InclusionProblem& problem) {
  problem_ = &problem;
  const Delassus& G = *problem.G;
  place_.assign(static_cast<std::size_t>(G.block_count()), -1);
  contacts_.clear();
  sliding_.clear();
  rows_.clear();
  bodies_.clear();
  const DelassusFactors* factors = G.factors();
  if (factors == nullptr || factors->velocities % body_size != 0) return;
  const ConstraintJacobian& W = *factors->W;
  bodies_.resize(static_cast<std::size_t>(factors->velocities / body_size));
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const Matrix3 &linear = factors->inverse_blocks[2 * k], &I = factors->inverse_blocks[2 * k + 1];
    bodies_[k].inverse_mass = is_multiple_of_identity(linear) ? linear(0, 0) : -1.0;  // -1: not for us
    std::copy_n(I.data(), 9, bodies_[k].inverse_inertia);
  }
  for (Index b = 0; b < G.block_count(); ++b) {
    const Law& law = *problem.laws[static_cast<std::size_t>(b)];
    const ConstraintJacobian::Block& block = W.block(b);
    const Index segments = block.segment_end - block.segment_begin;
    if (block.rows != 3 || segments < 1 || segments > 2 || typeid(law) != typeid(SpatialCoulombLaw) ||
        !(G.rho(b) > 0.0))
      continue;
    Contact contact{};
    contact.first = contact.second = -1;
    contact.mu = law.friction();
    bool fits = true;
    for (Index s = 0; s < segments && fits; ++s) {
      const ConstraintJacobian::Segment& segment = W.segment(block.segment_begin + s);
      fits = segment.size == body_size && segment.offset % body_size == 0;
      if (!fits) break;
      const Index body = segment.offset / body_size;
      fits = bodies_[static_cast<std::size_t>(body)].inverse_mass >= 0.0;
      (s == 0 ? contact.first : contact.second) = static_cast<std::int32_t>(body);
      const double* w = W.entries(segment);
      for (Index r = 0; r < 3; ++r)
        for (Index i = 0; i < 3; ++i) {
          if (s == 0)
            contact.F[3 * r + i] = w[6 * r + i];
          else
            fits = fits && contact.F[3 * r + i] == -w[6 * r + i];
          contact.L[s][3 * r + i] = w[6 * r + 3 + i];
        }
    }
    if (!fits || contact.first == contact.second) continue;
    const Eigen::Map<const Matrix3> D(G.diagonal_block(b));
    const Matrix3 K = D.inverse();
    if (!K.allFinite()) continue;
    const int upper[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    for (int k = 0; k < 6; ++k) contact.inverse[k] = K(upper[k][0], upper[k][1]);
    const double off = std::max({std::abs(D(0, 1)), std::abs(D(0, 2)), std::abs(D(1, 2)), std::abs(D(1, 0)),
                                 std::abs(D(2, 0)), std::abs(D(2, 1)), std::abs(D(1, 1) - D(2, 2))});
    contact.sphere = off <= rounding * D(0, 0) ? 1.0 : 0.0;
    place_[static_cast<std::size_t>(b)] = static_cast<Index>(contacts_.size());
    contacts_.push_back(contact);
    sliding_.emplace_back(D.data());
    rows_.push_back(block.row);
  }
}

bool BodyContacts::by_law(Index b, const double* xi, const double* lambda, double* y) const {
  const Eigen::Map<const Matrix3> G(problem_->G->diagonal_block(b));
  const Eigen::Map<const Vector3> guess(lambda);
  const Vector3 d = Eigen::Map<const Vector3>(xi) - G * guess;
  const Law& law = *problem_->laws[static_cast<std::size_t>(b)];
  for (int i = 0; i < 3; ++i) y[i] = lambda[i];
  return law.solve_local(G.data(), d.data(), y);
}

inline void BodyContacts::add_impulse(const Contact& contact, const double* impulse, double* v_1, double* v_2) const {
  double force[3], moment[3];
  transpose_times(contact.F, impulse, force);
  const Body& one = bodies_[static_cast<std::size_t>(contact.first)];
  transpose_times(contact.L[0], impulse, moment);
  for (int i = 0; i < 3; ++i) v_1[i] += one.inverse_mass * force[i];
  add_product(one.inverse_inertia, moment, v_1 + 3);
  if (contact.second < 0) return;
  const Body& other = bodies_[static_cast<std::size_t>(contact.second)];
  transpose_times(contact.L[1], impulse, moment);
  for (int i = 0; i < 3; ++i) v_2[i] -= other.inverse_mass * force[i];
  add_product(other.inverse_inertia, moment, v_2 + 3);
}

inline void BodyContacts::image(const Contact& contact, Index b, const double* c, const double* v_1, const double* v_2,
                                const double* lambda, double* y) const {
  double relative[3] = {v_1[0], v_1[1], v_1[2]}, xi[3];
  if (contact.second >= 0)
    for (int i = 0; i < 3; ++i) relative[i] -= v_2[i];
  for (int r = 0; r < 3; ++r) {
    const double *F = contact.F + 3 * r, *L = contact.L[0] + 3 * r;
    xi[r] = c[r] + (F[0] * relative[0] + F[1] * relative[1] + F[2] * relative[2]) +
            (L[0] * v_1[3] + L[1] * v_1[4] + L[2] * v_1[5]);
  }
  if (contact.second >= 0)
    for (int r = 0; r < 3; ++r) {
      const double* L = contact.L[1] + 3 * r;
      xi[r] += L[0] * v_2[3] + L[1] * v_2[4] + L[2] * v_2[5];
    }
  y[0] = y[1] = y[2] = 0.0;
  add_symmetric(contact.inverse, xi, y);
  for (int i = 0; i < 3; ++i) y[i] = lambda[i] - y[i];
  const double reach = contact.mu * y[0], square = y[1] * y[1] + y[2] * y[2];
  if (!(y[0] > 0.0 && square <= reach * reach)) {
    if (contact.sphere > 0.0) {
      const double shrink = y[0] > 0.0 ? reach / std::sqrt(square) : 0.0;
      y[0] = std::max(y[0], 0.0);
      y[1] *= shrink;
      y[2] *= shrink;
    } else if (!sliding_[at(place_[at(b)])].solve(contact.mu, xi, lambda, y) && !by_law(b, xi, lambda, y)) {
      const double r = 1.0 / problem_->G->rho(b);
      for (int i = 0; i < 3; ++i) y[i] = lambda[i] - r * xi[i];
      problem_->laws[static_cast<std::size_t>(b)]->project(y, y);
    }
  }
}

double BodyContacts::update(Index b, double omega, double* velocity, double* lambda) const {
  const auto k = static_cast<std::size_t>(place_[static_cast<std::size_t>(b)]);
  const Contact& contact = contacts_[k];
  double *v_1 = velocity + body_size * contact.first, *v_2 = velocity + body_size * std::max(contact.second, 0), y[3];
  image(contact, b, problem_->c.data() + rows_[k], v_1, v_2, lambda, y);
  for (int i = 0; i < 3; ++i) y[i] = omega * (y[i] - lambda[i]);
  const double change = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
  if (change == 0.0) return 0.0;
  for (int i = 0; i < 3; ++i) lambda[i] += y[i];
  add_impulse(contact, y, v_1, v_2);
  return change;
}

}  // namespace carom::inline inclusion
