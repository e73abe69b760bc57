// Sphere, capsule, box or polyhedron with a cylinder, in the frame of the cylinder.
//
// The closest features are found by climbing the separation (ascent.h); contacts of flat positions join them: a cap on
// a face, a side on a face, a side along an edge.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "carom/geometry/pairs/ascent.h"
#include "carom/geometry/pairs/clip.h"
#include "carom/geometry/pairs/cylinder.h"
#include "carom/geometry/pairs/pairs.h"

namespace carom::geometry {

namespace {

constexpr double flat_cosine = 0.966, flat_sine = 0.26;

std::uint32_t number(Index k) { return static_cast<std::uint32_t>(k); }

class PolytopeCylinder {
 public:
  PolytopeCylinder(const PairCall& call, PolytopeView& a, const CylinderView& b)
      : call_(call), scratch_(call.scratch), a_(a), b_(b), radius_(a.radius), size_(std::min(b.radius, b.half_length)) {
    scratch_.candidates.clear();
  }

  void find() {
    const Proposal best = ascend(*this, a_.pose.x, call_.margin);
    if (!best.found) return;
    const bool tight =
        std::abs(best.candidate.gap - best.s) < 1e-9 * size_;  // otherwise no features stand for the separation
    Candidate closest = tight ? best.candidate : frozen(direction_of(best.candidate));
    if (closest.gap > call_.margin) return;
    closest.closest = true;
    strays_ = best.stray > 1e-9 * size_ || !tight;
    scratch_.candidates.push_back(closest);
    flat_contacts(direction_of(closest), closest.gap);
    drop_stray();
  }

  void emit() {
    auto& candidates = scratch_.candidates;
    if (candidates.empty()) return;
    reduce_to_four(candidates, direction_of(candidates.front()), size_);
    for (const Candidate& c : candidates) {
      ContactWindows& windows = append(c, call_.pose_b, call_.contacts);
      Window &of_a = c.first_is_b ? windows.second : windows.first,
             &of_b = c.first_is_b ? windows.first : windows.second;
      const FeatureId bound_a = c.first_is_b ? c.second_bound : c.first_bound,
                      bound_b = c.first_is_b ? c.first_bound : c.second_bound;
      const Vector3 out = a_.pose.local_direction(-direction_of(c));
      set_window(*a_.shape, bound_a, a_.own(c.place), out, of_a);
      b_.set_window(bound_b, direction_of(c), of_b);
    }
  }

  // --- what the ascent asks for

  double size() const { return size_; }

  double separation(const Vector3& n) const {
    return n.dot(a_.vertex(a_.support(-n))) - radius_ - b_.radius * std::hypot(n.x(), n.y()) -
           b_.half_length * std::abs(n.z());
  }

  void support(int which, double rounding, const Vector3& d, Vector3& x) const {
    if (which == 0) {
      x = a_.vertex(a_.support(d));
      return;
    }
    const double across = std::hypot(d.x(), d.y()), r = b_.radius - rounding, h = b_.half_length - rounding;
    x << (across > 0.0 ? r * d.x() / across : r), (across > 0.0 ? r * d.y() / across : 0.0), (d.z() < 0.0 ? -h : h);
  }

  template <class Visit>
  void list_directions(const Visit& visit) const {
    visit(Vector3::UnitZ());
    visit(-Vector3::UnitZ());
    for (const Vector3& m : a_.normals) visit(-m);
    for (const Vector3& d : a_.directions) {
      const Vector3 n = d.cross(Vector3::UnitZ());
      if (n.norm() > 1e-6) visit(n.normalized()), visit(-n.normalized());
    }
    const Vector3 radial(a_.pose.x.x(), a_.pose.x.y(), 0.0);
    if (radial.norm() > 1e-9 * size_) visit(radial.normalized());
  }

  void propose(const Vector3& n, Proposal& best) const {
    const int end = n.z() < 0.0 ? -1 : 1;
    const Index v = a_.support(-n);
    const auto take = [&](const Candidate& c, double stray) {
      if (c.normal.allFinite() && c.normal.squaredNorm() > 0.5)
        best.offer(c, separation(direction_of(c)), stray, size_);
    };
    // Faces first: of equals the first wins.
    for (const Index e : a_.shape->edges_at(v))
      for (const Index f : {a_.shape->edge(e).left, a_.shape->edge(e).right}) {
        if (f < 0) continue;
        const double along = a_.normal(f).z();
        for (const int rim : {-1, 1}) {
          if (along * rim > 1e-6) continue;  // the rim at the far end
          const Candidate c = face_rim(f, rim);
          take(c, beyond_face(f, c.place));
        }
      }
    const auto beyond_edge = [&](const Candidate& c) { return std::abs(c.first.parameter) - c.first.half_length; };
    const Vector3& x = a_.vertex(v);
    take(vertex_cap(v, end), std::hypot(x.x(), x.y()) - b_.radius);
    take(vertex_side(v), std::abs(x.z()) - b_.half_length);
    for (const Index e : a_.shape->edges_at(v)) {
      const Candidate c = edge_side(e, n);
      take(c, std::max(beyond_edge(c), std::abs(c.second.parameter) - b_.half_length));
    }
    for (const int rim : {end, -end}) {
      const Ring ring = b_.ring(rim);
      for (const Index e : a_.shape->edges_at(v)) {
        double starts[3] = {ring.angle_of(n), 0.0, 0.0};
        const int count = 1 + crossing_angles(ring, a_.start(e), a_.direction(e), starts + 1);
        for (int k = 0; k < count; ++k) {
          const Candidate c = edge_rim(e, rim, n, starts[k]);
          take(c, beyond_edge(c));
        }
      }
      take(vertex_rim(v, rim), 0.0);
    }
  }

 private:
  // Where the contact lies beyond its features (a flat position), contacts of the company stand for it.
  void drop_stray() {
    auto& candidates = scratch_.candidates;
    if (!strays_ || candidates.size() < 2) return;
    for (std::size_t k = 1; k < candidates.size(); ++k)
      if (candidates[k].gap <= candidates[0].gap + 1e-10 * size_) {
        candidates.erase(candidates.begin());
        return;
      }
  }

  Candidate vertex_cap(Index v, int end) const {
    Candidate c;
    c.kind = PrimitiveKind::ball_plane;
    c.first = vertex_feature(*a_.shape, v, radius_);
    c.second = b_.cap_feature(end);
    c.first_id = c.first_bound = feature_id(Element::vertex, number(v));
    c.second_id = c.second_bound = CylinderView::cap_id(end);
    c.normal << 0.0, 0.0, end;
    c.place = a_.vertex(v);
    c.gap = end * c.place.z() - b_.half_length - radius_;
    return c;
  }

  Candidate vertex_side(Index v) const {
    Candidate c;
    c.kind = PrimitiveKind::ball_line;
    c.first = vertex_feature(*a_.shape, v, radius_);
    c.second = b_.side_feature();
    c.first_id = c.first_bound = feature_id(Element::vertex, number(v));
    c.second_id = c.second_bound = CylinderView::side_id();
    c.place = a_.vertex(v);
    c.second.parameter = c.place.z();
    const double across = std::hypot(c.place.x(), c.place.y());
    if (!(across > 1e-9 * b_.radius)) return c;  // on the axis: no direction
    c.normal << c.place.x() / across, c.place.y() / across, 0.0;
    c.gap = across - b_.radius - radius_;
    return c;
  }

  Candidate vertex_rim(Index v, int end) const {
    Candidate c;
    const Vector3& x = a_.vertex(v);
    const double across = std::hypot(x.x(), x.y());
    if (!(across > 0.0)) return c;
    const Vector3 on_rim(b_.radius * x.x() / across, b_.radius * x.y() / across, end * b_.half_length);
    const Vector3 d = x - on_rim;
    const double distance = d.norm();
    if (!(distance > 1e-12 * size_)) return c;
    c.normal = d / distance;
    c.first = vertex_feature(*a_.shape, v, radius_);
    c.first_id = c.first_bound = feature_id(Element::vertex, number(v));
    c.second_id = c.second_bound = CylinderView::rim_id(end);
    c.place = on_rim;
    c.gap = distance - radius_;
    if (radius_ > 0.0) {
      c.kind = PrimitiveKind::ball_ring;
      c.second = b_.rim_feature(end, b_.ring(end).angle_of(on_rim));
    } else {  // both sharp: the normal is frozen
      c.kind = PrimitiveKind::ball_plane;
      c.second.point = on_rim;
      c.second.direction = c.normal;
    }
    return c;
  }

  Candidate edge_side(Index e, const Vector3& n) const {
    Candidate c;
    Vector3 normal = a_.direction(e).cross(Vector3::UnitZ());
    const double sine = normal.norm();
    if (sine < 1e-6) return c;  // parallel: a stretch
    normal /= sine;
    c.side = normal.dot(n) >= 0.0 ? 1.0 : -1.0;
    c.kind = PrimitiveKind::line_line;
    c.first = edge_feature(*a_.shape, e, radius_);
    c.second = b_.side_feature();
    c.first_id = c.first_bound = feature_id(Element::edge, number(e));
    c.second_id = c.second_bound = CylinderView::side_id();
    double s, t;
    closest_of_lines(a_.start(e), a_.direction(e), Vector3::Zero(), Vector3::UnitZ(), s, t);
    c.first.parameter = s - 0.5 * a_.length(e);
    c.second.parameter = t;
    c.normal = c.side * normal;
    c.place = a_.start(e) + s * a_.direction(e);
    c.gap = c.normal.dot(c.place) - b_.radius - radius_;
    return c;
  }

  Candidate edge_rim(Index e, int end, const Vector3& n, double start) const {
    Candidate c;
    const Ring ring = b_.ring(end);
    const Vector3 &p = a_.start(e), &d = a_.direction(e);
    const double angle = closest_ring_line(ring, p, d, start);
    const Vector3 x = ring.point(angle), t = ring.tangent(angle);
    Vector3 normal = d.cross(t);
    const double sine = normal.norm();
    if (sine < 1e-4) return beside_rim(e, end, angle);
    normal /= sine;
    c.side = normal.dot(n) >= 0.0 ? 1.0 : -1.0;
    c.kind = PrimitiveKind::line_ring;
    c.first = edge_feature(*a_.shape, e, radius_);
    c.second = b_.rim_feature(end, angle);
    c.first_id = c.first_bound = feature_id(Element::edge, number(e));
    c.second_id = c.second_bound = CylinderView::rim_id(end);
    c.normal = c.side * normal;
    c.place = x;
    const double s = d.dot(x - p);
    c.first.parameter = s - 0.5 * a_.length(e);
    c.gap = c.normal.dot(p + s * d - x) - radius_;
    return c;
  }

  // An edge along the tangent of the rim: the tangents make no normal, the connection does. The point of the edge is
  // frozen.
  Candidate beside_rim(Index e, int end, double angle) const {
    Candidate c;
    const Vector3 x = b_.ring(end).point(angle);
    const double s = a_.direction(e).dot(x - a_.start(e));
    const Vector3 point = a_.start(e) + s * a_.direction(e), d = point - x;
    const double distance = d.norm();
    if (!(distance > 1e-9 * size_)) return c;
    c.normal = d / distance;
    c.first.point = a_.own(point);
    c.first.radius = radius_;
    c.first.parameter = s - 0.5 * a_.length(e);
    c.first.half_length = 0.5 * a_.length(e);
    c.first_id = feature_id(Element::span, 2 * number(e));
    c.second_id = c.second_bound = CylinderView::rim_id(end);
    c.place = x;
    c.gap = distance - radius_;
    if (radius_ > 0.0) {
      c.kind = PrimitiveKind::ball_ring;
      c.second = b_.rim_feature(end, angle);
    } else {
      c.kind = PrimitiveKind::ball_plane;
      c.second.point = x;
      c.second.direction = c.normal;
    }
    return c;
  }

  Candidate face_rim(Index f, int end) const {
    Candidate c;
    const Vector3& m = a_.normal(f);
    const double across = std::hypot(m.x(), m.y());
    c.first_is_b = true;
    c.second = face_feature(*a_.shape, f, radius_);
    c.second_id = c.second_bound = feature_id(Element::face, number(f));
    c.normal = m;
    const double angle = b_.lowest_angle(end, m);
    c.place = b_.ring(end).point(angle);
    c.gap = m.dot(c.place - a_.vertex(a_.shape->loop(f)[0])) - radius_;
    if (!b_.nearly_flat(across, c.gap, call_.margin)) {
      c.kind = PrimitiveKind::rim_plane;
      c.first = b_.rim_feature(end, angle);
      c.first_id = c.first_bound = CylinderView::rim_id(end);
    } else {
      c.kind = PrimitiveKind::ball_plane;
      c.first.point = c.place;
      c.first_id = CylinderView::rim_point_id(end, 0);
    }
    return c;
  }

  // What no features stand for: the extreme points along n and n itself.
  Candidate frozen(const Vector3& n) const {
    Candidate c;
    const Index v = a_.support(-n);
    c.kind = PrimitiveKind::ball_plane;
    c.first = vertex_feature(*a_.shape, v, radius_);
    c.first_id = feature_id(Element::vertex, number(v));
    c.second.direction = n;
    c.second.point = (b_.radius * std::hypot(n.x(), n.y()) + b_.half_length * std::abs(n.z())) * n;
    c.second_id = feature_id(Element::body);
    c.normal = n;
    c.place = a_.vertex(v);
    c.gap = separation(n);
    return c;
  }

  // --- company in flat positions

  void add(Candidate c, double closest) {
    if (!(c.gap <= call_.margin) || c.gap < closest - 1e-9 * size_) return;
    for (std::size_t k = strays_ ? 1 : 0; k < scratch_.candidates.size(); ++k) {
      const Candidate& other = scratch_.candidates[k];
      if ((other.place - c.place).norm() < 0.02 * size_) return;
      if (other.first_is_b == c.first_is_b && other.first_id == c.first_id && other.second_id == c.second_id) return;
    }
    scratch_.candidates.push_back(c);
  }

  Candidate point_plane(bool on_cylinder, const Vector3& x, double r, FeatureId x_id, const Feature& plane,
                        FeatureId plane_id, const Vector3& normal, double gap) const {
    Candidate c;
    c.kind = PrimitiveKind::ball_plane;
    c.first_is_b = on_cylinder;
    c.first.point = on_cylinder ? x : a_.own(x);
    c.first.radius = r;
    c.first_id = x_id;
    c.second = plane;
    c.second_id = plane_id;
    c.normal = normal;
    c.place = x;
    c.gap = gap;
    return c;
  }

  Index incident_face(const Vector3& n, double& along) const {
    Index face = -1;
    along = 2.0;
    for (Index f = 0; f < a_.face_count(); ++f)
      if (n.dot(a_.normal(f)) < along - 1e-9) along = n.dot(a_.normal(f)), face = f;
    return face;
  }

  double beyond_face(Index f, const Vector3& x) const {
    double most = -1.0;
    const auto loop = a_.shape->loop(f), edges = a_.shape->loop_of_edges(f);
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const Vector3& along = a_.direction(edges[k]);
      const Vector3 out =
          a_.shape->edge(edges[k]).start == loop[k] ? along.cross(a_.normal(f)) : a_.normal(f).cross(along);
      most = std::max(most, out.dot(x - a_.vertex(loop[k])));
    }
    return most;
  }

  void flat_contacts(const Vector3& n, double closest) {
    if (a_.vertex_count() == 1) return;
    double along;
    const Index face = incident_face(n, along);
    if (std::abs(n.z()) > flat_cosine) on_cap(n.z() > 0.0 ? 1 : -1, face, along, closest);
    if (std::abs(n.z()) < flat_sine) {
      if (face >= 0 && along < -flat_cosine) side_on_face(face, closest);
      along_edges(n, closest);
    }
  }

  // The polytope's incident face (or segment) over the cap: its corners and edges over the disc, and points of the rim
  // under the face.
  void on_cap(int end, Index face, double along, double closest) {
    const Feature cap = b_.cap_feature(end);
    const FeatureId cap_id = CylinderView::cap_id(end);
    const Vector3 up(0.0, 0.0, end);
    const auto height = [&](const Vector3& x) { return end * x.z() - b_.half_length - radius_; };
    const auto corner = [&](Index v) {
      if (std::hypot(a_.vertex(v).x(), a_.vertex(v).y()) <= b_.radius) add(vertex_cap(v, end), closest);
    };
    // Where an edge crosses the circle, seen along the axis: the crossing is frozen in the edge.
    const auto crossings = [&](Index e) {
      const Vector3 &p = a_.start(e), &d = a_.direction(e);
      const double aa = d.x() * d.x() + d.y() * d.y(), ab = p.x() * d.x() + p.y() * d.y();
      const double cc = p.x() * p.x() + p.y() * p.y() - b_.radius * b_.radius, root = ab * ab - aa * cc;
      if (!(root > 0.0) || aa < 1e-6) return;
      for (const int sign : {-1, 1}) {
        const double t = (-ab + sign * std::sqrt(root)) / aa;
        if (t <= 0.0 || t >= a_.length(e)) continue;
        const Vector3 x = p + t * d;
        const FeatureId id = feature_id(Element::span, 2 * number(e) + (sign > 0));
        add(point_plane(false, x, radius_, id, cap, cap_id, up, height(x)), closest);
      }
    };
    if (face < 0) {
      corner(0);
      corner(1);
      crossings(0);
      return;
    }
    for (const Index v : a_.shape->loop(face)) corner(v);
    if (along < -flat_cosine) {
      const Feature plane = face_feature(*a_.shape, face, radius_);
      const Vector3& m = a_.normal(face);
      const Ring ring = b_.ring(end);
      const double start = b_.lowest_angle(end, m);
      for (int quarter = 0; quarter < 4; ++quarter) {
        const Vector3 x = ring.point(start + quarter * 0.5 * M_PI);
        if (beyond_face(face, x) > 1e-12 * size_) continue;
        const double gap = m.dot(x - a_.vertex(a_.shape->loop(face)[0])) - radius_;
        add(point_plane(true, x, 0.0, CylinderView::rim_point_id(end, quarter), plane,
                        feature_id(Element::face, number(face)), m, gap),
            closest);
      }
    }
    for (const Index e : a_.shape->loop_of_edges(face)) crossings(e);
  }

  // The line of the side that is nearest to a face, as far as it lies over it: rims at its ends, balls on the axis
  // where it is cut.
  void side_on_face(Index face, double closest) {
    const Vector3& m = a_.normal(face);
    const double across = std::hypot(m.x(), m.y());
    const Vector3 u(-m.x() / across, -m.y() / across, 0.0);
    auto& polygon = scratch_.polygon;
    polygon.clear();
    for (const int end : {-1, 1}) {
      ClipCorner corner;
      corner.x = b_.radius * u + end * b_.half_length * Vector3::UnitZ();
      corner.vertex = end;
      corner.next_edge = 0;
      polygon.push_back(corner);
    }
    // The ends carry -1 and 1 as vertices, cut points none.
    clip_to_face(a_, face, border * a_.shape->size, scratch_);
    const Feature plane = face_feature(*a_.shape, face, radius_);
    const FeatureId face_id = feature_id(Element::face, number(face));
    Index cut = 0;
    for (const ClipCorner& corner : polygon) {
      const double gap = m.dot(corner.x - a_.vertex(a_.shape->loop(face)[0])) - radius_;
      if (corner.side < 0) {
        Candidate c = point_plane(true, corner.x, 0.0, CylinderView::rim_id(corner.vertex), plane, face_id, m, gap);
        c.kind = PrimitiveKind::rim_plane;
        c.first = b_.rim_feature(corner.vertex, b_.lowest_angle(corner.vertex, m));
        c.second_bound = face_id;
        add(c, closest);
      } else {
        const double r = b_.radius * across;  // the ball that touches the plane where the line of the side is cut
        Candidate c =
            point_plane(true, corner.x + r * m, r, feature_id(Element::span, number(cut)), plane, face_id, m, gap);
        c.place = corner.x;
        add(c, closest);
        ++cut;
      }
    }
  }

  // An edge beside the side, almost parallel to the axis: the ends of the common stretch.
  void along_edges(const Vector3& n, double closest) {
    const Index v = a_.support(-n);
    for (const Index e : a_.shape->edges_at(v)) {
      const Vector3 &p = a_.start(e), &d = a_.direction(e);
      if (std::hypot(d.x(), d.y()) > 0.1) continue;
      const auto at = [&](double t, FeatureId id) {
        const Vector3 x = p + t * d;
        const double across = std::hypot(x.x(), x.y());
        if (!(across > 0.0) || std::abs(x.z()) > b_.half_length * (1.0 + 1e-9)) return;
        Candidate c;
        c.kind = PrimitiveKind::ball_line;
        c.first.point = a_.own(x);
        c.first.radius = radius_;
        c.first_id = id;
        c.second = b_.side_feature();
        c.second.parameter = x.z();
        c.second_id = CylinderView::side_id();
        c.normal << x.x() / across, x.y() / across, 0.0;
        c.place = x;
        c.gap = across - b_.radius - radius_;
        if (c.normal.dot(n) > flat_cosine) add(c, closest);
      };
      at(0.0, feature_id(Element::vertex, number(a_.shape->edge(e).start)));
      at(a_.length(e), feature_id(Element::vertex, number(a_.shape->edge(e).end)));
      for (const int end : {-1, 1}) {
        const double t = (end * b_.half_length - p.z()) / d.z();
        if (t > 0.0 && t < a_.length(e)) at(t, feature_id(Element::span, 2 * number(e) + (end > 0)));
      }
    }
  }

  const PairCall& call_;
  PairScratch& scratch_;
  PolytopeView& a_;
  const CylinderView& b_;
  double radius_;  // around the polytope
  double size_;
  bool strays_ = false;  // the first candidate lies beyond its features
};

}  // namespace

void polytope_cylinder(const PairCall& call) {
  double radius;
  const Polytope& core = *core_of(call.a, radius);
  const Cylinder& shape = call.b.as<Cylinder>();
  const CylinderView cylinder{shape.radius, shape.half_length, {}};
  const double apart = call.margin + core.size + radius + shape.reach();
  if ((call.pose_a.x - call.pose_b.x).squaredNorm() > apart * apart) return;
  call.scratch.a.place(core, radius, {call.pose_b.local(call.pose_a.x), call.pose_b.R.transpose() * call.pose_a.R});
  PolytopeCylinder pair(call, call.scratch.a, cylinder);
  pair.find();
  pair.emit();
}

}  // namespace carom::geometry
