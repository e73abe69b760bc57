// Beams among bodies.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/base/names.h"
#include "carom/io/mechanism/mechanism.h"

namespace carom::inline io::mechanism {

namespace {

struct Section {
  double area = 0.0, bending_2 = 0.0, bending_3 = 0.0, polar = 0.0, twist = 0.0, shear = 0.0;
};

std::optional<Section> read_section(const Mechanism& m, TableReader& table) {
  static const TableSpec spec = {
      "flexible.beam.section",
      "A cross section",
      {{"shape", FieldKind::word, "", "round or rectangle", "", {"round", "rectangle"}},
       FieldSpec{"radius", FieldKind::quantity, "m", "of a round bar", ""}.positive(),
       FieldSpec{"width", FieldKind::quantity, "m", "across the plane of bending", ""}.positive(),
       FieldSpec{"height", FieldKind::quantity, "m", "in the plane of bending", ""}.positive()}};
  TableReader section = table.table("section", &spec);
  if (!section.exists()) return std::nullopt;
  section.require("shape", "shape = \"round\" or \"rectangle\"");
  const auto shape = section.word("shape", {"round", "rectangle"});
  Section out;
  if (shape == "round") {
    section.require("radius", "radius = \"5 mm\"");
    const double r = section.number("radius").value_or(0.0);
    section.finish();
    if (!(r > 0.0)) return std::nullopt;
    out.area = std::numbers::pi * r * r;
    out.bending_2 = out.bending_3 = 0.25 * out.area * r * r;
    out.polar = out.twist = 2.0 * out.bending_2;
    out.shear = 6.0 / 7.0 * out.area;
    return out;
  }
  section.require("width", "width = \"10 mm\"");
  section.require("height", "height = \"2 mm\"");
  const double b = section.number("width").value_or(0.0), h = section.number("height").value_or(0.0);
  section.finish();
  if (!shape || !(b > 0.0) || !(h > 0.0)) return std::nullopt;
  out.area = b * h;
  out.bending_3 = b * h * h * h / 12.0;
  out.bending_2 = h * b * b * b / 12.0;
  out.polar = out.bending_2 + out.bending_3;
  const double large = std::max(b, h), small = std::min(b, h);  // Saint-Venant's twist, to 0.5 %
  out.twist =
      large * small * small * small * (1.0 / 3.0 - 0.21 * small / large * (1.0 - std::pow(small / large, 4) / 12.0));
  out.shear = 5.0 / 6.0 * out.area;
  (void)m;
  return out;
}

std::vector<Index> ends(TableReader& table, const char* key, Index elements) {
  std::vector<Index> nodes;
  for (const std::string& word : table.texts(key).value_or(std::vector<std::string>{})) {
    if (word != "start" && word != "end") {
      table.refuse(key, "E0125", fmt::format("unknown word '{}' for {}.{}", word, table.path(), key),
                   "\"start\" or \"end\"");
      continue;
    }
    nodes.push_back(word == "start" ? 0 : elements);
  }
  return nodes;
}

}  // namespace

void read_flexible_part(Mechanism& m, TableReader& table, const std::string& name) {
  table.require("type", "type = \"beam\"");
  const auto type = table.word("type", {"beam", "linear_body"});
  if (!type) return;
  if (*type == "linear_body")
    return table.refuse("type", "E0108", table.path() + ": a linear body stands alone",
                        "a file of its own, without bodies; among bodies: type = \"beam\"");
  table.follow(table_spec("flexible.beam"));
  table.require_all();
  m.report_name(*table.node(), name);
  const auto length = table.number("length"), modulus = table.number("modulus"), density = table.number("density");
  const Index elements = static_cast<Index>(table.whole("elements", 1, 100000).value_or(10));
  const auto section = read_section(m, table);
  const double shear_modulus = table.number("shear_modulus").value_or(modulus.value_or(1.0) / 2.6);
  const RayleighDamping damping = {table.number("mass_damping").value_or(0.0),
                                   table.number("stiffness_damping").value_or(0.0)};
  Body body;
  body.kind = Body::Kind::flexible;
  body.node = table.node();
  body.material = table.text("material").value_or("");
  body.shapes = read_shapes(m, table, &body.carried_by);
  body.lengths = {{"start", 0.0}, {"end", length.value_or(0.0)}};
  if (const DocumentNode* points = table.take("points")) {
    TableReader group = table.table("points");
    if (group.exists())
      for (const DocumentNode& point : points->children) {
        const auto s = m.reading.number(point, m.unit("m"));
        if (s && length && !(*s >= 0.0 && *s <= *length))
          m.reading.report(m.reading.document.at_value(point, "E0126",
                                                       fmt::format("{} = {} lies beyond the beam", point.path, *s),
                                                       fmt::format("allowed: 0 to {}", *length)));
        if (s) body.lengths[point.key] = *s;
      }
  }
  for (std::size_t i = 0; i < body.carried_by.size(); ++i)
    if (!body.lengths.contains(body.carried_by[i]))
      table.refuse("shape", "E0144",
                   fmt::format("{} has no point '{}' to carry a shape", table.path(), body.carried_by[i]),
                   "on = \"end\", or a name in points");
  const Vector3 position = table.vector("position", m.planar).value_or(Vector3::Zero());
  const auto clamped = ends(table, "clamped", elements), hinged = ends(table, "hinged", elements);
  const Vector3 velocity = table.vector("velocity", m.planar).value_or(Vector3::Zero());
  if (!length || !modulus || !density || !section) return;
  if (m.planar) {
    model::PlanarBeamSpec spec;
    spec.name = name;
    spec.elements = elements;
    spec.length = *length;
    spec.section = {*modulus * section->area, shear_modulus * section->shear, *modulus * section->bending_3,
                    *density * section->area, *density * section->bending_3};
    spec.origin = position.head<2>();
    spec.angle = table.number("angle").value_or(0.0);
    spec.velocity = velocity.head<2>();
    if (const DocumentNode* spin = table.take("spin"))
      spec.spin = m.reading.number(*spin, m.unit("rad/s")).value_or(0.0);
    spec.damping = damping;
    for (const Index node : clamped) spec.supports.push_back(model::PlanarSupport::clamped(node));
    for (const Index node : hinged) spec.supports.push_back(model::PlanarSupport::hinged(node));
    body.flexible = std::move(spec);
  } else {
    model::SpatialBeamSpec spec;
    spec.name = name;
    spec.elements = elements;
    spec.length = *length;
    spec.section.EA = *modulus * section->area;
    spec.section.GA_2 = spec.section.GA_3 = shear_modulus * section->shear;
    spec.section.GJ = shear_modulus * section->twist;
    spec.section.EI_2 = *modulus * section->bending_2;
    spec.section.EI_3 = *modulus * section->bending_3;
    spec.section.rho_A = *density * section->area;
    spec.section.rho_J = *density * Vector3(section->polar, section->bending_2, section->bending_3);
    spec.origin = position;
    spec.orientation = m.orientation(table).value_or(Quaternion(1.0, 0.0, 0.0, 0.0));
    spec.velocity = velocity;
    if (table.take("spin")) spec.spin = table.vector3("spin").value_or(Vector3::Zero());
    spec.damping = damping;
    for (const Index node : clamped) spec.supports.push_back(model::SpatialSupport::clamped(node));
    for (const Index node : hinged) spec.supports.push_back(model::SpatialSupport::hinged(node));
    body.flexible = std::move(spec);
  }
  m.add(std::move(body));
}

}  // namespace carom::inline io::mechanism
