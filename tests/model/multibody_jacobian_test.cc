// Every derivative against differences through `move`, over random states of random scenes.
#include <gtest/gtest.h>

#include "carom/model/contacts/primitives/primitives.h"
#include "model/multibody_test_scene.h"

namespace carom {
namespace {

using testing::Random;

constexpr double eps = 1e-5;  // central differences: error about eps^2
constexpr double tolerance = 2e-8;

class MultibodyJacobian : public ::testing::TestWithParam<unsigned> {
 protected:
  MultibodyJacobian() : system(testing::random_system(GetParam(), GetParam() % 3 != 0)), random(1000 + GetParam()) {
    q = testing::random_coordinates(system, random);
    v = random.vector(system.nv(), 1.0);
    testing::detect_all(system, q, contacts);
    all.reset(contacts);
    all.add_all();
  }
  Vector moved(const Vector& dq) const {
    Vector next;
    system.move(q, dq, next);
    return next;
  }
  Evaluation evaluated(const Vector& at, const Vector& with) const {
    Evaluation out;
    system.evaluate(0.0, at, with,
                    Need::inertia | Need::force | Need::force_jacobian | Need::gap | Need::jacobian | Need::convective,
                    all, out);
    return out;
  }
  Vector gamma(const Vector& at, const Vector& with) const {
    const Evaluation out = evaluated(at, with);
    Vector result(all.rows());
    out.W.transpose_multiply(with.data(), result.data());
    return result + out.chi.vec();
  }

  model::AssembledSystem system;
  Random random;
  Vector q, v;
  ContactSet contacts;
  ActiveSet all;
};

TEST_P(MultibodyJacobian, PositionRowsAreGradientsOfTheGaps) {
  const Evaluation at_q = evaluated(q, v);
  const Matrix Wt = testing::to_dense(at_q.W, system.nv());
  ASSERT_EQ(Wt.rows(), all.rows());
  for (Index k = 0; k < system.nv(); ++k) {
    const Vector dq = eps * Vector::Unit(system.nv(), k);
    const Vector slope = (evaluated(moved(dq), v).g.vec() - evaluated(moved(-dq), v).g.vec()) / (2 * eps);
    Index row = 0;
    for (Index i = 0; i < all.size(); ++i) {
      const Constraint& constraint = all.constraint(i);
      for (Index r = 0; r < constraint.position_rows; ++r)
        EXPECT_NEAR(Wt(row + r, k), slope[row + r], tolerance)
            << system.constraint_name(constraint) << " row " << r << " by " << system.velocity_name(k);
      row += constraint.law->dim();
    }
  }
}

// gamma' = W' v' + zeta along the motion q (+) (s v + s^2 a / 2), v + s a.
TEST_P(MultibodyJacobian, ConvectiveTermsFollowTheMotion) {
  const Vector a = random.vector(system.nv(), 1.0);
  const auto along = [&](double s) { return gamma(moved(s * v + 0.5 * s * s * a), v + s * a); };
  const Vector rate = (along(eps) - along(-eps)) / (2 * eps);
  const Evaluation at_q = evaluated(q, v);
  Vector Wa(all.rows());
  at_q.W.transpose_multiply(a.data(), Wa.data());
  for (Index r = 0; r < all.rows(); ++r) EXPECT_NEAR(Wa[r] + at_q.zeta[r], rate[r], 2e-7) << "row " << r;
}

// Tangential rows are no gradients; all rows of contacts are the velocities of the material points
// that touch.
TEST_P(MultibodyJacobian, ContactRowsMoveMaterialPoints) {
  const Vector found = gamma(q, v);
  const Vector q_plus = moved(eps * v), q_minus = moved(-eps * v);
  // Velocity of the point of a frame that is now at X.
  const auto material_velocity = [&](Index frame, const Vector3& X) -> Vector3 {
    const Index b = frame - 1;  // the ground is ground_body
    const Pose now = body_pose(q.data(), b);
    const Vector3 s = now.R.transpose() * (X - now.x);
    const Pose p = body_pose(q_plus.data(), b), m = body_pose(q_minus.data(), b);
    return ((p.x + p.R * s) - (m.x + m.R * s)) / (2 * eps);
  };
  Index row = 0, checked = 0;
  for (Index i = 0; i < all.size(); ++i) {
    const Constraint& c = all.constraint(i);
    if (!c.bilateral) {
      const model::ContactRecord record = model::record_of(contacts, c);
      const model::Touch<double> at =
          model::touch(record.primitive, body_pose(q.data(), record.first - 1), body_pose(q.data(), record.second - 1));
      const Vector3 relative = material_velocity(record.first, at.first) - material_velocity(record.second, at.second);
      EXPECT_NEAR(found[row], at.normal.dot(relative), tolerance);
      EXPECT_NEAR((at.first - at.second).dot(at.normal), at.gap, 1e-12);
      if (c.law->dim() == 3) {  // the rest of it, whatever the tangents
        EXPECT_NEAR(std::hypot(found[row + 1], found[row + 2]), (relative - at.normal.dot(relative) * at.normal).norm(),
                    tolerance);
      }
      ++checked;
    }
    row += c.law->dim();
  }
  EXPECT_GT(checked, 4 * 3 + 6 + 3 * 8 * 3);
}

TEST_P(MultibodyJacobian, ForceDerivatives) {
  const Evaluation at_q = evaluated(q, v);
  const Matrix dh_dv = testing::to_dense(at_q.dh_dv);
  const Matrix dh_dq = testing::to_dense(at_q.dh_dq);
  for (Index k = 0; k < system.nv(); ++k) {
    const Vector step = eps * Vector::Unit(system.nv(), k);
    const Vector by_v = (evaluated(q, v + step).h - evaluated(q, v - step).h) / (2 * eps);
    const Vector by_q = (evaluated(moved(step), v).h - evaluated(moved(-step), v).h) / (2 * eps);
    EXPECT_LT((dh_dv.col(k) - by_v).lpNorm<Eigen::Infinity>(), tolerance);
    EXPECT_LT((dh_dq.col(k) - by_q).lpNorm<Eigen::Infinity>(), tolerance);
  }
}

TEST_P(MultibodyJacobian, EnergiesMatchInertiaAndForce) {
  const Evaluation at_q = evaluated(q, v);
  const Energetics& energy = *system.energetics();
  EXPECT_NEAR(energy.kinetic_energy(0, q, v), 0.5 * v.dot(testing::to_dense(at_q.M) * v), 1e-12);
  // At rest h is the force of gravity: minus the gradient of the potential.
  const Vector h = evaluated(q, Vector::Zero(system.nv())).h;
  for (Index k = 0; k < system.nv(); ++k) {
    const Vector step = eps * Vector::Unit(system.nv(), k);
    const double slope =
        (energy.potential_energy(0, moved(step)) - energy.potential_energy(0, moved(-step))) / (2 * eps);
    EXPECT_NEAR(h[k], -slope, 1e-7);
  }
  // Gyroscopic forces do no work.
  EXPECT_NEAR(at_q.h.dot(v), h.dot(v), 1e-12);
}

TEST_P(MultibodyJacobian, MoveDifferenceAndKinematicMapAgree) {
  const Vector dq = random.vector(system.nv(), 1.5);
  Vector back;
  system.difference(q, moved(dq), back);
  EXPECT_LT((back - dq).lpNorm<Eigen::Infinity>(), 1e-14 * 100);

  Vector Tv;
  system.apply_T(q, v, Tv);
  const Vector slope = (moved(eps * v) - moved(-eps * v)) / (2 * eps);
  EXPECT_LT((Tv - slope).lpNorm<Eigen::Infinity>(), tolerance);

  const Vector p = random.vector(system.nq(), 1.0);
  Vector Tp;
  system.apply_T_transpose(q, p, Tp);
  EXPECT_NEAR(p.dot(Tv), Tp.dot(v), 1e-13);

  Vector in_place = q;
  system.move(in_place, dq, in_place);
  EXPECT_EQ(in_place, moved(dq));
  EXPECT_EQ(moved(Vector::Zero(system.nv())), q);  // rest stays rest, bit by bit
}

// The short way to the gap rates, without W.
TEST_P(MultibodyJacobian, GapRatesAreRowsOfGamma) {
  Evaluation out;
  system.evaluate(0.0, q, v, Need::gap_rate, all, out);
  EXPECT_EQ(out.W.rows(), 0);
  const Vector expected = gamma(q, v);
  Index row = 0;
  for (Index i = 0; i < all.size(); ++i) {
    for (Index r = 0; r < all.constraint(i).position_rows; ++r)
      EXPECT_NEAR(out.g_rate[row + r], expected[row + r], 1e-13);
    row += all.constraint(i).law->dim();
  }
}

// What is asked for is filled, for the active members only, and nothing else is touched.
TEST_P(MultibodyJacobian, ActiveSubsetsArePartsOfTheWhole) {
  const Evaluation whole = evaluated(q, v);
  ActiveSet some;
  some.reset(contacts);
  std::vector<Index> rows;
  Index row = 0;
  for (Index k = 0; k < contacts.size(); ++k) {
    const Index dim = contacts[k].law->dim();
    if (k % 3 == 1) {
      some.add(k);
      for (Index r = 0; r < dim; ++r) rows.push_back(row + r);
    }
    row += dim;
  }
  Evaluation part;
  part.h = Vector::Constant(1, 42.0);
  system.evaluate(0.0, q, v, Need::gap | Need::jacobian | Need::convective, some, part);
  EXPECT_EQ(part.h, Vector::Constant(1, 42.0));
  const Matrix Wt = testing::to_dense(whole.W, system.nv());
  const Matrix Wt_part = testing::to_dense(part.W, system.nv());
  ASSERT_EQ(Wt_part.rows(), static_cast<Index>(rows.size()));
  for (Index r = 0; r < Wt_part.rows(); ++r) {
    const Index from = rows[static_cast<std::size_t>(r)];
    EXPECT_EQ(Wt_part.row(r), Wt.row(from));
    EXPECT_EQ(part.g[r], whole.g[from]);
    EXPECT_EQ(part.zeta[r], whole.zeta[from]);
    EXPECT_EQ(part.chi[r], 0.0);
  }
  Evaluation gaps;
  system.evaluate(0.0, q, v, Need::gap, some, gaps);  // the short way gives the same bits
  EXPECT_EQ(gaps.g, part.g);
  EXPECT_EQ(gaps.W.rows(), 0);
}

INSTANTIATE_TEST_SUITE_P(RandomScenes, MultibodyJacobian, ::testing::Range(0u, 12u));

}  // namespace
}  // namespace carom
