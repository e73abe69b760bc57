#include "carom/io/scene_json.h"

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

namespace carom {

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

}  // namespace carom
