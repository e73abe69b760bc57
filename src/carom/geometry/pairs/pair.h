// What the pairs share: the sides of a polytope pair in one frame, candidates of contacts, and the reduction to four.
#pragma once

#include <vector>

#include "carom/geometry/contact_features.h"
#include "carom/geometry/polytope.h"
#include "carom/geometry/shape.h"

namespace carom::geometry {

// A polytope with a radius around it, carried into the frame of the pair (that of shape b).
struct PolytopeView {
  const Polytope* shape = nullptr;
  double radius = 0.0;
  std::vector<Vector3> vertices, normals, directions;  // of vertices, faces, edges

  void place(const Polytope& polytope, double r, const Pose& in_pair);
  bool has_faces() const { return !normals.empty(); }
  const Vector3& vertex(Index v) const { return vertices[static_cast<std::size_t>(v)]; }
  const Vector3& normal(Index f) const { return normals[static_cast<std::size_t>(f)]; }
  const Vector3& direction(Index e) const { return directions[static_cast<std::size_t>(e)]; }
  Index vertex_count() const { return static_cast<Index>(vertices.size()); }
  Index face_count() const { return static_cast<Index>(normals.size()); }
  Index edge_count() const { return static_cast<Index>(directions.size()); }
  Index support(const Vector3& d) const;  // vertex furthest along d, the first of equals
  const Vector3& start(Index e) const { return vertex(shape->edge(e).start); }
  double length(Index e) const { return shape->edge(e).length; }
  // A point given in the frame of the pair, in the polytope's own frame.
  Vector3 own(const Vector3& x) const { return pose.local(x); }
  Pose pose;  // of the polytope in the pair
};

// A contact that may become one of the four. Features are in the frames of their shapes, normal and place in the frame
// of the pair.
struct Candidate {
  PrimitiveKind kind = {};
  bool first_is_b = false;
  Feature first, second;
  FeatureId first_id, second_id;
  double gap = 0.0;
  Vector3 normal = Vector3::Zero(), place = Vector3::Zero();  // normal from second to first
  double side = 1.0;
  bool closest = false;                 // found as the closest features, not as company
  FeatureId first_bound, second_bound;  // the elements whose windows hold; Element::body for none
};

// A corner of the incident polygon while it is clipped by the sides of the reference face, with a memory of where it
// comes from.
struct ClipCorner {
  Vector3 x;
  Index vertex = -1;           // of the incident polytope
  Index edge = -1, side = -1;  // where an incident edge crosses a side of the reference face
  Index other_side = -1;       // with `side`: the corner of the reference face between two of its sides
  Index next_edge = -1,
        next_side = -1;  // what the way to the next corner lies on: an incident edge or a side of the reference face
};

// A disc (one corner, no sides) or polygon in the frame of the pair. Side k runs from corner k to the next,
// counterclockwise.
struct PolygonView {
  double radius = 0.0, size = 0.0;
  Pose pose;  // in the pair
  std::vector<Vector3> corners, normals;

  void place(const Shape& shape, const Pose& in_pair);
  std::size_t count() const { return corners.size(); }
  bool has_sides() const { return !normals.empty(); }
  std::size_t next(std::size_t k) const { return k + 1 == corners.size() ? 0 : k + 1; }
  std::size_t before(std::size_t k) const { return k == 0 ? corners.size() - 1 : k - 1; }
  double height(std::size_t side, const Vector3& x) const { return normals[side].dot(x - corners[side]); }
  Vector3 along(std::size_t side) const { return {-normals[side].y(), normals[side].x(), 0.0}; }
  double length(std::size_t side) const { return (corners[next(side)] - corners[side]).norm(); }
};

struct PairScratch {
  PolytopeView a, b;
  PolygonView polygon_a, polygon_b;
  struct CurveDistance {
    double value;        // signed distance of a sample of one curve from the other
    std::size_t sample;  // of the other, the nearest
  };
  std::vector<CurveDistance> curve_distances;
  std::vector<ClipCorner> polygon, clipped;
  std::vector<Candidate> candidates;
  std::vector<double> a_normals_b_edges, b_normals_a_edges;  // products of face normals and edge directions
};

// One call of the narrow phase for plain shapes.
struct PairCall {
  const Shape& a;
  const Shape& b;
  const Pose& pose_a;
  const Pose& pose_b;
  double margin;
  PairScratch& scratch;
  ContactList& contacts;
};
using PairFunction = void (*)(const PairCall&);

// A polytope's features and the windows that belong to them, in its own frame.
Feature vertex_feature(const Polytope& p, Index v, double radius);
Feature edge_feature(const Polytope& p, Index e, double radius);
Feature face_feature(const Polytope& p, Index f, double radius);
void set_vertex_window(const Polytope& p, Index v, const Vector3& direction, Window& window);
void set_edge_window(const Polytope& p, Index e, Window& window);
void set_face_window(const Polytope& p, Index f, const Vector3& point, Window& window);
void set_window(const Polytope& p, FeatureId id, const Vector3& point, const Vector3& direction, Window& window);

// Keeps at most four candidates: those that span most, always the closest features or, if
// none are marked, the smallest gap; sorted by gap.
void reduce_to_four(std::vector<Candidate>& candidates, const Vector3& normal, double size);

// Appends a candidate to the list and returns its windows, still without bounds.
ContactWindows& append(const Candidate& candidate, const Pose& pair, ContactList& contacts);

// The core of sphere, capsule, box or polyhedron and its radius; null for other shapes.
const Polytope* core_of(const Shape& shape, double& radius);

}  // namespace carom::geometry
