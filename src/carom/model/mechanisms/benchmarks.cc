#include "carom/model/mechanisms/benchmarks.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace carom::model {

namespace {

constexpr double gravity = 9.81;

// A slender bar of length l along x.
Matrix3 bar(double mass, double l) {
  const double across = mass * l * l / 12.0;
  return Vector3(1e-4 * across, across, across).asDiagonal();
}
// A bar along x with a square section of width w.
Matrix3 beam(double mass, double l, double w) {
  const double across = mass * (l * l + w * w) / 12.0;
  return Vector3(mass * w * w / 6.0, across, across).asDiagonal();
}
Vector3 direction(double angle) { return {std::cos(angle), std::sin(angle), 0.0}; }

// A frame whose x axis is d.
Quaternion along(const Vector3& d) {
  const Vector3 x = Vector3::UnitX(), axis = x.cross(d);
  const double sine = axis.norm(), cosine = x.dot(d);
  if (sine < 1e-12) return cosine > 0.0 ? Quaternion(1, 0, 0, 0) : Quaternion(0, 0, 0, 1);
  return quaternion_exp(std::atan2(sine, cosine) / sine * axis);
}

}  // namespace

Model simple_pendulum(Coordinates coordinates) {
  ModelBuilder m(Space::planar);
  m.set_coordinates(coordinates);
  m.set_gravity({0.0, -gravity, 0.0});
  // The mass is a point. A bar that only keeps its distance does not turn it; a hinge does, so that its inertia must be
  // as good as none.
  const bool hinge = coordinates == Coordinates::joint;
  const BodyRef mass = m.add_body({.name = "mass",
                                   .mass = 1.0,
                                   .inertia = (hinge ? 1e-12 : 1.0) * Matrix3::Identity(),
                                   .position = {-1.0, 0.0, 0.0}});
  if (hinge)
    m.add_joint({.name = "hinge", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = mass.at({1.0, 0, 0})});
  else
    m.add_joint({.name = "bar", .kind = "distance", .a = m.ground().at({0, 0, 0}), .b = mass.at({0, 0, 0})});
  return m.build();
}

Model four_bars(int windows, Coordinates coordinates) {
  ModelBuilder m(Space::planar);
  m.set_coordinates(coordinates);
  m.set_gravity({0.0, -gravity, 0.0});
  const Matrix3 inertia = 1.0 / 12.0 * Matrix3::Identity();
  std::vector<BodyRef> posts, couplers;
  for (int i = 0; i <= windows; ++i)
    posts.push_back(m.add_body({.name = fmt::format("post{}", i),
                                .inertia = inertia,
                                .position = {static_cast<double>(i), 0.5, 0.0},
                                .angle = 0.5 * std::numbers::pi,
                                .velocity = {0.5, 0.0, 0.0},
                                .spin = {0.0, 0.0, -1.0}}));
  for (int i = 0; i < windows; ++i)
    couplers.push_back(m.add_body({.name = fmt::format("coupler{}", i),
                                   .inertia = inertia,
                                   .position = {i + 0.5, 1.0, 0.0},
                                   .velocity = {1.0, 0.0, 0.0}}));
  const auto hinge = [&](const std::string& name, const SiteSpec& a, const SiteSpec& b) {
    m.add_joint({.name = name, .kind = "revolute", .a = a, .b = b});
  };
  for (int i = 0; i <= windows; ++i)
    hinge(fmt::format("A{}", i), m.ground().at({static_cast<double>(i), 0, 0}),
          posts[static_cast<std::size_t>(i)].at({-0.5, 0, 0}));
  for (int i = 0; i < windows; ++i) {
    const auto k = static_cast<std::size_t>(i);
    hinge(fmt::format("B{}", i), posts[k].at({0.5, 0, 0}), couplers[k].at({-0.5, 0, 0}));
    hinge(fmt::format("C{}", i), posts[k + 1].at({0.5, 0, 0}), couplers[k].at({0.5, 0, 0}));
  }
  return m.build();
}

Model andrews(Coordinates coordinates) {
  constexpr double beta = -0.0617138900142764496358948458001, theta = 0.0, gamma = 0.455279819163070380255912382449,
                   phi = 0.222668390165885884674473185609, delta = 0.487364979543842550225598953530,
                   omega = -0.222668390165885884674473185609, epsilon = 1.23054744454982119249735015568;
  constexpr double d = 28e-3, da = 11.5e-3, e = 20e-3, ea = 14.21e-3, rr = 7e-3, ra = 0.92e-3, ss = 35e-3,
                   sa = 18.74e-3, sb = 10.43e-3, sc = 18e-3, sd = 20e-3, ta = 23.08e-3, tb = 9.16e-3, u = 40e-3,
                   ua = 12.28e-3, ub = 4.49e-3, zf = 20e-3, zt = 40e-3, fa = 14.21e-3, torque = 0.033,
                   stiffness = 4530.0, free_length = 77.85e-3;
  const Vector3 A(-69.34e-3, -2.27e-3, 0.0), B(-36.35e-3, 32.73e-3, 0.0), C(14e-3, 72e-3, 0.0);
  ModelBuilder m(Space::planar);
  m.set_coordinates(coordinates);
  // Body frames have their x axis along the angle, origin at the centre; places along and across are given from a point
  // of the body.
  struct Member {
    BodyRef body;
    Vector3 origin;  // the centre, seen from the point its places are given from
    SiteSpec at(double along, double across) const { return body.at(Vector3(along, across, 0.0) - origin); }
  };
  const auto member = [&](const char* name, double mass, double J, const Vector3& from, double angle, double along,
                          double across) {
    const Vector3 x = direction(angle), y(-x.y(), x.x(), 0.0);
    return Member{m.add_body({.name = name,
                              .mass = mass,
                              .inertia = J * Matrix3::Identity(),
                              .position = from + along * x + across * y,
                              .angle = angle}),
                  {along, across, 0.0}};
  };
  const Vector3 F = rr * direction(beta), G = A + zt * direction(delta),
                H = A - u * Vector3(-std::sin(epsilon), std::cos(epsilon), 0.0);
  const Member K1 = member("K1", 0.04325, 2.194e-6, Vector3::Zero(), beta, ra, 0.0);
  const Member K2 = member("K2", 0.00365, 4.410e-7, F, beta + theta, -da, 0.0);
  const Member K3 = member("K3", 0.02373, 5.255e-6, B, gamma, sb, -sa);
  const Member K4 = member("K4", 0.00706, 5.667e-7, G, phi + delta, 0.0, -(e - ea));
  const Member K5 = member("K5", 0.07050, 1.169e-5, A, delta, ta, tb);
  const Member K6 = member("K6", 0.00706, 5.667e-7, H, omega + epsilon, zf - fa, 0.0);
  const Member K7 = member("K7", 0.05498, 1.912e-5, A, epsilon, -ub, -ua);
  const auto hinge = [&](const char* name, const SiteSpec& a, const SiteSpec& b) {
    m.add_joint({.name = name, .kind = "revolute", .a = a, .b = b});
  };
  const SiteSpec E = K2.at(-d, 0.0);
  hinge("O", m.ground().at({0, 0, 0}), K1.at(0.0, 0.0));
  hinge("F", K1.at(rr, 0.0), K2.at(0.0, 0.0));
  hinge("B", m.ground().at(B), K3.at(0.0, 0.0));
  hinge("A5", m.ground().at(A), K5.at(0.0, 0.0));
  hinge("A7", m.ground().at(A), K7.at(0.0, 0.0));
  hinge("G", K5.at(zt, 0.0), K4.at(0.0, 0.0));
  hinge("H", K7.at(0.0, -u), K6.at(0.0, 0.0));
  hinge("E3", E, K3.at(0.0, -ss));
  hinge("E4", E, K4.at(0.0, -e));
  hinge("E6", E, K6.at(zf, 0.0));
  m.add_spring({.name = "spring",
                .a = m.ground().at(C),
                .b = K3.at(sd, -sc),
                .stiffness = stiffness,
                .free_length = free_length});
  m.add_spring({.name = "motor", .joint = "O", .preload = torque});
  return m.build();
}

Model bricard(Coordinates coordinates) {
  // The six edges of a cube that no diagonal of it meets; the last one is the ground.
  const Vector3 corners[7] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}, {0, 0, 0}};
  ModelBuilder m(Space::spatial);
  m.set_coordinates(coordinates);
  m.set_gravity({0.0, -gravity, 0.0});
  std::vector<BodyRef> rods;
  std::vector<Vector3> centres;
  std::vector<Matrix3> turns;
  for (int i = 0; i < 5; ++i) {
    const Vector3 d = corners[i + 1] - corners[i];
    const Quaternion p = along(d);
    centres.push_back(0.5 * (corners[i] + corners[i + 1]));
    turns.push_back(rotation_matrix(p));
    rods.push_back(m.add_body({.name = fmt::format("rod{}", i + 1),
                               .inertia = beam(1.0, 1.0, 0.1),
                               .position = centres.back(),
                               .orientation = p}));
  }
  const auto place = [&](int rod, const Vector3& where, const Vector3& axis) {
    if (rod < 0 || rod > 4) return m.ground().at(where).with_axis(axis);
    const auto k = static_cast<std::size_t>(rod);
    return rods[k].at(turns[k].transpose() * (where - centres[k])).with_axis(turns[k].transpose() * axis);
  };
  for (int i = 0; i < 6; ++i) {
    const Vector3 before = corners[i] - corners[i == 0 ? 5 : i - 1], after = corners[i + 1] - corners[i];
    const Vector3 axis = before.cross(after);
    m.add_joint({.name = fmt::format("hinge{}", i),
                 .kind = "revolute",
                 .a = place(i - 1, corners[i], axis),
                 .b = place(i, corners[i], axis)});
  }
  return m.build();
}

Model governor(Coordinates coordinates) {
  // Rods from the top of the shaft, 30 degrees below the horizontal; couplers from their middle to the collar halfway
  // down: all 0.5 m long.
  constexpr double density = 3000.0, ball = 5.0, tilt = std::numbers::pi / 6.0, speed = 2.0 * std::numbers::pi, s = 0.5;
  constexpr double rod_mass = density * 1e-4, collar_mass = density * 1e-3, mass = rod_mass + ball;
  ModelBuilder m(Space::spatial);
  m.set_coordinates(coordinates);
  m.set_gravity({0.0, 0.0, -gravity});
  const BodyRef shaft =
      m.add_body({.name = "shaft",
                  .mass = rod_mass,
                  .inertia = Vector3(rod_mass / 12.0, rod_mass / 12.0, rod_mass * 1e-4 / 6.0).asDiagonal(),
                  .position = {0, 0, 0.5},
                  .spin = {0, 0, speed}});
  const BodyRef collar = m.add_body({.name = "collar",
                                     .mass = collar_mass,
                                     .inertia = collar_mass * 1e-2 / 6.0 * Matrix3::Identity(),
                                     .position = {0, 0, 1.0 - s},
                                     .spin = {0, 0, speed}});
  m.add_joint({.name = "axle", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = shaft.at({0, 0, -0.5})});
  m.add_joint({.name = "sliding", .kind = "prismatic", .a = shaft.at({0, 0, 0}), .b = collar.at({0, 0, 0})});
  // A rod and its ball are one body: centre of mass and inertia about it.
  const double centre = (rod_mass * 0.5 + ball * 1.0) / mass;
  const double across = rod_mass * (1.0 + 1e-4) / 12.0 + rod_mass * (centre - 0.5) * (centre - 0.5) +
                        ball * (1.0 - centre) * (1.0 - centre);
  const Matrix3 inertia = Vector3(rod_mass * 1e-4 / 6.0, across, across).asDiagonal();
  for (const int side : {1, -1}) {
    const Vector3 out(side * std::cos(tilt), 0.0, -std::sin(tilt));
    const Quaternion p = along(out);
    const Matrix3 R = rotation_matrix(p);
    const Vector3 where = Vector3(0, 0, 1) + centre * out;
    const BodyRef rod = m.add_body({.name = side > 0 ? "right" : "left",
                                    .mass = mass,
                                    .inertia = inertia,
                                    .position = where,
                                    .orientation = p,
                                    .velocity = Vector3(0, 0, speed).cross(where),
                                    .spin = R.transpose() * Vector3(0, 0, speed)});
    const Vector3 axis = Vector3::UnitY();
    m.add_joint({.name = side > 0 ? "right_hinge" : "left_hinge",
                 .kind = "revolute",
                 .a = shaft.at({0, 0, 0.5}).with_axis(axis),
                 .b = rod.at({-centre, 0, 0}).with_axis(R.transpose() * axis)});
    m.add_spring({.name = side > 0 ? "right_coupler" : "left_coupler",
                  .a = rod.at({0.5 - centre, 0, 0}),
                  .b = collar.at({0, 0, 0}),
                  .stiffness = 8e5,
                  .damping = 4e4,
                  .free_length = 0.5});
  }
  return m.build();
}

Model spatial_slider_crank(Coordinates coordinates) {
  // The crank turns about x at (0, 0.1, 0.12), its pin 0.08 m away; the slider runs along x.
  const Vector3 pivot(0.0, 0.1, 0.12), pin = pivot + Vector3(0, 0, 0.08);
  constexpr double rod_length = 0.3, speed = 6.0;
  const double way = std::sqrt(rod_length * rod_length - pin.squaredNorm());
  const Vector3 slider_at(way, 0, 0), rod = slider_at - pin;
  ModelBuilder m(Space::spatial);
  m.set_coordinates(coordinates);
  m.set_gravity({0.0, 0.0, -gravity});
  const BodyRef crank = m.add_body(
      {.name = "crank", .mass = 0.12, .inertia = 1e-4 * Matrix3::Identity(), .position = pivot, .spin = {speed, 0, 0}});
  const Quaternion p = along(rod.normalized());
  const Matrix3 R = rotation_matrix(p);
  const BodyRef link = m.add_body({.name = "rod",
                                   .mass = 0.5,
                                   .inertia = Vector3(4e-4, 4e-3, 4e-3).asDiagonal(),
                                   .position = 0.5 * (pin + slider_at),
                                   .orientation = p});
  const BodyRef slider =
      m.add_body({.name = "slider", .mass = 2.0, .inertia = 1e-4 * Matrix3::Identity(), .position = slider_at});
  const Vector3 x = Vector3::UnitX();
  m.add_joint({.name = "bearing",
               .kind = "revolute",
               .a = m.ground().at(pivot).with_axis(x),
               .b = crank.at({0, 0, 0}).with_axis(x),
               .start = CoordinateStart{0.0, speed}});
  m.add_joint({.name = "guide",
               .kind = "prismatic",
               .a = m.ground().at(slider_at).with_axis(x),
               .b = slider.at({0, 0, 0}).with_axis(x)});
  m.add_joint(
      {.name = "pin", .kind = "spherical", .a = crank.at(pin - pivot), .b = link.at({-0.5 * rod_length, 0, 0})});
  // The cross of a universal joint: z of the slider, and an axis of the rod across both.
  const Vector3 cross_axis = Vector3::UnitZ().cross(rod).normalized(), rod_axis = rod.normalized();
  SiteSpec on_rod = link.at({0.5 * rod_length, 0, 0});
  on_rod.triad.col(0) = R.transpose() * cross_axis;
  on_rod.triad.col(1) = R.transpose() * rod_axis;
  on_rod.triad.col(2) = R.transpose() * cross_axis.cross(rod_axis);
  m.add_joint({.name = "knuckle", .kind = "universal", .a = slider.at({0, 0, 0}), .b = on_rod});
  return m.build();
}

Model hanging_chain(int links, Coordinates coordinates) {
  constexpr double l = 0.1, mass = 0.1;
  ModelBuilder m(Space::planar);
  m.set_coordinates(coordinates);
  m.set_gravity({0.0, -gravity, 0.0});
  BodyRef before = m.ground();
  for (int i = 0; i < links; ++i) {
    const BodyRef link = m.add_body({.name = fmt::format("link{}", i + 1),
                                     .mass = mass,
                                     .inertia = bar(mass, l),
                                     .position = {(i + 0.5) * l, 0, 0}});
    m.add_joint({.name = fmt::format("pin{}", i + 1),
                 .kind = "revolute",
                 .a = before.at({i == 0 ? 0.0 : 0.5 * l, 0, 0}),
                 .b = link.at({-0.5 * l, 0, 0})});
    before = link;
  }
  return m.build();
}

}  // namespace carom::model
