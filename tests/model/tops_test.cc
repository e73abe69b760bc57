// Tops and free bodies: rows, rates and inertia against differences along the motion, and the formulations
// against each other.
#include <gtest/gtest.h>

#include "carom/base/rotation.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/assembly/assembled_system.h"
#include "carom/model/assembly/builder.h"
#include "carom/model/bodies/mass_distribution.h"
#include "carom/model/tops/top.h"
#include "carom/system/decomposed_inertia.h"
#include "model/dense_view.h"

namespace carom {
namespace {

using model::Formulation;
using testing::DenseView;
using testing::derivative;
using testing::Random;
using testing::view;

Top tippe_top() {
  Top top;
  top.mass = 0.6;
  top.inertia = {0.8, 0.9, 0.7};
  top.gravity = 9.81;
  top.spheres = {{"body", 0.3, 1.5}, {"handle", 1.6, 0.5}};
  top.contact = {.restitution = 0.2, .friction = 0.3, .spin_radius = 0.05};
  return top;
}

// A place and a motion; quaternions of any length for the scalable body.
struct Motion {
  Vector q, v;
};
Motion random_motion(const System& system, bool unit, Random& random) {
  Motion m{random.vector(system.nq(), 1.0), random.vector(system.nv(), 2.0)};
  if (unit) m.q.tail<4>().normalize();
  return m;
}

Motion start_of(Formulation formulation, const model::BodyStart& start) {
  std::vector<double> q, v;
  model::append_start(formulation, start, q, v);
  return {ConstVectorMap(q.data(), static_cast<Index>(q.size())),
          ConstVectorMap(v.data(), static_cast<Index>(v.size()))};
}
Vector affine_at_rest() { return start_of(Formulation::affine, {}).q; }

// One for the rows that exist on position level.
Vector position_rows(const DenseView& at) {
  Vector rows = Vector::Zero(at.g.size());
  Index row = 0;
  for (const Constraint& c : at.contacts.constraints) {
    rows.segment(row, c.position_rows).setOnes();
    row += c.law->dim();
  }
  return rows;
}

class Tops : public ::testing::TestWithParam<bool> {
 protected:
  bool scalable() const { return GetParam(); }
  std::shared_ptr<const System> system_ =
      make_top(tippe_top(), scalable() ? Formulation::scalable : Formulation::quaternion).system;
  Random random_{3};

  Vector moved(const Motion& m, double x) const {
    Vector q;
    system_->move(m.q, Vector(x * m.v), q);
    return q;
  }
};

TEST_P(Tops, NormalRowsAreGradientsAndConvectiveTermsTheirRates) {
  for (int s = 0; s < 20; ++s) {
    const Motion m = random_motion(*system_, !scalable(), random_);
    const DenseView at = view(*system_, m.q, m.v);
    const Vector rate = derivative([&](double x) { return view(*system_, moved(m, x), m.v).g; });
    Index row = 0;
    for (const Constraint& c : at.contacts.constraints) {
      EXPECT_NEAR(at.Wt.row(row).dot(m.v), rate[row], 1e-9);
      row += c.law->dim();
    }
    // zeta with a constant v: along the exponential motion v is constant where nu = 0 or the quaternion is unit.
    Motion turning = m;
    if (scalable()) {
      turning.v[3] = 0.0;
      turning.q.tail<4>().normalize();
    }
    const Vector zeta =
        derivative([&](double x) -> Vector { return view(*system_, moved(turning, x), turning.v).Wt * turning.v; });
    EXPECT_LE((view(*system_, turning.q, turning.v).zeta - zeta).norm(), 1e-8);
  }
}

TEST_P(Tops, MovesFollowTheRateMap) {
  for (int s = 0; s < 20; ++s) {
    const Motion m = random_motion(*system_, !scalable(), random_);
    Vector rate, back, pulled;
    system_->apply_T(m.q, m.v, rate);
    EXPECT_LE((derivative([&](double x) { return moved(m, x); }) - rate).norm(), 1e-9);
    system_->difference(m.q, moved(m, 0.1), back);
    EXPECT_LE((back - 0.1 * m.v).norm(), 1e-13);
    const Vector p = random_.vector(system_->nq(), 1.0);
    system_->apply_T_transpose(m.q, p, pulled);
    EXPECT_NEAR(pulled.dot(m.v), p.dot(rate), 1e-13);
  }
}

TEST_P(Tops, ForceDerivativesMatchDifferences) {
  for (int s = 0; s < 20; ++s) {
    const Motion m = random_motion(*system_, !scalable(), random_);
    const DenseView at = view(*system_, m.q, m.v);
    for (Index j = 0; j < system_->nv(); ++j) {
      const Vector e = Vector::Unit(system_->nv(), j);
      const Vector in_v = derivative([&](double x) { return view(*system_, m.q, m.v + x * e).h; });
      const Vector in_q = derivative([&](double x) { return view(*system_, moved({m.q, e}, x), m.v).h; });
      EXPECT_LE((at.dh_dv.col(j) - in_v).norm(), 1e-9 * (1.0 + in_v.norm()));
      EXPECT_LE((at.dh_dq.col(j) - in_q).norm(), 1e-8 * (1.0 + in_q.norm()));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formulations, Tops, ::testing::Values(false, true),
                         [](const auto& p) { return p.param ? "scalable" : "quaternion"; });

// q_1 - q_0 = T((q_0 + q_1)/2) d, and the quaternion keeps its length.
TEST(QuaternionTop, RationalMoveIsTheMidpointRuleOfTheRateMap) {
  const auto system = make_top(tippe_top(), Formulation::quaternion).system;
  Random random(5);
  for (int s = 0; s < 20; ++s) {
    const Motion m = random_motion(*system, true, random);
    Vector q_1, step;
    system->rational_move(m.q, m.v, q_1);
    system->apply_T(Vector(0.5 * (m.q + q_1)), m.v, step);
    EXPECT_LE((q_1 - m.q - step).norm(), 1e-15);
    EXPECT_NEAR(q_1.tail<4>().norm(), 1.0, 1e-15);
  }
}

// H = dp/dq - (dp/dq)' with p = Q'Mv; Q is the inverse of T.
TEST(ScalableTop, InertiaIsDecomposed) {
  const auto system = make_top(tippe_top(), Formulation::scalable).system;
  const DecomposedInertia& inertia = *system->decomposed();
  Random random(6);
  for (int s = 0; s < 20; ++s) {
    const Motion m = random_motion(*system, false, random);
    Matrix Q, H, slope(7, 7);
    inertia.velocity_map(m.q, Q);
    inertia.gyroscopic(m.v, m.q, H);
    Vector rate;
    system->apply_T(m.q, m.v, rate);
    EXPECT_LE((Q * rate - m.v).norm(), 1e-14);
    const Matrix M = view(*system, m.q, m.v).M;
    for (Index j = 0; j < 7; ++j)
      slope.col(j) = derivative([&](double x) -> Vector {
        Matrix moved;
        inertia.velocity_map(m.q + x * Vector::Unit(7, j), moved);
        return moved.transpose() * M * m.v;
      });
    EXPECT_LE((H - (slope - slope.transpose())).norm(), 1e-10);
    EXPECT_LE((H + H.transpose()).norm(), 0.0);
  }
}

// With s = 1 and nu = 0 the two formulations have the same gaps, rows, forces and energies.
TEST(ScalableTop, IsTheQuaternionTopWhenRigid) {
  const auto quaternion = make_top(tippe_top(), Formulation::quaternion).system,
             scalable = make_top(tippe_top(), Formulation::scalable).system;
  Random random(7);
  for (int s = 0; s < 20; ++s) {
    const Motion m = random_motion(*quaternion, true, random);
    Vector v(7);
    v << m.v.head<3>(), 0.0, m.v.tail<3>();
    const DenseView a = view(*quaternion, m.q, m.v), b = view(*scalable, m.q, v);
    const Index rows = static_cast<Index>(a.g.size());
    EXPECT_LE((a.g - b.g.tail(rows)).norm(), 1e-14);
    EXPECT_LE((a.zeta - b.zeta.tail(rows)).norm(), 1e-13);
    Matrix rigid(rows, 6);
    rigid << b.Wt.bottomRows(rows).leftCols(3), b.Wt.bottomRows(rows).rightCols(3);
    EXPECT_LE((a.Wt - rigid).norm(), 1e-14);
    EXPECT_LE((a.h.tail<3>() - b.h.tail<3>()).norm(), 1e-13);
    // The joint carries the spinning body: lambda = -omega'J omega makes nu' vanish.
    const Vector3 omega = m.v.tail<3>();
    EXPECT_NEAR(b.h[3], omega.dot(tippe_top().inertia.cwiseProduct(omega)), 1e-13);
    EXPECT_NEAR(quaternion->energetics()->kinetic_energy(0, m.q, m.v),
                scalable->energetics()->kinetic_energy(0, m.q, v), 1e-13);
  }
}

TEST(AffineBody, HasTheEnergyOfTheRigidBodyAndMovesRigidly) {
  Matrix3 J;
  J << 2.0, 0.1, -0.2, 0.1, 3.0, 0.3, -0.2, 0.3, 2.5;
  const auto part = model::make_spatial_bodies(Formulation::affine, {{"body", 1.3, J, Vector3(0.0, 0.0, -1.3 * 9.81)}});
  const auto body = std::make_shared<model::AssembledSystem>(model::Assembly{.parts = {part}}, affine_at_rest());
  Random random(8);
  for (int s = 0; s < 20; ++s) {
    const Quaternion p = Quaternion(random.vector(4, 1.0)).normalized();
    const Vector3 velocity = random.vector(3, 2.0), omega = random.vector(3, 2.0);
    const Motion m = start_of(Formulation::affine, {random.vector(3, 1.0), p, velocity, omega});
    const double kinetic = 0.5 * (1.3 * velocity.squaredNorm() + omega.dot(J * omega));
    EXPECT_NEAR(body->energetics()->kinetic_energy(0, m.q, m.v), kinetic, 1e-13);
    const DenseView at = view(*body, m.q, m.v);
    EXPECT_LE(at.g.norm(), 1e-14);
    EXPECT_LE((at.Wt * m.v).norm(), 1e-13);
    model::Placement place;
    body->place(0.0, m.q, m.v, place);
    EXPECT_LE((place.poses[1].R - rotation_matrix(p)).norm(), 1e-14);
    EXPECT_LE((place.twists[1].omega - place.poses[1].R * omega).norm(), 1e-13);
    const Vector along = random.vector(12, 1.0), z = random.vector(12, 1.0);
    const Vector slope = derivative([&](double x) { return view(*body, m.q + x * along, m.v).g; });
    EXPECT_LE((at.Wt * along - slope).norm(), 1e-10);
    const Vector zeta = derivative([&](double x) -> Vector { return view(*body, m.q + x * z, z).Wt * z; });
    EXPECT_LE((view(*body, m.q, z).zeta - zeta).norm(), 1e-10);
  }
}

// A frame of an affine body is one wherever it is: its poses, also of axes that are not orthonormal, move as its twists
// say, its rates are those of the twists, and its derivatives those of forces at it.
TEST(AffineBody, FrameMovesAsItsTwistSays) {
  const auto body = make_top(tippe_top(), Formulation::affine).system;
  const auto& system = dynamic_cast<const model::AssembledSystem&>(*body);
  Random random(9);
  for (int s = 0; s < 20; ++s) {
    Motion m = start_of(Formulation::affine, {random.vector(3, 1.0), Quaternion(random.vector(4, 1.0)).normalized()});
    m.q += random.vector(12, 0.1);
    m.v = random.vector(12, 1.0);
    model::Placement here, there;
    system.place(0.0, m.q, m.v, here);
    const auto at = [&](double x) -> const model::Placement& {
      system.place(0.0, m.q + x * m.v, m.v, there);
      return there;
    };
    const Matrix3 rate = derivative([&](double x) { return Matrix3(at(x).poses[1].R); });
    EXPECT_LE((rate - skew(here.twists[1].omega) * here.poses[1].R).norm(), 1e-8);
    const Vector3 turning = derivative([&](double x) { return Vector3(at(x).twists[1].omega); });
    EXPECT_LE((here.rates[1].omega - turning).norm(), 1e-8);
    const Vector gap = derivative([&](double x) { return view(*body, m.q + x * m.v, m.v).g; });
    const DenseView now = view(*body, m.q, m.v);
    EXPECT_LE((now.Wt * m.v - gap).cwiseProduct(position_rows(now)).norm(), 1e-8);
  }
}

// Springs and a joint between bodies of the three formulations: force derivatives against differences.
TEST(Formulations, AreHeldAndPulledAlike) {
  model::ModelBuilder m(Space::spatial);
  m.set_gravity({0.0, 0.0, -9.81});
  Matrix3 J;
  J << 2.0, 0.1, -0.2, 0.1, 3.0, 0.3, -0.2, 0.3, 2.5;
  std::vector<model::BodyRef> bodies;
  for (const std::string_view name : model::formulation_names)
    bodies.push_back(m.add_body({.name = std::string(name),
                                 .mass = 1.3,
                                 .inertia = J,
                                 .position = {static_cast<double>(bodies.size()), 0.2, 0.1},
                                 .spin = {0.3, -0.4, 0.5},
                                 .formulation = model::formulation_named(name)}));
  for (std::size_t b = 0; b < 3; ++b)
    m.add_spring({.name = "spring" + std::to_string(b),
                  .a = bodies[b].at({0.1, 0.2, 0.3}),
                  .b = bodies[(b + 1) % 3].at({-0.2, 0.1, 0.4}),
                  .stiffness = 40.0,
                  .damping = 3.0});
  const Model model = m.build();
  Random random(10);
  const auto& system = *model.system;
  EXPECT_EQ(system.decomposed(), nullptr) << "a unit quaternion has more coordinates than velocities";
  const Vector v = random.vector(system.nv(), 1.0);
  Vector q;
  system.move(model.initial.q, random.vector(system.nv(), 0.2), q);
  const DenseView at = view(system, q, v);
  for (Index j = 0; j < system.nv(); ++j) {
    const auto moved = [&](double x) {
      Vector there;
      system.move(q, Vector(x * Vector::Unit(system.nv(), j)), there);
      return there;
    };
    const Vector in_q = derivative([&](double x) { return view(system, moved(x), v).h; });
    const Vector in_v = derivative([&](double x) { return view(system, q, v + x * Vector::Unit(system.nv(), j)).h; });
    EXPECT_LE((at.dh_dq.col(j) - in_q).norm(), 1e-7 * (1.0 + in_q.norm())) << system.velocity_name(j);
    EXPECT_LE((at.dh_dv.col(j) - in_v).norm(), 1e-7 * (1.0 + in_v.norm())) << system.velocity_name(j);
  }
}

TEST(MassDistribution, BinetAndClassicalInertiaAreEachOther) {
  Matrix3 J;
  J << 2.0, 0.1, -0.2, 0.1, 3.0, 0.3, -0.2, 0.3, 2.5;
  EXPECT_LE((inertia_from_binet(binet_from_inertia(J)) - J).norm(), 1e-15);
  // Two unit masses at +-e1: E = diag(2, 0, 0), J = diag(0, 2, 2).
  const Matrix3 rod = Vector3(0.0, 2.0, 2.0).asDiagonal();
  EXPECT_LE((binet_from_inertia(rod) - Matrix3(Vector3(2.0, 0.0, 0.0).asDiagonal())).norm(), 1e-15);
}

}  // namespace
}  // namespace carom
