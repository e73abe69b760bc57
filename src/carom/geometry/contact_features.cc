#include "carom/geometry/contact_features.h"

#include <Eigen/Geometry>

#include "carom/base/rotation.h"
#include "carom/geometry/closest.h"

namespace carom::geometry {

std::string_view name(PrimitiveKind kind) {
  switch (kind) {
#define CAROM_PRIMITIVE(name, doc) \
  case PrimitiveKind::name:        \
    return #name;
#include "carom/geometry/primitives.def"
#undef CAROM_PRIMITIVE
  }
  return {};
}

void ring_frame(const Vector3& axis, Vector3& e1, Vector3& e2) { tangents(axis, e1, e2); }

double slack(const Window& window, const Vector3& point, const Vector3& direction, double length) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < window.point_count; ++k) {
    const auto& bound = window.points[static_cast<std::size_t>(k)];
    least = std::min(least, bound.offset - bound.normal.dot(point));
  }
  for (int k = 0; k < window.direction_count; ++k)
    least = std::min(least, -length * window.directions[static_cast<std::size_t>(k)].dot(direction));
  if (std::isfinite(window.reach)) least = std::min(least, window.reach - (point - window.centre).norm());
  if (std::isfinite(window.turn)) least = std::min(least, length * (window.turn - (direction - window.axis).norm()));
  return least;
}

namespace {

// A feature carried to the world.
struct Placed {
  Placed(const Feature& feature, const Pose& pose)
      : point(pose.point(feature.point)),
        direction(pose.direction(feature.direction)),
        radius(feature.radius),
        own(feature),
        frame(pose) {}

  Ring ring() const {
    Vector3 e1, e2;
    ring_frame(own.direction, e1, e2);  // in the body, so that the angle is the body's
    return {point, frame.direction(e1), frame.direction(e2), radius};
  }
  PlaneFrame plane_frame() const { return {point.head<2>(), direction.x(), direction.y()}; }

  Vector3 point, direction;
  double radius;
  const Feature& own;
  const Pose& frame;
};

Vector3 lifted(const Vector2& v) { return {v.x(), v.y(), 0.0}; }

// Two points of which each has a radius around it.
Witness from_centres(const Vector3& x, double rx, const Vector3& y, double ry) {
  const Vector3 d = x - y;
  const double distance = d.norm();
  const Vector3 n = distance > 0.0 ? Vector3(d / distance) : Vector3(Vector3::UnitZ());
  return {distance - rx - ry, x - rx * n, y + ry * n, n};
}

// The first inside the hollow second.
Witness from_inside(const Vector3& x, double rx, const Vector3& y, double ry, const Vector3& if_concentric) {
  const Vector3 d = x - y;
  const double distance = d.norm();
  const Vector3 out = distance > 0.0 ? Vector3(d / distance) : if_concentric;
  return {ry - rx - distance, x + rx * out, y + ry * out, -out};
}

// Two curves with tangents t and u at their closest points.
Witness from_tangents(const Vector3& x, const Vector3& t, double rx, const Vector3& y, const Vector3& u, double ry,
                      double side) {
  const Vector3 n = side * t.cross(u).normalized();
  return {n.dot(x - y) - rx - ry, x - rx * n, y + ry * n, n};
}

}  // namespace

Witness evaluate(const ContactPrimitive& primitive, const Pose& first, const Pose& second) {
  const Placed a(primitive.first, first), b(primitive.second, second);
  switch (primitive.kind) {
    case PrimitiveKind::ball_plane:
    case PrimitiveKind::disc_line: {
      const double height = b.direction.dot(a.point - b.point);
      return {height - a.radius, a.point - a.radius * b.direction, a.point - height * b.direction, b.direction};
    }
    case PrimitiveKind::ball_ball:
    case PrimitiveKind::disc_disc: return from_centres(a.point, a.radius, b.point, b.radius);
    case PrimitiveKind::ball_ball_inner:
    case PrimitiveKind::disc_disc_inner:
      return from_inside(a.point, a.radius, b.point, b.radius, second.direction(Vector3::UnitX()));
    case PrimitiveKind::ball_line: {
      const double t = b.direction.dot(a.point - b.point);
      Witness w = from_centres(a.point, a.radius, b.point + t * b.direction, b.radius);
      w.second_parameter = t;
      return w;
    }
    case PrimitiveKind::ball_line_inner: {
      const double t = b.direction.dot(a.point - b.point);
      const Ring ring = b.ring();
      Witness w = from_inside(a.point, a.radius, b.point + t * b.direction, b.radius, ring.e1);
      w.second_parameter = t;
      return w;
    }
    case PrimitiveKind::ball_ring: {
      const Ring ring = b.ring();
      const double angle = ring.angle_of(a.point - b.point);
      Witness w = from_centres(a.point, a.radius, ring.point(angle), 0.0);
      w.second_parameter = angle;
      return w;
    }
    case PrimitiveKind::line_line: {
      double s, t;
      closest_of_lines(a.point, a.direction, b.point, b.direction, s, t);
      Witness w = from_tangents(a.point + s * a.direction, a.direction, a.radius, b.point + t * b.direction,
                                b.direction, b.radius, primitive.side);
      w.first_parameter = s;
      w.second_parameter = t;
      return w;
    }
    case PrimitiveKind::line_ring: {
      const Ring ring = b.ring();
      const double angle = closest_ring_line(ring, a.point, a.direction, b.own.parameter);
      const Vector3 x = ring.point(angle);
      const double s = a.direction.dot(x - a.point);
      Witness w =
          from_tangents(a.point + s * a.direction, a.direction, a.radius, x, ring.tangent(angle), 0.0, primitive.side);
      w.first_parameter = s;
      w.second_parameter = angle;
      return w;
    }
    case PrimitiveKind::ring_ring: {
      const Ring ra = a.ring(), rb = b.ring();
      double u = a.own.parameter, w = b.own.parameter;
      closest_ring_ring(ra, rb, u, w);
      Witness witness = from_tangents(ra.point(u), ra.tangent(u), 0.0, rb.point(w), rb.tangent(w), 0.0, primitive.side);
      witness.first_parameter = u;
      witness.second_parameter = w;
      return witness;
    }
    case PrimitiveKind::rim_plane: {
      const Ring ring = a.ring();
      const double angle = ring.angle_of(-b.direction);
      const Vector3 x = ring.point(angle);
      const double gap = b.direction.dot(x - b.point);
      return {gap, x, x - gap * b.direction, b.direction, angle, 0.0};
    }
    case PrimitiveKind::rim_line_inner: {
      const Ring ring = a.ring();
      const double angle = closest_ring_line(ring, b.point, b.direction, a.own.parameter, -1.0);
      const Vector3 x = ring.point(angle);
      const double t = b.direction.dot(x - b.point);
      Witness w = from_inside(x, 0.0, b.point + t * b.direction, b.radius, b.ring().e1);
      w.first_parameter = angle;
      w.second_parameter = t;
      return w;
    }
    case PrimitiveKind::disc_curve: {
      const PlaneFrame frame = b.plane_frame();
      double u = b.own.parameter;
      closest_curve_point(*b.own.curve, frame.local(a.point.head<2>()), u);
      const CurvePoint p = b.own.curve->at(u);
      const Vector2 x = frame.point(p.x), n = frame.turn(outer_normal(p));
      const double gap = n.dot(a.point.head<2>() - x) - a.radius;
      return {gap, a.point - a.radius * lifted(n), lifted(x), lifted(n), 0.0, u};
    }
    case PrimitiveKind::curve_line: {
      const PlaneFrame frame = a.plane_frame();
      double u = a.own.parameter;
      closest_curve_line(*a.own.curve, frame.back(b.direction.head<2>()), u);
      const Vector3 x = lifted(frame.point(a.own.curve->at(u).x));
      const double gap = b.direction.dot(x - b.point);
      return {gap, x, x - gap * b.direction, b.direction, u, 0.0};
    }
    case PrimitiveKind::curve_curve: {
      const PlaneFrame fa = a.plane_frame(), fb = b.plane_frame();
      const PlaneFrame b_in_a{fa.local(fb.x), fa.c * fb.c + fa.s * fb.s, fa.c * fb.s - fa.s * fb.c};
      double u = a.own.parameter, w = b.own.parameter;
      closest_curve_curve(*a.own.curve, *b.own.curve, b_in_a, u, w);
      const CurvePoint q = b.own.curve->at(w);
      const Vector2 x = fa.point(a.own.curve->at(u).x), y = fb.point(q.x), n = fb.turn(outer_normal(q));
      return {n.dot(x - y), lifted(x), lifted(y), lifted(n), u, w};
    }
  }
  return {};
}

double slack(const ContactPrimitive& primitive, const ContactWindows& windows, const Pose& first, const Pose& second,
             double length) {
  const Witness w = evaluate(primitive, first, second);
  double least = std::min(slack(windows.first, first.local(w.first), first.local_direction(-w.normal), length),
                          slack(windows.second, second.local(w.second), second.local_direction(w.normal), length));
  const auto interval = [&](const Window& window, double u) {
    least = std::min({least, u - window.lower, window.upper - u});
  };
  interval(windows.first, w.first_parameter);
  interval(windows.second, w.second_parameter);
  return least;
}

}  // namespace carom::geometry
