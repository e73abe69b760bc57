#include "carom/inclusion/shaped_contacts.h"

#include <algorithm>
#include <cmath>
#include <typeinfo>

#include "carom/base/make_room.h"
#include "carom/laws/spatial_coulomb_law.h"

namespace carom::inline inclusion {

namespace {

// Rows of F need not be orthonormal; their lengths count in the residual.
constexpr double rounding = 1e-9;

bool are_orthonormal(const double* F) {
  const Eigen::Map<const Matrix3> rows(F);
  return (rows.transpose() * rows - Matrix3::Identity()).cwiseAbs().maxCoeff() <= rounding;
}

}  // namespace

bool ShapedContacts::build(const InclusionProblem& problem) {
  if (!begin(problem, [](const Law& law) { return typeid(law) == typeid(SpatialCoulombLaw); })) return false;
  make_room(turns_, order_.contacts());
  turns_.resize(order_.contacts());
  for (std::size_t b = 0; b < order_.contacts(); ++b)
    if (!read(problem, b)) return false;
  return true;
}

bool ShapedContacts::read(const InclusionProblem& problem, std::size_t b) {
  const double* w[2];
  if (!find_shaped_entries(*problem.G->factors(), static_cast<Index>(b), w)) return false;
  Four& four = fours_[order_.place(b) / 4];
  const std::size_t lane = order_.place(b) % 4;
  double F[9];
  for (int r = 0; r < 3; ++r)
    for (int i = 0; i < 3; ++i) F[3 * r + i] = w[0][6 * r + i];
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
  std::copy_n(problem.c.data() + problem.G->block(static_cast<Index>(b)).row, 3, c);
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
