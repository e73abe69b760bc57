// glTF 2.0: a node for each frame, a mesh for each shape, one animation that moves the nodes. y is up there; scenes in
// space are turned as a whole.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "carom/base/version.h"
#include "carom/io/export/exports.h"
#include "carom/io/export/mesh.h"
#include "carom/io/export/scene_replay.h"
#include "carom/io/output_file.h"
#include "carom/io/report/packed_array.h"

namespace carom::inline io {

namespace {

using Json = nlohmann::ordered_json;

// Okabe and Ito, linear light; the ground is grey.
constexpr double kColors[][3] = {{0.0, 0.168, 0.445},   {0.791, 0.347, 0.0},   {0.0, 0.342, 0.171},
                                 {0.604, 0.191, 0.386}, {0.093, 0.456, 0.815}, {0.665, 0.112, 0.0}};
constexpr double kGround[3] = {0.32, 0.36, 0.42};

class GltfFile {
 public:
  GltfFile() {
    json_ = {{"asset", {{"version", "2.0"}, {"generator", fmt::format("carom {}", build_info().version)}}},
             {"scene", 0},
             {"scenes", {{{"nodes", {0}}}}}};
    for (const char* list : {"nodes", "meshes", "materials", "accessors", "bufferViews"}) json_[list] = Json::array();
  }

  template <class Number>
  std::size_t accessor(const std::vector<Number>& values, const char* type, std::size_t width, int component,
                       int target, bool bounds) {
    while (bytes_.size() % 4) bytes_ += '\0';
    Json view = {{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", values.size() * sizeof(Number)}};
    if (target) view["target"] = target;
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number));
    Json entry = {{"bufferView", json_["bufferViews"].size()},
                  {"componentType", component},
                  {"count", values.size() / width},
                  {"type", type}};
    if (bounds) {
      std::vector<Number> low(width, std::numeric_limits<Number>::max()),
          high(width, std::numeric_limits<Number>::lowest());
      for (std::size_t i = 0; i < values.size(); ++i) {
        low[i % width] = std::min(low[i % width], values[i]);
        high[i % width] = std::max(high[i % width], values[i]);
      }
      entry["min"] = low;
      entry["max"] = high;
    }
    json_["bufferViews"].push_back(std::move(view));
    json_["accessors"].push_back(std::move(entry));
    return json_["accessors"].size() - 1;
  }

  std::size_t material(std::size_t frame) {
    const double* c = frame == 0 ? kGround : kColors[(frame - 1) % std::size(kColors)];
    json_["materials"].push_back(
        {{"doubleSided", true},
         {"pbrMetallicRoughness",
          {{"baseColorFactor", {c[0], c[1], c[2], 1.0}}, {"metallicFactor", 0.1}, {"roughnessFactor", 0.6}}}});
    return json_["materials"].size() - 1;
  }

  // Every triangle has its own corners, so that faces look flat.
  std::size_t mesh(const Mesh& mesh, const std::string& name, std::size_t material) {
    std::vector<float> points, normals;
    for (const auto& triangle : mesh.triangles) {
      const Vector3 &a = mesh.points[static_cast<std::size_t>(triangle[0])],
                    &b = mesh.points[static_cast<std::size_t>(triangle[1])],
                    &c = mesh.points[static_cast<std::size_t>(triangle[2])];
      const Vector3 n = (b - a).cross(c - a);
      if (!(n.norm() > 0.0)) continue;
      for (const Vector3* corner : {&a, &b, &c})
        for (int k = 0; k < 3; ++k) {
          points.push_back(static_cast<float>((*corner)[k]));
          normals.push_back(static_cast<float>(n[k] / n.norm()));
        }
    }
    const std::size_t position = accessor(points, "VEC3", 3, 5126, 34962, true),
                      normal = accessor(normals, "VEC3", 3, 5126, 34962, false);
    json_["meshes"].push_back(
        {{"name", name},
         {"primitives", {{{"attributes", {{"POSITION", position}, {"NORMAL", normal}}}, {"material", material}}}}});
    return json_["meshes"].size() - 1;
  }

  Json& json() { return json_; }
  std::string text() {
    json_["buffers"] = {
        {{"byteLength", bytes_.size()}, {"uri", "data:application/octet-stream;base64," + base64(bytes_)}}};
    return json_.dump(1);
  }

 private:
  Json json_;
  std::string bytes_;
};

}  // namespace

ExportedFiles export_gltf(const Recording& recording, const std::filesystem::path& path, const ExportOptions& options) {
  const SceneReplay replay(recording);
  const Scene& scene = replay.scene();
  GltfFile file;
  Json& nodes = file.json()["nodes"];
  const double half = std::sqrt(0.5);
  nodes.push_back({{"name", "world"}, {"children", Json::array()}});
  if (!scene.planar) nodes[0]["rotation"] = {-half, 0.0, 0.0, half};
  for (std::size_t f = 0; f < scene.frames.size(); ++f) {
    nodes[0]["children"].push_back(nodes.size());
    nodes.push_back({{"name", scene.frames[f]}});
  }
  std::vector<std::size_t> materials;
  for (std::size_t f = 0; f < scene.frames.size(); ++f) materials.push_back(file.material(f));
  for (const DrawnShape& shape : scene.shapes) {
    const Mesh mesh = mesh_of(shape, replay.size());
    if (mesh.triangles.empty()) continue;
    const auto frame = static_cast<std::size_t>(shape.frame);
    const std::size_t number = file.mesh(mesh, shape.name, materials[frame]);
    nodes[frame + 1]["children"].push_back(nodes.size());
    nodes.push_back({{"name", shape.name}, {"mesh", number}});
  }
  std::vector<float> times;
  std::vector<std::size_t> samples;
  for (std::size_t i = 0; i < replay.times().size(); i += options.every) {
    samples.push_back(i);
    times.push_back(static_cast<float>(replay.times()[i] - replay.times()[0]));
  }
  Json animation = {{"name", "motion"}, {"samplers", Json::array()}, {"channels", Json::array()}};
  const std::size_t input = file.accessor(times, "SCALAR", 1, 5126, 0, true);
  for (std::size_t f = 1; f < scene.frames.size(); ++f) {
    std::vector<float> places, turns;
    Eigen::Quaterniond last = Eigen::Quaterniond::Identity();
    for (const std::size_t i : samples) {
      const Pose pose = replay.pose(f, i);
      for (int k = 0; k < 3; ++k) places.push_back(static_cast<float>(pose.x[k]));
      Eigen::Quaterniond turn(pose.R);
      if (turn.dot(last) < 0.0) turn.coeffs() = -turn.coeffs();  // the short way round
      last = turn;
      for (const double x : {turn.x(), turn.y(), turn.z(), turn.w()}) turns.push_back(static_cast<float>(x));
    }
    const auto channel = [&](const char* target, std::size_t output) {
      animation["channels"].push_back(
          {{"sampler", animation["samplers"].size()}, {"target", {{"node", f + 1}, {"path", target}}}});
      animation["samplers"].push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
    };
    channel("translation", file.accessor(places, "VEC3", 3, 5126, 0, false));
    channel("rotation", file.accessor(turns, "VEC4", 4, 5126, 0, false));
  }
  if (times.size() > 1) file.json()["animations"] = {animation};
  write_text_file(path.string(), file.text() + "\n", Replace::ours);
  return {path};
}

}  // namespace carom::inline io
