#include "carom/model/assembly/assembled_drawing.h"

#include <algorithm>

#include "carom/base/rotation.h"

namespace carom::model {

namespace {

// The pose whose z axis is `n` (in the plane: y axis), through offset n.
Pose along_normal(const Vector3& n, double offset, bool planar) {
  Pose pose;
  pose.x = offset * n;
  Vector3 t1, t2;
  if (planar) {
    pose.R.col(0) = Vector3(n.y(), -n.x(), 0.0);
    pose.R.col(1) = n;
    pose.R.col(2) = Vector3::UnitZ();
    return pose;
  }
  tangents(n, t1, t2);
  pose.R.col(0) = t1;
  pose.R.col(1) = t2;
  pose.R.col(2) = n;
  return pose;
}

struct ShapeDrawer {
  DrawnShape base;
  Scene& scene;

  void add(const char* kind, std::vector<double> size) {
    base.kind = kind;
    base.size = std::move(size);
    scene.shapes.push_back(base);
  }
  void operator()(const geometry::Sphere& s) { add("sphere", {s.radius}); }
  void operator()(const geometry::Box& s) {
    add("box", {2.0 * s.half_size.x(), 2.0 * s.half_size.y(), 2.0 * s.half_size.z()});
  }
  void operator()(const geometry::Capsule& s) { add("capsule", {s.radius, s.half_length}); }
  void operator()(const geometry::Cylinder& s) { add("cylinder", {s.radius, s.half_length}); }
  void operator()(const geometry::Disc& s) { add("disc", {s.radius}); }
  void operator()(const geometry::HalfSpace& s) {
    base.pose = base.pose * along_normal(s.normal, s.offset, false);
    add("half_space", {});
  }
  void operator()(const geometry::HalfPlane& s) {
    base.pose = base.pose * along_normal(s.normal, s.offset, true);
    add("half_plane", {});
  }
  void operator()(const geometry::ConvexPolyhedron& s) {
    base.points = s.core->vertices;
    for (Index f = 0; f < static_cast<Index>(s.core->faces.size()); ++f) {
      const auto loop = s.core->loop(f);
      base.faces.emplace_back(loop.begin(), loop.end());
    }
    add("polyhedron", {});
  }
  void operator()(const geometry::Polygon& s) {
    base.points = s.sides->vertices;
    add("polygon", {});
  }
  void operator()(const geometry::Profile& s) {
    for (const geometry::Curve::Sample& sample : s.curve->samples())
      base.points.push_back({sample.x.x(), sample.x.y(), 0.0});
    if (s.curve->closed())
      add("polygon", {});
    else
      add("line", {0.0});
  }
  void operator()(const geometry::Compound& s) {
    for (const geometry::PlacedShape& part : *s.parts)
      draw_shape(part.shape, base.frame, base.name, base.pose * part.pose, base.color, scene);
  }
};

}  // namespace

void draw_shape(const geometry::Shape& shape, Index frame, const std::string& name, const Pose& pose,
                const std::string& color, Scene& scene) {
  std::visit(ShapeDrawer{{.frame = frame, .name = name, .kind = {}, .pose = pose, .color = color}, scene},
             shape.value());
}

void draw_bars(Scene& scene) {
  std::vector<std::vector<Vector3>> points(scene.frames.size());
  std::vector<char> drawn(scene.frames.size(), 0);
  for (const DrawnShape& shape : scene.shapes) drawn[static_cast<std::size_t>(shape.frame)] = 1;
  const auto attach = [&](Index frame, const Vector3& point) {
    std::vector<Vector3>& known = points[static_cast<std::size_t>(frame)];
    if (std::find(known.begin(), known.end(), point) == known.end()) known.push_back(point);
  };
  for (const DrawnLink& link : scene.links) attach(link.a, link.point_a), attach(link.b, link.point_b);
  for (std::size_t f = 1; f < points.size(); ++f) {
    if (drawn[f]) continue;
    while (points[f].size() < 2) points[f].push_back(Vector3::Zero());  // a particle is a point
    scene.shapes.push_back(
        {.frame = static_cast<Index>(f), .name = scene.frames[f], .kind = "line", .size = {0.0}, .points = points[f]});
  }
}

Scene AssembledDrawing::scene() const {
  Scene scene;
  scene.planar = beside_.planar;
  const Frames& frames = system_->frames();
  for (Index f = 1; f < frames.count(); ++f) scene.frames.push_back(frames.name(f));
  const std::size_t count = surfaces_ ? surfaces_->surfaces().size() : 0;
  for (std::size_t s = 0; s < count; ++s) {
    const Surface& surface = surfaces_->surfaces()[s];
    const auto color = beside_.colors.find(s);
    draw_shape(surface.shape, surface.frame, surface.name, {}, color == beside_.colors.end() ? "" : color->second,
               scene);
  }
  scene.shapes.insert(scene.shapes.end(), beside_.shapes.begin(), beside_.shapes.end());
  scene.links = beside_.links;
  draw_bars(scene);
  scene.shapes.insert(scene.shapes.end(), beside_.above_bars.begin(), beside_.above_bars.end());
  return scene;
}

void AssembledDrawing::place(double t, const Vector& q, std::vector<Pose>& poses) const {
  thread_local Placement place;
  system_->place_poses(t, q, place);
  poses = place.poses;
}

void AssembledDrawing::act(double t, const Vector& q, const ContactSet& near, const std::vector<Acting>& acting,
                           std::vector<Action>& actions) const {
  actions.assign(acting.size(), {});
  if (acting.empty()) return;
  thread_local Placement place;
  system_->place_poses(t, q, place);
  const At at{t, q.data(), place, system_->frames()};
  for (std::size_t i = 0; i < acting.size(); ++i) {
    const auto found = std::lower_bound(near.constraints.begin(), near.constraints.end(), acting[i].constraint->id,
                                        [](const Constraint& c, const ConstraintId& id) { return c.id < id; });
    Constraint now = *acting[i].constraint;
    now.record = found != near.constraints.end() && found->id == now.id ? found->record : -1;
    system_->group(now).act(at, near, {&now, acting[i].impulse}, actions[i]);
  }
}

}  // namespace carom::model
