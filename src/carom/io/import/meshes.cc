#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <numbers>
#include <set>
#include <sstream>

#include "carom/base/errors.h"
#include "carom/geometry/shape.h"
#include "carom/io/import/imported_model.h"

namespace carom::inline io::import {

namespace {

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in)
    throw InputError({"E0101",
                      fmt::format("cannot read {}", file.string()),
                      "",
                      "is the mesh beside the file that names it?",
                      file.string(),
                      0,
                      0,
                      {}});
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

InputError broken(const std::filesystem::path& file, const std::string& what, int line = 0) {
  return InputError({"E0155",
                     fmt::format("{} is no mesh: {}", file.string(), what),
                     "",
                     "STL (text or binary) and OBJ are read",
                     file.string(),
                     line,
                     0,
                     {}});
}

// 80 bytes, the number of triangles, and for each a normal, three corners and two bytes.
std::vector<Vector3> binary_stl(const std::string& data, const std::filesystem::path& file) {
  std::uint32_t count = 0;
  if (data.size() >= 84) std::memcpy(&count, data.data() + 80, 4);
  if (data.size() < 84 || data.size() < 84 + 50ull * count || count == 0) throw broken(file, "it ends early");
  std::vector<Vector3> points;
  for (std::uint32_t k = 0; k < count; ++k)
    for (int corner = 0; corner < 3; ++corner) {
      float x[3];
      std::memcpy(x, data.data() + 84 + 50ull * k + 12 + 12 * static_cast<std::size_t>(corner), 12);
      points.emplace_back(x[0], x[1], x[2]);
    }
  return points;
}

std::vector<Vector3> text_mesh(const std::string& data, const std::string& word, const std::filesystem::path& file) {
  std::vector<Vector3> points;
  std::istringstream lines(data);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first != word) continue;
    Vector3 x;
    if (!(words >> x.x() >> x.y() >> x.z())) throw broken(file, "a corner wants three numbers", number);
    points.push_back(x);
  }
  return points;
}

}  // namespace

std::vector<Vector3> read_mesh(const std::filesystem::path& file) {
  const std::string data = contents(file);
  const bool obj = file.extension() == ".obj" || file.extension() == ".OBJ";
  std::vector<Vector3> points;
  if (obj)
    points = text_mesh(data, "v", file);
  else if (data.starts_with("solid") && data.find("facet") != std::string::npos)
    points = text_mesh(data, "vertex", file);
  else
    points = binary_stl(data, file);
  if (points.size() < 4) throw broken(file, "it has fewer than four corners");
  for (const Vector3& x : points)
    if (!x.allFinite()) throw broken(file, "a corner is no number");
  return points;
}

std::vector<Vector3> hull_corners(const std::vector<Vector3>& points, int most) {
  std::set<std::size_t> kept;
  for (int k = 0; k < most; ++k) {  // on a spiral
    const double z = 1.0 - (2.0 * k + 1.0) / most, r = std::sqrt(1.0 - z * z),
                 phi = k * std::numbers::pi * (3.0 - std::sqrt(5.0));
    const Vector3 d(r * std::cos(phi), r * std::sin(phi), z);
    std::size_t best = 0;
    for (std::size_t i = 1; i < points.size(); ++i)
      if (d.dot(points[i]) > d.dot(points[best])) best = i;
    kept.insert(best);
  }
  std::vector<Vector3> corners;
  for (const std::size_t i : kept) {
    bool fresh = true;
    for (const Vector3& x : corners) fresh = fresh && x != points[i];
    if (fresh) corners.push_back(points[i]);
  }
  return corners;
}

bool hull_or_box(const std::string& mesh, Shape& shape, std::vector<std::string>& notes) {
  if (shape.points.empty()) {
    notes.push_back(fmt::format("mesh {}: it has no corners", mesh));
    return false;
  }
  Vector3 low = shape.points[0], high = shape.points[0];
  for (const Vector3& x : shape.points) low = low.cwiseMin(x), high = high.cwiseMax(x);
  if (!((high - low).minCoeff() > 0.0)) {
    notes.push_back(fmt::format("mesh {}: it is flat", mesh));
    return false;
  }
  try {
    geometry::ConvexPolyhedron solid(shape.points);
    shape.type = "hull";
    notes.push_back(fmt::format("mesh {}: its convex hull, {} corners", mesh, shape.points.size()));
  } catch (const std::exception&) {
    shape.type = "box";
    shape.size = high - low;
    shape.pose.x += shape.pose.R * (0.5 * (low + high));
    shape.points.clear();
    notes.push_back(fmt::format("mesh {}: the box around it; its hull has faces too small to tell apart", mesh));
  }
  return true;
}

}  // namespace carom::inline io::import
