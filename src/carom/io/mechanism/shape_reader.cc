// Shapes: solids in space; in the plane their sections.
#include <fmt/format.h>

#include <numbers>

#include "carom/base/names.h"
#include "carom/geometry/curve.h"
#include "carom/io/formula_program.h"
#include "carom/io/local_names.h"
#include "carom/io/mechanism/mechanism.h"

namespace carom::inline io::mechanism {

namespace {

using geometry::Shape;
using Vector2 = Eigen::Vector2d;

std::vector<std::string> shape_words() {
  std::vector<std::string> words;
  for (const TableSpec& table : model_tables())
    if (table.path.starts_with("shape.")) words.push_back(table.path.substr(6));
  return words;
}

// A list of points of two or three numbers.
std::optional<std::vector<Vector3>> read_points(const Mechanism& m, TableReader& table, std::size_t width,
                                                std::size_t least) {
  const DocumentNode* node = table.take("points");
  if (!node) return std::nullopt;
  std::vector<Vector3> points;
  bool good = node->kind == DocumentNode::Kind::array && node->children.size() >= least;
  for (const DocumentNode& child : node->children) {
    if (!good) break;
    const auto list = m.reading.numbers(child, m.unit("m"));
    if (!list) return std::nullopt;
    good = list->size() == width;
    if (good) points.emplace_back((*list)[0], (*list)[1], width == 3 ? (*list)[2] : 0.0);
  }
  if (good) return points;
  table.refuse("points", "E0123",
               fmt::format("{}.points wants {} points or more of {} numbers", table.path(), least, width),
               width == 2 ? "[[0, 0], [1, 0], [0, 1]]" : "[[0, 0, 0], ...]");
  return std::nullopt;
}

std::vector<Vector2> flat(const std::vector<Vector3>& points) {
  std::vector<Vector2> out;
  for (const Vector3& p : points) out.emplace_back(p.x(), p.y());
  return out;
}

double area(const std::vector<Vector2>& p) {
  double twice = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vector2 &a = p[i], &b = p[(i + 1) % p.size()];
    twice += a.x() * b.y() - a.y() * b.x();
  }
  return 0.5 * twice;
}

std::optional<Shape> read_profile(const Mechanism& m, TableReader& table) {
  std::vector<Vector2> points;
  if (const DocumentNode* node = table.take("radius")) {
    if (table.take("points")) {
      table.refuse("points", "E0106", table.path() + ": points beside a radius", "keep one of the two");
      return std::nullopt;
    }
    const auto expression = m.reading.expression(*node);
    const auto samples = table.whole("samples", 8, 10000);
    if (!expression) return std::nullopt;
    const LocalNames names(m.reading.parameters, {{"phi", Dimension::of(0, 0, 0, 1)}});
    if (!m.reading.fits(*node, *expression, names, m.unit("m"))) return std::nullopt;
    try {
      const FormulaProgram radius(*expression, names, {"phi"});
      const int n = static_cast<int>(samples.value_or(360));
      for (int k = 0; k < n; ++k) {
        const double phi = 2.0 * std::numbers::pi * k / n, r = radius.value(&phi);
        if (!(r > 0.0) || !std::isfinite(r)) {
          table.refuse("radius", "E0205",
                       fmt::format("{}.radius is {} at phi = {} rad: it must be positive", table.path(), r, phi), "");
          return std::nullopt;
        }
        points.emplace_back(r * std::cos(phi), r * std::sin(phi));
      }
    } catch (const ExpressionError& error) {
      table.refuse("radius", "E0131", error.what(), error.hint());
      return std::nullopt;
    }
  } else {
    table.require("points", "points = [[x, y], ...] round the outline, or radius = \"formula of phi\"");
    const auto given = read_points(m, table, 2, 4);
    if (!given) return std::nullopt;
    points = flat(*given);
    if (area(points) < 0.0) {
      table.refuse("points", "E0205", table.path() + ": the points go round clockwise", "give them in the other order");
      return std::nullopt;
    }
  }
  return Shape(geometry::Profile(geometry::spline_curve(points)));
}

std::optional<Shape> read_solid(const Mechanism& m, TableReader& table, const std::string& type) {
  const auto positive = [&](const char* key) -> std::optional<double> {
    const auto x = table.number(key);
    return x && *x > 0.0 ? x : std::nullopt;
  };
  if (type == "box") {
    const auto size = table.vector("size", m.planar);
    if (!size) return std::nullopt;
    const Vector3 half = 0.5 * *size;
    const bool good = half.head(m.planar ? 2 : 3).minCoeff() > 0.0;
    if (!good) {
      table.refuse("size", "E0205", table.path() + ": the sizes of a box must be positive", "length, width and height");
      return std::nullopt;
    }
    if (!m.planar) return Shape(geometry::Box(half));
    return Shape(geometry::Polygon(
        {{-half.x(), -half.y()}, {half.x(), -half.y()}, {half.x(), half.y()}, {-half.x(), half.y()}}));
  }
  if (type == "sphere" || type == "disc") {
    const auto radius = positive("radius");
    if (!radius) return std::nullopt;
    return m.planar ? Shape(geometry::Disc(*radius)) : Shape(geometry::Sphere(*radius));
  }
  if (type == "capsule" || type == "cylinder") {
    const auto radius = positive("radius"), length = positive("length");
    if (!radius || !length) return std::nullopt;
    if (m.planar && type == "cylinder") return Shape(geometry::Disc(*radius));
    return type == "capsule" ? Shape(geometry::Capsule(*radius, 0.5 * *length))
                             : Shape(geometry::Cylinder(*radius, 0.5 * *length));
  }
  if (type == "half_space") {
    const Vector3 n = table.vector("normal", m.planar).value_or(m.planar ? Vector3::UnitY() : Vector3::UnitZ());
    if (!(n.norm() > 0.0)) {
      table.refuse("normal", "E0204", table.path() + ": the normal has no direction", "it points out of the solid");
      return std::nullopt;
    }
    if (m.planar) return Shape(geometry::HalfPlane(n.head<2>(), 0.0));
    return Shape(geometry::HalfSpace(n.normalized(), 0.0));
  }
  if (type == "hull") {
    const auto points = read_points(m, table, 3, 4);
    return points ? std::optional(Shape(geometry::ConvexPolyhedron(*points))) : std::nullopt;
  }
  if (type == "polygon") {
    const auto points = read_points(m, table, 2, 3);
    return points ? std::optional(Shape(geometry::Polygon(flat(*points)))) : std::nullopt;
  }
  if (type == "involute") {
    const auto radius = positive("base_radius"), from = positive("from"), to = positive("to");
    const bool mirrored = table.flag("mirrored").value_or(false);
    if (!radius || !from || !to) return std::nullopt;
    if (!(*from < *to)) {
      table.refuse("to", "E0205", table.path() + ": the tip rolls no further than the foot", "give from < to");
      return std::nullopt;
    }
    return Shape(geometry::Profile(geometry::involute_curve(*radius, *from, *to, mirrored)));
  }
  return read_profile(m, table);
}

bool exists_here(const Mechanism& m, const std::string& type) {
  if (m.planar) return type != "capsule" && type != "hull";
  return type != "disc" && type != "polygon" && type != "profile" && type != "involute";
}

std::optional<PlacedShape> read_shape(const Mechanism& m, TableReader table, std::vector<std::string>* carriers) {
  table.require("type", "type = \"sphere\", \"box\", \"capsule\" or \"cylinder\"");
  const auto type = table.word("type", shape_words());
  if (!type) return std::nullopt;
  table.follow(table_spec("shape." + *type));
  if (!exists_here(m, *type)) {
    table.refuse("type", "E0220",
                 fmt::format("{}: there is no {} in {}", table.path(), *type, m.planar ? "the plane" : "space"),
                 m.planar ? "in the plane: box, disc, polygon, profile, involute, half_space"
                          : "in space: sphere, box, capsule, cylinder, hull, half_space");
    return std::nullopt;
  }
  table.require_all();
  std::optional<Shape> solid;
  m.reading.attempt(table.node(), [&] { solid = read_solid(m, table, *type); });
  PlacedShape shape;
  shape.pose.x = table.vector("at", m.planar).value_or(Vector3::Zero());
  if (m.planar) shape.pose.x.z() = 0.0;
  if (m.planar) {
    if (const auto angle = table.number("angle"))
      shape.pose.R = rotation_matrix(quaternion_exp(Vector3(0.0, 0.0, *angle)));
  } else if (const auto turn = m.orientation(table)) {
    shape.pose.R = rotation_matrix(turn->normalized());
  }
  shape.material = table.text("material").value_or("");
  shape.touches = !table.flag("picture").value_or(false);
  shape.color = table.text("color").value_or("");
  if (carriers) carriers->push_back(table.text("on").value_or(""));
  table.finish();
  if (!solid) return std::nullopt;
  shape.shape = *solid;
  return shape;
}

}  // namespace

std::vector<PlacedShape> read_shapes(const Mechanism& m, TableReader& table, std::vector<std::string>* carriers) {
  const DocumentNode* node = table.take("shape");
  std::vector<PlacedShape> shapes;
  if (!node) return shapes;
  TableReader group = table.table("shape");
  if (!group.exists()) return shapes;
  const DocumentNode* type = node->find("type");
  if ((type && type->kind == DocumentNode::Kind::text) || node->children.empty()) {
    if (auto shape = read_shape(m, group, carriers)) shapes.push_back(*std::move(shape));
    return shapes;
  }
  const bool all_tables = std::all_of(node->children.begin(), node->children.end(),
                                      [](const DocumentNode& child) { return child.is_table(); });
  if (!all_tables) {  // one shape that forgot its type
    if (auto shape = read_shape(m, group, carriers)) shapes.push_back(*std::move(shape));
    return shapes;
  }
  for (const DocumentNode& child : node->children) {
    if (!is_plain_name(child.key))
      m.reading.report(m.reading.document.at_key(child, "E0202", fmt::format("'{}' cannot be a name", child.key),
                                                 "use letters, digits and underscores"));
    auto shape = read_shape(m, TableReader(m.reading, &child, group.path() + "." + child.key), carriers);
    if (!shape) continue;
    if (node->children.size() > 1) shape->name = child.key;
    shapes.push_back(*std::move(shape));
  }
  return shapes;
}

}  // namespace carom::inline io::mechanism
