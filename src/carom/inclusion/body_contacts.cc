#include "carom/inclusion/body_contacts.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <typeinfo>

#include "carom/base/constraint_jacobian.h"
#include "carom/laws/spatial_coulomb_law.h"

namespace carom {

namespace {

constexpr Index body_size = 6;
constexpr double rounding = 1e-14;  // off-diagonal entries below this share of the diagonal are none

// y += S x with S symmetric by its upper triangle.
inline void add_symmetric(const double* S, const double* x, double* y) {
  y[0] += S[0] * x[0] + S[1] * x[1] + S[2] * x[2];
  y[1] += S[1] * x[0] + S[3] * x[1] + S[4] * x[2];
  y[2] += S[2] * x[0] + S[4] * x[1] + S[5] * x[2];
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
  rows_.clear();
  bodies_.clear();
  const DelassusFactors* factors = G.factors();
  if (factors == nullptr || factors->velocities % body_size != 0) return;
  const ConstraintJacobian& W = *factors->W;
  bodies_.resize(static_cast<std::size_t>(factors->velocities / body_size));
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const Matrix3 &linear = factors->inverse_blocks[2 * k], &I = factors->inverse_blocks[2 * k + 1];
    bodies_[k] = {linear(0, 0), {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)}};
    if (!is_multiple_of_identity(linear)) bodies_[k].inverse_mass = -1.0;  // not for us
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
      (s == 0 ? contact.first : contact.second) = body;
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
    for (int k = 0; k < 6; ++k) {
      contact.G[k] = D(upper[k][0], upper[k][1]);
      contact.inverse[k] = K(upper[k][0], upper[k][1]);
    }
    const double off = std::max({std::abs(contact.G[1]), std::abs(contact.G[2]), std::abs(contact.G[4]),
                                 std::abs(contact.G[3] - contact.G[5])});
    contact.normal_over = off <= rounding * contact.G[0] ? 1.0 / contact.G[0] : 0.0;
    place_[static_cast<std::size_t>(b)] = static_cast<Index>(contacts_.size());
    contacts_.push_back(contact);
    rows_.push_back(block.row);
  }
}

bool BodyContacts::slip(const Contact& contact, Index b, const double* xi, const double* lambda, double* y) const {
  double d[3] = {};
  add_symmetric(contact.G, lambda, d);
  for (int i = 0; i < 3; ++i) d[i] = xi[i] - d[i];
  if (d[0] >= 0.0) {
    y[0] = y[1] = y[2] = 0.0;
    return true;
  }
  if (contact.normal_over > 0.0) {
    y[0] = -d[0] * contact.normal_over;
    const double speed = std::sqrt(d[1] * d[1] + d[2] * d[2]);
    const double along = speed > 0.0 ? -contact.mu * y[0] / speed : 0.0;
    y[1] = along * d[1];
    y[2] = along * d[2];
    return true;
  }
  for (int i = 0; i < 3; ++i) y[i] = lambda[i];
  return problem_->laws[static_cast<std::size_t>(b)]->solve_local(problem_->G->diagonal_block(b), d, y);
}

void BodyContacts::add_impulse(const Contact& contact, const double* impulse, double* velocity) const {
  double force[3], moment[3];
  transpose_times(contact.F, impulse, force);
  double* v = velocity + body_size * contact.first;
  const Body& one = bodies_[static_cast<std::size_t>(contact.first)];
  transpose_times(contact.L[0], impulse, moment);
  for (int i = 0; i < 3; ++i) v[i] += one.inverse_mass * force[i];
  add_symmetric(one.inverse_inertia, moment, v + 3);
  if (contact.second < 0) return;
  v = velocity + body_size * contact.second;
  const Body& other = bodies_[static_cast<std::size_t>(contact.second)];
  transpose_times(contact.L[1], impulse, moment);
  for (int i = 0; i < 3; ++i) v[i] -= other.inverse_mass * force[i];
  add_symmetric(other.inverse_inertia, moment, v + 3);
}

double BodyContacts::update(Index b, double omega, double* velocity, double* lambda) {
  const Contact& contact = contacts_[static_cast<std::size_t>(place_[static_cast<std::size_t>(b)])];
  const double* c = problem_->c.data() + rows_[static_cast<std::size_t>(place_[static_cast<std::size_t>(b)])];
  const double* v = velocity + body_size * contact.first;
  double relative[3] = {v[0], v[1], v[2]}, xi[3];
  const double* other = contact.second >= 0 ? velocity + body_size * contact.second : nullptr;
  if (other != nullptr)
    for (int i = 0; i < 3; ++i) relative[i] -= other[i];
  for (int r = 0; r < 3; ++r) {
    const double *F = contact.F + 3 * r, *L = contact.L[0] + 3 * r;
    xi[r] = c[r] + (F[0] * relative[0] + F[1] * relative[1] + F[2] * relative[2]) +
            (L[0] * v[3] + L[1] * v[4] + L[2] * v[5]);
  }
  if (other != nullptr)
    for (int r = 0; r < 3; ++r) {
      const double* L = contact.L[1] + 3 * r;
      xi[r] += L[0] * other[3] + L[1] * other[4] + L[2] * other[5];
    }
  double y[3] = {};
  add_symmetric(contact.inverse, xi, y);
  for (int i = 0; i < 3; ++i) y[i] = lambda[i] - y[i];
  const double reach = contact.mu * y[0];
  if (!(y[0] > 0.0 && y[1] * y[1] + y[2] * y[2] <= reach * reach) && !slip(contact, b, xi, lambda, y)) {
    const double r = 1.0 / problem_->G->rho(b);
    for (int i = 0; i < 3; ++i) y[i] = lambda[i] - r * xi[i];
    problem_->laws[static_cast<std::size_t>(b)]->project(y, y);
  }
  double square = 0.0;
  for (int i = 0; i < 3; ++i) {
    y[i] = omega * (y[i] - lambda[i]);
    square += y[i] * y[i];
  }
  if (square == 0.0) return 0.0;
  for (int i = 0; i < 3; ++i) lambda[i] += y[i];
  add_impulse(contact, y, velocity);
  return square;
}

void BodyContacts::add_velocity(const double* lambda, double* velocity) const {
  for (std::size_t k = 0; k < contacts_.size(); ++k) add_impulse(contacts_[k], lambda + rows_[k], velocity);
}

}  // namespace carom
