// Dense, block-sparse and matrix-free are the same operator.
#include <gtest/gtest.h>

#include "carom/inclusion/block_sparse_delassus.h"
#include "carom/inclusion/delassus_factory.h"
#include "carom/inclusion/matrix_free_delassus.h"
#include "inclusion/test_problems.h"

namespace carom {
namespace {

using namespace test;

// Bodies of six velocities with block-diagonal inertia, and contacts and joints between random pairs.
struct Scene {
  Index bodies;
  StructuredMatrix M;
  Matrix dense_M;
  IterationMatrix A;
  ConstraintJacobian Wc, Wf;
  Matrix dense_Wc, dense_Wf;  // nv x rows

  Scene(Index body_count, int constraints, std::mt19937& random, double asymmetry) : bodies(body_count) {
    const Index nv = 6 * bodies;
    Matrix3* blocks = M.block_diagonal(nv);
    dense_M = Matrix::Zero(nv, nv);
    for (Index k = 0; k < 2 * bodies; ++k) {
      const Matrix R = random_matrix(3, 3, random);
      blocks[k] = R.transpose() * R + Matrix3::Identity();
      dense_M.block<3, 3>(3 * k, 3 * k) = blocks[k];
    }
    EXPECT_TRUE(A.factor(M));
    std::vector<Matrix> columns_c, columns_f;
    std::uniform_int_distribution<Index> body(0, bodies - 1), rows_of(1, 3);
    Index rows = 0;
    for (int k = 0; k < constraints; ++k) {
      const Index n = rows_of(random);
      const Index first = body(random), second = k % 3 == 0 ? first : body(random);
      Matrix w = Matrix::Zero(nv, n), wc = Matrix::Zero(nv, n);
      Wc.add_block(n);
      Wf.add_block(n);
      for (const Index at : {first, second}) {
        // The third of them touches one body in two segments of three.
        const Index offset = 6 * at + (k % 3 == 0 && at == second && first == second ? 3 : 0);
        const Index size = k % 3 == 0 ? 3 : 6;
        const Matrix part = random_matrix(n, size, random);
        const Matrix part_c = part + asymmetry * random_matrix(n, size, random);
        double* f = Wf.add_segment(offset, size);
        double* c = Wc.add_segment(offset, size);
        for (Index r = 0; r < n; ++r)
          for (Index i = 0; i < size; ++i) {
            f[r * size + i] = part(r, i);
            c[r * size + i] = part_c(r, i);
            w(offset + i, r) += part(r, i);
            wc(offset + i, r) += part_c(r, i);
          }
      }
      columns_f.push_back(w);
      columns_c.push_back(wc);
      rows += n;
    }
    dense_Wc.resize(nv, rows);
    dense_Wf.resize(nv, rows);
    Index at = 0;
    for (std::size_t k = 0; k < columns_c.size(); at += columns_c[k].cols(), ++k) {
      dense_Wc.middleCols(at, columns_c[k].cols()) = columns_c[k];
      dense_Wf.middleCols(at, columns_f[k].cols()) = columns_f[k];
    }
  }
  Matrix expected() const { return dense_Wc.transpose() * dense_M.ldlt().solve(dense_Wf); }
};

void expect_same_operator(const Delassus& G, const Matrix& expected, std::mt19937& random) {
  const Index n = static_cast<Index>(expected.rows());
  ASSERT_EQ(G.rows(), n);
  const double tolerance = 1e-12 * expected.norm();
  Matrix all(n, n);
  G.to_dense(all.data());
  EXPECT_LE((all - expected).norm(), tolerance);
  const Vector lambda = random_matrix(n, 1, random);
  Vector y(n), y2(n), scale(G.block_count());
  G.multiply(lambda.data(), y.data());
  G.multiply_with_magnitude(lambda.data(), y2.data(), scale.data());
  EXPECT_LE((y - expected * lambda).norm(), tolerance * lambda.norm());
  EXPECT_LE((y2 - y).norm(), tolerance * lambda.norm());

  Buffer running;
  G.sweep_begin(lambda.data(), running);
  Vector moved = lambda;
  for (Index b = 0; b < G.block_count(); ++b) {
    const RowRange at = G.block(b);
    EXPECT_LE((ConstMatrixMap(G.diagonal_block(b), at.rows, at.rows) - expected.block(at.row, at.row, at.rows, at.rows))
                  .norm(),
              tolerance);
    EXPECT_NEAR(G.rho(b), expected.diagonal().segment(at.row, at.rows).maxCoeff(), tolerance);
    double exact_scale = 0.0;
    for (Index j = 0; j < G.block_count(); ++j)
      exact_scale += (expected.block(at.row, G.block(j).row, at.rows, G.block(j).rows) *
                      lambda.segment(G.block(j).row, G.block(j).rows))
                         .norm();
    EXPECT_GE(scale[b], exact_scale * (1 - 1e-12));
    EXPECT_LE(scale[b], 30 * exact_scale);

    Vector product(at.rows);
    G.sweep_product(b, running, product.data());
    EXPECT_LE((product - (expected * moved).segment(at.row, at.rows)).norm(), 10 * tolerance * (1 + moved.norm()));
    const Vector change = random_matrix(at.rows, 1, random);
    G.sweep_update(b, change.data(), running);
    moved.segment(at.row, at.rows) += change;
  }
  BlockSparseDelassus blocks;
  G.to_block_sparse(blocks);
  blocks.to_dense(all.data());
  EXPECT_LE((all - expected).norm(), tolerance);
  EXPECT_EQ(blocks.symmetric(), G.symmetric());
}

TEST(Delassus, ThreeRepresentationsAreOneOperator) {
  std::mt19937 random(7);
  for (const double asymmetry : {0.0, 0.2})
    for (const int constraints : {1, 5, 40}) {
      Scene scene(6, constraints, random, asymmetry);
      const ConstraintJacobian& Wc = asymmetry == 0.0 ? scene.Wf : scene.Wc;
      const Matrix expected = scene.expected();
      DenseDelassus dense;
      BlockSparseDelassus sparse;
      MatrixFreeDelassus free;
      for (int again = 0; again < 2; ++again) {  // memory is reused
        dense.build(Wc, scene.A, scene.Wf);
        sparse.build(Wc, scene.A, scene.Wf);
        ASSERT_TRUE(MatrixFreeDelassus::accepts(scene.Wf, scene.A));
        free.build(Wc, scene.A, scene.Wf);
      }
      for (const Delassus* G : std::initializer_list<const Delassus*>{&dense, &sparse, &free}) {
        EXPECT_EQ(G->symmetric(), asymmetry == 0.0);
        expect_same_operator(*G, expected, random);
      }
    }
}

TEST(Delassus, DenseOverDenseInertia) {
  std::mt19937 random(8);
  const Matrix R = random_matrix(3, 3, random);
  const Matrix M = R.transpose() * R + Matrix::Identity(3, 3);
  StructuredMatrix inertia;
  MatrixMap(inertia.dense(3), 3, 3) = M;
  IterationMatrix A;
  ASSERT_TRUE(A.factor(inertia));
  ConstraintJacobian W;
  Matrix dense_W(3, 8);
  for (Index k = 0; k < 4; ++k) {
    W.add_block(2);
    double* rows = W.add_segment(0, 3);
    for (Index r = 0; r < 2; ++r)
      for (Index i = 0; i < 3; ++i) {
        const double value = random_matrix(1, 1, random)(0);
        rows[3 * r + i] = value;
        dense_W(i, 2 * k + r) = value;
      }
  }
  DelassusFactory factory;
  const Delassus& G = factory.build(W, A);
  EXPECT_NE(G.dense(), nullptr);
  expect_same_operator(G, dense_W.transpose() * M.ldlt().solve(dense_W), random);
}

TEST(Delassus, FactoryGrowsNoDenseMatrixWithTheScene) {
  std::mt19937 random(9);
  Scene small(3, 4, random, 0.0), large(30, 60, random, 0.0);
  DelassusFactory factory;
  EXPECT_NE(factory.build(small.Wf, small.A).dense(), nullptr);
  EXPECT_EQ(factory.build(large.Wf, large.A).dense(), nullptr);
}

}  // namespace
}  // namespace carom
