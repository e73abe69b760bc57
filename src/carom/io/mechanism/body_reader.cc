// Bodies, one by one and in heaps.
#include <fmt/format.h>

#include <cmath>

#include "carom/base/dense_solve.h"
#include "carom/base/names.h"
#include "carom/io/formula_program.h"
#include "carom/io/local_names.h"
#include "carom/io/mechanism/mechanism.h"
#include "carom/model/multibody_scenes.h"

namespace carom::inline io::mechanism {

namespace {

// Of all shapes that are no pictures, at density one.
geometry::MassProperties mass_of(const std::vector<PlacedShape>& shapes) {
  geometry::MassProperties whole;
  for (const PlacedShape& shape : shapes)
    if (shape.touches && shape.shape.bounded())
      whole = whole + geometry::moved(shape.shape.mass_properties(), shape.pose);
  return whole;
}

bool has_mass(const std::vector<PlacedShape>& shapes) {
  return std::any_of(shapes.begin(), shapes.end(), [](const PlacedShape& s) { return s.touches && s.shape.bounded(); });
}

const char* density_unit(const Mechanism& m) { return m.planar ? "kg/m^2" : "kg/m^3"; }

// The largest principal moment never exceeds the sum of the two others.
void check_inertia(TableReader& table, const Matrix3& inertia) {
  const Vector moments = SymmetricEigen(inertia).values;
  const double largest = moments.maxCoeff(), others = moments.sum() - largest;
  if (!(moments.minCoeff() > 0.0))
    table.refuse("inertia", "E0207",
                 fmt::format("{}: principal moments must be positive, got ({}, {}, {})", table.path(), moments.x(),
                             moments.y(), moments.z()),
                 "give mass and inertia, or a shape with a density");
  else if (largest > others * (1.0 + 1e-6))
    table.refuse("inertia", "E0207",
                 fmt::format("{}: inertia ({}, {}, {}) is not possible for a rigid body", table.path(), moments.x(),
                             moments.y(), moments.z()),
                 "the largest principal moment must not exceed the sum of the others");
}

void read_inertia(const Mechanism& m, TableReader& table, Body& body) {
  const DocumentNode* node = table.take("inertia");
  if (!node) return;
  const Dimension unit = m.unit("kg*m^2");
  if (m.planar) {
    if (node->kind == DocumentNode::Kind::array)
      return table.refuse("inertia", "E0123", table.path() + ".inertia wants one number in the plane", "about z");
    const auto J = m.reading.number(*node, unit);
    if (!J) return;
    if (!(*J > 0.0))
      return table.refuse("inertia", "E0207", fmt::format("{}: the inertia must be positive, got {}", table.path(), *J),
                          "give mass and inertia, or a shape with a density");
    body.spec.inertia = *J * Matrix3::Identity();
    return;
  }
  const auto list = m.reading.numbers(*node, unit);
  if (!list) return;
  if (list->size() != 3 && list->size() != 6)
    return table.refuse("inertia", "E0123",
                        fmt::format("{}.inertia wants three numbers, got {}", table.path(), list->size()),
                        "[Ixx, Iyy, Izz], or with Ixy, Ixz, Iyz");
  const std::vector<double>& J = *list;
  body.spec.inertia = Vector3(J[0], J[1], J[2]).asDiagonal();
  if (J.size() == 6) {
    body.spec.inertia(0, 1) = body.spec.inertia(1, 0) = J[3];
    body.spec.inertia(0, 2) = body.spec.inertia(2, 0) = J[4];
    body.spec.inertia(1, 2) = body.spec.inertia(2, 1) = J[5];
  }
  check_inertia(table, body.spec.inertia);
}

// Mass, inertia and centre of the shapes, of one density.
void spread(const Mechanism& m, double density, const geometry::MassProperties& whole, Body& body) {
  body.spec.mass = density * whole.volume;
  body.spec.inertia = density * whole.inertia;
  if (body.shapes.size() > 1 || body.shapes[0].pose.x != Vector3::Zero()) body.centre = whole.centre;
  if (m.planar) body.centre.z() = 0.0;
}

void read_mass(const Mechanism& m, TableReader& table, Body& body) {
  for (const char* other : {"mass", "inertia"})
    if (table.take("density") && table.take(other))
      table.refuse(other, "E0106", fmt::format("{}: {} beside a density", table.path(), other),
                   "the density gives mass and inertia of the shape; keep the density, or mass and inertia");
  if (!table.take("density")) {
    table.require("mass", "mass = 1.0 and inertia = [Ixx, Iyy, Izz], or a shape with density = 1000");
    const bool by_shape = !table.take("inertia") && has_mass(body.shapes);
    if (!by_shape) table.require("inertia", "inertia = [Ixx, Iyy, Izz], or a shape over which the mass is spread");
    const auto mass = table.number("mass");
    if (mass) body.spec.mass = *mass;
    if (!by_shape) return read_inertia(m, table, body);
    const geometry::MassProperties whole = mass_of(body.shapes);
    if (mass) spread(m, *mass / whole.volume, whole, body);
    return;
  }
  const auto density = table.number("density", m.unit(density_unit(m)));
  if (!density || !(*density > 0.0)) return;
  if (!has_mass(body.shapes)) {
    if (!table.take("shape"))
      table.refuse("density", "E0105", table.path() + ": a density needs a shape",
                   "shape = { type = \"sphere\", radius = 0.1 }, or give mass and inertia");
    return;
  }
  spread(m, *density, mass_of(body.shapes), body);
}

// { x, y, z, angle, axis } as formulas of t.
void read_motion(const Mechanism& m, TableReader& table, Body& body, const Pose& base) {
  static const TableSpec spec = {"body.motion",
                                 "A prescribed motion",
                                 {{"x", FieldKind::formula, "m", "along x, beside the position", ""},
                                  {"y", FieldKind::formula, "m", "along y", ""},
                                  {"z", FieldKind::formula, "m", "along z", ""},
                                  {"angle", FieldKind::formula, "rad", "about the axis", ""},
                                  {"axis", FieldKind::mixed, "", "of turning", ""}}};
  TableReader motion = table.table("motion", &spec);
  const LocalNames names(m.reading.parameters, {{"t", Dimension::of(0, 0, 1)}});
  struct Motion {
    std::array<FormulaProgram, 4> f;
    std::array<bool, 4> has = {};
    Vector3 axis = Vector3::UnitZ();
    Pose base;
  };
  auto program = std::make_shared<Motion>();
  program->base = base;
  const char* keys[4] = {"x", "y", "z", "angle"};
  for (std::size_t k = 0; k < 4; ++k) {
    const DocumentNode* node = motion.take(keys[k]);
    if (!node) continue;
    if (m.planar && k == 2)
      motion.refuse("z", "E0108", motion.path() + ": there is no z in the plane", "x, y and angle");
    const auto expression = m.reading.expression(*node);
    if (!expression || !m.reading.fits(*node, *expression, names, m.unit(k == 3 ? "rad" : "m"))) continue;
    try {
      program->f[k] = FormulaProgram(*expression, names, {"t"});
      program->has[k] = true;
    } catch (const ExpressionError& error) {
      m.reading.report(m.reading.document.at_value(*node, error.code_or("E0131"),
                                                   fmt::format("{}: {}", node->path, error.what()), error.hint(),
                                                   static_cast<int>(error.offset())));
    }
  }
  program->axis = m.direction(motion, "axis").value_or(Vector3::UnitZ()).normalized();
  motion.finish();
  body.kind = Body::Kind::moved;
  body.moved.motion = [program](double t) {
    model::PrescribedMotion out;
    out.pose = program->base;
    for (int k = 0; k < 3; ++k) {
      if (!program->has[static_cast<std::size_t>(k)]) continue;
      const Jet x = program->f[static_cast<std::size_t>(k)].jet(t);
      out.pose.x[k] += x.value;
      out.twist.velocity[k] = x.rate;
      out.rate.velocity[k] = x.second;
    }
    if (program->has[3]) {
      const Jet angle = program->f[3].jet(t);
      out.pose.R = rotation_matrix(quaternion_exp(angle.value * program->axis)) * program->base.R;
      out.twist.omega = angle.rate * program->axis;
      out.rate.omega = angle.second * program->axis;
    }
    return out;
  };
}

void read_pose(const Mechanism& m, TableReader& table, Body& body) {
  if (const auto position = table.vector("position", m.planar)) {
    body.spec.position = *position;
    body.has_position = true;
  }
  if (m.planar) body.spec.position.z() = 0.0;
  if (m.planar) {
    if (const auto angle = table.number("angle")) {
      body.spec.angle = *angle;
      body.has_turn = true;
    }
    if (table.take("orientation")) m.orientation(table);
  } else {
    if (const auto turn = m.orientation(table)) {
      body.spec.orientation = *turn;
      body.has_turn = true;
    }
    if (table.take("angle"))
      table.refuse("angle", "E0108", table.path() + ": in space bodies have an orientation",
                   "orientation = { axis = [0, 0, 1], angle = \"30 deg\" }");
  }
}

void read_speed(const Mechanism& m, TableReader& table, Body& body) {
  if (const auto velocity = table.vector("velocity", m.planar)) {
    body.spec.velocity = *velocity;
    body.has_velocity = true;
  }
  const DocumentNode* spin = table.take("spin");
  if (!spin) return;
  body.has_velocity = true;
  if (m.planar && spin->kind != DocumentNode::Kind::array) {
    if (const auto rate = m.reading.number(*spin, m.unit("rad/s"))) body.spec.spin = {0.0, 0.0, *rate};
  } else if (m.planar) {
    table.refuse("spin", "E0123", table.path() + ".spin wants one number in the plane", "spin = \"5 rad/s\"");
  } else if (const auto rates = table.vector3("spin")) {
    body.spec.spin = *rates;
  }
}

}  // namespace

void read_body(Mechanism& m, TableReader& table, const std::string& name) {
  m.report_name(*table.node(), name);
  Body body;
  body.node = table.node();
  body.spec.name = body.moved.name = name;
  body.shapes = read_shapes(m, table);
  body.material = table.text("material").value_or("");
  table.whole("count", 1, most_bodies);
  if (const DocumentNode* points = table.take("points")) {
    TableReader group = table.table("points");
    if (group.exists())
      for (const DocumentNode& point : points->children) {
        TableReader one(m.reading, points, group.path());
        const auto list = m.reading.numbers(point, m.unit("m"));
        const std::size_t wanted = m.planar ? 2 : 3;
        if (list && list->size() != wanted) {
          m.reading.report(m.reading.document.at_value(
              point, "E0123", fmt::format("{} wants {} numbers, got {}", point.path, wanted, list->size()),
              "a point in the body frame"));
          continue;
        }
        if (list) body.points[point.key] = Vector3((*list)[0], (*list)[1], m.planar ? 0.0 : (*list)[2]);
      }
  }
  read_pose(m, table, body);
  if (table.take("motion")) {
    for (const char* other : {"mass", "inertia", "density", "velocity", "spin", "formulation"})
      if (table.take(other))
        table.refuse(other, "E0108", fmt::format("{}: {} beside a motion", table.path(), other),
                     "a body that is moved from outside has no need of it");
    const Pose base = {body.spec.position, rotation_matrix(m.planar ? quaternion_exp(Vector3(0.0, 0.0, body.spec.angle))
                                                                    : Quaternion(body.spec.orientation.normalized()))};
    read_motion(m, table, body, base);
    body.has_position = body.has_turn = body.has_velocity = true;
  } else {
    read_mass(m, table, body);
    read_speed(m, table, body);
    body.spec.weightless = table.flag("weightless").value_or(false);
    if (const auto word = table.word("formulation", {"quaternion", "scalable", "affine"})) {
      body.spec.formulation = model::formulation_named(*word);
      if (m.planar && body.spec.formulation != model::Formulation::quaternion)
        table.refuse("formulation", "E0121", fmt::format("{}: {} bodies are in space", table.path(), *word),
                     "in the plane an angle is all there is to choose: leave it out, or set world.dimension = 3");
    }
  }
  if (body.has_position && body.centre != Vector3::Zero()) {  // results and the builder speak of the centre of mass
    const Matrix3 R = rotation_matrix(m.planar ? quaternion_exp(Vector3(0.0, 0.0, body.spec.angle))
                                               : Quaternion(body.spec.orientation.normalized()));
    body.spec.position += R * body.centre;
  }
  m.add(std::move(body));
}

// --- heaps
// -----------------------------------------------------------------------------------------------------------------------

namespace {

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}
  double next() {  // within 0 and 1
    state_ = 6364136223846793005ull * state_ + 1442695040888963407ull;
    return static_cast<double>(state_ >> 11) / 9007199254740992.0;
  }

 private:
  std::uint64_t state_;
};

struct Heap {
  std::string name;
  std::string material;
  Vector3 velocity = Vector3::Zero();
  std::vector<PlacedShape> shapes;
  double density = 0.0;
  bool good = false;
};

bool room_for(Mechanism& m, TableReader& table, const char* key, double count) {
  m.generated += count;
  if (m.generated <= most_bodies) return true;
  table.refuse(key, "E0219", fmt::format("{:.3g} bodies are too many", m.generated),
               fmt::format("at most {:.0f} are generated", most_bodies));
  return false;
}

std::uint64_t seed_of(TableReader& table, std::uint64_t otherwise) {
  const auto seed = table.whole("seed", 0.0, 9007199254740992.0);
  return seed ? static_cast<std::uint64_t>(*seed) : otherwise;
}

Heap read_heap(Mechanism& m, TableReader& table, const std::string& name) {
  Heap heap;
  heap.name = table.text("name").value_or(name);
  heap.material = table.text("material").value_or("");
  heap.velocity = table.vector("velocity", m.planar).value_or(Vector3::Zero());
  heap.shapes = read_shapes(m, table);
  const auto density = table.number("density", m.unit(density_unit(m)));
  if (density) heap.density = *density;
  heap.good = density && *density > 0.0 && has_mass(heap.shapes);
  return heap;
}

void add_one(Mechanism& m, const Heap& heap, int number, const Vector3& place, double angle = 0.0,
             const Quaternion& turn = {1.0, 0.0, 0.0, 0.0}) {
  const geometry::MassProperties whole = mass_of(heap.shapes);
  Body body;
  body.spec.name = heap.name + std::to_string(number);
  body.spec.mass = heap.density * whole.volume;
  body.spec.inertia = heap.density * whole.inertia;
  body.centre = whole.centre;
  if (m.planar) body.centre.z() = 0.0;
  body.spec.angle = angle;
  body.spec.orientation = turn;
  body.spec.position =
      place + rotation_matrix(m.planar ? quaternion_exp(Vector3(0.0, 0.0, angle)) : turn) * body.centre;
  if (m.planar) body.spec.position.z() = 0.0;
  body.spec.velocity = heap.velocity;
  body.shapes = heap.shapes;
  body.material = heap.material;
  body.has_position = body.has_turn = body.has_velocity = true;
  m.add(std::move(body));
}

std::optional<std::array<Index, 3>> read_counts(Mechanism& m, TableReader& table) {
  const auto list = table.numbers("counts");
  if (!list) return std::nullopt;
  const std::size_t wanted = m.planar ? 2 : 3;
  bool good = list->size() == wanted;
  for (const double n : *list) good = good && n >= 1.0 && n == std::round(n);
  table.check("counts", good, fmt::format("{} whole numbers >= 1", m.planar ? "two" : "three"));
  if (!good) return std::nullopt;
  double product = 1.0;
  for (const double n : *list) product *= n;
  if (!room_for(m, table, "counts", product)) return std::nullopt;
  return std::array<Index, 3>{static_cast<Index>((*list)[0]), static_cast<Index>((*list)[1]),
                              m.planar ? 1 : static_cast<Index>((*list)[2])};
}

void read_sphere_lattice(Mechanism& m, TableReader& table, const std::string& name) {
  SphereLattice lattice;
  lattice.name = table.text("name").value_or(name);
  bool buildable = true;
  if (table.take("counts")) {
    const auto counts = read_counts(m, table);
    buildable = counts.has_value();
    if (counts) lattice.counts = *counts;
  }
  for (const auto& [key, value] : {std::pair<const char*, double*>{"radius", &lattice.radius},
                                   {"density", &lattice.density},
                                   {"pitch", &lattice.pitch},
                                   {"jitter", &lattice.jitter}})
    if (const auto given = table.number(key)) *value = *given;
  lattice.seed = seed_of(table, lattice.seed);
  lattice.origin = table.vector3("origin").value_or(Vector3::Zero());
  lattice.velocity = table.vector3("velocity").value_or(Vector3::Zero());
  if (m.planar)
    return table.refuse("kind", "E0220", table.path() + ": balls are in space",
                        "in the plane: kind = \"lattice\" with shape = { type = \"disc\", radius = ... }");
  if (!buildable || !(lattice.radius > 0.0)) return;
  Multibody scene;
  add_lattice(lattice, scene);
  for (const BodySpec& ball : scene.bodies()) {
    Body body;
    body.spec = {.name = ball.name,
                 .mass = ball.mass,
                 .inertia = ball.inertia.asDiagonal(),
                 .position = ball.position,
                 .orientation = ball.orientation,
                 .velocity = ball.velocity,
                 .spin = ball.spin};
    body.shapes.push_back({.shape = geometry::Sphere(ball.shape.radius)});
    body.has_position = body.has_turn = body.has_velocity = true;
    m.add(std::move(body));
  }
}

void read_lattice(Mechanism& m, TableReader& table, const std::string& name) {
  const Heap heap = read_heap(m, table, name);
  const auto counts = read_counts(m, table);
  const auto pitch = table.vector("pitch", m.planar);
  const double jitter = table.number("jitter").value_or(0.0);
  Draws draws(seed_of(table, 1));
  const Vector3 origin = table.vector("origin", m.planar).value_or(Vector3::Zero());
  if (!heap.good || !counts || !pitch) return;
  int number = 0;
  for (Index k = 0; k < (*counts)[2]; ++k)
    for (Index j = 0; j < (*counts)[1]; ++j)
      for (Index i = 0; i < (*counts)[0]; ++i) {
        Vector3 place = origin + Vector3(i * pitch->x(), j * pitch->y(), k * pitch->z());
        for (int c = 0; c < (m.planar ? 2 : 3); ++c) place[c] += jitter * (2.0 * draws.next() - 1.0);
        add_one(m, heap, number++, place);
      }
}

// Darts: a place is drawn until the ball around the body touches none before it.
void read_packing(Mechanism& m, TableReader& table, const std::string& name) {
  const Heap heap = read_heap(m, table, name);
  const auto count = table.whole("count", 1, most_bodies);
  const auto from = table.vector("from", m.planar), to = table.vector("to", m.planar);
  Draws draws(seed_of(table, 1));
  const bool turned = table.flag("turned").value_or(false);
  const double gap = table.number("gap").value_or(0.0);
  if (!heap.good || !count || !from || !to || !room_for(m, table, "count", *count)) return;
  double radius = 0.0;
  for (const PlacedShape& shape : heap.shapes) radius = std::max(radius, shape.pose.x.norm() + shape.shape.radius());
  const Vector3 low = *from + Vector3::Constant(radius), high = *to - Vector3::Constant(radius);
  const int axes = m.planar ? 2 : 3;
  if (!((high - low).head(axes).minCoeff() >= 0.0)) {
    table.refuse("to", "E0126",
                 fmt::format("{}: the box is narrower than one body (radius {:.3g} m)", table.path(), radius),
                 "a larger box");
    return;
  }
  const double cell = 2.0 * radius + gap;
  std::map<std::array<long, 3>, std::vector<Vector3>> grid;
  const auto cell_of = [&](const Vector3& x) {
    return std::array<long, 3>{std::lround(std::floor(x.x() / cell)), std::lround(std::floor(x.y() / cell)),
                               m.planar ? 0 : std::lround(std::floor(x.z() / cell))};
  };
  const auto is_free = [&](const Vector3& x) {
    const auto c = cell_of(x);
    for (long i = -1; i <= 1; ++i)
      for (long j = -1; j <= 1; ++j)
        for (long k = m.planar ? 0 : -1; k <= (m.planar ? 0 : 1); ++k)
          if (const auto found = grid.find({c[0] + i, c[1] + j, c[2] + k}); found != grid.end())
            for (const Vector3& other : found->second)
              if ((x - other).norm() < cell) return false;
    return true;
  };
  constexpr int most_darts = 2000;  // for one body
  for (int number = 0; number < static_cast<int>(*count); ++number) {
    Vector3 place = Vector3::Zero();
    int darts = 0;
    do {
      for (int c = 0; c < axes; ++c) place[c] = low[c] + (high[c] - low[c]) * draws.next();
    } while (!is_free(place) && ++darts < most_darts);
    if (darts == most_darts) {
      table.refuse("count", "E0219", fmt::format("{}: the box is full after {} bodies", table.path(), number),
                   "a larger box, fewer bodies, or kind = \"lattice\"");
      return;
    }
    grid[cell_of(place)].push_back(place);
    const double angle = turned ? 2.0 * 3.141592653589793 * draws.next() : 0.0;
    Quaternion turn = {1.0, 0.0, 0.0, 0.0};
    if (turned && !m.planar)
      turn = quaternion_exp(
          angle * Vector3(2.0 * draws.next() - 1.0, 2.0 * draws.next() - 1.0, 2.0 * draws.next() - 1.0).normalized());
    add_one(m, heap, number, place, m.planar ? angle : 0.0, turn);
  }
}

void read_wall(Mechanism& m, TableReader& table, const std::string& name) {
  Heap heap;
  heap.name = table.text("name").value_or(name);
  heap.material = table.text("material").value_or("");
  const auto size = table.vector("size", m.planar);
  const auto density = table.number("density", m.unit(density_unit(m)));
  const auto columns = table.whole("columns", 1, 10000), rows = table.whole("rows", 1, 10000);
  const Vector3 origin = table.vector("origin", m.planar).value_or(Vector3::Zero());
  const double gap = table.number("gap").value_or(0.0);
  if (!size || !density || !columns || !rows || !room_for(m, table, "rows", *columns * *rows)) return;
  if (!(size->head(m.planar ? 2 : 3).minCoeff() > 0.0))
    return table.refuse("size", "E0205", table.path() + ": the sizes of a brick must be positive",
                        "length, width and height");
  const Vector3 half = 0.5 * *size;
  heap.density = *density;
  heap.shapes.push_back(
      {.shape = m.planar
                    ? geometry::Shape(geometry::Polygon(
                          {{-half.x(), -half.y()}, {half.x(), -half.y()}, {half.x(), half.y()}, {-half.x(), half.y()}}))
                    : geometry::Shape(geometry::Box(half))});
  const int up = m.planar ? 1 : 2;
  int number = 0;
  for (int row = 0; row < static_cast<int>(*rows); ++row)
    for (int column = 0; column < static_cast<int>(*columns); ++column) {
      Vector3 place = origin;
      place.x() += (column + (row % 2 ? 1.0 : 0.5)) * (size->x() + gap);
      place[up] += (row + 0.5) * (*size)[up];
      add_one(m, heap, number++, place);
    }
}

void read_chain(Mechanism& m, TableReader& table, const std::string& name) {
  const Heap heap = read_heap(m, table, name);
  const auto count = table.whole("count", 1, most_bodies);
  const auto step = table.vector("step", m.planar), origin = table.vector("origin", m.planar);
  const std::string kind = table.word("joint", {"revolute", "spherical"}).value_or("revolute");
  const Vector3 axis = m.direction(table, "axis").value_or(m.planar ? Vector3::UnitZ() : Vector3::UnitY());
  const bool hung = table.flag("hung").value_or(false);
  if (!heap.good || !count || !step || !origin || !room_for(m, table, "count", *count)) return;
  const int first = static_cast<int>(m.bodies.size());
  for (int number = 0; number < static_cast<int>(*count); ++number) {
    add_one(m, heap, number, *origin + number * *step);
    if (number == 0 && !hung) continue;
    const Vector3 between = *origin + (number - 0.5) * *step;
    const auto end = [&](int body) {
      if (body < first) return model::SiteSpec{.point = between};
      const Body& link = m.bodies[static_cast<std::size_t>(body)];
      return model::SiteSpec{.body = link.number, .point = between - link.spec.position};
    };
    Joint joint;
    const int here = first + number;
    joint.spec = {.name = fmt::format("{}_joint{}", heap.name, number),
                  .kind = m.planar ? "revolute" : kind,
                  .a = end(here - 1),
                  .b = end(here)};
    if (!m.planar) joint.spec.a = joint.spec.a.with_axis(axis), joint.spec.b = joint.spec.b.with_axis(axis);
    joint.node = table.node();
    m.joints.push_back(std::move(joint));
    m.bodies[static_cast<std::size_t>(here)].held = true;
  }
}

}  // namespace

void read_generate(Mechanism& m, TableReader& table, const std::string& name) {
  std::vector<std::string> kinds;
  for (const TableSpec& spec : model_tables())
    if (spec.path.starts_with("generate.")) kinds.push_back(spec.path.substr(9));
  table.require("kind", "kind = \"sphere_lattice\"");
  const auto kind = table.word("kind", kinds);
  if (!kind) return;
  table.follow(table_spec("generate." + *kind));
  table.require_all();
  if (*kind == "sphere_lattice") read_sphere_lattice(m, table, name);
  if (*kind == "lattice") read_lattice(m, table, name);
  if (*kind == "random_packing") read_packing(m, table, name);
  if (*kind == "wall") read_wall(m, table, name);
  if (*kind == "chain") read_chain(m, table, name);
}

}  // namespace carom::inline io::mechanism
