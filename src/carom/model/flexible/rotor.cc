#include "carom/model/flexible/rotor.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/base/errors.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/assembly/assembled_system.h"
#include "carom/model/contacts/permanent_contacts.h"
#include "carom/model/forces/gyroscopic_discs.h"
#include "carom/model/forces/site_loads.h"
#include "carom/model/parts/linear_body.h"

namespace carom {

namespace {

using model::LinearBody;

constexpr AxleMotion deflections[] = {AxleMotion::v, AxleMotion::w};

void add(double factor, const Axle::Row& row, Vector& y) {
  for (const auto& [i, weight] : row) y[i] += factor * weight;
}
// A += factor a a'
void add_square(double factor, const Axle::Row& a, Eigen::SparseMatrix<double>& A) {
  for (const auto& [i, x] : a)
    for (const auto& [j, y] : a) A.coeffRef(i, j) += factor * (x * y);
}

// Of the axle with all it carries, and of its mount at the drive.
LinearDynamics axle_dynamics(const RotorData& d, const Axle& axle) {
  StructureMatrices m = axle.matrices();
  const Index last = d.axle.elements;
  const auto node = [&](Index k, AxleMotion motion) -> Axle::Row { return {{axle.coordinate(k, motion), 1.0}}; };
  const auto wheel = [&](AxleMotion motion) { return axle.shape(d.wheel_position, motion); };
  for (const AxleMotion motion : deflections) {
    add_square(d.wheel_mass, wheel(motion), m.M);
    add_square(d.journal_mass, node(0, motion), m.M);
    add_square(d.drive_stiffness, node(last, motion), m.K);
    add_square(d.drive_damping, node(last, motion), m.C);
  }
  for (const AxleMotion motion : {AxleMotion::theta_z, AxleMotion::theta_y, AxleMotion::phi}) {
    add_square(d.journal_inertia, node(0, motion), m.M);
    add_square(motion == AxleMotion::phi ? d.wheel_polar_inertia : d.wheel_transverse_inertia, wheel(motion), m.M);
  }
  Vector f = Vector::Zero(axle.size());
  axle.add_weight(d.gravity, f);
  add(-d.wheel_mass * d.gravity, wheel(AxleMotion::w), f);
  add(-d.journal_mass * d.gravity, node(0, AxleMotion::w), f);
  add(d.vertical_torque, node(last, AxleMotion::theta_z), f);
  return LinearDynamics(std::move(m), std::move(f));
}

LinearDynamics bearing_dynamics(const RotorData& d) {
  const auto diagonal = [](double value) {
    Eigen::SparseMatrix<double> A(2, 2);
    A.setIdentity();
    return Eigen::SparseMatrix<double>(value * A);
  };
  return LinearDynamics({diagonal(d.bearing_mass), diagonal(d.bearing_damping), diagonal(d.bearing_stiffness)},
                        Eigen::Vector2d(0.0, -d.bearing_mass * d.gravity));
}

std::vector<LinearBody::Label> axle_labels(Index nodes) {
  std::vector<LinearBody::Label> labels;
  for (Index node = 0; node < nodes; ++node)
    for (const auto& [motion, unit] :
         {std::pair{"v", "m"}, {"theta_z", "rad"}, {"w", "m"}, {"theta_y", "rad"}, {"phi", "rad"}})
      labels.push_back({fmt::format("node{}.{}", node, motion), unit});
  return labels;
}

// A frame of the axle: displacements along y and z, rotations about x, y and z.
LinearBody::Frame spinning_frame(const char* name, double x, const std::array<Axle::Row, 5>& rows) {
  LinearBody::Frame frame =
      model::make_frame(name, {x, 0.0, 0.0}, {Axle::Row{}, rows[0], rows[1], rows[2], rows[3], rows[4]});
  frame.turns = false;
  frame.spins = true;
  return frame;
}

}  // namespace

Model make_rotor(const RotorData& d, const ContactParameters& contact) {
  using namespace model;
  const Axle axle(d.axle);
  const auto at = [&](double x, AxleMotion motion) { return axle.shape(x, motion); };
  const Vector3 axis = Vector3::UnitZ();
  Pose place;
  place.R << 0, 1, 0, 0, 0, 1, 1, 0, 0;

  enum : Index { wheel = 1, journal, drive, bearing };  // the frames
  std::vector<LinearBody::Frame> frames = {
      spinning_frame("wheel", d.wheel_position,
                     {at(d.wheel_position, AxleMotion::v), at(d.wheel_position, AxleMotion::w),
                      at(d.wheel_position, AxleMotion::phi), at(d.wheel_position, AxleMotion::theta_y),
                      at(d.wheel_position, AxleMotion::theta_z)}),
      spinning_frame("journal", d.journal_position,
                     {at(d.journal_position, AxleMotion::v), at(d.journal_position, AxleMotion::w),
                      at(0.0, AxleMotion::phi), Axle::Row{}, Axle::Row{}}),
      spinning_frame("drive", d.axle.length,
                     {Axle::Row{}, Axle::Row{}, at(d.axle.length, AxleMotion::phi), Axle::Row{}, Axle::Row{}})};
  LinearBody::Frame bore = make_frame("bearing", {d.journal_position, 0.0, 0.0},
                                      {Axle::Row{}, Axle::Row{{0, 1.0}}, Axle::Row{{1, 1.0}}, {}, {}, {}});

  Assembly assembly;
  assembly.parts = {std::make_shared<LinearBody>("axle", axle_dynamics(d, axle), place, std::move(frames),
                                                 std::vector<RowContact>{}, "SI", axle_labels(d.axle.elements + 1)),
                    std::make_shared<LinearBody>(
                        "bearing", bearing_dynamics(d), place, std::vector{std::move(bore)}, std::vector<RowContact>{},
                        "m", std::vector<LinearBody::Label>{{"bearing.y", "m"}, {"bearing.z", "m"}})};
  assembly.forces = {
      std::make_shared<GyroscopicDiscs>(std::vector<GyroscopicDisc>{{"wheel", wheel, axis, d.wheel_polar_inertia}}),
      std::make_shared<SiteLoads>(std::vector<SiteLoad>{
          {"drive", {.frame = drive}, {}, [d, axis](double t, std::span<const SiteMotion>) {
             return Load{.torque = t < d.drive_time ? d.drive_torque * axis : Vector3(Vector3::Zero())};
           }}})};

  geometry::ContactPrimitive p;
  p.kind = geometry::PrimitiveKind::disc_disc_inner;
  p.first.radius = d.journal_radius;
  p.second.radius = d.bearing_radius;
  p.normal = Vector3::UnitY();
  assembly.constraints = {std::make_shared<PermanentContacts>(
      std::vector<PermanentContact>{{.name = "journal",
                                     .record = make_record(p, journal, bearing, true),
                                     .law = make_contact_law(Space::planar, contact),
                                     .length = d.journal_radius,
                                     .clearance = d.bearing_radius - d.journal_radius}})};
  Model result;
  result.initial.q.setZero(axle.size() + 2);
  result.initial.v.setZero(axle.size() + 2);
  result.system = std::make_shared<AssembledSystem>(std::move(assembly), result.initial.q);
  return result;
}

std::array<double, 2> eccentricity(const RotorData& data, const Vector& q) {
  const Axle axle(data.axle);
  std::array<double, 2> e;
  for (std::size_t k = 0; k < 2; ++k) {
    e[k] = -q[axle.size() + static_cast<Index>(k)];
    for (const auto& [i, weight] : axle.shape(data.journal_position, deflections[k])) e[k] += weight * q[i];
  }
  return e;
}

namespace analytic {

namespace {

Model make(const Parameters& p, const ContactParameters& contact) {
  RotorData d;
  const double elements = p.number("elements");
  if (elements != std::floor(elements))
    throw InputError({"E0126", "the number of elements is not whole", "elements", "use a whole number", {}, 0, 0, {}});
  d.axle.elements = static_cast<Index>(elements);
  d.axle.torsional_damping = p.number("torsional_damping");
  d.wheel_mass = p.number("wheel_mass");
  d.wheel_polar_inertia = p.number("wheel_polar_inertia");
  d.wheel_transverse_inertia = p.number("wheel_transverse_inertia");
  d.bearing_radius = p.number("bearing_radius");
  d.drive_torque = p.number("drive_torque");
  d.drive_time = p.number("drive_time");
  d.vertical_torque = p.number("vertical_torque");
  d.gravity = p.number("gravity");
  if (d.bearing_radius <= d.journal_radius)
    throw InputError({"E0121",
                      "the journal does not fit into its bearing",
                      "bearing_radius",
                      "its radius is 0.01 m: choose more",
                      {},
                      0,
                      0,
                      {}});
  return make_rotor(d, contact);
}

}  // namespace

AnalyticEntry rotor() {
  const RotorData d;
  return {"rotor",
          "an elastic rotor with a journal in a bearing with clearance",
          "Schindler et al. 2015",
          true,
          {{"elements", static_cast<double>(d.axle.elements), "beam elements of the axle", 1, 1000},
           not_negative("torsional_damping", d.axle.torsional_damping, "of an element, kg m^2/s"),
           positive("wheel_mass", d.wheel_mass, "kg"),
           positive("wheel_polar_inertia", d.wheel_polar_inertia, "about the axis, kg m^2"),
           positive("wheel_transverse_inertia", d.wheel_transverse_inertia, "across the axis, kg m^2"),
           positive("bearing_radius", d.bearing_radius, "m; that of the journal is 0.01 m"),
           any("drive_torque", d.drive_torque, "about the axis at the right end, N m"),
           not_negative("drive_time", d.drive_time, "for which it acts, s"),
           any("vertical_torque", d.vertical_torque, "about the vertical axis at the right end, N m"),
           any("gravity", d.gravity, "m/s^2, downwards")},
          make};
}

}  // namespace analytic
}  // namespace carom
