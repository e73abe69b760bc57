#include "carom/schemes/turning_matrix.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "carom/system/turning_directions.h"

namespace carom::inline schemes {

namespace {

bool within_bodies(const StructuredMatrix& matrix) {
  return matrix.structure() == Structure::zero || matrix.structure() == Structure::block_diagonal;
}

// Whether a symmetric block is positive definite and not much smaller than another that is.
bool stays_inertia(const Matrix3& block, const Matrix3& inertia) {
  constexpr double least = 0.1;
  const auto minor = [](const Matrix3& B) { return B(0, 0) * B(1, 1) - B(1, 0) * B(0, 1); };
  const auto determinant = [](const Matrix3& B) { return B.col(0).dot(B.col(1).cross(B.col(2))); };
  return block(0, 0) > least * inertia(0, 0) && minor(block) > least * minor(inertia) &&
         determinant(block) > least * determinant(inertia);
}

}  // namespace

const IterationMatrix* turning_matrix(const System& system, const NewtonTerms& terms, double factor, double t,
                                      const Vector& q, const ActiveSet& active, const double* x,
                                      Intermediates& intermediates, TurningMemory& memory) {
  const Inertia& M = terms.M;
  const TurningDirections* turning = system.turning_directions();
  if (turning == nullptr || M.structure() != Structure::block_diagonal || !within_bodies(terms.dh_dv) ||
      !within_bodies(terms.dh_dq))
    return nullptr;
  const std::size_t n = static_cast<std::size_t>(M.size() / StructuredMatrix::block_size);
  Matrix3* blocks = memory.M.block_diagonal(M.size());
  std::copy_n(M.blocks(), n, blocks);
  turning->add_turning(-factor, t, q, active, x, intermediates, blocks);
  for (std::size_t i = 0; i < n; ++i)
    if (!stays_inertia(blocks[i], M.blocks()[i])) blocks[i] = M.blocks()[i];  // far from where Newton is good
  return memory.A.factor(memory.M, terms.a, terms.dh_dv, terms.a * terms.a, terms.dh_dq) ? &memory.A : nullptr;
}

}  // namespace carom::inline schemes
