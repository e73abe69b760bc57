// Sphere, capsule, box and polyhedron with each other (two spheres: sphere_sphere.cc). All are polytopes (a point, a
// segment, a solid) with a radius around them; what follows is about the polytopes, and the radii are taken off the gap
// in the end.
//
//  1. The separation s(n) = min n.a - max n.b over the normals of faces and over the cross products of edges. Its
//     maximum is minus the depth of overlapping solids, and a lower bound of the distance of separated ones.
//  2. Around the best face the incident face of the other solid is clipped: these points are the contacts. Each is a
//     pair of points of the solids, hence an upper bound of the distance: where it meets the lower bound, the distance
//     is proved and nothing else is needed.
//  3. Otherwise the distance is that of two edges, of a corner and an edge, or of two corners: edges by their own
//  bound,
//     the rest by GJK, whose last simplex names the features. Points around an almost parallel face or along an almost
//     parallel edge join them.
//
// Faces win over edges unless these are better by more than rounding; of equals the first wins.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/geometry/closest.h"
#include "carom/geometry/pairs/clip.h"
#include "carom/geometry/pairs/gjk.h"
#include "carom/geometry/pairs/pairs.h"

namespace carom::geometry {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double flat_cosine = 0.966;  // 15 degrees: where contacts of a face may accompany those of an edge or corner
constexpr double parallel_sine = 0.1;  // where two edges may touch along a stretch
constexpr double certain = 1e-11;      // times the size: when two bounds of the distance count as one
constexpr double preference = 1e-10;   // times the size: by how much an edge axis must beat a face axis
constexpr double touching =
    1e-8;  // times the size: below it solids count as overlapping; GJK could not tell their normal

// Where solids touch, what lies on a side of a face stays there while they wander by what the solver leaves: bricks of
// a wall have common sides, and each contact must find its impulse of the step before. Times the size.
constexpr double same_side = 1e-7;

std::uint32_t number(Index k) { return static_cast<std::uint32_t>(k); }

struct FaceAxis {
  Index face = -1;
  double s = -infinity;
};

struct EdgeAxis {
  Index a = -1, b = -1;
  double s = -infinity;
  Vector3 n = Vector3::Zero();  // from b to a
};

class PolytopePair {
 public:
  PolytopePair(const PairCall& call, PolytopeView& a, PolytopeView& b)
      : call_(call), scratch_(call.scratch), a_(a), b_(b), radii_(a.radius + b.radius), reach_(call.margin + radii_) {
    size_ = std::numeric_limits<double>::infinity();
    for (const PolytopeView* view : {&a, &b}) {
      const double size = std::max(view->shape->size, view->radius);
      size_ = std::min(size_, size);
    }
    scratch_.candidates.clear();
  }

  void find() {
    if (a_.vertex_count() == 1)
      ball(a_, b_, false);
    else if (b_.vertex_count() == 1)
      ball(b_, a_, true);
    else if (!a_.has_faces() && !b_.has_faces())
      segments();
    else
      solids();
  }

  void emit() {
    auto& candidates = scratch_.candidates;
    std::erase_if(candidates, [&](const Candidate& c) { return !(c.gap <= call_.margin); });
    if (candidates.empty()) return;
    const Vector3 n = candidates.front().first_is_b ? Vector3(-candidates.front().normal) : candidates.front().normal;
    reduce_to_four(candidates, n, size_);
    for (const Candidate& c : candidates) {
      const PolytopeView &first = c.first_is_b ? b_ : a_, &second = c.first_is_b ? a_ : b_;
      ContactWindows& windows = append(c, call_.pose_b, call_.contacts);
      set_window(*first.shape, c.first_bound, first.own(c.place), first.pose.local_direction(-c.normal), windows.first);
      set_window(*second.shape, c.second_bound, second.own(c.place), second.pose.local_direction(c.normal),
                 windows.second);
    }
  }

 private:
  // --- candidates. x_is_b tells to which shape the first feature belongs; d is the vector from second to first of the
  // cores.

  Candidate& add(PrimitiveKind kind, bool first_is_b) {
    Candidate& c = scratch_.candidates.emplace_back();
    c.kind = kind;
    c.first_is_b = first_is_b;
    return c;
  }

  void vertex_face(const PolytopeView& x, Index v, const PolytopeView& y, Index f, bool x_is_b) {
    Candidate& c = add(PrimitiveKind::ball_plane, x_is_b);
    c.first = vertex_feature(*x.shape, v, x.radius);
    c.second = face_feature(*y.shape, f, y.radius);
    c.first_id = c.first_bound = feature_id(Element::vertex, number(v));
    c.second_id = c.second_bound = feature_id(Element::face, number(f));
    c.normal = y.normal(f);
    c.place = x.vertex(v);
    c.gap = height(y, f, x.vertex(v)) - radii_;
  }

  // A point of x, frozen, over the face f of y.
  void point_face(const PolytopeView& x, const Vector3& point, FeatureId x_id, const PolytopeView& y, Index f,
                  FeatureId y_id, bool x_is_b) {
    Candidate& c = add(PrimitiveKind::ball_plane, x_is_b);
    c.first.point = x.own(point);
    c.first.radius = x.radius;
    c.second = face_feature(*y.shape, f, y.radius);
    c.first_id = x_id;
    c.second_id = y_id;  // no windows: it lies on the border of the face
    c.normal = y.normal(f);
    c.place = point;
    c.gap = height(y, f, point) - radii_;
  }

  // Two points with the connection d: round features keep their distance, sharp ones a frozen normal. `line` is the
  // edge on which y lies, `at_corner` for a corner, `neither` if only the normal can be frozen.
  static constexpr Index at_corner = -1, neither = -2;
  void point_point(const PolytopeView& x, const Vector3& point, FeatureId x_id, const PolytopeView& y,
                   const Vector3& other, FeatureId y_id, Index line, bool x_is_b) {
    const Vector3 d = point - other;
    const double distance = d.norm();
    const bool round = radii_ > 0.0 && line != neither;
    Candidate& c = add(!round              ? PrimitiveKind::ball_plane
                       : line == at_corner ? PrimitiveKind::ball_ball
                                           : PrimitiveKind::ball_line,
                       x_is_b);
    c.first.point = x.own(point);
    c.first.radius = x.radius;
    c.normal = distance > 0.0 ? Vector3(d / distance) : Vector3(Vector3::UnitZ());
    if (!round) {
      c.second.point = y.own(other + y.radius * c.normal);
      c.second.direction = y.pose.local_direction(c.normal);
    } else if (line == at_corner) {
      c.second.point = y.own(other);
      c.second.radius = y.radius;
    } else {
      c.second = edge_feature(*y.shape, line, y.radius);
      c.second.parameter = c.second.direction.dot(y.own(other) - c.second.point);
    }
    c.first_id = c.first_bound = x_id;
    c.second_id = c.second_bound = y_id;
    c.place = other;
    c.gap = distance - radii_;
  }

  void vertex_vertex(const PolytopeView& x, Index v, const PolytopeView& y, Index w, bool x_is_b) {
    point_point(x, x.vertex(v), feature_id(Element::vertex, number(v)), y, y.vertex(w),
                feature_id(Element::vertex, number(w)), at_corner, x_is_b);
  }

  void vertex_edge(const PolytopeView& x, Index v, const PolytopeView& y, Index e, bool x_is_b) {
    const double t = closest_on_segment(y.start(e), y.direction(e), y.length(e), x.vertex(v));
    if (t <= 0.0) return vertex_vertex(x, v, y, y.shape->edge(e).start, x_is_b);
    if (t >= y.length(e)) return vertex_vertex(x, v, y, y.shape->edge(e).end, x_is_b);
    point_point(x, x.vertex(v), feature_id(Element::vertex, number(v)), y, y.start(e) + t * y.direction(e),
                feature_id(Element::edge, number(e)), e, x_is_b);
  }

  void edge_edge(Index ea, Index eb, const Vector3& n) {
    double s, t;
    closest_of_lines(a_.start(ea), a_.direction(ea), b_.start(eb), b_.direction(eb), s, t);
    Candidate& c = add(PrimitiveKind::line_line, false);
    c.first = edge_feature(*a_.shape, ea, a_.radius);
    c.second = edge_feature(*b_.shape, eb, b_.radius);
    c.first.parameter = s - 0.5 * a_.length(ea);
    c.second.parameter = t - 0.5 * b_.length(eb);
    c.first_id = c.first_bound = feature_id(Element::edge, number(ea));
    c.second_id = c.second_bound = feature_id(Element::edge, number(eb));
    const Vector3 cross = a_.direction(ea).cross(b_.direction(eb)).normalized();
    c.side = cross.dot(n) >= 0.0 ? 1.0 : -1.0;
    c.normal = c.side * cross;
    c.place = b_.start(eb) + t * b_.direction(eb);
    // At the closest points, not anywhere on the lines: the normal of almost parallel ones is known poorly along them.
    c.gap = c.normal.dot(a_.start(ea) + s * a_.direction(ea) - c.place) - radii_;
  }

  // --- a ball and anything

  double height(const PolytopeView& y, Index f, const Vector3& x) const {
    return y.normal(f).dot(x - y.vertex(y.shape->loop(f)[0]));
  }

  bool over_face(const PolytopeView& y, Index f, const Vector3& x) const {
    const auto loop = y.shape->loop(f), edges = y.shape->loop_of_edges(f);
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const Vector3& along = y.direction(edges[k]);
      const Vector3 out =
          y.shape->edge(edges[k]).start == loop[k] ? along.cross(y.normal(f)) : y.normal(f).cross(along);
      if (out.dot(x - y.vertex(loop[k])) > 0.0) return false;
    }
    return true;
  }

  void ball(const PolytopeView& x, const PolytopeView& y, bool x_is_b) {
    const Vector3& centre = x.vertex(0);
    if (y.vertex_count() == 1) return vertex_vertex(x, 0, y, 0, x_is_b);
    if (!y.has_faces()) return vertex_edge(x, 0, y, 0, x_is_b);
    FaceAxis best;
    for (Index f = 0; f < y.face_count(); ++f) {
      const double h = height(y, f, centre);
      if (h > best.s) best = {f, h};
      if (h > reach_) return;
    }
    if (best.s <= 0.0 || over_face(y, best.face, centre)) return vertex_face(x, 0, y, best.face, x_is_b);
    Index nearest = -1;
    double least = infinity;
    for (Index f = 0; f < y.face_count(); ++f)
      if (height(y, f, centre) > 0.0 && over_face(y, f, centre)) return vertex_face(x, 0, y, f, x_is_b);
    for (Index e = 0; e < y.edge_count(); ++e) {
      const double t = closest_on_segment(y.start(e), y.direction(e), y.length(e), centre);
      const double square = (y.start(e) + t * y.direction(e) - centre).squaredNorm();
      if (square < least) least = square, nearest = e;
    }
    vertex_edge(x, 0, y, nearest, x_is_b);
  }

  // --- two edges that may be parallel

  // The ends of the stretch along which two edges run beside each other, each a corner of one on the other.
  void stretch(Index ea, Index eb) {
    if (a_.direction(ea).cross(b_.direction(eb)).norm() > parallel_sine) return;
    const auto ends = [&](const PolytopeView& x, Index ex, const PolytopeView& y, Index ey, bool x_is_b) {
      for (const Index v : {x.shape->edge(ex).start, x.shape->edge(ex).end}) {
        const double t = y.direction(ey).dot(x.vertex(v) - y.start(ey));
        // Where an end of one lies beside an end of the other, only one of the two counts.
        const double slop = (x_is_b ? -1e-9 : 1e-9) * size_;
        if (t >= -slop && t <= y.length(ey) + slop) vertex_edge(x, v, y, ey, x_is_b);
      }
    };
    ends(a_, ea, b_, eb, false);
    ends(b_, eb, a_, ea, true);
  }

  void segments() {
    double s, t;
    const bool crossing = closest_of_lines(a_.start(0), a_.direction(0), b_.start(0), b_.direction(0), s, t);
    const double sine = a_.direction(0).cross(b_.direction(0)).norm();
    const bool inside = s > 0.0 && s < a_.length(0) && t > 0.0 && t < b_.length(0);
    auto& candidates = scratch_.candidates;
    if (crossing && inside && sine > 1e-6) {
      const Vector3 d = a_.start(0) + s * a_.direction(0) - b_.start(0) - t * b_.direction(0);
      edge_edge(0, 0, d);
    } else {  // a corner of one is closest
      for (const Index v : {0, 1}) vertex_edge(a_, v, b_, 0, false);
      for (const Index v : {0, 1}) vertex_edge(b_, v, a_, 0, true);
      std::size_t nearest = 0;
      for (std::size_t k = 1; k < candidates.size(); ++k)
        if (candidates[k].gap < candidates[nearest].gap - 1e-12 * size_) nearest = k;
      candidates[0] = candidates[nearest];
      candidates.resize(1);
    }
    if (candidates[0].gap > call_.margin) return;
    if (sine < parallel_sine) {
      stretch(0, 0);
      drop_neighbours();
    }
  }

  // Of the candidates that came after the first, those almost at its place say nothing new; and none is closer, only
  // measured along a normal that is not quite the shortest way.
  void drop_neighbours() {
    auto& candidates = scratch_.candidates;
    if (candidates.empty()) return;
    const Candidate first = candidates.front();
    std::size_t kept = 1;
    for (std::size_t k = 1; k < candidates.size(); ++k)
      if ((candidates[k].place - first.place).norm() > 0.02 * size_ &&
          candidates[k].gap >= first.gap - certain * size_) {
        if (k != kept) candidates[kept] = candidates[k];
        ++kept;
      }
    candidates.resize(kept);
  }

  // --- two solids, or a solid and a segment

  FaceAxis best_face(const PolytopeView& x, const PolytopeView& y) const {
    FaceAxis best;
    for (Index f = 0; f < x.face_count(); ++f) {
      const Vector3& n = x.normal(f);
      double least = infinity;
      for (const Vector3& v : y.vertices) least = std::min(least, n.dot(v));
      const double s = least - n.dot(x.vertex(x.shape->loop(f)[0]));
      if (s > best.s + 1e-12 * size_) best = {f, s};
      if (s > reach_) break;
    }
    return best;
  }

  // Edges whose arcs on the sphere of normals cross: only their cross products are normals of the difference of the
  // solids.
  EdgeAxis best_edges() {
    const auto products = [](const PolytopeView& faces, const PolytopeView& edges, std::vector<double>& table) {
      table.resize(static_cast<std::size_t>(faces.face_count() * edges.edge_count()));
      std::size_t k = 0;
      for (const Vector3& n : faces.normals)
        for (const Vector3& d : edges.directions) table[k++] = n.dot(d);
    };
    products(b_, a_, scratch_.b_normals_a_edges);
    products(a_, b_, scratch_.a_normals_b_edges);
    const auto nb_da = [&](Index f, Index e) {
      return scratch_.b_normals_a_edges[static_cast<std::size_t>(f * a_.edge_count() + e)];
    };
    const auto na_db = [&](Index f, Index e) {
      return scratch_.a_normals_b_edges[static_cast<std::size_t>(f * b_.edge_count() + e)];
    };

    EdgeAxis best;
    for (Index ea = 0; ea < a_.edge_count(); ++ea) {
      const auto& edge_a = a_.shape->edge(ea);
      for (Index eb = 0; eb < b_.edge_count(); ++eb) {
        const auto& edge_b = b_.shape->edge(eb);
        if (edge_b.left >= 0) {
          const double left = nb_da(edge_b.left, ea), right = nb_da(edge_b.right, ea);
          if (!(left * right < 0.0)) continue;
          if (edge_a.left >= 0) {
            const double left_a = na_db(edge_a.left, eb), right_a = na_db(edge_a.right, eb);
            if (!(left_a * right_a < 0.0) || !(left * right_a < 0.0)) continue;
          }
        } else {
          if (!(na_db(edge_a.left, eb) * na_db(edge_a.right, eb) < 0.0)) continue;
        }
        Vector3 n = a_.direction(ea).cross(b_.direction(eb));
        const double square = n.squaredNorm();
        if (square < 1e-8) continue;  // parallel: a face or a stretch does it
        n /= std::sqrt(square);
        const double outward = edge_b.left >= 0 ? n.dot(b_.normal(edge_b.left) + b_.normal(edge_b.right))
                                                : -n.dot(a_.normal(edge_a.left) + a_.normal(edge_a.right));
        if (outward < 0.0) n = -n;
        const double s = n.dot(a_.start(ea) - b_.start(eb));
        if (s > best.s + 1e-12 * size_) best = {ea, eb, s, n};
        if (s > reach_) return best;
      }
    }
    return best;
  }

  // The contacts of the face f of x with what lies over it of y.
  void face_contacts(const PolytopeView& x, Index f, const PolytopeView& y, bool x_is_b, double proved) {
    const Vector3& n = x.normal(f);
    auto& polygon = scratch_.polygon;
    polygon.clear();
    Index incident = -1;
    if (y.has_faces()) {
      double best = 2.0;
      for (Index k = 0; k < y.face_count(); ++k) {
        const double along = n.dot(y.normal(k));
        if (along < best - 1e-9) best = along, incident = k;
      }
      const auto loop = y.shape->loop(incident), edges = y.shape->loop_of_edges(incident);
      for (std::size_t k = 0; k < loop.size(); ++k) {
        ClipCorner corner;
        corner.x = y.vertex(loop[k]);
        corner.vertex = loop[k];
        corner.next_edge = edges[k];
        polygon.push_back(corner);
      }
    } else {
      for (Index v = 0; v < y.vertex_count(); ++v) {
        ClipCorner corner;
        corner.x = y.vertex(v);
        corner.vertex = v;
        corner.next_edge = 0;
        polygon.push_back(corner);
      }
    }
    clip_to_face(x, f, proved <= touching * size_ ? same_side * size_ : border * x.shape->size, scratch_);
    const auto loop = x.shape->loop(f), edges = x.shape->loop_of_edges(f);
    for (const ClipCorner& corner : polygon) {
      if (height(x, f, corner.x) > reach_) continue;
      if (corner.vertex >= 0) {
        vertex_face(y, corner.vertex, x, f, !x_is_b);
      } else if (corner.other_side < 0) {
        const Index side = edges[static_cast<std::size_t>(corner.side)];
        point_face(y, corner.x, feature_id(Element::edge, number(corner.edge)), x, f,
                   feature_id(Element::edge, number(side)), !x_is_b);
      } else {
        // A corner of x under the incident face: against that face if they are almost parallel.
        const Index count = static_cast<Index>(loop.size());
        const Index later = (corner.side + 1) % count == corner.other_side ? corner.other_side : corner.side;
        const Index v = loop[static_cast<std::size_t>(later)];
        if (n.dot(y.normal(incident)) < -flat_cosine && height(y, incident, x.vertex(v)) >= proved - certain * size_)
          vertex_face(x, v, y, incident, x_is_b);
        else
          point_face(y, corner.x, feature_id(Element::face, number(incident)), x, f,
                     feature_id(Element::vertex, number(v)), !x_is_b);
      }
    }
  }

  // Faces almost perpendicular to n may touch along with the closest features.
  void flat_contacts(const Vector3& n, double proved) {
    Index face = -1;
    bool on_b = false;
    double best = flat_cosine;
    const auto look = [&](const PolytopeView& x, double sign, bool is_b) {
      for (Index f = 0; f < x.face_count(); ++f) {
        const double along = sign * n.dot(x.normal(f));
        if (along > best + 1e-9) best = along, face = f, on_b = is_b;
      }
    };
    look(b_, 1.0, true);
    look(a_, -1.0, false);
    if (face < 0) return;
    scratch_.candidates.front().closest = true;
    if (on_b)
      face_contacts(b_, face, a_, true, proved);
    else
      face_contacts(a_, face, b_, false, proved);
    drop_neighbours();
  }

  double least_gap() const {
    double least = infinity;
    for (const Candidate& c : scratch_.candidates) least = std::min(least, c.gap);
    return least;
  }

  void solids() {
    const FaceAxis on_a = best_face(a_, b_), on_b = best_face(b_, a_);
    if (on_a.s > reach_ || on_b.s > reach_) return;
    const bool b_refers = on_b.s >= on_a.s - (on_a.s <= touching * size_ ? same_side : preference) * size_;
    const FaceAxis face = b_refers ? on_b : on_a;
    const auto contacts_of_face = [&] {
      if (b_refers)
        face_contacts(b_, face.face, a_, true, face.s);
      else
        face_contacts(a_, face.face, b_, false, face.s);
    };
    // Separated by a face and a corner over it: nothing can be closer.
    if (face.s > 0.0) {
      contacts_of_face();
      if (least_gap() + radii_ <= face.s + certain * size_) return;
      scratch_.candidates.clear();
    }
    const EdgeAxis edges = best_edges();
    if (edges.s > reach_) return;
    if (std::max(edges.s, face.s) <= touching * size_) return overlapping(edges, face, b_refers);
    const bool by_edges = edges.s > face.s + preference * size_;
    if (by_edges && edges.s > 0.0 && crossing_inside(edges.a, edges.b)) {
      edge_edge(edges.a, edges.b, edges.n);
      return flat_contacts(edges.n, edges.s);
    }
    apart(std::max(edges.s, face.s), edges, face, b_refers);
  }

  // Overlap is short of exact anyway: faces win unless edges are clearly better. Solids at rest overlap by what the
  // solver leaves, with tilts of the same size, and there the edges' normal is worth nothing and the four points of the
  // face everything.
  void overlapping(const EdgeAxis& edges, const FaceAxis& face, bool b_refers) {
    const double clearly = 1e-6 * size_ + 0.02 * std::abs(face.s);
    if (edges.s > face.s + clearly) {
      edge_edge(edges.a, edges.b, edges.n);
      return flat_contacts(edges.n, edges.s);
    }
    const PolytopeView &x = b_refers ? b_ : a_, &y = b_refers ? a_ : b_;
    face_contacts(x, face.face, y, b_refers, face.s);
    // The deepest corner is not over the face: solids inside each other.
    if (least_gap() + radii_ > face.s + 2.0 * clearly)
      vertex_face(y, y.support(-x.normal(face.face)), x, face.face, !b_refers);
  }

  bool crossing_inside(Index ea, Index eb) const {
    double s, t;
    if (!closest_of_lines(a_.start(ea), a_.direction(ea), b_.start(eb), b_.direction(eb), s, t)) return false;
    return s >= 0.0 && s <= a_.length(ea) && t >= 0.0 && t <= b_.length(eb);
  }

  static Index edge_between(const Polytope& p, Index v, Index w) {
    for (const Index e : p.edges_at(v))
      if (p.edge(e).start == w || p.edge(e).end == w) return e;
    return -1;
  }

  // Separated, but not by a face and a corner or by crossing edges: GJK tells which features are closest.
  void apart(double bound, const EdgeAxis& edges, const FaceAxis& face, bool b_refers) {
    const auto support = [](const PolytopeView& x) {
      return [&x](const Vector3& d, Vector3& point, Index& k) {
        k = x.support(d);
        point = x.vertex(k);
      };
    };
    const Vector3 start = face.face < 0 ? edges.n : b_refers ? b_.normal(face.face) : Vector3(-a_.normal(face.face));
    const GjkResult result = gjk(support(a_), support(b_), start, 1e-14);
    const double distance = result.v.norm();
    if (!result.separated || distance < touching * size_) return overlapping(edges, face, b_refers);
    if (distance > reach_) return;
    closest_features(result);
    const double proved = std::max(bound, distance * (1.0 - 1e-12));
    flat_contacts(result.v / distance, proved);
  }

  void closest_features(const GjkResult& result) {
    Index va[4], vb[4];
    int na = 0, nb = 0;
    const auto collect = [](Index* list, int& n, Index v) {
      for (int k = 0; k < n; ++k)
        if (list[k] == v) return;
      list[n++] = v;
    };
    for (int k = 0; k < result.count; ++k) {
      collect(va, na, result.simplex[static_cast<std::size_t>(k)].ia);
      collect(vb, nb, result.simplex[static_cast<std::size_t>(k)].ib);
    }
    const Index ea = na == 2 ? edge_between(*a_.shape, va[0], va[1]) : -1,
                eb = nb == 2 ? edge_between(*b_.shape, vb[0], vb[1]) : -1;
    if (na == 1 && nb == 1) {
      vertex_vertex(a_, va[0], b_, vb[0], false);
      stretch_at(va[0], -1, vb[0], -1);
    } else if (na == 1 && eb >= 0) {
      vertex_edge(a_, va[0], b_, eb, false);
      stretch_at(va[0], -1, -1, eb);
    } else if (nb == 1 && ea >= 0) {
      vertex_edge(b_, vb[0], a_, ea, true);
      stretch_at(-1, ea, vb[0], -1);
    } else if (ea >= 0 && eb >= 0) {
      const double sine = a_.direction(ea).cross(b_.direction(eb)).norm();
      if (sine > 1e-6 && crossing_inside(ea, eb)) {
        edge_edge(ea, eb, result.v);
      } else {
        const FeatureId id_a = feature_id(Element::edge, number(ea)), id_b = feature_id(Element::edge, number(eb));
        point_point(a_, result.a, id_a, b_, result.b, id_b, eb, false);
        scratch_.candidates.back().first_bound = {};
      }
      stretch(ea, eb);
      drop_neighbours();
    } else {
      frozen(result);
    }
  }

  // Closest points that no pair of features stands for (faces parallel to rounding): the points and the normal as they
  // are.
  void frozen(const GjkResult& result) {
    const auto id = [&](Index v) { return feature_id(Element::vertex, number(v)); };
    point_point(a_, result.a, id(result.simplex[0].ia), b_, result.b, id(result.simplex[0].ib), neither, false);
    Candidate& c = scratch_.candidates.back();
    c.first_bound = c.second_bound = {};
  }

  // Edges at the closest features that run almost parallel touch along a stretch.
  void stretch_at(Index va, Index ea, Index vb, Index eb) {
    const auto try_all_b = [&](Index e) {
      if (eb >= 0) return stretch(e, eb);
      for (const Index f : b_.shape->edges_at(vb)) stretch(e, f);
    };
    if (ea >= 0)
      try_all_b(ea);
    else
      for (const Index e : a_.shape->edges_at(va)) try_all_b(e);
    drop_neighbours();
  }

  const PairCall& call_;
  PairScratch& scratch_;
  PolytopeView &a_, &b_;
  double radii_, reach_;  // reach_: largest distance of the cores that counts
  double size_;           // of the smaller solid, for tolerances
};

}  // namespace

void polytope_polytope(const PairCall& call) {
  double ra, rb;
  const Polytope &core_a = *core_of(call.a, ra), &core_b = *core_of(call.b, rb);
  const double apart = call.margin + core_a.size + core_b.size + ra + rb;
  if ((call.pose_a.x - call.pose_b.x).squaredNorm() > apart * apart) return;
  const Matrix3 R = call.pose_b.R.transpose() * call.pose_a.R;
  call.scratch.a.place(core_a, ra, {call.pose_b.local(call.pose_a.x), R});
  call.scratch.b.place(core_b, rb, {});
  PolytopePair pair(call, call.scratch.a, call.scratch.b);
  pair.find();
  pair.emit();
}

}  // namespace carom::geometry
