#include "carom/model/mechanisms/circuit_breaker.h"

#include <cmath>

#include "carom/model/assembly/builder.h"

namespace carom::model {

namespace {

constexpr double mm = 1e-3;

// A plate of the given width: its moments of inertia in the plane add up to that across it.
Matrix3 plate(double mass, double across, double width) {
  const double in_plane = 0.5 * across + mass * width * width / 12.0;
  return Vector3(in_plane, in_plane, across).asDiagonal();
}

class Breaker {
 public:
  explicit Breaker(const CircuitBreaker& data) : data_(data), m_(data.space) {}

  Model build() {
    m_.set_gravity({0.0, -data_.gravity, 0.0});
    add_bodies();
    add_joints();
    add_pins();
    add_faces();
    add_springs();
    return m_.build();
  }

 private:
  struct Member {
    BodyRef body;
    Vector3 centre = Vector3::Zero();
  };
  bool spatial() const { return data_.space == Space::spatial; }

  // All points are given as they lie in the closed position.
  static SiteSpec at(const Member& member, const Vector3& point) { return member.body.at(point - member.centre); }
  static Vector3 point(double x, double y) { return {x * mm, y * mm, 0.0}; }

  Member body(const char* name, double mass, double J, const Vector3& centre, bool weightless = false) {
    return {m_.add_body({.name = name,
                         .mass = mass,
                         .inertia = plate(mass, J, 2.0 * data_.half_width),
                         .position = centre,
                         .weightless = weightless}),
            centre};
  }

  void add_bodies() {
    handle_ = body("handle", 3e-3, 2e-7, point(16, 44));
    link_ = body("link", 5e-4, 3e-8, point(16.9, 26));
    carrier_ = body("carrier", 4e-3, 6e-7, point(14, 3));
    hook_ = body("hook", 1e-3, 4e-8, point(16, 11));
    lever_ = body("lever", 1e-3, 5e-8, point(28, 4));
    arm_ = body("arm", 2e-3, 3e-7, point(28, -3));
    plunger_ = body("plunger", 1e-3, 2e-8, point(37, -5), true);
  }

  void add_joints() {
    const auto hinge = [&](const char* name, const Member& member, const Vector3& where) {
      m_.add_joint({.name = name, .kind = "revolute", .a = m_.ground().at(where), .b = at(member, where)});
    };
    hinge("handle_axle", handle_, point(16, 46));
    hinge("carrier_axle", carrier_, point(0, 0));
    const auto along_y = [&](const SiteSpec& site) {
      return spatial() ? site.with_axis(Vector3::UnitY()) : site.sliding_along(Vector3::UnitY());
    };
    m_.add_joint({.name = "plunger_guide",
                  .kind = "prismatic",
                  .a = along_y(m_.ground().at(plunger_.centre)),
                  .b = along_y(plunger_.body.at({0, 0, 0}))});
  }

  void add_pins() {
    const auto pin = [&](const char* name, const Member& outer, const Member& inner, const Vector3& where) {
      m_.add_clearance({.name = name,
                        .pin = at(inner, where),
                        .bore = at(outer, where),
                        .pin_radius = data_.pin_radius,
                        .bore_radius = data_.pin_radius + data_.play,
                        .pin_length = 2.0 * data_.half_width,
                        .law = {.restitution = 0.0, .friction = 0.1}});
    };
    pin("A", handle_, link_, point(16.8, 38.04));
    pin("B", link_, hook_, point(17, 14));
    pin("H", carrier_, hook_, point(12, 8));
    pin("K", carrier_, lever_, latch_ - 12 * mm * latch_normal_ + 1 * mm * latch_along());
    pin("Q", carrier_, arm_, point(20, -2));
  }

  // A point of one member above a face of another (or of the case) through `on` with normal n.
  void face(const char* name, const Member& member, const Vector3& tip, const Member& other, const Vector3& on,
            const Vector3& n, const ContactParameters& law, double from = -INFINITY, double to = INFINITY,
            double depth = INFINITY) {
    SiteSpec place = at(other, on);
    place.triad.col(0) = Vector3(n.y(), -n.x(), 0.0);
    place.triad.col(1) = n;
    const auto add = [&](const std::string& called, double z) {
      m_.add_face({.name = called,
                   .point = at(member, tip + z * Vector3::UnitZ()),
                   .face = place,
                   .from = from,
                   .to = to,
                   .depth = depth,
                   .law = law});
    };
    if (!spatial()) return add(name, 0.0);
    add(std::string(name) + ".front", data_.half_width);
    add(std::string(name) + ".back", -data_.half_width);
  }

  void add_faces() {
    const Member ground;
    const Vector3 up = Vector3::UnitY();
    face("handle_closed", handle_, point(4, 46), ground, point(4, 46), up, {.restitution = 0.3, .friction = 0.2});
    face("handle_open", handle_, point(28, 46), ground, point(28, 35.9), up, {.restitution = 0.3, .friction = 0.2});
    face("pad", arm_, point(40, -5), ground, point(40, -5), up, {.restitution = 0.2, .friction = 0.2});
    face("latch", hook_, latch_, lever_, latch_, latch_normal_, {.restitution = 0.0, .friction = data_.latch_friction},
         -6 * mm, 1 * mm, data_.face_depth);
    face("plunger", lever_, point(37, 1), plunger_, point(37, 0), up, {.restitution = 0.1, .friction = 0.2}, -3 * mm,
         3 * mm, data_.face_depth);
    face("carrier_stop", carrier_, point(28, 6), ground, point(28, 15.24), -up, {.restitution = 0.3, .friction = 0.2});
    face("overtravel", arm_, point(30, -4), carrier_, point(30, -4.5), up, {.restitution = 0.1, .friction = 0.2});
  }

  void add_springs() {
    const Member ground;
    const auto torsion = [&](const char* name, const Member& first, const Member& second, double preload, double k,
                             double d) {
      m_.add_spring({.name = name,
                     .a = second.body.at({0, 0, 0}),
                     .b = first.body.at({0, 0, 0}),
                     .torsional = true,
                     .stiffness = k,
                     .damping = d,
                     .preload = preload});
    };
    torsion("opening_spring", carrier_, ground, 0.2, 0.3, 2e-6);
    torsion("contact_spring", arm_, carrier_, -0.06, 0.3, 2e-6);
    torsion("handle_spring", handle_, ground, -0.005, 0.002, 2e-6);
    torsion("lever_spring", lever_, carrier_, -0.002, 0.02, 1e-6);
    torsion("hook_spring", hook_, carrier_, 0.002, 0.01, 1e-6);
    const double force = data_.trip_force, from = data_.trip_time;
    m_.add_spring({.name = "plunger_spring",
                   .joint = "plunger_guide",
                   .stiffness = 200.0,
                   .damping = 0.02,
                   .drive = [force, from](double t, double, double) { return t > from ? force : 0.0; }});
  }

  Vector3 latch_along() const { return {latch_normal_.y(), -latch_normal_.x(), 0.0}; }

  const CircuitBreaker& data_;
  ModelBuilder m_;
  Member handle_, link_, carrier_, hook_, lever_, arm_, plunger_;
  const Vector3 latch_ = point(22, 12), latch_normal_ = Vector3(-4.0, 10.0, 0.0).normalized();
};

}  // namespace

Model circuit_breaker(const CircuitBreaker& data) { return Breaker(data).build(); }

}  // namespace carom::model
