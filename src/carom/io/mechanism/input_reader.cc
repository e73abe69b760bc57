// What others set while the model is stepped: a force or torque along a joint, or in a direction at a point.
#include <fmt/format.h>

#include "carom/io/mechanism/mechanism.h"

namespace carom::inline io::mechanism {

namespace {

constexpr const char* one_of = "joint = \"bearing\"; or at = \"slider.W\" with force = \"x\" or torque = \"z\"";

// Where it acts, and in which unit; false after a report.
bool read_joint_input(Mechanism& m, TableReader& table, model::InputSpec& input) {
  for (const char* key : {"at", "force", "torque"})
    if (table.take(key)) {
      table.refuse(key, "E0106", fmt::format("{}: {} beside joint", table.path(), key), one_of);
      return false;
    }
  const auto named = table.text("joint");
  if (!named) return false;
  const Mechanism::Coordinate coordinate = m.coordinate(table, "joint", *named);
  if (!coordinate.joint) return false;
  input.joint = coordinate.name();
  input.unit = coordinate.turns() ? "N*m" : "N";
  return true;
}

bool read_point_input(Mechanism& m, TableReader& table, model::InputSpec& input) {
  if (!table.take("at")) {
    table.require("joint", one_of);
    return false;
  }
  const auto at = table.text("at");
  if (!at) return false;
  const auto place = m.place(*table.node()->find("at"), *at);
  if (!place) return false;
  if (place->body < 0) {
    table.refuse("at", "E0211", table.path() + ": an input on the ground moves nothing", "name a body");
    return false;
  }
  input.site = place->site;
  const bool force = table.take("force"), torque = table.take("torque");
  if (!force && !torque) table.require("force", one_of);
  if (force && torque)
    table.refuse("torque", "E0106", fmt::format("{}: torque beside force", table.path()), "two inputs add up");
  if (force == torque) return false;
  const char* key = force ? "force" : "torque";
  const auto direction = m.direction(table, key);
  if (!direction) return false;
  if (m.planar && (force ? direction->z() != 0.0 : direction->z() != direction->norm())) {
    table.refuse(key, "E0108", fmt::format("{}.{} leads out of the plane", table.path(), key),
                 force ? "\"x\", \"y\" or two components" : "torque = \"z\"");
    return false;
  }
  (force ? input.force : input.torque) = direction->normalized();
  input.unit = force ? "N" : "N*m";
  return true;
}

}  // namespace

void read_input(Mechanism& m, TableReader& table, const std::string& name) {
  model::InputSpec input{.name = name};
  const bool good = table.take("joint") ? read_joint_input(m, table, input) : read_point_input(m, table, input);
  table.take("start");
  if (!good) return;
  input.start = table.number("start", m.unit(input.unit.c_str())).value_or(0.0);
  m.additions.push_back([input](model::ModelBuilder& builder) { builder.add_input(input); });
}

}  // namespace carom::inline io::mechanism
