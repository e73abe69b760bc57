#include "carom/model/flexible/rotor.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "carom/base/errors.h"
#include "carom/base/vector_kernels.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/system/layout.h"

namespace carom {

namespace {

constexpr double centred = 1e-14;  // m, below which the direction of the eccentricity means nothing

double apply(const Axle::Row& row, const Vector& x) {
  double sum = 0.0;
  for (const auto& [i, weight] : row) sum += weight * x[i];
  return sum;
}
void add(double factor, const Axle::Row& row, Vector& y) {
  for (const auto& [i, weight] : row) y[i] += factor * weight;
}
// A += factor a b'
void add_outer(double factor, const Axle::Row& a, const Axle::Row& b, Eigen::SparseMatrix<double>& A) {
  for (const auto& [i, x] : a)
    for (const auto& [j, y] : b) A.coeffRef(i, j) += factor * (x * y);
}

}  // namespace

struct Rotor::Journal {
  double eccentricity;  // |e|
  double ny, nz;
  double normal_rate, tangential_rate;  // n . e', t . e'
  double slip;
};

Rotor::Rotor(const RotorData& data, const ContactParameters& contact)
    : data_(data),
      axle_(data.axle),
      wheel_theta_z_(axle_.shape(data.wheel_position, AxleMotion::theta_z)),
      wheel_theta_y_(axle_.shape(data.wheel_position, AxleMotion::theta_y)),
      wheel_phi_(axle_.shape(data.wheel_position, AxleMotion::phi)),
      journal_y_(axle_.shape(data.journal_position, AxleMotion::v)),
      journal_z_(axle_.shape(data.journal_position, AxleMotion::w)),
      dynamics_(make_dynamics()),
      law_(make_contact_law(Space::planar, contact)) {
  features_ = features_of_contact(*law_);
  contact_.id = 1;
  contact_.law = law_.get();
  contact_.length_scale = data.journal_radius;
  contact_.clearance = data.bearing_radius - data.journal_radius;

  dh_dv_at_rest_ = dynamics_.minus_damping()->sparse();
  for (const Axle::Row* a : {&wheel_theta_z_, &wheel_theta_y_})
    for (const Axle::Row* b : {&wheel_theta_z_, &wheel_theta_y_, &wheel_phi_}) add_outer(0.0, *a, *b, dh_dv_at_rest_);
  dh_dv_at_rest_.makeCompressed();
}

LinearDynamics Rotor::make_dynamics() const {
  StructureMatrices m = axle_.matrices(2);
  const Index last = data_.axle.elements, y_B = axle_.size(), z_B = y_B + 1;
  const auto at = [this](Index node, AxleMotion motion) { return axle_.coordinate(node, motion); };
  const auto add_to_diagonal = [](Eigen::SparseMatrix<double>& A, Index i, double value) { A.coeffRef(i, i) += value; };
  for (const AxleMotion motion : {AxleMotion::v, AxleMotion::w}) {
    const Axle::Row N = axle_.shape(data_.wheel_position, motion);
    add_outer(data_.wheel_mass, N, N, m.M);
    add_to_diagonal(m.M, at(0, motion), data_.journal_mass);
    add_to_diagonal(m.K, at(last, motion), data_.drive_stiffness);
    add_to_diagonal(m.C, at(last, motion), data_.drive_damping);
  }
  for (const AxleMotion motion : {AxleMotion::theta_z, AxleMotion::theta_y, AxleMotion::phi})
    add_to_diagonal(m.M, at(0, motion), data_.journal_inertia);
  add_outer(data_.wheel_transverse_inertia, wheel_theta_z_, wheel_theta_z_, m.M);
  add_outer(data_.wheel_transverse_inertia, wheel_theta_y_, wheel_theta_y_, m.M);
  add_outer(data_.wheel_polar_inertia, wheel_phi_, wheel_phi_, m.M);
  for (const Index i : {y_B, z_B}) {
    add_to_diagonal(m.M, i, data_.bearing_mass);
    add_to_diagonal(m.K, i, data_.bearing_stiffness);
    add_to_diagonal(m.C, i, data_.bearing_damping);
  }

  Vector f = Vector::Zero(y_B + 2);
  axle_.add_weight(data_.gravity, f);
  add(-data_.wheel_mass * data_.gravity, axle_.shape(data_.wheel_position, AxleMotion::w), f);
  f[at(0, AxleMotion::w)] -= data_.journal_mass * data_.gravity;
  f[z_B] -= data_.bearing_mass * data_.gravity;
  f[at(last, AxleMotion::theta_z)] += data_.vertical_torque;
  return LinearDynamics(std::move(m), std::move(f));
}

void Rotor::detect(double, const Vector&, const Vector&, double, ContactSet& contacts) const {
  contacts.constraints.assign(1, contact_);
}

std::array<double, 2> Rotor::eccentricity(const Vector& q) const {
  const Index y_B = axle_.size();
  return {apply(journal_y_, q) - q[y_B], apply(journal_z_, q) - q[y_B + 1]};
}

Rotor::Journal Rotor::journal(const Vector& q, const Vector& v) const {
  const auto [ey, ez] = eccentricity(q);
  const auto [ry, rz] = eccentricity(v);
  Journal j;
  j.eccentricity = std::hypot(ey, ez);
  const bool at_centre = j.eccentricity < centred;
  j.ny = at_centre ? 0.0 : ey / j.eccentricity;
  j.nz = at_centre ? -1.0 : ez / j.eccentricity;
  j.normal_rate = j.ny * ry + j.nz * rz;
  j.tangential_rate = -j.nz * ry + j.ny * rz;
  j.slip = j.tangential_rate + data_.journal_radius * v[axle_.coordinate(0, AxleMotion::phi)];
  return j;
}

void Rotor::evaluate(double t, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                     Evaluation& out) const {
  if (has(need, Need::inertia)) dynamics_.inertia(out.M);
  if (has(need, Need::force)) {
    dynamics_.force(q, v, out.h);
    out.h[axle_.coordinate(data_.axle.elements, AxleMotion::phi)] += drive(t);
    add_gyroscopic_force(v, out.h);
  }
  if (has(need, Need::force_jacobian)) evaluate_force_jacobian(v, out);
  if (!has(need, Need::gap | Need::gap_rate | Need::jacobian | Need::convective)) return;

  const Index rows = active.rows();  // none, or those of the one contact
  const bool friction = rows > 1;
  if (has(need, Need::gap)) out.g.assign(rows, 0.0);
  if (has(need, Need::gap_rate)) out.g_rate.assign(rows, 0.0);
  if (has(need, Need::convective)) out.zeta.assign(rows, 0.0);
  if (has(need, Need::jacobian)) {
    out.chi.assign(rows, 0.0);
    out.W.clear();
  }
  if (rows == 0) return;
  const Journal j = journal(q, v);
  if (has(need, Need::gap)) out.g[0] = data_.bearing_radius - data_.journal_radius - j.eccentricity;
  if (has(need, Need::gap_rate)) {
    out.g_rate[0] = -j.normal_rate;
    if (friction) out.g_rate[1] = j.slip;
  }
  if (has(need, Need::jacobian)) evaluate_rows(j, out.W);
  if (has(need, Need::convective) && j.eccentricity >= centred) {
    out.zeta[0] = -j.tangential_rate * j.tangential_rate / j.eccentricity;
    if (friction) out.zeta[1] = -j.normal_rate * j.tangential_rate / j.eccentricity;
  }
}

void Rotor::evaluate_rows(const Journal& j, ConstraintJacobian& W) const {
  const Index rows = law_->dim(), first = journal_y_.front().first, y_B = axle_.size();
  const Index width = 2 * Axle::node_size;  // the two nodes of its element
  W.add_block(rows);
  double* axle = W.add_segment(first, width);
  const double direction[2][2] = {{-j.ny, -j.nz}, {-j.nz, j.ny}};
  for (Index r = 0; r < rows; ++r) {
    for (const auto& [i, weight] : journal_y_) axle[r * width + i - first] += direction[r][0] * weight;
    for (const auto& [i, weight] : journal_z_) axle[r * width + i - first] += direction[r][1] * weight;
  }
  const Index phi = axle_.coordinate(0, AxleMotion::phi);
  if (rows > 1 && first == 0) axle[width + phi] += data_.journal_radius;
  double* bearing = W.add_segment(y_B, 2);
  for (Index r = 0; r < rows; ++r)
    for (Index i = 0; i < 2; ++i) bearing[2 * r + i] = -direction[r][i];
  if (rows > 1 && first != 0) W.add_segment(phi, 1)[1] = data_.journal_radius;
}

void Rotor::add_gyroscopic_force(const Vector& v, Vector& h) const {
  const double spin = data_.wheel_polar_inertia * apply(wheel_phi_, v);
  const double rate_z = apply(wheel_theta_z_, v), rate_y = apply(wheel_theta_y_, v);
  add(-spin * rate_z, wheel_theta_y_, h);
  add(spin * rate_y, wheel_theta_z_, h);
}

void Rotor::evaluate_force_jacobian(const Vector& v, Evaluation& out) const {
  dynamics_.force_jacobian(out.dh_dq, out.dh_dv);
  Eigen::SparseMatrix<double>& dh_dv = out.dh_dv.sparse(nv());
  dh_dv = dh_dv_at_rest_;
  const double J = data_.wheel_polar_inertia, Omega = apply(wheel_phi_, v);
  add_outer(-J * Omega, wheel_theta_y_, wheel_theta_z_, dh_dv);
  add_outer(J * Omega, wheel_theta_z_, wheel_theta_y_, dh_dv);
  add_outer(-J * apply(wheel_theta_z_, v), wheel_theta_y_, wheel_phi_, dh_dv);
  add_outer(J * apply(wheel_theta_y_, v), wheel_theta_z_, wheel_phi_, dh_dv);
}

double Rotor::kinetic_energy(double, const Vector&, const Vector& v) const { return dynamics_.kinetic_energy(v); }
double Rotor::potential_energy(double, const Vector& q) const { return dynamics_.potential_energy(q); }
double Rotor::other_power(double t, const Vector&, const Vector& v) const {
  return dynamics_.damping_power(v) + drive(t) * v[axle_.coordinate(data_.axle.elements, AxleMotion::phi)];
}

std::string Rotor::constraint_name(const Constraint&) const { return "journal"; }

namespace {

constexpr std::array<const char*, 5> motions = {"v", "theta_z", "w", "theta_y", "phi"};

std::string part_name(Index i, Index axle_size, const char* rate) {
  if (i >= axle_size) return fmt::format("bearing.{}{}", i == axle_size ? "y" : "z", rate);
  return fmt::format("node{}.{}{}", i / Axle::node_size, motions[static_cast<std::size_t>(i % Axle::node_size)], rate);
}

}  // namespace

void Rotor::describe(Layout& layout) const {
  for (Index i = 0; i < nq(); ++i) {
    const Index motion = i % Axle::node_size;
    const bool deflection =
        i >= axle_.size() || motion == static_cast<Index>(AxleMotion::v) || motion == static_cast<Index>(AxleMotion::w);
    const std::string unit = deflection ? "m" : "rad";
    layout.add("/coordinate/" + coordinate_name(i), FieldOf::q, i, unit, deflection ? "deflection" : "angle");
    layout.add("/velocity/" + velocity_name(i), FieldOf::v, i, unit + "/s", "velocity");
  }
}

std::string Rotor::coordinate_name(Index i) const { return part_name(i, axle_.size(), ""); }
std::string Rotor::velocity_name(Index i) const { return part_name(i, axle_.size(), "_rate"); }

namespace analytic {

namespace {

Model make_rotor(const Parameters& p, const ContactParameters& contact) {
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
  Model model;
  model.system = std::make_shared<Rotor>(d, contact);
  model.initial.q.setZero(model.system->nq());
  model.initial.v.setZero(model.system->nv());
  return model;
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
          make_rotor};
}

}  // namespace analytic
}  // namespace carom
