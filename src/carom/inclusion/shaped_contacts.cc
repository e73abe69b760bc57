#include "carom/inclusion/shaped_contacts.h"

#include <algorithm>
#include <cmath>
#include <typeinfo>

#include "carom/base/constraint_jacobian.h"
#include "carom/base/make_room.h"
#include "carom/laws/spatial_coulomb_law.h"

namespace carom::inline inclusion {

namespace {

constexpr Index body_size = 6;
// Rows of F need not be orthonormal; their lengths count in the residual.
constexpr double rounding = 1e-9;

bool is_multiple_of_identity(const Matrix3& M) { return M == M(0, 0) * Matrix3::Identity(); }

bool are_orthonormal(const double* F) {
  const Eigen::Map<const Matrix3> rows(F);
  return (rows.transpose() * rows - Matrix3::Identity()).cwiseAbs().maxCoeff() <= rounding;
}

// |A|_2 <= sqrt(|A|_1 |A|_inf), sharp for multiples of the identity; as the operator has it (matrix_free_delassus.cc).
double norm(const Matrix3& A) {
  const auto absolute = A.cwiseAbs();
  return std::sqrt(absolute.colwise().sum().maxCoeff() * absolute.rowwise().sum().maxCoeff());
}

}  // namespace

bool ShapedContacts::find_bodies(const InclusionProblem& problem) {
  const DelassusFactors& factors = *problem.G->factors();
  const auto ground = static_cast<std::int32_t>(bodies_.size()) - 1;
  std::vector<ContactOrder::Pair>& pairs = order_.begin(static_cast<std::size_t>(problem.block_count()));
  for (std::size_t b = 0; b < pairs.size(); ++b) {
    const Law& law = *problem.laws[b];
    const ConstraintJacobian::Block& block = W_->block(static_cast<Index>(b));
    const Index segments = block.segment_end - block.segment_begin;
    if (block.rows != 3 || segments < 1 || segments > 2 || typeid(law) != typeid(SpatialCoulombLaw) ||
        !(problem.G->rho(static_cast<Index>(b)) > 0.0))
      return false;
    std::int32_t body[2] = {ground, ground};
    for (Index s = 0; s < segments; ++s) {
      const ConstraintJacobian::Segment& segment = W_->segment(block.segment_begin + s);
      if (segment.size != body_size || segment.offset % body_size != 0) return false;
      body[s] = static_cast<std::int32_t>(segment.offset / body_size);
      if (!is_multiple_of_identity(factors.inverse_blocks[2 * body[s]])) return false;
    }
    if (body[0] == body[1]) return false;
    pairs[b] = {body[0], body[1]};
  }
  return true;
}

void ShapedContacts::read_body(const DelassusFactors& factors, std::size_t place, std::size_t body) {
  const Matrix3 &linear = factors.inverse_blocks[2 * body], &I = factors.inverse_blocks[2 * body + 1];
  Body& into = bodies_[place];
  into.velocity[3] = linear(0, 0);
  into.spin[3] = norm(I);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) into.inverse_inertia[j][i] = I(i, j);
}

bool ShapedContacts::build(const InclusionProblem& problem) {
  const DelassusFactors* factors = problem.G->factors();
  if (factors == nullptr || factors->velocities % body_size != 0) return false;
  W_ = factors->W;
  const auto bodies = static_cast<std::size_t>(factors->velocities / body_size);
  make_room(bodies_, bodies + 1);
  bodies_.assign(bodies + 1, Body{});
  if (!find_bodies(problem)) return false;
  order_.find(bodies);
  for (std::size_t k = 0; k < bodies; ++k) read_body(*factors, k, order_.places_bodies() ? order_.body_at(k) : k);
  make_fours();
  make_room(turns_, order_.contacts());
  turns_.resize(order_.contacts());
  for (std::size_t b = 0; b < order_.contacts(); ++b)
    if (!read(problem, b)) return false;
  return true;
}

bool ShapedContacts::read(const InclusionProblem& problem, std::size_t b) {
  const ConstraintJacobian::Block& block = W_->block(static_cast<Index>(b));
  Four& four = fours_[order_.place(b) / 4];
  const std::size_t lane = order_.place(b) % 4;
  const double* w[2] = {};
  for (Index s = 0; s < block.segment_end - block.segment_begin; ++s)
    w[s] = W_->entries(W_->segment(block.segment_begin + s));
  double F[9];
  for (int r = 0; r < 3; ++r)
    for (int i = 0; i < 3; ++i) {
      F[3 * r + i] = w[0][6 * r + i];
      if (w[1] != nullptr && F[3 * r + i] != -w[1][6 * r + i]) return false;
    }
  if (!are_orthonormal(F)) return false;

  const PrincipalTangents tangents(problem.G->diagonal_block(static_cast<Index>(b)));
  if (!(tangents.a > 0.0) || !(tangents.s[1] > 0.0)) return false;
  const TangentTurn turn = turns_[b] = tangents.turn;
  four.first[lane] = order_.pair(b).first;
  four.second[lane] = order_.pair(b).second;
  four.mu[lane] = problem.laws[b]->friction();
  four.inverse_a[lane] = 1.0 / tangents.a;
  for (int i = 0; i < 2; ++i) {
    four.beta[i][lane] = tangents.b[i] / tangents.a;
    four.t[i][lane] = 1.0 / tangents.s[i];
  }
  double c[3];
  std::copy_n(problem.c.data() + block.row, 3, c);
  turn.turn(c + 1, c + 1);
  for (int r = 0; r < 3; ++r) four.c[r][lane] = c[r];
  for (int i = 0; i < 3; ++i) {
    double column[3] = {F[i], F[3 + i], F[6 + i]};
    turn.turn(column + 1, column + 1);
    for (int r = 0; r < 3; ++r) four.F[r][i][lane] = column[r];
    for (int s = 0; s < 2 && w[s] != nullptr; ++s) {
      for (int r = 0; r < 3; ++r) column[r] = w[s][6 * r + 3 + i];
      turn.turn(column + 1, column + 1);
      for (int r = 0; r < 3; ++r) four.L[s][r][i][lane] = column[r];
    }
  }
  return true;
}

void ShapedContacts::from_lambda(std::size_t b, const double* lambda, double* x) const {
  x[0] = lambda[0];
  turns_[b].turn(lambda + 1, x + 1);
}

void ShapedContacts::to_lambda(std::size_t b, const double* x, double* lambda) const {
  lambda[0] = x[0];
  turns_[b].turn_back(x + 1, lambda + 1);
}

}  // namespace carom::inline inclusion
