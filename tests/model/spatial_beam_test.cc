// The spatial beam against its own energy, against differences, under rigid motion, and against the planar one.
#include "model/beam_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/errors.h"
#include "model/flexible_tools.h"

namespace carom {
namespace {

using namespace model;
using testing::PlanarBeamModel;
using testing::SpatialBeamModel;

using testing::DenseView;
using testing::derivative;
using testing::force_at;
using testing::Random;
using testing::scalar_derivative;
using testing::view;

SpatialBeamSpec rubber(Index elements = 4) {
  SpatialBeamSpec spec;
  spec.elements = elements;
  spec.length = 1.5;
  spec.section = {.EA = 300.0,
                  .GA_2 = 90.0,
                  .GA_3 = 70.0,
                  .GJ = 1.2,
                  .EI_2 = 3.0,
                  .EI_3 = 2.0,
                  .rho_A = 0.7,
                  .rho_J = {0.05, 0.03, 0.02}};
  return spec;
}

std::vector<BeamContact> some_contacts(double thickness) {
  const ContactParameters law{.restitution = 0.3, .friction = 0.4};
  return {{"floor", 1.5, thickness, BeamObstacle::half_space({0, 0, -2}, {0.3, -0.2, 1.1}), law},
          {"ball", 0.9, thickness, BeamObstacle::ball({0.2, 3.0, 0.5}, 0.25), law},
          {"smooth_ball", 0.0, thickness, BeamObstacle::ball({-2.0, -1.0, 0.3}, 0.25), {.restitution = 0.5}}};
}

std::vector<SpatialBeamSpec> variants() {
  SpatialBeamSpec free = rubber();
  free.contacts = some_contacts(0.05);
  SpatialBeamSpec supported = rubber();
  supported.orientation = quaternion_exp({0.4, -0.3, 0.8});
  supported.supports = {SpatialSupport::clamped(0), {3, {false, true, false}, false}};
  supported.gravity = {0.5, 0.3, -9.81};
  supported.damping = {0.3, 0.02};
  supported.loads = {{4, {1.0, -2.0, 0.5}, {0.4, 0.1, -0.3}}, {2, {0.1, 0.0, 0.0}, {0.0, 0.2, 0.0}}};
  supported.contacts = some_contacts(0.0);
  SpatialBeamSpec hinged = rubber(1);
  hinged.supports = {SpatialSupport::hinged(0)};
  hinged.damping = {0.0, 0.1};
  hinged.loads = {{0, {0.0, 0.0, 0.0}, {0.2, -0.1, 0.3}}};
  hinged.contacts = some_contacts(0.03);
  return {free, supported, hinged};
}

Vector moved(const System& system, const Vector& q, const Vector& dq) {
  Vector next;
  system.move(q, dq, next);
  return next;
}

Vector bent(const SpatialBeamModel& beam, Random& random) {
  return moved(beam, beam.start().q, random.vector(beam.nv(), 0.4));
}

TEST(SpatialBeam, ForceIsTheSlopeOfTheEnergyAndTheOtherPower) {
  Random random(3);
  for (const SpatialBeamSpec& spec : variants()) {
    const SpatialBeamModel beam(spec);
    const Vector q = bent(beam, random), v = random.vector(beam.nv(), 2.0);
    const double slope = scalar_derivative([&](double x) { return beam.potential_energy(0, moved(beam, q, x * v)); });
    const double power = force_at(beam, q, v).dot(v);
    EXPECT_NEAR(power, beam.other_power(0, q, v) - slope, 1e-9 * (1.0 + std::abs(power)));
  }
}

TEST(SpatialBeam, TangentsMatchDifferences) {
  Random random(4);
  for (const SpatialBeamSpec& spec : variants()) {
    const SpatialBeamModel beam(spec);
    for (const double size : {0.4, 1e-3}) {  // strongly bent, and where series take over
      const Vector q = moved(beam, beam.start().q, random.vector(beam.nv(), size));
      const Vector v = random.vector(beam.nv(), 2.0);
      const DenseView at = view(beam, q, v);
      for (Index j = 0; j < beam.nv(); ++j) {
        const Vector e = Vector::Unit(beam.nv(), j);
        const Vector in_q = derivative([&](double x) { return force_at(beam, moved(beam, q, x * e), v); });
        const Vector in_v = derivative([&](double x) { return force_at(beam, q, v + x * e); });
        EXPECT_LE((at.dh_dq.col(j) - in_q).norm(), 1e-9 * at.dh_dq.norm());
        EXPECT_LE((at.dh_dv.col(j) - in_v).norm(), 1e-9 * (1.0 + at.dh_dv.norm()));
      }
    }
  }
}

// The element turns by up to half a turn from node to node.
TEST(SpatialBeam, TangentsHoldForLargeRelativeTurns) {
  const SpatialBeamModel beam(rubber(1));
  Random random(14);
  for (const double turn : {0.2, 0.3, 2.0, 3.0}) {
    Vector dq = random.vector(beam.nv(), 0.2);
    dq.segment<3>(9) = turn * Vector3(0.6, -0.64, 0.48);
    const Vector q = moved(beam, beam.start().q, dq), v = random.vector(beam.nv(), 1.0);
    const DenseView at = view(beam, q, v);
    for (Index j = 0; j < beam.nv(); ++j) {
      const Vector e = Vector::Unit(beam.nv(), j);
      const Vector in_q = derivative([&](double x) { return force_at(beam, moved(beam, q, x * e), v); });
      EXPECT_LE((at.dh_dq.col(j) - in_q).norm(), 1e-8 * at.dh_dq.norm()) << turn;
    }
  }
}

TEST(SpatialBeam, ContactRowsAndConvectiveTermsMatchDifferences) {
  Random random(5);
  for (const SpatialBeamSpec& spec : variants()) {
    const SpatialBeamModel beam(spec);
    const Vector q = bent(beam, random), v = random.vector(beam.nv(), 2.0);
    const DenseView at = view(beam, q, v);
    ASSERT_EQ(at.g.size(), 7);
    const Vector rate = derivative([&](double x) { return view(beam, moved(beam, q, x * v), v).g; });
    const Vector gamma = at.Wt * v;
    const Vector convective =
        derivative([&](double x) -> Vector { return view(beam, moved(beam, q, x * v), v).Wt * v; });
    for (const Index row : {0, 3, 6}) EXPECT_NEAR(rate[row], gamma[row], 1e-9);
    EXPECT_LE((at.zeta - convective).norm(), 1e-7);
    EXPECT_TRUE(at.zeta.tail(4).norm() > 0.0 && at.zeta.head(3).norm() == 0.0);
    EXPECT_EQ(beam.constancy().jacobian, false);

    ActiveSet all;
    all.reset(at.contacts);
    all.add_all();
    Evaluation e;
    beam.evaluate(0, q, v, Need::gap_rate, all, e);
    for (const Index row : {0, 3, 6}) EXPECT_NEAR(e.g_rate[row], gamma[row], 1e-13);
  }
}

TEST(SpatialBeam, MovesOnTheRotationGroup) {
  Random random(9);
  const SpatialBeamModel beam(variants()[1]);
  const Vector q = bent(beam, random), dq = random.vector(beam.nv(), 1.0);
  const Vector next = moved(beam, q, dq);
  Vector back, rate, transposed;
  beam.difference(q, next, back);
  EXPECT_LE((back - dq).norm(), 1e-13);
  Vector in_place = q;
  beam.move(in_place, dq, in_place);
  EXPECT_EQ(in_place, next);
  for (Index node = 1; node < beam.node_count(); ++node)
    EXPECT_NEAR(beam.node_orientation(next, node).norm(), 1.0, 1e-15);
  beam.apply_T(q, dq, rate);
  EXPECT_LE((rate - derivative([&](double x) { return moved(beam, q, x * dq); })).norm(), 1e-10);
  const Vector p = random.vector(beam.nq(), 1.0);
  beam.apply_T_transpose(q, p, transposed);
  EXPECT_NEAR(transposed.dot(dq), p.dot(rate), 1e-13);
  EXPECT_TRUE(beam.features().contains(Feature::quaternions));
  // The rational twin: q_next - q = T((q + q_next) / 2) dq.
  Vector rational;
  beam.rational_move(q, dq, rational);
  beam.apply_T(0.5 * (q + rational), dq, rate);
  EXPECT_LE((rational - q - rate).norm(), 1e-14);
}

// 200,000 products leave 1e-11 where nothing takes a quaternion back to unit length.
TEST(SpatialBeam, RotationsStayRotationsOverManySteps) {
  const SpatialBeamModel beam(rubber(1));
  Vector dq = Vector::Zero(beam.nv());
  for (Index i = 0; i < beam.nv(); ++i) dq[i] = 1e-3 * (1.0 + 0.37 * i);
  for (const bool rational : {false, true}) {
    Vector q = beam.start().q;
    for (int k = 0; k < 200000; ++k) rational ? beam.rational_move(q, dq, q) : beam.move(q, dq, q);
    for (Index node = 0; node < 2; ++node) EXPECT_NEAR(beam.node_orientation(q, node).norm(), 1.0, 1e-15) << rational;
  }
}

TEST(SpatialBeam, IsObjectiveAndInBalance) {
  Random random(6);
  SpatialBeamSpec spec = rubber();
  spec.damping.stiffness_factor = 0.1;
  const SpatialBeamModel beam(spec);
  const Vector q = bent(beam, random), v = random.vector(beam.nv(), 1.0), f = force_at(beam, q, v);
  const Quaternion turn = quaternion_exp({1.5, -0.7, 1.1});
  const Matrix3 R = rotation_matrix(turn);
  Vector turned = q, turned_v = v;
  for (Index node = 0; node < beam.node_count(); ++node) {
    turned.segment<3>(7 * node) = R * q.segment<3>(7 * node) + Vector3(5.0, -3.0, 2.0);
    turned.segment<4>(7 * node + 3) = quaternion_product(turn, q.segment<4>(7 * node + 3));
    turned_v.segment<3>(6 * node) = R * v.segment<3>(6 * node);
  }
  EXPECT_NEAR(beam.potential_energy(0, turned), beam.potential_energy(0, q), 1e-12 * beam.potential_energy(0, q));
  const Vector g = force_at(beam, turned, turned_v);
  Vector3 sum = Vector3::Zero(), moment = Vector3::Zero();
  const Vector internal = [&] {  // without the gyroscopic part, which is inertia
    SpatialBeamSpec light = spec;
    light.section.rho_J.setConstant(1e-300);
    return force_at(SpatialBeamModel(light), q, v);
  }();
  for (Index node = 0; node < beam.node_count(); ++node) {
    EXPECT_LE((g.segment<3>(6 * node) - R * f.segment<3>(6 * node)).norm(), 1e-11);
    EXPECT_LE((g.segment<3>(6 * node + 3) - f.segment<3>(6 * node + 3)).norm(), 1e-11);
    const Matrix3 R_node = rotation_matrix(q.segment<4>(7 * node + 3));
    sum += internal.segment<3>(6 * node);
    moment += Vector3(q.segment<3>(7 * node)).cross(Vector3(internal.segment<3>(6 * node))) +
              R_node * internal.segment<3>(6 * node + 3);
  }
  EXPECT_LE(sum.norm(), 1e-12 * internal.norm());
  EXPECT_LE(moment.norm(), 1e-12 * internal.norm());

  // A rigid rotation by any angle strains nothing.
  Vector straight = beam.start().q;
  for (Index node = 0; node < beam.node_count(); ++node) {
    straight.segment<3>(7 * node) = R * straight.segment<3>(7 * node);
    straight.segment<4>(7 * node + 3) = turn;
  }
  EXPECT_LE(force_at(beam, straight, Vector::Zero(beam.nv())).norm(), 1e-11);
}

// The semidiscrete equations keep the momenta: with v' = M^-1 h the rates of both vanish.
TEST(SpatialBeam, EquationsOfMotionKeepTheMomenta) {
  Random random(10);
  const SpatialBeamModel beam(rubber());
  const Vector q = bent(beam, random), v = random.vector(beam.nv(), 1.0);
  const DenseView at = view(beam, q, v);
  const Vector a = at.M.ldlt().solve(at.h);
  const auto momentum = [&](double x) {
    const SpatialBeam::Momentum p = beam.momentum(moved(beam, q, x * v), v + x * a);
    Vector both(6);
    both << p.linear, p.angular;
    return both;
  };
  EXPECT_LE(derivative(momentum).norm(), 1e-8 * momentum(0.0).norm());
}

TEST(SpatialBeam, InertiaIsThatOfTheWholeInRigidMotion) {
  SpatialBeamSpec spec = rubber();
  spec.orientation = quaternion_exp({0.4, -0.3, 0.8});
  spec.velocity = {0.5, -0.25, 1.0};
  spec.spin = {2.0, -1.0, 0.5};
  const SpatialBeamModel beam(spec);
  const State start = beam.start();
  const Matrix3 R = rotation_matrix(spec.orientation);
  const double mass = 0.7 * 1.5, rod = mass * 1.5 * 1.5 / 12.0;
  const Vector3 to_centre = R * Vector3(0.75, 0, 0), centre = spec.velocity + spec.spin.cross(to_centre);
  const Vector3 J = 1.5 * Vector3(0.05, 0.03, 0.02) + Vector3(0.0, rod, rod);
  const Vector3 spin = R.transpose() * spec.spin;
  EXPECT_NEAR(beam.kinetic_energy(0, start.q, start.v),
              0.5 * mass * centre.squaredNorm() + 0.5 * spin.dot(J.cwiseProduct(spin)), 1e-13);
  const SpatialBeam::Momentum p = beam.momentum(start.q, start.v);
  EXPECT_LE((p.linear - mass * centre).norm(), 1e-13);
  EXPECT_LE((p.angular - R * J.cwiseProduct(spin) - mass * to_centre.cross(centre)).norm(), 1e-13);
  EXPECT_LE(force_at(beam, start.q, Vector::Zero(beam.nv())).norm(), 1e-11);
}

// In the plane x, y the two beams are the same: forces, tangents, inertia, damping.
TEST(SpatialBeam, IsThePlanarOneInThePlane) {
  Random random(12);
  PlanarBeamSpec flat;
  flat.elements = 4;
  flat.length = 1.5;
  flat.section = {.EA = 300.0, .GA = 90.0, .EI = 2.0, .rho_A = 0.7, .rho_I = 0.02};
  flat.damping = {0.2, 0.05};
  flat.gravity = {0.3, -9.81};
  flat.loads = {{4, {1.0, 2.0}, 0.3}};
  SpatialBeamSpec spec = rubber(4);
  spec.damping = flat.damping;
  spec.gravity = {0.3, -9.81, 0.0};
  spec.loads = {{4, {1.0, 2.0, 0.0}, {0.0, 0.0, 0.3}}};
  const PlanarBeamModel planar(flat);
  const SpatialBeamModel spatial(spec);
  const Vector q = planar.start().q + random.vector(planar.nq(), 0.4), v = random.vector(planar.nv(), 2.0);
  Vector Q(spatial.nq()), V(spatial.nv());
  const Index of[] = {0, 1, 5};  // x, y and the turn about z among a spatial node's velocities
  for (Index node = 0; node < planar.node_count(); ++node) {
    Q.segment<3>(7 * node) << q[3 * node], q[3 * node + 1], 0.0;
    Q.segment<4>(7 * node + 3) = quaternion_exp({0.0, 0.0, q[3 * node + 2]});
    V.segment<6>(6 * node) << v[3 * node], v[3 * node + 1], 0.0, 0.0, 0.0, v[3 * node + 2];
  }
  const DenseView a = view(planar, q, v), b = view(spatial, Q, V);
  Vector h = Vector::Zero(spatial.nv());
  Matrix dh_dq(planar.nv(), planar.nv()), dh_dv = dh_dq, M = dh_dq;
  for (Index i = 0; i < planar.nv(); ++i) {
    const Index I = 6 * (i / 3) + of[i % 3];
    h[I] = a.h[i];
    for (Index j = 0; j < planar.nv(); ++j) {
      const Index J = 6 * (j / 3) + of[j % 3];
      dh_dq(i, j) = b.dh_dq(I, J);
      dh_dv(i, j) = b.dh_dv(I, J);
      M(i, j) = b.M(I, J);
    }
  }
  EXPECT_LE((b.h - h).norm(), 1e-12 * h.norm());
  EXPECT_LE((dh_dq - a.dh_dq).norm(), 1e-12 * a.dh_dq.norm());
  EXPECT_LE((dh_dv - a.dh_dv).norm(), 1e-12 * a.dh_dv.norm());
  EXPECT_LE((M - a.M).norm(), 1e-15);
}

TEST(SpatialBeam, SparsePatternIsConstant) {
  Random random(8);
  SpatialBeamSpec spec = variants()[1];
  spec.elements = 12;  // large enough to be sparse
  const SpatialBeamModel beam(spec);
  Evaluation e;
  ContactSet contacts;
  ActiveSet none;
  none.reset(contacts);
  beam.evaluate(0, beam.start().q, Vector::Zero(beam.nv()), Need::force_jacobian, none, e);
  const Eigen::Index entries = e.dh_dq.sparse_matrix().nonZeros();
  const double* place = e.dh_dq.sparse_matrix().valuePtr();
  for (int i = 0; i < 5; ++i) {
    beam.evaluate(0, bent(beam, random), random.vector(beam.nv(), 1.0), Need::force_jacobian, none, e);
    EXPECT_EQ(e.dh_dq.sparse_matrix().nonZeros(), entries);
    EXPECT_EQ(e.dh_dv.sparse_matrix().nonZeros(), entries);
    EXPECT_EQ(e.dh_dq.sparse_matrix().valuePtr(), place);
  }
}

TEST(SpatialBeam, RefusesImpossibleValues) {
  const auto problems = [](const SpatialBeamSpec& spec) {
    try {
      SpatialBeamModel beam(spec);
    } catch (const InputError& error) {
      return error.problems().size();
    }
    return std::size_t{0};
  };
  SpatialBeamSpec spec = rubber();
  EXPECT_EQ(problems(spec), 0u);
  spec.section.GJ = 0.0;
  spec.section.rho_J.x() = -1.0;
  spec.orientation = {2.0, 0.0, 0.0, 0.0};
  spec.loads = {{9, {}, Vector3::Zero()}};
  EXPECT_EQ(problems(spec), 4u);
  SpatialBeamSpec patch = rubber();
  patch.contacts.resize(1);
  patch.contacts[0].law.friction = 0.3;
  EXPECT_EQ(problems(patch), 0u);
  patch.contacts[0].law.spin_radius = 1e-3;  // no row for spin
  EXPECT_EQ(problems(patch), 1u);
}

}  // namespace
}  // namespace carom
