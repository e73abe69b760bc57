#include "carom/io/scene_json.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "carom/base/rotation.h"

namespace carom::inline io {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Vector3& x) { return {x.x(), x.y(), x.z()}; }

Json to_json(const DrawnShape& shape, const Scene& scene) {
  const Eigen::Quaterniond turn(shape.pose.R);
  Json json = {{"name", shape.name},
               {"kind", shape.kind},
               {"frame", scene.frames[static_cast<std::size_t>(shape.frame)]},
               {"position", to_json(shape.pose.x)},
               {"orientation", {turn.w(), turn.x(), turn.y(), turn.z()}},
               {"size", shape.size}};
  if (!shape.points.empty()) {
    Json points = Json::array();
    for (const Vector3& point : shape.points) points.push_back(to_json(point));
    json["points"] = points;
  }
  if (!shape.faces.empty()) json["faces"] = shape.faces;
  if (!shape.color.empty()) json["color"] = shape.color;
  return json;
}

Json to_json(const DrawnLink& link, const Scene& scene) {
  return {{"name", link.name},
          {"kind", link.kind},
          {"frame_a", scene.frames[static_cast<std::size_t>(link.a)]},
          {"frame_b", scene.frames[static_cast<std::size_t>(link.b)]},
          {"point_a", to_json(link.point_a)},
          {"point_b", to_json(link.point_b)},
          {"axis", to_json(link.axis)},
          {"play", link.play}};
}

}  // namespace

std::string scene_json(const Scene& scene) {
  Json json = {{"planar", scene.planar}, {"frames", scene.frames}, {"shapes", Json::array()}, {"links", Json::array()}};
  for (const DrawnShape& shape : scene.shapes) json["shapes"].push_back(to_json(shape, scene));
  for (const DrawnLink& link : scene.links) json["links"].push_back(to_json(link, scene));
  return json.dump();
}

Scene scene_from_json(const std::string& text) {
  const Json json = Json::parse(text);
  const auto vector = [](const Json& x) { return Vector3(x[0].get<double>(), x[1].get<double>(), x[2].get<double>()); };
  Scene scene;
  scene.planar = json["planar"].get<bool>();
  scene.frames = json["frames"].get<std::vector<std::string>>();
  const auto frame = [&](const Json& name) {
    return static_cast<Index>(std::find(scene.frames.begin(), scene.frames.end(), name.get<std::string>()) -
                              scene.frames.begin());
  };
  for (const Json& s : json["shapes"]) {
    DrawnShape shape{.frame = frame(s["frame"]),
                     .name = s["name"].get<std::string>(),
                     .kind = s["kind"].get<std::string>(),
                     .size = s["size"].get<std::vector<double>>()};
    const Json& q = s["orientation"];
    shape.pose = {vector(s["position"]), rotation_matrix(Quaternion(q[0].get<double>(), q[1].get<double>(),
                                                                    q[2].get<double>(), q[3].get<double>()))};
    for (const Json& point : s.value("points", Json::array())) shape.points.push_back(vector(point));
    if (s.contains("faces")) shape.faces = s["faces"].get<std::vector<std::vector<int>>>();
    shape.color = s.value("color", "");
    scene.shapes.push_back(std::move(shape));
  }
  for (const Json& l : json["links"])
    scene.links.push_back({l["name"].get<std::string>(), l["kind"].get<std::string>(), frame(l["frame_a"]),
                           frame(l["frame_b"]), vector(l["point_a"]), vector(l["point_b"]), vector(l["axis"]),
                           l["play"].get<double>()});
  return scene;
}

}  // namespace carom::inline io
