// Wc' A^-1 Wf by segments against the product of the full matrices.
#include "carom/base/segment_gram.h"

#include <gtest/gtest.h>

#include <random>

namespace carom {
namespace {

struct Scene {
  static constexpr Index bodies = 5;
  std::mt19937 random;
  std::vector<Matrix3> inverse;

  explicit Scene(unsigned seed, bool symmetric) : random(seed) {
    for (Index b = 0; b < 2 * bodies; ++b) {
      Matrix3 A;
      for (double& a : A.reshaped()) a = number();
      inverse.push_back(symmetric ? Matrix3(A + A.transpose()) : A);
    }
  }
  double number() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random); }
  Index below(Index n) { return static_cast<Index>(random() % static_cast<unsigned>(n)); }

  // Constraints of one to three rows on one or two bodies of `width` velocities.
  ConstraintJacobian constraints(Index count, Index width) {
    ConstraintJacobian W;
    for (Index k = 0; k < count; ++k) {
      const Index rows = 1 + below(3), first = below(bodies), second = below(bodies);
      W.add_block(rows);
      fill(W.add_segment(width * first, width), rows * width);
      if (second != first) fill(W.add_segment(width * second, width), rows * width);
    }
    return W;
  }
  void fill(double* entries, Index n) {
    for (Index i = 0; i < n; ++i) entries[i] = number();
  }

  Matrix expected(const ConstraintJacobian& Wc, const ConstraintJacobian& Wf) const {
    const Index n = 3 * static_cast<Index>(inverse.size());
    Matrix A = Matrix::Zero(n, n);
    for (std::size_t b = 0; b < inverse.size(); ++b)
      A.block<3, 3>(3 * static_cast<Index>(b), 3 * static_cast<Index>(b)) = inverse[b];
    Buffer c, f;
    Wc.to_columns(n, c);
    Wf.to_columns(n, f);
    return ConstMatrixMap(c.data(), n, Wc.rows()).transpose() * A * ConstMatrixMap(f.data(), n, Wf.rows());
  }
};

TEST(SegmentGram, IsTheProduct) {
  for (unsigned seed = 0; seed < 40; ++seed)
    for (const Index width : {3, 6})
      for (const bool symmetric : {false, true}) {
        Scene scene(seed, symmetric);
        const ConstraintJacobian W = scene.constraints(1 + scene.below(8), width);
        Matrix G = Matrix::Constant(W.rows(), W.rows(), 7.0);  // whatever was there before
        Buffer scratch;
        ASSERT_TRUE(segment_gram(W, scene.inverse.data(), W, symmetric, scratch, G.data()));
        EXPECT_LT((G - scene.expected(W, W)).norm(), 1e-13) << width << symmetric;
        if (symmetric && width == 3) {  // to the last bit
          EXPECT_EQ(G, Matrix(G.transpose()));
        }
      }
}

TEST(SegmentGram, OfTwoSetsOfDirections) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Scene scene(seed, true);
    const Index count = 1 + scene.below(8);
    const ConstraintJacobian Wc = scene.constraints(count, 3), Wf = scene.constraints(count, seed % 2 ? 3 : 6);
    Matrix G(Wc.rows(), Wf.rows());
    Buffer scratch;
    const bool done = segment_gram(Wc, scene.inverse.data(), Wf, false, scratch, G.data());
    EXPECT_TRUE(done || seed % 2 == 0);  // segments of three and of six may meet partly
    if (done) {
      EXPECT_LT((G - scene.expected(Wc, Wf)).norm(), 1e-13);
    }
  }
}

TEST(SegmentGram, RefusesBodiesNamedTwice) {
  Scene scene(1, true);
  ConstraintJacobian W;
  W.add_block(1);
  scene.fill(W.add_segment(3, 3), 3);
  scene.fill(W.add_segment(3, 3), 3);
  double G = 0.0;
  Buffer scratch;
  EXPECT_FALSE(segment_gram(W, scene.inverse.data(), W, true, scratch, &G));
}

}  // namespace
}  // namespace carom
