// Every kind of joint, coordinate, row force and contact primitive, between bodies of every pool, and at nodes and
// sections of flexible bodies, against differences.
#include <gtest/gtest.h>

#include "carom/geometry/curve.h"
#include "carom/laws/contact_law.h"
#include "carom/model/assembly/assembled_system.h"
#include "carom/model/contacts/permanent_contacts.h"
#include "carom/model/forces/row_forces.h"
#include "carom/model/joints/coordinate_constraints.h"
#include "carom/model/joints/joint_kind.h"
#include "carom/model/parts/kinematic_bodies.h"
#include "carom/model/parts/linear_body.h"
#include "carom/model/parts/linear_body_spec.h"
#include "carom/model/parts/planar_beam.h"
#include "carom/model/parts/planar_bodies.h"
#include "carom/model/parts/rigid_bodies.h"
#include "carom/model/parts/spatial_beam.h"
#include "model/multibody_test_scene.h"
#include "model/system_checks.h"

namespace carom::model {
namespace {

using testing::Random;
using testing::random_direction;
using testing::random_quaternion;
using testing::random_vector;

constexpr Index spatial_count = 3, planar_count = 3;

// A frame that swings and turns in time.
KinematicBodyData swinging(Random& random) {
  const Vector3 axis = random_direction(random), along = random_vector(random);
  return {"shaker", [axis, along](double t) {
            PrescribedMotion m;
            m.pose.x = std::sin(3.0 * t) * along;
            m.pose.R = rotation_matrix(quaternion_exp(std::sin(2.0 * t) * axis));
            m.twist = {3.0 * std::cos(3.0 * t) * along, 2.0 * std::cos(2.0 * t) * axis};
            m.rate = {-9.0 * std::sin(3.0 * t) * along, -4.0 * std::sin(2.0 * t) * axis};
            return m;
          }};
}

// A linear body of four masses: one node moves and turns, one only moves. As it is, or in three modes and their
// corrections.
LinearBodySpec four_masses(Random& random, Index modes) {
  const Index n = 9;
  Matrix A = Matrix::Random(n, n), B = Matrix::Random(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) A(i, j) = random(-1.0, 1.0), B(i, j) = random(-1.0, 1.0);
  LinearBodySpec spec;
  spec.name = modes > 0 ? "modal" : "linear";
  spec.M = Matrix(A * A.transpose() + Matrix::Identity(n, n)).sparseView();
  spec.K = Matrix(B * B.transpose() + 3.0 * Matrix::Identity(n, n)).sparseView();
  spec.damping = {0.1, 0.05};
  spec.modes = modes;
  spec.static_correction = false;
  spec.place = {random_vector(random), rotation_matrix(random_quaternion(random))};
  spec.nodes = {{random_vector(random), {0, 2, 3}, {1, 4, 8}}, {random_vector(random), {5, 6, 7}, {-1, -1, -1}}};
  return spec;
}

PlanarBeamSpec planar_beam(Random& random) {
  PlanarBeamSpec spec;
  spec.name = "strip";
  spec.elements = 2;
  spec.section = {.EA = 30.0, .GA = 9.0, .EI = 2.0, .rho_A = 0.7, .rho_I = 0.2};
  spec.gravity = {random(-5.0, 5.0), random(-5.0, 5.0)};
  spec.damping = {0.1, 0.02};
  spec.supports = {{1, false, true, false}};
  return spec;
}

SpatialBeamSpec spatial_beam(Random& random) {
  SpatialBeamSpec spec;
  spec.name = "rod";
  spec.elements = 2;
  spec.section = {.EA = 30.0,
                  .GA_2 = 9.0,
                  .GA_3 = 8.0,
                  .GJ = 2.0,
                  .EI_2 = 3.0,
                  .EI_3 = 1.5,
                  .rho_A = 0.7,
                  .rho_J = {0.3, 0.2, 0.1}};
  spec.orientation = random_quaternion(random);
  spec.gravity = random_vector(random, 5.0);
  spec.damping = {0.1, 0.02};
  spec.supports = {{0, {false, true, false}, false}};
  spec.loads = {{2, random_vector(random), random_vector(random)}};
  return spec;
}

struct Scene {
  Assembly assembly;
  Vector q, v;
  Index frames = 1 + spatial_count + planar_count + 1;
  Index kinematic = frames - 1;
  std::vector<Index> planar_frames;

  Scene(Random& random, bool flexible) {
    std::vector<BodyData> bodies;
    std::vector<PlanarBodyData> planar;
    q.resize(7 * spatial_count + 3 * planar_count);
    v = random.vector(6 * spatial_count + 3 * planar_count, 1.0);
    for (Index b = 0; b < spatial_count; ++b) {
      const double mass = random(0.2, 3.0);
      const Matrix3 R = rotation_matrix(random_quaternion(random));
      bodies.push_back({"body" + std::to_string(b), mass,
                        R * testing::possible_inertia(random, mass).asDiagonal() * R.transpose(),
                        random_vector(random, 10.0)});
      q.segment<3>(7 * b) = random_vector(random, 2.0);
      q.segment<4>(7 * b + 3) = random_quaternion(random);
    }
    for (Index b = 0; b < planar_count; ++b) {
      planar.push_back({"flat" + std::to_string(b), random(0.2, 3.0), random(0.1, 2.0), random_vector(random, 10.0)});
      q.segment<3>(7 * spatial_count + 3 * b) = random_vector(random, 2.0);
    }
    assembly.parts = {std::make_shared<RigidBodies>(bodies), std::make_shared<PlanarBodies>(planar),
                      std::make_shared<KinematicBodies>(std::vector<KinematicBodyData>{swinging(random)})};
    for (Index b = 0; b < planar_count; ++b) planar_frames.push_back(1 + spatial_count + b);
    if (!flexible) return;
    for (const Index modes : {0, 3}) {
      const LinearBodyPart body = make_linear_part(four_masses(random, modes), {0, 1}, random_vector(random, 5.0));
      add(body.part, random.vector(body.q.size(), 0.8), random);
    }
    const auto strip = std::make_shared<PlanarBeam>(planar_beam(random), std::vector<double>{0.3, 0.5});
    planar_frames.push_back(frames);
    planar_frames.push_back(frames + 1);
    add(strip, strip->start().q, random);
    const auto rod = std::make_shared<SpatialBeam>(spatial_beam(random), std::vector<double>{0.2, 1.0, 0.0});
    add(rod, rod->start().q, random);
  }

  // At a place and a velocity near those given.
  void add(std::shared_ptr<const Part> part, const Vector& at, Random& random) {
    const Index nq = static_cast<Index>(q.size()), nv = static_cast<Index>(v.size());
    q.conservativeResize(nq + part->nq());
    v.conservativeResize(nv + part->nv());
    const Vector shift = random.vector(part->nv(), 0.3);
    part->move(at.data(), shift.data(), q.data() + nq);
    v.tail(part->nv()) = random.vector(part->nv(), 1.0);
    frames += part->frame_count();
    assembly.parts.push_back(std::move(part));
  }

  // Pairs of different frames of which at least one has velocities; over all kinds of frames as k runs.
  std::pair<Index, Index> frame_pair(Index k) const {
    const Index a = k % frames;
    Index b = (k / frames + a + 1) % frames;
    if (a == b) b = (b + 1) % frames;
    const bool fixed = (a == 0 || a == kinematic) && (b == 0 || b == kinematic);
    return fixed ? std::pair<Index, Index>(a, 1) : std::pair(a, b);
  }
};

Site random_site(Random& random, Index frame) {
  return {frame, random_vector(random), rotation_matrix(random_quaternion(random))};
}

constexpr unsigned rigid_seeds = 8;  // the others have flexible bodies too

class AssembledSystemTest : public ::testing::TestWithParam<unsigned> {
 protected:
  AssembledSystemTest() : random(GetParam()), scene(random, GetParam() > rigid_seeds) {}

  void check(double tolerance = 3e-8) {
    const AssembledSystem system(scene.assembly, scene.q);
    const testing::SystemChecks checks(system, 0.3, scene.q, scene.v);
    checks.expect_rows_are_gradients(tolerance);
    checks.expect_convective_terms(random.vector(system.nv(), 1.0), 20 * tolerance);
    checks.expect_force_derivatives(20 * tolerance);
    checks.expect_energy_balance(20 * tolerance);
  }

  Random random;
  Scene scene;
};

TEST_P(AssembledSystemTest, BodiesAlone) { check(); }

TEST_P(AssembledSystemTest, JointsOfEveryKind) {
  std::vector<Joint> joints;
  Index k = static_cast<Index>(GetParam());
  for (const JointKind* kind : joint_kinds().entries())
    for (int repeat = 0; repeat < 3 && !kind->transmission; ++repeat, ++k) {
      const auto [a, b] = scene.frame_pair(k);
      joints.push_back(make_joint(*kind, false, kind->name, random_site(random, a), random_site(random, b), {}, {},
                                  random(0.5, 2.0)));
      if (kind->name == "distance") joints.back().rows[0].rest = 0.3;
    }
  scene.assembly.constraints.push_back(std::make_shared<JointGroup>(joints));
  check();
}

TEST_P(AssembledSystemTest, PlanarJointsOfEveryKind) {
  std::vector<Joint> joints;
  const auto& planar = scene.planar_frames;
  std::size_t k = 0;
  for (const JointKind* kind : joint_kinds().entries()) {
    if (kind->planar.empty()) continue;
    const auto site = [&](Index frame) {
      const double angle = random(-3.0, 3.0);
      Matrix3 R = Matrix3::Identity();
      R.topLeftCorner<2, 2>() << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
      Vector3 point = random_vector(random);
      point.z() = 0.0;
      return Site{frame, point, R};
    };
    const Index a = k % 2 == 0 ? planar[k % planar.size()] : ground_frame, b = planar[(k + 1) % planar.size()];
    joints.push_back(make_joint(*kind, true, kind->name, site(a), site(b), {}, {}, random(0.5, 2.0)));
    ++k;
  }
  scene.assembly.constraints.push_back(std::make_shared<JointGroup>(joints));
  check();
}

TEST_P(AssembledSystemTest, CoordinatesWithLimitsDrivesAndRatios) {
  std::vector<CoordinateConstraint> rows;
  std::vector<JointCoordinate> coordinates;
  Index k = 3 * static_cast<Index>(GetParam());
  for (const JointKind* kind : joint_kinds().entries())
    for (const CoordinateTemplate& c : kind->spatial_coordinates) {
      const auto [a, b] = scene.frame_pair(k++);
      coordinates.push_back(
          make_coordinate(c, kind->name + "." + c.name, random_site(random, a), random_site(random, b)));
    }
  const auto bilateral = make_bilateral_law(1), stop = make_contact_law(Space::planar, {.restitution = 0.5});
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    CoordinateConstraint row;
    row.name = coordinates[i].name;
    row.terms.push_back({i % 2 == 0 ? 1.0 : -0.7, coordinates[i]});
    if (i % 3 == 0)
      row.terms.push_back({1.3, coordinates[(i + 1) % coordinates.size()]});  // a gear: frames may be shared
    row.rest = 0.2;
    row.law = i % 2 == 0 ? bilateral : stop;
    if (i % 4 == 0)
      row.motion = [](double t) { return Prescribed{std::sin(5 * t), 5 * std::cos(5 * t), -25 * std::sin(5 * t)}; };
    rows.push_back(row);
  }
  scene.assembly.constraints.push_back(std::make_shared<CoordinateConstraints>(rows));
  check();
}

TEST_P(AssembledSystemTest, SpringsDampersAndDrives) {
  std::vector<RowForce> forces;
  Index k = 5 * static_cast<Index>(GetParam());
  for (const RowKind kind :
       {RowKind::distance, RowKind::angle, RowKind::along, RowKind::across, RowKind::coincide, RowKind::distance}) {
    RowForce force;
    force.name = "spring";
    const auto [a, b] = scene.frame_pair(k++);
    force.row.a = random_site(random, a);
    force.row.b = random_site(random, b);
    force.row.row.kind = kind;
    force.row.row.d = force.row.a.triad.col(0);
    force.row.row.e = kind == RowKind::across ? Vector3(force.row.b.triad.col(1)) : Vector3(force.row.a.triad.col(1));
    force.row.row.b = force.row.b.triad.col(0);
    force.row.row.rest = 0.4;
    force.stiffness = random(1.0, 20.0);
    force.damping = k % 2 == 0 ? 0.0 : random(0.1, 2.0);
    force.preload = 0.7;
    if (k % 3 == 0) force.acts = SpringActs::pulling;
    if (k % 4 == 0)
      force.drive = [](double t, double g, double rate) { return std::sin(t) + 0.3 * std::cos(g) - 0.1 * rate * rate; };
    forces.push_back(force);
  }
  scene.assembly.forces.push_back(std::make_shared<RowForces>(forces));
  check(1e-7);
}

geometry::Feature random_feature(Random& random) {
  geometry::Feature f;
  f.point = random_vector(random);
  f.direction = random_direction(random);
  f.radius = random(0.1, 0.5);
  f.parameter = random(-3.0, 3.0);
  return f;
}

// Detection freezes the angles of two rings where they are closest; from elsewhere the search may end on either side.
void start_at_closest_points(geometry::ContactPrimitive& p, const Pose& first, const Pose& second) {
  const auto point = [](const geometry::Feature& ring, const Pose& at, double u) {
    Vector3 e1, e2;
    geometry::ring_frame(ring.direction, e1, e2);
    return at.point(ring.point + ring.radius * (std::cos(u) * e1 + std::sin(u) * e2));
  };
  double best = 1e300;
  for (int i = 0; i < 90; ++i)
    for (int j = 0; j < 90; ++j) {
      const double u = i * M_PI / 45, w = j * M_PI / 45,
                   distance = (point(p.first, first, u) - point(p.second, second, w)).norm();
      if (distance >= best) continue;
      best = distance;
      p.first.parameter = u;
      p.second.parameter = w;
    }
}

TEST_P(AssembledSystemTest, ContactPrimitivesInSpace) {
  using enum geometry::PrimitiveKind;
  std::vector<PermanentContact> contacts;
  Placement at;
  AssembledSystem(scene.assembly, scene.q).place(0.3, scene.q, scene.v, at);
  Index k = 7 * static_cast<Index>(GetParam());
  for (const auto kind : {ball_plane, ball_ball, ball_ball_inner, ball_line, ball_line_inner, ball_ring, line_line,
                          line_ring, rim_plane, rim_line_inner, ring_ring}) {
    geometry::ContactPrimitive p;
    p.kind = kind;
    p.first = random_feature(random);
    p.second = random_feature(random);
    p.normal = random_direction(random);
    p.side = random(-1.0, 1.0) < 0.0 ? -1.0 : 1.0;
    const auto [a, b] = scene.frame_pair(k++);
    if (kind == ring_ring)
      start_at_closest_points(p, at.poses[static_cast<std::size_t>(a)], at.poses[static_cast<std::size_t>(b)]);
    PermanentContact contact;
    contact.name = geometry::name(kind);
    contact.record = make_record(p, a, b, false);
    contact.law =
        make_contact_law(Space::spatial, {.restitution = 0.3, .friction = 0.4, .spin_radius = k % 3 == 0 ? 0.02 : 0.0});
    contacts.push_back(contact);
  }
  scene.assembly.constraints.push_back(std::make_shared<PermanentContacts>(contacts));
  check(2e-6);  // third derivatives grow where directions are nearly parallel
}

TEST_P(AssembledSystemTest, ContactPrimitivesInThePlane) {
  using enum geometry::PrimitiveKind;
  const auto cam = geometry::polar_curve([](double a) {
    return geometry::PolarPoint{1.0 + 0.1 * std::cos(2 * a), -0.2 * std::sin(2 * a), -0.4 * std::cos(2 * a),
                                0.8 * std::sin(2 * a)};
  });
  std::vector<PermanentContact> contacts;
  const Index first = 1 + spatial_count;
  Index k = 0;
  for (const auto kind : {disc_line, disc_disc, disc_disc_inner, disc_curve, curve_line, curve_curve}) {
    const bool curve_first = kind == curve_line || kind == curve_curve,
               curve_second = kind == disc_curve || kind == curve_curve;
    const Index a = first + k % planar_count, b = k % 2 == 0 ? first + (k + 1) % planar_count : ground_frame;
    ++k;
    geometry::ContactPrimitive p;
    p.kind = kind;
    for (geometry::Feature* f : {&p.first, &p.second}) {
      *f = random_feature(random);
      f->point.z() = 0.0;
      const double angle = random(-3.0, 3.0);
      f->direction << std::cos(angle), std::sin(angle), 0.0;
    }
    if (curve_first) p.first.curve = cam.get();
    if (curve_second) p.second.curve = cam.get();
    // Curves search from a parameter near the solution: take the best of many.
    const auto pose = [&](Index frame) {
      Pose at;
      if (frame == ground_frame) return at;
      const Vector3 body = scene.q.segment<3>(7 * spatial_count + 3 * (frame - first));
      at.x << body.x(), body.y(), 0.0;
      at.R << std::cos(body.z()), -std::sin(body.z()), 0, std::sin(body.z()), std::cos(body.z()), 0, 0, 0, 1;
      return at;
    };
    const Pose pa = pose(a), pb = pose(b);
    const auto curve_at = [&](const geometry::Feature& f, const Pose& at, double u) {
      const auto c = cam->at(u).x;
      return Vector3(at.point(f.point) + at.direction(Vector3(c.x() * f.direction +
                                                              c.y() * Vector3(-f.direction.y(), f.direction.x(), 0))));
    };
    double best = 1e300;
    for (int i = 0; i < 360; ++i)
      for (int j = 0; j < (kind == curve_curve ? 360 : 1); ++j) {
        const double u = i * M_PI / 180, w = j * M_PI / 180;
        double size = 1e300;
        if (kind == disc_curve) size = (pa.point(p.first.point) - curve_at(p.second, pb, u)).norm();
        if (kind == curve_line) size = pb.direction(p.second.direction).dot(curve_at(p.first, pa, u));
        if (kind == curve_curve)
          size = (curve_at(p.first, pa, u) - curve_at(p.second, pb, w) - Vector3(100, 0, 0)).norm();
        if (size < best) {
          best = size;
          p.first.parameter = u;
          p.second.parameter = kind == disc_curve ? u : w;
        }
      }
    if (kind == curve_curve) continue;  // overlapping cams have no closest points: see CamsApart
    PermanentContact contact;
    contact.name = geometry::name(kind);
    contact.record = make_record(p, a, b, true);
    contact.law = make_contact_law(Space::planar, {.restitution = 0.3, .friction = 0.4});
    contacts.push_back(contact);
  }
  scene.assembly.constraints.push_back(std::make_shared<PermanentContacts>(contacts));
  check(5e-7);
}

TEST_P(AssembledSystemTest, CamsApart) {
  const auto cam = geometry::polar_curve([](double a) {
    return geometry::PolarPoint{1.0 + 0.1 * std::cos(2 * a), -0.2 * std::sin(2 * a), -0.4 * std::cos(2 * a),
                                0.8 * std::sin(2 * a)};
  });
  geometry::ContactPrimitive p;
  p.kind = geometry::PrimitiveKind::curve_curve;
  p.first.curve = p.second.curve = cam.get();
  p.first.direction = p.second.direction = Vector3::UnitX();
  const Index first = 1 + spatial_count, at = 7 * spatial_count;
  scene.q.segment<3>(at) = Vector3(2.5, 0.3, random(-3.0, 3.0));
  scene.q.segment<3>(at + 3) = Vector3(0.0, 0.0, random(-3.0, 3.0));
  double best = 1e300;
  for (int i = 0; i < 180; ++i)
    for (int j = 0; j < 180; ++j) {
      const double u = i * M_PI / 90, w = j * M_PI / 90;
      const auto point = [&](Index b, double s) {
        const Vector3 body = scene.q.segment<3>(at + 3 * b);
        const auto c = cam->at(s).x;
        return Eigen::Vector2d(body.head<2>() + Eigen::Rotation2Dd(body.z()) * c);
      };
      const double distance = (point(0, u) - point(1, w)).norm();
      if (distance < best) {
        best = distance;
        p.first.parameter = u;
        p.second.parameter = w;
      }
    }
  PermanentContact contact;
  contact.name = "cams";
  contact.record = make_record(p, first, first + 1, true);
  contact.law = make_contact_law(Space::planar, {.restitution = 0.3, .friction = 0.4});
  scene.assembly.constraints.push_back(std::make_shared<PermanentContacts>(std::vector{contact}));
  check(5e-7);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AssembledSystemTest, ::testing::Range(1u, 2 * rigid_seeds + 1));

}  // namespace
}  // namespace carom::model
