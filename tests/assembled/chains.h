// Long models: chains of revolute links that fall on a floor with friction, and piles of spheres with a spring-mounted
// component among them.
#pragma once

#include <cmath>
#include <string>

#include "carom/model/assembly/builder.h"

namespace carom::testing {

struct ChainOptions {
  int links = 100;
  bool spatial = false;
  bool parallel = false;  // in space: all axes are
  double friction = 0.3, restitution = 0.0;
  double sideways = 0.1;  // in space: velocity out of the plane
  double height = 0.02;   // of the lowest link above the floor
};

// A free chain whose joints lie on a wave above the floor. In space the axes of every second joint stand upright, and
// the links start with velocities out of the plane of the wave, so that all rows of the joints work.
inline Model falling_chain(const ChainOptions& o) {
  using namespace model;
  constexpr double length = 0.1, radius = 0.02, mass = 0.1, amplitude = 0.1, wave = 2.0;
  const double k = 2.0 * M_PI / wave;
  ModelBuilder m(o.spatial ? Space::spatial : Space::planar);
  const Vector3 up = o.spatial ? Vector3::UnitZ() : Vector3::UnitY();
  m.set_gravity(-9.81 * up);
  const double J = mass * length * length / 12.0;
  std::vector<BodyRef> links;
  // The joints stand on the curve, one link length apart.
  double x = 0.0, height = 0.0, angle = 0.0;
  const auto curve = [&](double s) { return o.height + radius + amplitude * (1.0 - std::cos(k * s)); };
  for (int i = 0; i < o.links; ++i) {
    // Where axes alternate, two links in line stand for one.
    const bool pairs = o.spatial && !o.parallel, second = pairs && i % 2 == 1;
    const double span = pairs ? 2.0 * length : length;
    for (int sweep = 0; sweep < 50 && !second; ++sweep) {
      const double next = x + span * std::cos(angle);
      height = curve(x);
      angle = std::asin((curve(next) - height) / span);
    }
    const double c = std::cos(angle), s = std::sin(angle);
    const Vector3 centre = Vector3(x + 0.5 * length * c, 0, 0) + up * (height + 0.5 * length * s);
    BodySpec body;
    body.name = "link" + std::to_string(i);
    body.mass = mass;
    body.position = centre;
    if (o.spatial) {
      body.inertia = Vector3(0.2 * J, J, J).asDiagonal();
      body.orientation = Quaternion(std::cos(0.5 * angle), 0.0, -std::sin(0.5 * angle), 0.0);
      body.velocity = Vector3(0.0, o.sideways * std::sin(0.7 * k * x), 0.0);
    } else {
      body.inertia = J * Matrix3::Identity();
      body.angle = angle;
    }
    const BodyRef link = m.add_body(body);
    links.push_back(link);
    if (o.spatial)
      m.add_surface({.body = link.number, .shape = geometry::Sphere(radius), .material = "link"});
    else
      m.add_surface({.body = link.number, .shape = geometry::Disc(radius), .material = "link"});
    if (i > 0) {
      SiteSpec a = links[static_cast<std::size_t>(i - 1)].at({length / 2, 0, 0}), b = link.at({-length / 2, 0, 0});
      if (o.spatial) {
        const Vector3 axis = second ? Vector3::UnitZ() : Vector3::UnitY();
        a = a.with_axis(axis);
        b = b.with_axis(axis);
      }
      m.add_joint({.name = "pin" + std::to_string(i), .kind = "revolute", .a = a, .b = b});
    }
    x += length * c;
    height += length * s;
  }
  if (o.spatial)
    m.add_surface({.name = "floor", .shape = geometry::HalfSpace(), .material = "floor"});
  else
    m.add_surface({.name = "floor", .shape = geometry::HalfPlane(), .material = "floor"});
  m.add_contact(
      {.a = "link", .b = "floor", .law = ContactParameters{.restitution = o.restitution, .friction = o.friction}});
  return m.build();
}

struct PileOptions {
  int across = 10, along = 10, layers = 10;
  bool spring = true;
};

// Spheres in layers on a floor; two of them held together by a spring.
inline Model sprung_pile(const PileOptions& o) {
  using namespace model;
  constexpr double radius = 0.05, mass = 0.5;
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -9.81});
  m.set_default_contact(ContactParameters{.restitution = 0.0, .friction = 0.4});
  m.add_surface({.name = "floor", .shape = geometry::HalfSpace()});
  std::vector<BodyRef> balls;
  for (int k = 0; k < o.layers; ++k)
    for (int j = 0; j < o.along; ++j)
      for (int i = 0; i < o.across; ++i) {
        const double shift = 0.2 * radius * (k % 2);
        BodySpec ball;
        ball.name = "ball" + std::to_string(balls.size());
        ball.mass = mass;
        ball.inertia = 0.4 * mass * radius * radius * Matrix3::Identity();
        ball.position = {2.02 * radius * i + shift, 2.02 * radius * j + shift, radius + 1.99 * radius * k + 1e-3};
        balls.push_back(m.add_body(ball));
        m.add_surface({.body = balls.back().number, .shape = geometry::Sphere(radius)});
      }
  if (o.spring)
    m.add_spring({.name = "spring",
                  .a = balls.front().at({0, 0, 0}),
                  .b = balls.back().at({0, 0, 0}),
                  .stiffness = 1e4,
                  .damping = 10.0});
  return m.build();
}

}  // namespace carom::testing
