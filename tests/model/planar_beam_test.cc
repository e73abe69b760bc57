// The planar beam against its own energy, against differences, and against invariance under rigid motion.
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

PlanarBeamSpec rubber(Index elements = 5) {
  PlanarBeamSpec spec;
  spec.elements = elements;
  spec.length = 1.5;
  spec.section = {.EA = 300.0, .GA = 90.0, .EI = 2.0, .rho_A = 0.7, .rho_I = 0.02};
  return spec;
}

std::vector<BeamContact> some_contacts(double thickness) {
  const ContactParameters law{.restitution = 0.3, .friction = 0.4};
  return {{"floor", 1.5, thickness, BeamObstacle::half_space({0, -2, 0}, {0.3, 1.1, 0}), law},
          {"wall", 0.7, thickness, BeamObstacle::half_space({-3, 0, 0}, {1, 0, 0}), law},
          {"pin", 0.9, thickness, BeamObstacle::ball({0.2, 3.0, 0}, 0.25), law},
          {"smooth_pin", 0.0, thickness, BeamObstacle::ball({-2.0, -1.0, 0}, 0.25), {.restitution = 0.5}}};
}

// Free, supported in the middle of the span, hinged; with gravity, loads and damping.
std::vector<PlanarBeamSpec> variants() {
  PlanarBeamSpec free = rubber();
  free.contacts = some_contacts(0.05);
  PlanarBeamSpec supported = rubber();
  supported.supports = {PlanarSupport::clamped(0), {3, false, true, false}};
  supported.gravity = {0.5, -9.81};
  supported.damping = {0.3, 0.02};
  supported.loads = {{5, {1.0, -2.0}, 0.4}, {2, {0.1, 0.0}, 0.0}};
  supported.contacts = some_contacts(0.0);
  PlanarBeamSpec hinged = rubber(1);
  hinged.supports = {PlanarSupport::hinged(0)};
  hinged.damping = {0.0, 0.1};
  hinged.contacts = some_contacts(0.03);
  return {free, supported, hinged};
}

Vector bent(const PlanarBeamModel& beam, Random& random) { return beam.start().q + random.vector(beam.nq(), 0.4); }

TEST(PlanarBeam, ForceIsTheSlopeOfTheEnergyAndTheDampers) {
  Random random(3);
  for (const PlanarBeamSpec& spec : variants()) {
    const PlanarBeamModel beam(spec);
    const Vector q = bent(beam, random), v = random.vector(beam.nv(), 2.0);
    Vector slope(beam.nq());
    for (Index i = 0; i < beam.nq(); ++i)
      slope[i] =
          scalar_derivative([&](double x) { return beam.potential_energy(0, q + x * Vector::Unit(beam.nq(), i)); });
    const Vector rest = Vector::Zero(beam.nv());
    EXPECT_LE((force_at(beam, q, rest) + slope).norm(), 1e-9 * slope.norm());
    Vector gradient;
    beam.potential_gradient(0, q, gradient);
    EXPECT_LE((force_at(beam, q, rest) + gradient).norm(), 1e-13 * slope.norm());
    EXPECT_EQ(beam.conservative(), beam.other_power(0, q, v) == 0.0);
    EXPECT_NEAR((force_at(beam, q, v) - force_at(beam, q, rest)).dot(v), beam.other_power(0, q, v),
                1e-10 * (1.0 + std::abs(beam.other_power(0, q, v))));
  }
}

TEST(PlanarBeam, TangentsMatchDifferences) {
  Random random(4);
  for (const PlanarBeamSpec& spec : variants()) {
    const PlanarBeamModel beam(spec);
    const Vector q = bent(beam, random), v = random.vector(beam.nv(), 2.0);
    const DenseView at = view(beam, q, v);
    for (Index j = 0; j < beam.nv(); ++j) {
      const Vector e = Vector::Unit(beam.nv(), j);
      const Vector in_q = derivative([&](double x) { return force_at(beam, q + x * e, v); });
      const Vector in_v = derivative([&](double x) { return force_at(beam, q, v + x * e); });
      EXPECT_LE((at.dh_dq.col(j) - in_q).norm(), 1e-9 * at.dh_dq.norm());
      EXPECT_LE((at.dh_dv.col(j) - in_v).norm(), 1e-9 * (1.0 + at.dh_dv.norm()));
    }
  }
}

// On the straight beam at rest the damping matrix is Rayleigh's.
TEST(PlanarBeam, DampingIsRayleighsOnTheStraightBeam) {
  const PlanarBeamModel beam(variants()[1]);
  const DenseView at = view(beam, beam.start().q, Vector::Zero(beam.nv()));
  EXPECT_LE((at.dh_dv + 0.3 * at.M - 0.02 * at.dh_dq).norm(), 1e-12 * at.dh_dv.norm());
}

TEST(PlanarBeam, ContactRowsAndConvectiveTermsMatchDifferences) {
  Random random(5);
  for (const PlanarBeamSpec& spec : variants()) {
    const PlanarBeamModel beam(spec);
    const Vector q = bent(beam, random), v = random.vector(beam.nv(), 2.0);
    const DenseView at = view(beam, q, v);
    ASSERT_EQ(at.g.size(), 7);  // three with friction, one without
    const Vector rate = derivative([&](double x) { return view(beam, q + x * v, v).g; });
    const Vector gamma = at.Wt * v;
    const Vector convective = derivative([&](double x) -> Vector { return view(beam, q + x * v, v).Wt * v; });
    for (const Index row : {0, 2, 4, 6}) EXPECT_NEAR(rate[row], gamma[row], 1e-9);
    EXPECT_LE((at.zeta - convective).norm(), 1e-8);
    EXPECT_TRUE(at.zeta.tail(3).norm() > 0.0 && at.zeta.head(4).norm() == 0.0);

    ActiveSet all;
    all.reset(at.contacts);
    all.add_all();
    Evaluation e;
    beam.evaluate(0, q, v, Need::gap_rate, all, e);
    for (const Index row : {0, 2, 4, 6}) EXPECT_NEAR(e.g_rate[row], gamma[row], 1e-13);
  }
}

// A tangential force on a thick skin turns the section: its power is force times the skin's velocity.
TEST(PlanarBeam, FrictionActsOnTheSkin) {
  PlanarBeamSpec spec = rubber(2);
  spec.contacts = {{"floor", 0.0, 0.1, BeamObstacle::half_space({0, -1, 0}, {0, 1, 0}), {.friction = 0.5}}};
  const PlanarBeamModel beam(spec);
  Vector v = Vector::Zero(beam.nv());
  v[0] = 0.1 * 3.0;  // rolling along +x on the floor turns clockwise
  v[2] = -3.0;
  const Vector gamma = view(beam, beam.start().q, v).Wt * v;
  EXPECT_NEAR(gamma[0], 0.0, 1e-15);
  EXPECT_NEAR(gamma[1], 0.0, 1e-15);
}

// A rigid motion of any size neither strains the beam nor changes its forces but for their direction.
TEST(PlanarBeam, IsObjective) {
  Random random(6);
  const PlanarBeamModel beam(rubber());
  const Vector q = bent(beam, random), rest = Vector::Zero(beam.nv());
  const double turn = 2.3;
  const Eigen::Rotation2Dd R(turn);
  const auto moved = [&](const Vector& from) {
    Vector to = from;
    for (Index node = 0; node < beam.node_count(); ++node) {
      to.segment<2>(3 * node) = R * from.segment<2>(3 * node) + Vector2(5.0, -3.0);
      to[3 * node + 2] += turn;
    }
    return to;
  };
  EXPECT_LE(force_at(beam, moved(beam.start().q), rest).norm(), 1e-11);
  EXPECT_NEAR(beam.potential_energy(0, moved(q)), beam.potential_energy(0, q), 1e-13 * beam.potential_energy(0, q));
  const Vector f = force_at(beam, q, rest), turned = force_at(beam, moved(q), rest);
  for (Index node = 0; node < beam.node_count(); ++node) {
    EXPECT_LE((turned.segment<2>(3 * node) - R * f.segment<2>(3 * node)).norm(), 1e-11);
    EXPECT_NEAR(turned[3 * node + 2], f[3 * node + 2], 1e-11);
  }
}

// Internal forces are in balance, so they change neither linear nor angular momentum; a damped rigid motion
// goes on.
TEST(PlanarBeam, InternalForcesAreInBalance) {
  Random random(7);
  PlanarBeamSpec spec = rubber();
  spec.damping.stiffness_factor = 0.1;
  const PlanarBeamModel beam(spec);
  const Vector q = bent(beam, random), v = random.vector(beam.nv(), 2.0), f = force_at(beam, q, v);
  Vector2 sum = Vector2::Zero();
  double moment = 0.0;
  for (Index node = 0; node < beam.node_count(); ++node) {
    sum += f.segment<2>(3 * node);
    moment += q[3 * node] * f[3 * node + 1] - q[3 * node + 1] * f[3 * node] + f[3 * node + 2];
  }
  EXPECT_LE(sum.norm(), 1e-12 * f.norm());
  EXPECT_NEAR(moment, 0.0, 1e-12 * f.norm());

  spec.spin = 4.0;
  const PlanarBeamModel spinning(spec);
  EXPECT_NEAR(spinning.other_power(0, q, Vector::Zero(beam.nv())), 0.0, 0.0);
  const State start = spinning.start();
  EXPECT_NEAR(spinning.other_power(0, start.q, start.v), 0.0, 1e-12);
}

TEST(PlanarBeam, InertiaIsThatOfTheWholeInRigidMotion) {
  PlanarBeamSpec spec = rubber();
  spec.velocity = {0.5, -0.25};
  spec.spin = 2.0;
  const PlanarBeamModel beam(spec);
  const State start = beam.start();
  const double mass = 0.7 * 1.5, J = mass * 1.5 * 1.5 / 12.0 + 0.02 * 1.5;
  const Vector2 centre(0.5, -0.25 + 2.0 * 0.75);  // velocity
  EXPECT_NEAR(beam.kinetic_energy(0, start.q, start.v), 0.5 * mass * centre.squaredNorm() + 0.5 * J * 4.0, 1e-13);
  const PlanarBeam::Momentum p = beam.momentum(start.q, start.v);
  EXPECT_LE((p.linear - mass * centre).norm(), 1e-14);
  EXPECT_NEAR(p.angular, J * 2.0 + mass * 0.75 * centre.y(), 1e-13);
}

TEST(PlanarBeam, SparsePatternIsConstant) {
  Random random(8);
  PlanarBeamSpec spec = variants()[1];
  spec.elements = 20;  // large enough to be sparse
  const PlanarBeamModel beam(spec);
  Evaluation e;
  ContactSet contacts;
  ActiveSet none;
  none.reset(contacts);
  const Need need = Need::inertia | Need::force_jacobian;
  beam.evaluate(0, beam.start().q, Vector::Zero(beam.nv()), need, none, e);
  ASSERT_EQ(e.dh_dq.structure(), Structure::sparse);
  const Eigen::Index entries = e.dh_dq.sparse_matrix().nonZeros();
  const double* place = e.dh_dq.sparse_matrix().valuePtr();
  EXPECT_LE(entries, 3 * 9 * beam.node_count());
  for (int i = 0; i < 5; ++i) {
    beam.evaluate(0, bent(beam, random), random.vector(beam.nv(), 1.0), need, none, e);
    EXPECT_EQ(e.dh_dq.sparse_matrix().nonZeros(), entries);
    EXPECT_EQ(e.dh_dv.sparse_matrix().nonZeros(), entries);
    EXPECT_EQ(e.dh_dq.sparse_matrix().valuePtr(), place);
  }
}

TEST(PlanarBeam, RefusesImpossibleValues) {
  const auto problems = [](const PlanarBeamSpec& spec) {
    try {
      PlanarBeamModel beam(spec);
    } catch (const InputError& error) {
      return error.problems().size();
    }
    return std::size_t{0};
  };
  PlanarBeamSpec spec = rubber();
  EXPECT_EQ(problems(spec), 0u);
  spec.section.EI = 0.0;
  spec.section.rho_A = -1.0;
  spec.supports = {PlanarSupport::hinged(6)};
  EXPECT_EQ(problems(spec), 3u);
  spec = rubber();
  spec.contacts = {{"wall", 2.0, 0.0, BeamObstacle::half_space({0, 0, 0}, {0, 0, 0}), {}}};
  EXPECT_EQ(problems(spec), 2u);
  spec.contacts = {{"wall", 1.0, 0.0, BeamObstacle::half_space({0, 0, 0}, {1, 0, 1}), {}}};
  EXPECT_EQ(problems(spec), 1u);
}

}  // namespace
}  // namespace carom
