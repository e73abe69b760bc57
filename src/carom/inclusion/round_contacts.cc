#include "carom/inclusion/round_contacts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <typeinfo>

#include "carom/base/constraint_jacobian.h"
#include "carom/base/make_room.h"
#include "carom/laws/spatial_coulomb_law.h"

namespace carom::inline inclusion {

namespace {

constexpr Index body_size = 6;
constexpr double rounding = 1e-14;  // what differs by less than this share is equal
constexpr double unknown = 2.0;     // no entry of a rotation

inline double dot3(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline void cross3(const double* a, const double* b, double* y) {
  y[0] = a[1] * b[2] - a[2] * b[1];
  y[1] = a[2] * b[0] - a[0] * b[2];
  y[2] = a[0] * b[1] - a[1] * b[0];
}

bool is_multiple_of_identity(const Matrix3& M) {
  return (M - M(0, 0) * Matrix3::Identity()).cwiseAbs().maxCoeff() <= rounding * M(0, 0);
}

// While contacts are read, in `later` and one more place: from the world's axes to the body's own, in which W and the
// inertias are given.
void keep_axes(RoundContact::Body& body, const Matrix3& Q) {
  const double* q = Q.data();
  for (int i = 0; i < 8; ++i) body.later[i / 4][i % 4] = q[i];
  body.velocity[0] = q[8];
}

Matrix3 axes_of(const RoundContact::Body& body) {
  Matrix3 Q;
  for (int i = 0; i < 8; ++i) Q.data()[i] = body.later[i / 4][i % 4];
  Q.data()[8] = body.velocity[0];
  return Q;
}

bool are_orthonormal(const double* F) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
      if (!(std::abs(dot3(F + 3 * i, F + 3 * j) - (i == j ? 1.0 : 0.0)) <= rounding)) return false;
  return true;
}

// How a body's own axes see those of the world, from one contact: the moments -|s| n x t_r of its tangents are the rows
// T1, T2 of L.
Matrix3 axes(const double* F, const double* L) {
  Matrix3 world, own;
  for (int r = 0; r < 2; ++r) {
    cross3(F, F + 3 * (r + 1), world.col(r).data());
    for (int i = 0; i < 3; ++i) own(i, r) = L[3 * (r + 1) + i];
    own.col(r) /= -own.col(r).norm();
  }
  world.col(2) = world.col(0).cross(world.col(1));
  own.col(2) = own.col(0).cross(own.col(1));
  return own * world.transpose();
}

// s with L = s (0, Q (n x t_1), Q (n x t_2)), or NaN where L differs from that by more than the share `exactness`.
double lever(const double* F, const double* L, const Matrix3& Q, double exactness) {
  Vector3 moment[2];
  for (int r = 0; r < 2; ++r) {
    Vector3 world;
    cross3(F, F + 3 * (r + 1), world.data());
    moment[r] = Q * world;
  }
  const double s = dot3(moment[0].data(), L + 3);
  double error = 0.0;
  for (int i = 0; i < 3; ++i)
    error =
        std::max({error, std::abs(L[i]), std::abs(L[3 + i] - s * moment[0][i]), std::abs(L[6 + i] - s * moment[1][i])});
  return error <= exactness * std::abs(s) ? s : std::nan("");
}

}  // namespace

// Who meets whom; what that alone can refuse.
bool RoundContacts::find_bodies(const InclusionProblem& problem) {
  const auto ground = static_cast<std::int32_t>(bodies_.size()) - 1;
  std::vector<ContactOrder::Pair>& pairs = order_.begin(static_cast<std::size_t>(problem.block_count()));
  for (std::size_t b = 0; b < pairs.size(); ++b) {
    const Law& law = *problem.laws[b];
    const ConstraintJacobian::Block& block = W_->block(static_cast<Index>(b));
    const Index segments = block.segment_end - block.segment_begin;
    if (block.rows != 3 || segments < 1 || segments > 2 || typeid(law) != typeid(SpatialCoulombLaw)) return false;
    std::int32_t body[2] = {ground, ground};
    for (Index s = 0; s < segments; ++s) {
      const ConstraintJacobian::Segment& segment = W_->segment(block.segment_begin + s);
      if (segment.size != body_size || segment.offset % body_size != 0) return false;
      body[s] = static_cast<std::int32_t>(segment.offset / body_size);
      if (bodies_[static_cast<std::size_t>(body[s])].velocity[3] < 0.0) return false;
    }
    if (body[0] == body[1]) return false;
    pairs[b] = {body[0], body[1]};
  }
  return true;
}

void RoundContacts::place_bodies() {
  if (!order_.places_bodies()) return;
  inverses_.resize(bodies_.size() - 1);
  for (std::size_t k = 0; k < inverses_.size(); ++k) inverses_[k] = {bodies_[k].velocity[3], bodies_[k].spin[3]};
  for (std::size_t k = 0; k < inverses_.size(); ++k) {
    const Inverses& inverses = inverses_[order_.body_at(k)];
    bodies_[k].velocity[3] = inverses.mass;
    bodies_[k].spin[3] = inverses.inertia;
  }
}

bool RoundContacts::read(const InclusionProblem& problem, std::size_t b, double exactness, Contact& contact) {
  const ConstraintJacobian::Block& block = W_->block(static_cast<Index>(b));
  contact.first = order_.pair(b).first;
  contact.second = order_.pair(b).second;
  contact.s[1] = 0.0;
  contact.mu = problem.laws[b]->friction();
  double F[9], a = 0.0, e = 0.0;
  for (Index s = 0; s < block.segment_end - block.segment_begin; ++s) {
    const double* w = W_->entries(W_->segment(block.segment_begin + s));
    double L[9];
    for (int r = 0; r < 3; ++r)
      for (int i = 0; i < 3; ++i) {
        if (s == 0) F[3 * r + i] = w[6 * r + i];
        if (s == 1 && F[3 * r + i] != -w[6 * r + i]) return false;
        L[3 * r + i] = w[6 * r + 3 + i];
      }
    if (s == 0 && !are_orthonormal(F)) return false;
    const auto place = static_cast<std::size_t>(s == 0 ? contact.first : contact.second);
    Body& body = bodies_[place];
    if (body.later[0][0] == unknown) keep_axes(body, axes(F, L));
    const Matrix3 Q = axes_of(body);
    const double length = lever(F, L, Q, exactness);
    if (std::isnan(length)) return false;
    contact.s[s] = length;
    a += body.velocity[3];
    e += body.velocity[3] + length * length * body.spin[3];
  }
  if (!(a > 0.0)) return false;
  contact.inverse_a = 1.0 / a;
  contact.inverse_e = 1.0 / e;
  const double* c = problem.c.data() + block.row;
  for (int i = 0; i < 3; ++i) {
    contact.n[i] = F[i];
    contact.c[i] = F[i] * c[0] + F[3 + i] * c[1] + F[6 + i] * c[2];
  }
  return true;
}

bool RoundContacts::build(const InclusionProblem& problem, double exactness) {
  const DelassusFactors* factors = problem.G->factors();
  if (factors == nullptr || factors->velocities % body_size != 0) return false;
  W_ = factors->W;
  const std::size_t bodies = static_cast<std::size_t>(factors->velocities / body_size) + 1;
  Body body{};
  body.later[0][0] = unknown;  // its axes
  make_room(bodies_, bodies);
  bodies_.assign(bodies, body);
  for (std::size_t k = 0; k + 1 < bodies_.size(); ++k) {
    const Matrix3 &linear = factors->inverse_blocks[2 * k], &angular = factors->inverse_blocks[2 * k + 1];
    const bool fits = is_multiple_of_identity(linear) && is_multiple_of_identity(angular);
    bodies_[k].velocity[3] = fits ? linear(0, 0) : -1.0;  // -1: not for us
    bodies_[k].spin[3] = angular(0, 0);
  }
  exactness = std::max(exactness, rounding);
  if (!find_bodies(problem)) return false;
  order_.find(bodies - 1);
  place_bodies();
  make_fours();
  Contact contact;
  for (std::size_t b = 0; b < order_.contacts(); ++b) {
    if (!read(problem, b, exactness, contact)) return false;
    put(order_.place(b), contact);
  }
  return true;
}

void RoundContacts::put(std::size_t place, const Contact& contact) {
  Four& four = fours_[place / 4];
  const std::size_t lane = place % 4;
  four.first[lane] = contact.first;
  four.second[lane] = contact.second;
  for (int i = 0; i < 3; ++i) {
    four.n[i][lane] = contact.n[i];
    four.c[i][lane] = contact.c[i];
  }
  four.inverse_e[lane] = contact.inverse_e;
  four.difference[lane] = contact.inverse_e - contact.inverse_a;
  four.mu[lane] = contact.mu;
  for (int side = 0; side < 2; ++side) four.s[side][lane] = contact.s[side];
}

void RoundContacts::from_lambda(std::size_t b, const double* lambda, double* x) const {
  const double* w = W_->entries(W_->segment(W_->block(static_cast<Index>(b)).segment_begin));
  for (int i = 0; i < 3; ++i) x[i] = w[i] * lambda[0] + w[6 + i] * lambda[1] + w[12 + i] * lambda[2];
}

void RoundContacts::to_lambda(std::size_t b, const double* x, double* lambda) const {
  const double* w = W_->entries(W_->segment(W_->block(static_cast<Index>(b)).segment_begin));
  for (int r = 0; r < 3; ++r) lambda[r] = dot3(w + 6 * r, x);
}

}  // namespace carom::inline inclusion
