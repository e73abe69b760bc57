#include "carom/inclusion/minimum_norm.h"

#include <gtest/gtest.h>

#include "inclusion/test_problems.h"

namespace carom {
namespace {

using namespace test;

TEST(MinimumNorm, IsThePseudoInverse) {
  std::mt19937 random(10);
  MinimumNormMemory memory;
  for (Index n = 1; n <= 12; ++n)
    for (Index rank = 0; rank <= n; ++rank) {
      const Matrix A = random_matrix(n, rank, random) * random_matrix(rank, n, random);
      const Vector b = random_matrix(n, 1, random);
      Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
      svd.setThreshold(1e-10);
      const Vector expected = svd.solve(b);
      Matrix work = A;
      Vector x = b;
      EXPECT_EQ(minimum_norm_solve(work.data(), n, 1e-10, x.data(), memory), rank);
      EXPECT_LE((x - expected).norm(), 1e-7 * (1 + expected.norm())) << n << " " << rank;
      work = A;
      x = b;
      solve_or_minimum_norm(work.data(), n, 1e-10, x.data(), memory);
      EXPECT_LE((x - expected).norm(), 1e-7 * (1 + expected.norm())) << n << " " << rank;
    }
}

}  // namespace
}  // namespace carom
