#include "carom/model/analytic/sketch.h"

namespace carom::analytic {

namespace {

class Sketch final : public Drawing {
 public:
  Sketch(Scene scene, SketchedPlaces places, SketchedContacts contacts)
      : scene_(std::move(scene)), places_(std::move(places)), contacts_(std::move(contacts)) {}

  Scene scene() const override { return scene_; }
  void place(double, const Vector& q, std::vector<Pose>& poses) const override {
    poses.assign(scene_.frames.size(), {});
    places_(q.data(), poses.data());
  }
  void act(double, const Vector& q, const ContactSet&, const std::vector<Acting>& acting,
           std::vector<Action>& actions) const override {
    actions.assign(acting.size(), {});
    if (!contacts_) return;
    for (std::size_t i = 0; i < acting.size(); ++i) {
      const auto contact = contacts_(q.data(), *acting[i].constraint);
      if (!contact) continue;
      actions[i] = {contact->point, acting[i].impulse[0] * contact->normal};
      const Index rows = acting[i].constraint->law->dim();
      if (rows > 1) actions[i].impulse += acting[i].impulse[1] * contact->tangent;
      if (rows > 2) actions[i].impulse += acting[i].impulse[2] * contact->second_tangent;
    }
  }

 private:
  Scene scene_;
  SketchedPlaces places_;
  SketchedContacts contacts_;
};

}  // namespace

std::shared_ptr<const Drawing> sketch(Scene scene, SketchedPlaces places, SketchedContacts contacts) {
  return std::make_shared<Sketch>(std::move(scene), std::move(places), std::move(contacts));
}

Scene planar_scene(std::initializer_list<std::string> frames) {
  Scene scene;
  scene.planar = true;
  scene.frames.insert(scene.frames.end(), frames);
  return scene;
}

DrawnShape drawn_box(Index frame, std::string name, double width, double height, double depth, double x, double y) {
  return {.frame = frame,
          .name = std::move(name),
          .kind = "box",
          .pose = planar_pose(x, y),
          .size = {width, height, depth}};
}

DrawnShape drawn_bar(Index frame, std::string name, double length, double width) {
  return {.frame = frame,
          .name = std::move(name),
          .kind = "line",
          .size = {width},
          .points = {Vector3::Zero(), Vector3(length, 0.0, 0.0)}};
}

DrawnShape drawn_disc(Index frame, std::string name, double radius, double x, double y) {
  return {.frame = frame, .name = std::move(name), .kind = "disc", .pose = planar_pose(x, y), .size = {radius}};
}

DrawnShape drawn_ground(std::string name, double x, double y, double angle) {
  return {.frame = 0, .name = std::move(name), .kind = "half_plane", .pose = planar_pose(x, y, angle)};
}

}  // namespace carom::analytic
