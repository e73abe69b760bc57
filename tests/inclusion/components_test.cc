// A few springs and a beam among free bodies: the iteration matrix falls apart, and the operators through its
// components are the dense ones. Their memory grows with the contacts alone.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "carom/base/component_factor.h"
#include "carom/inclusion/block_sparse_delassus.h"
#include "carom/inclusion/delassus_factory.h"
#include "carom/inclusion/matrix_free_delassus.h"
#include "inclusion/test_problems.h"

namespace carom {
namespace {

using namespace test;
using Sparse = StructuredMatrix::Sparse;

// `bodies` 3-blocks, springs between some of them, and behind them a chain of `nodes` velocities: a beam.
struct MixedMatrix {
  Index bodies, nodes, size;
  StructuredMatrix M, K, D;

  MixedMatrix(Index body_count, Index springs, Index node_count, std::mt19937& random)
      : bodies(body_count), nodes(node_count), size(3 * body_count + node_count) {
    std::vector<Eigen::Triplet<double>> inertia, stiffness;
    const auto add = [&](std::vector<Eigen::Triplet<double>>& to, Index row, Index column, const Matrix& block) {
      for (Index i = 0; i < block.rows(); ++i)
        for (Index j = 0; j < block.cols(); ++j) to.emplace_back(row + i, column + j, block(i, j));
    };
    for (Index b = 0; b < bodies; ++b) {
      const Matrix R = random_matrix(3, 3, random);
      add(inertia, 3 * b, 3 * b, R.transpose() * R + Matrix::Identity(3, 3));
    }
    for (Index s = 0; s < springs; ++s) {
      const Index a = std::uniform_int_distribution<Index>(0, bodies - 1)(random), b = (a + 7 + s) % bodies;
      const Matrix direction = random_matrix(3, 1, random), k = -100.0 * direction * direction.transpose();
      add(stiffness, 3 * a, 3 * a, k);
      add(stiffness, 3 * b, 3 * b, k);
      add(stiffness, 3 * a, 3 * b, -k);
      add(stiffness, 3 * b, 3 * a, -k);
    }
    for (Index i = 0; i < nodes; ++i) {
      const Index v = 3 * bodies + i;
      inertia.emplace_back(v, v, 1.0 + 0.1 * (i % 3));
      stiffness.emplace_back(v, v, -200.0);
      if (i + 1 < nodes) {
        stiffness.emplace_back(v, v + 1, 90.0);
        stiffness.emplace_back(v + 1, v, 90.0);
      }
    }
    M.sparse(size).setFromTriplets(inertia.begin(), inertia.end());
    K.sparse(size).setFromTriplets(stiffness.begin(), stiffness.end());
    D.set_zero(size);
  }
  Matrix dense(double b) const { return Matrix(M.sparse_matrix()) - b * Matrix(K.sparse_matrix()); }
};

// Contacts between random 3-blocks, some with the beam, in segments of odd offsets there.
ConstraintJacobian random_directions(const MixedMatrix& m, Index contacts, Index with_beam, std::mt19937& random,
                                     double extra = 0.0, const ConstraintJacobian* like = nullptr) {
  ConstraintJacobian W;
  for (Index c = 0; c < contacts; ++c) {
    const Index rows = like != nullptr ? like->block(c).rows : std::uniform_int_distribution<Index>(1, 3)(random);
    W.add_block(rows);
    const auto fill = [&](Index offset, Index size) {
      const Index segment =
          like != nullptr ? like->block(c).segment_begin + (W.block(c).segment_end - W.block(c).segment_begin) : 0;
      if (like != nullptr) {
        offset = like->segment(segment).offset;
        size = like->segment(segment).size;
      }
      double* w = W.add_segment(offset, size);
      for (Index i = 0; i < rows * size; ++i) {
        w[i] = std::normal_distribution<double>()(random);
        if (like != nullptr) w[i] = like->entries(like->segment(segment))[i] + extra * w[i];
      }
    };
    const auto body = [&] { return std::uniform_int_distribution<Index>(0, m.bodies - 2)(random); };
    fill(3 * body(), 6);
    if (c < with_beam)
      fill(3 * m.bodies + std::uniform_int_distribution<Index>(0, m.nodes - 2)(random), 2);
    else
      fill(3 * body(), 3);
  }
  return W;
}

Matrix columns_of(const ConstraintJacobian& W, Index nv) {
  Buffer columns;
  W.to_columns(nv, columns);
  return ConstMatrixMap(columns.data(), nv, W.rows());
}

TEST(Components, TheIterationMatrixFallsApartAndSolves) {
  std::mt19937 random(1);
  IterationMatrix A;
  for (const Index nodes : {2, 40, 61, 300}) {
    const MixedMatrix m(40, 3, nodes, random);
    ASSERT_TRUE(A.factor(m.M, 0.1, m.D, 0.01, m.K));
    ASSERT_NE(A.components(), nullptr);
    EXPECT_LE(A.components()->coupled().size(), 4u);
    EXPECT_GE(A.components()->coupled().size(), 2u);
    Vector x = Vector::Random(m.size);
    const Vector expected = m.dense(0.01).partialPivLu().solve(x);
    A.solve(x.data());
    EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm()) << nodes;
  }
}

TEST(Components, FreeBodiesWithoutCouplingsAreBlockDiagonal) {
  std::mt19937 random(1);
  const MixedMatrix m(40, 0, 0, random);
  StructuredMatrix gyroscopic;
  std::vector<Eigen::Triplet<double>> entries;
  for (Index v = 0; v < m.size; v += 3) entries.emplace_back(v, v + 1, 1.0);
  gyroscopic.sparse(m.size).setFromTriplets(entries.begin(), entries.end());
  IterationMatrix A;
  ASSERT_TRUE(A.factor(m.M, 0.1, gyroscopic, 0.0, m.K));
  EXPECT_EQ(A.structure(), Structure::block_diagonal);
  EXPECT_FALSE(A.symmetric());
}

TEST(Components, OperatorsAreTheDenseOnes) {
  std::mt19937 random(4);
  for (const auto& [nodes, contacts, with_beam] : {std::tuple{40, 30, 8}, {80, 30, 8}, {80, 90, 60}, {4, 20, 20}}) {
    const MixedMatrix m(25, 2, nodes, random);
    IterationMatrix A;
    ASSERT_TRUE(A.factor(m.M, 0.0, m.D, 0.02, m.K));
    const ConstraintJacobian Wf = random_directions(m, contacts, with_beam, random);
    const ConstraintJacobian Wc = random_directions(m, contacts, with_beam, random, 0.1, &Wf);
    for (const ConstraintJacobian* C : {&Wf, &Wc}) {
      const Matrix expected =
          columns_of(*C, m.size).transpose() * m.dense(0.02).partialPivLu().solve(columns_of(Wf, m.size));
      const double tolerance = 1e-11 * expected.norm();
      ASSERT_TRUE(MatrixFreeDelassus::accepts(*C, A));
      MatrixFreeDelassus free;
      free.build(*C, A, Wf);
      BlockSparseDelassus sparse;
      free.to_block_sparse(sparse);
      for (const Delassus* G : {static_cast<const Delassus*>(&free), static_cast<const Delassus*>(&sparse)}) {
        Matrix all(G->rows(), G->rows());
        G->to_dense(all.data());
        EXPECT_LT((all - expected).norm(), tolerance);
        const Vector lambda = Vector::Random(G->rows());
        Vector y(G->rows()), again(G->rows());
        G->multiply(lambda.data(), y.data());
        EXPECT_LT((y - expected * lambda).norm(), tolerance * lambda.norm());
        Buffer scale(G->block_count()), running;
        G->multiply_with_magnitude(lambda.data(), again.data(), scale.data());
        EXPECT_LT((again - y).norm(), tolerance * lambda.norm());
        G->sweep_begin(lambda.data(), running);
        for (Index b = 0; b < G->block_count(); ++b) {
          const RowRange& range = G->block(b);
          EXPECT_GE(scale[b], (1.0 - 1e-12) * y.segment(range.row, range.rows).norm());
          double product[6];
          G->sweep_product(b, running, product);
          for (Index i = 0; i < range.rows; ++i) EXPECT_NEAR(product[i], y[range.row + i], tolerance * lambda.norm());
          const Matrix own = ConstMatrixMap(G->diagonal_block(b), range.rows, range.rows);
          EXPECT_LT((own - expected.block(range.row, range.row, range.rows, range.rows)).norm(), tolerance);
        }
        // One block changes.
        Vector change = Vector::Zero(G->rows());
        change.head(G->block(0).rows).setConstant(0.5);
        G->sweep_update(0, change.data(), running);
        const Vector moved = expected * (lambda + change);
        for (Index b = 0; b < G->block_count(); ++b) {
          double product[6];
          G->sweep_product(b, running, product);
          for (Index i = 0; i < G->block(b).rows; ++i)
            EXPECT_NEAR(product[i], moved[G->block(b).row + i], tolerance * lambda.norm());
        }
      }
    }
  }
}

// A pile of bodies in a row, each touching the next, with a spring and a beam of 300 velocities that a constant share
// touches.
std::size_t operator_bytes(Index contacts, bool sparse) {
  std::mt19937 random(2);
  const MixedMatrix m(contacts + 1, 1, 300, random);
  IterationMatrix A;
  EXPECT_TRUE(A.factor(m.M, 0.0, m.D, 0.01, m.K));
  ConstraintJacobian W;
  for (Index c = 0; c < contacts; ++c) {
    W.add_block(3);
    const Index other = c % (contacts / 50) == 0 ? 3 * m.bodies + 5 * (c % 60) : 3 * (c + 1);
    for (const Index offset : {3 * c, other}) {
      double* w = W.add_segment(offset, 3);
      for (Index i = 0; i < 9; ++i) w[i] = std::normal_distribution<double>()(random);
    }
  }
  MatrixFreeDelassus G;
  G.build(W, A, W);
  std::size_t bytes = G.bytes() + A.components()->bytes();
  if (sparse) {
    BlockSparseDelassus blocks;
    G.to_block_sparse(blocks);
    bytes += blocks.bytes();
  }
  return bytes;
}

TEST(Components, BytesAreLinearInTheContacts) {
  for (const bool sparse : {false, true}) {
    const double at_5000 = static_cast<double>(operator_bytes(5000, sparse)),
                 at_10000 = static_cast<double>(operator_bytes(10000, sparse));
    EXPECT_LT(at_10000, 2.05 * at_5000);
    EXPECT_LT(at_10000 / 10000, 1500.0) << "bytes a contact";
    RecordProperty(sparse ? "bytes_block_sparse" : "bytes_matrix_free", std::to_string(at_10000));
  }
}

}  // namespace
}  // namespace carom
