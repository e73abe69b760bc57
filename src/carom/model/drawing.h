// What can be drawn of a model: shapes fixed to named frames, joints between them, and where contacts act. Whoever
// shows a motion (io/result_recorder.h writes it into the result, the viewer draws it) needs nothing else of the model,
// and no scheme needs this.
//
//   Scene              what does not change: frames by name, shapes in them, joints and springs between them
//   Drawing::place     a pose for each frame at a time and a position
//   Drawing::act       where constraints act there, and what their impulses are in the world
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "carom/base/pose.h"
#include "carom/system/constraint.h"

namespace carom {

// kind         size                              points, faces
// sphere       radius
// box          length, width, height
// capsule      radius, half length along z
// cylinder     radius, half length along z
// disc         radius, in the x-y plane          a ring: radius, inner radius
// half_space   -                                 solid below z = 0 of its pose
// half_plane   -                                 solid below y = 0 of its pose
// polygon      -                                 its corners in the x-y plane
// polyhedron   -                                 corners; the corners of each face
// line         width                             from point to point
struct DrawnShape {
  Index frame = 0;   // of Scene::frames
  std::string name;  // that of the body, or of its surface
  std::string kind;
  Pose pose = {};  // in the frame
  std::vector<double> size = {};
  std::vector<Vector3> points = {};
  std::vector<std::vector<int>> faces = {};
  std::string color = {};  // of CSS; empty: chosen by the viewer
};

// A joint, a spring, a pin in its bore: something between a point of frame a and a point of frame b.
struct DrawnLink {
  std::string name, kind;  // "revolute", "spring", "clearance"
  Index a = 0, b = 0;
  Vector3 point_a = Vector3::Zero(), point_b = Vector3::Zero();  // in their frames
  Vector3 axis = Vector3::UnitZ();                               // in frame a
  double play = 0.0;                                             // radius that b's point may wander in
};

struct Scene {
  bool planar = false;                           // seen along -z
  std::vector<std::string> frames = {"ground"};  // the first never moves
  std::vector<DrawnShape> shapes = {};
  std::vector<DrawnLink> links = {};
};

// A constraint that acted in a step, and the rows of its impulse.
struct Acting {
  const Constraint* constraint;
  const double* impulse;
};

// On the first of the two bodies; the second feels the opposite. Not a number: nowhere in particular.
struct Action {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Vector3 point = Vector3::Constant(none), impulse = Vector3::Constant(none);
};

class Drawing {
 public:
  virtual ~Drawing() = default;

  // Made when it is asked for: most of what a large pile's would hold the model knows already.
  virtual Scene scene() const = 0;
  // One pose for each frame of the scene.
  virtual void place(double t, const Vector& q, std::vector<Pose>& poses) const = 0;
  // One action for each that acted; `near` is what detection lists at q.
  virtual void act(double t, const Vector& q, const ContactSet& near, const std::vector<Acting>& acting,
                   std::vector<Action>& actions) const = 0;
};

}  // namespace carom
