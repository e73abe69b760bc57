#include "carom/model/flexible/spatial_beam.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/base/errors.h"
#include "carom/base/vector_kernels.h"
#include "carom/system/layout.h"

namespace carom {

namespace {

constexpr Index node_width = 6;  // velocities of a node
constexpr Index element_width = 12;

void check_spec(const SpatialBeamSpec& spec) {
  std::vector<InputProblem> problems;
  const auto refuse = [&](std::string key, std::string message, std::string hint) {
    problems.push_back({"E0150", std::move(message), std::move(key), std::move(hint), {}, 0, 0, {}});
  };
  const SpatialSection& s = spec.section;
  if (!(s.EA > 0.0 && s.GA_2 > 0.0 && s.GA_3 > 0.0 && s.GJ > 0.0 && s.EI_2 > 0.0 && s.EI_3 > 0.0))
    refuse("section", "the stiffnesses of a section must be positive", "EA, GA, GJ, EI > 0");
  if (!(s.rho_A > 0.0 && s.rho_J.minCoeff() > 0.0))
    refuse("section", "mass and rotary inertia per length must be positive", "rho_A, rho_J > 0");
  if (!(spec.damping.mass_factor >= 0.0 && spec.damping.stiffness_factor >= 0.0))
    refuse("damping", "negative damping", "both factors >= 0");
  if (!(std::abs(spec.orientation.norm() - 1.0) <= 1e-9))
    refuse("orientation", "the orientation is no unit quaternion", "divide it by its length");
  const auto check_node = [&](const char* key, Index node) {
    if (node < 0 || node > spec.elements)
      refuse(key, fmt::format("there is no node {}", node), fmt::format("nodes 0 to {}", spec.elements));
  };
  for (const SpatialSupport& support : spec.supports) check_node("support", support.node);
  for (const SpatialLoad& load : spec.loads) check_node("load", load.node);
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace

SpatialSection SpatialSection::round(double radius, double E, double G, double density) {
  const double area = std::numbers::pi * radius * radius, I = 0.25 * area * radius * radius;
  SpatialSection s;
  s.EA = E * area;
  s.GA_2 = s.GA_3 = 6.0 / 7.0 * G * area;
  s.GJ = 2.0 * G * I;
  s.EI_2 = s.EI_3 = E * I;
  s.rho_A = density * area;
  s.rho_J = density * Vector3(2.0 * I, I, I);
  return s;
}

SpatialBeam::SpatialBeam(SpatialBeamSpec spec)
    : Beam(Space::spatial, spec.elements, spec.length, spec.contacts), spec_(std::move(spec)) {
  check_spec(spec_);
  traits_.quaternions = true;
  const SpatialSection& s = spec_.section;
  D_ << s.EA, s.GA_2, s.GA_3, s.GJ, s.EI_2, s.EI_3;
  per_length_ << Vector3::Constant(s.rho_A), s.rho_J;
  number_unknowns();

  std::vector<Index> by_element;
  for (Index e = 0; e < element_count(); ++e)
    for (const Index node : {e, e + 1})
      for (Index i = 0; i < node_width; ++i) by_element.push_back(unknown(node, i));
  tangent_ = ElementAssembly(nv_, element_width, by_element);

  const ElementAssembly inertia(nv_, element_width, by_element,
                                [](Index i, Index j) { return i % node_width == j % node_width; });
  Element::Matrix12 M = Element::Matrix12::Zero();
  M.diagonal() << per_length_, per_length_;
  M *= element_length() / 3.0;
  M.topRightCorner<6, 6>() = M.bottomLeftCorner<6, 6>() = 0.5 * M.topLeftCorner<6, 6>();
  Inertia sum;
  double* entries = inertia.begin(sum);
  for (Index e = 0; e < element_count(); ++e) inertia.add(e, M.data(), entries);
  M_ = std::make_shared<const ConstantMatrix>(sum.sparse_matrix());

  node_forces_.assign(static_cast<std::size_t>(node_count()), Vector3::Zero());
  const Vector3 weight = 0.5 * element_length() * s.rho_A * spec_.gravity;  // of half an element
  for (Index e = 0; e < element_count(); ++e)
    for (const Index node : {e, e + 1}) node_forces_[static_cast<std::size_t>(node)] += weight;
  for (const SpatialLoad& load : spec_.loads) node_forces_[static_cast<std::size_t>(load.node)] += load.force;
}

void SpatialBeam::number_unknowns() {
  places_.resize(static_cast<std::size_t>(node_count()));
  const Vector3 along = rotation_matrix(spec_.orientation).col(0);
  std::vector<std::array<bool, 4>> held(places_.size(), {false, false, false, false});
  for (const SpatialSupport& support : spec_.supports) {
    auto& at = held[static_cast<std::size_t>(support.node)];
    for (std::size_t i = 0; i < 3; ++i) at[i] = at[i] || support.position[i];
    at[3] = at[3] || support.rotation;
  }
  for (Index node = 0; node < node_count(); ++node) {
    Places& p = places_[static_cast<std::size_t>(node)];
    const auto& at = held[static_cast<std::size_t>(node)];
    p.start = spec_.origin + node * element_length() * along;
    for (std::size_t i = 0; i < 3; ++i) {
      p.q_position[i] = at[i] ? removed : nq_;
      p.v_position[i] = at[i] ? removed : nv_;
      if (at[i]) continue;
      ++nq_;
      ++nv_;
      const char letter = "xyz"[i];
      q_names_.push_back(fmt::format("node{}.{}", node, letter));
      v_names_.push_back(fmt::format("node{}.v{}", node, letter));
    }
    if (at[3]) continue;
    p.q_rotation = nq_;
    p.v_rotation = nv_;
    nq_ += 4;
    nv_ += 3;
    for (int i = 0; i < 4; ++i) q_names_.push_back(fmt::format("node{}.p{}", node, i));
    for (int i = 0; i < 3; ++i) v_names_.push_back(fmt::format("node{}.spin_{}", node, "xyz"[i]));
  }
}

Index SpatialBeam::unknown(Index node, Index component) const {
  const Places& p = places(node);
  if (component < 3) return p.v_position[static_cast<std::size_t>(component)];
  return p.v_rotation == removed ? removed : p.v_rotation + component - 3;
}

State SpatialBeam::start() const {
  State state;
  state.q.resize(nq_);
  state.v.resize(nv_);
  const Vector3 body_spin = rotation_matrix(spec_.orientation).transpose() * spec_.spin;
  for (const Places& p : places_) {
    const Vector3 velocity = spec_.velocity + spec_.spin.cross(p.start - spec_.origin);
    for (std::size_t i = 0; i < 3; ++i) {
      if (p.q_position[i] == removed) continue;
      state.q[p.q_position[i]] = p.start[static_cast<Index>(i)];
      state.v[p.v_position[i]] = velocity[static_cast<Index>(i)];
    }
    if (p.q_rotation == removed) continue;
    state.q.segment<4>(p.q_rotation) = spec_.orientation;
    state.v.segment<3>(p.v_rotation) = body_spin;
  }
  return state;
}

Vector3 SpatialBeam::node_position(const Vector& q, Index node) const {
  const Places& p = places(node);
  Vector3 x = p.start;
  for (std::size_t i = 0; i < 3; ++i)
    if (p.q_position[i] != removed) x[static_cast<Index>(i)] = q[p.q_position[i]];
  return x;
}

Quaternion SpatialBeam::node_orientation(const Vector& q, Index node) const {
  const Places& p = places(node);
  return p.q_rotation == removed ? spec_.orientation : Quaternion(q.segment<4>(p.q_rotation));
}

BeamNode SpatialBeam::node_at(const Vector& q, const Vector& v, Index node) const {
  const Places& p = places(node);
  BeamNode at;
  at.x = node_position(q, node);
  at.p = node_orientation(q, node);
  for (std::size_t i = 0; i < 3; ++i)
    if (p.v_position[i] != removed) at.velocity[static_cast<Index>(i)] = v[p.v_position[i]];
  if (p.v_rotation != removed) at.spin = v.segment<3>(p.v_rotation);
  return at;
}

Twist SpatialBeam::node_twist(const Vector& q, const Vector& v, Index node) const {
  const BeamNode at = node_at(q, v, node);
  return {at.velocity, rotation_matrix(at.p) * at.spin};
}

void SpatialBeam::evaluate(double, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                           Evaluation& out) const {
  if (has(need, Need::inertia)) out.M.share(M_);
  if (has(need, Need::force)) evaluate_force(q, v, out.h);
  if (has(need, Need::force_jacobian)) evaluate_force_jacobian(q, v, out);
  evaluate_contacts(q, v, need, active, out);
}

// dT/dw of one element, T = l/6 (w_1'.w_1 + w_1'.w_2 + w_2'.w_2) weighted by the inertia per length.
SpatialBeam::Element::Vector12 SpatialBeam::momenta(const BeamNode& a, const BeamNode& b) const {
  Element::Vector6 w1, w2;
  w1 << a.velocity, a.spin;
  w2 << b.velocity, b.spin;
  const Element::Vector6 sixth = element_length() / 6.0 * per_length_;
  Element::Vector12 p;
  p << sixth.cwiseProduct(2.0 * w1 + w2), sixth.cwiseProduct(w1 + 2.0 * w2);
  return p;
}

void SpatialBeam::evaluate_force(const Vector& q, const Vector& v, Vector& h) const {
  const double alpha = spec_.damping.mass_factor, beta = spec_.damping.stiffness_factor;
  set_zero(nv_, h);
  for (Index node = 0; node < node_count(); ++node)
    for (Index i = 0; i < 3; ++i)
      if (unknown(node, i) != removed) h[unknown(node, i)] = node_forces_[static_cast<std::size_t>(node)][i];
  for (const SpatialLoad& load : spec_.loads)
    if (places(load.node).v_rotation != removed)
      h.segment<3>(places(load.node).v_rotation) +=
          rotation_matrix(node_orientation(q, load.node)).transpose() * load.moment;
  if (alpha != 0.0) M_->multiply_add(-alpha, v.data(), h.data());

  BeamNode a = node_at(q, v, 0);
  for (Index e = 0; e < element_count(); ++e) {
    const BeamNode b = node_at(q, v, e + 1);
    const Element element(a, b, element_length());
    Element::Vector6 eps = element.strain();
    if (beta != 0.0) eps += beta * element.strain_rate();
    Element::Vector12 f = element.force(D_.cwiseProduct(eps));
    const Element::Vector12 p = momenta(a, b);
    f.segment<3>(3) += a.spin.cross(Vector3(p.segment<3>(3)));
    f.segment<3>(9) += b.spin.cross(Vector3(p.segment<3>(9)));
    const Index* unknowns = tangent_.unknowns(e);
    for (Index i = 0; i < element_width; ++i)
      if (unknowns[i] != removed) h[unknowns[i]] -= f[i];
    a = b;
  }
}

void SpatialBeam::evaluate_force_jacobian(const Vector& q, const Vector& v, Evaluation& out) const {
  const double alpha = spec_.damping.mass_factor, beta = spec_.damping.stiffness_factor;
  double* dh_dq = tangent_.begin(out.dh_dq);
  double* dh_dv = tangent_.begin(out.dh_dv);
  const Element::Vector6 third = element_length() / 3.0 * per_length_;
  BeamNode a = node_at(q, v, 0);
  for (Index e = 0; e < element_count(); ++e) {
    const BeamNode b = node_at(q, v, e + 1);
    Element element(a, b, element_length());
    element.prepare_tangents();
    const Element::Matrix12 material = element.material_tangent(D_);
    Element::Matrix12 K = -material;
    Element::Vector6 eps = element.strain();
    if (beta != 0.0) {
      eps += beta * element.strain_rate();
      K -= beta * element.rate_tangent(D_);
    }
    K -= element.geometric_tangent(D_.cwiseProduct(eps));
    for (const SpatialLoad& load : spec_.loads) {  // R' m turns with the node; each node counted once
      if (load.node != e + 1 && !(load.node == 0 && e == 0)) continue;
      const Index row = load.node == 0 ? 3 : 9;
      const Matrix3 R = rotation_matrix(load.node == 0 ? a.p : b.p);
      K.block<3, 3>(row, row) += skew(R.transpose() * load.moment);
    }
    tangent_.add(e, K.data(), dh_dq);

    Element::Matrix12 C = -beta * material;
    for (Index i = 0; i < node_width; ++i) {
      C(i, i) -= alpha * third[i];
      C(i + 6, i + 6) -= alpha * third[i];
      C(i, i + 6) -= 0.5 * alpha * third[i];
      C(i + 6, i) -= 0.5 * alpha * third[i];
    }
    // - d(Omega_a x pi_a) = pi_a x dOmega_a - Omega_a x dpi_a
    const Element::Vector12 p = momenta(a, b);
    const Matrix3 J = third.tail<3>().asDiagonal();
    const Matrix3 turn_a = skew(a.spin) * J, turn_b = skew(b.spin) * J;
    C.block<3, 3>(3, 3) += skew(p.segment<3>(3)) - turn_a;
    C.block<3, 3>(3, 9) -= 0.5 * turn_a;
    C.block<3, 3>(9, 3) -= 0.5 * turn_b;
    C.block<3, 3>(9, 9) += skew(p.segment<3>(9)) - turn_b;
    tangent_.add(e, C.data(), dh_dv);
    a = b;
  }
}

template <class Turn>
void SpatialBeam::move_nodes(const Vector& q, const Vector& dq, Vector& q_next, Turn turn) const {
  fit(nq_, q_next);
  for (const Places& p : places_) {
    for (std::size_t i = 0; i < 3; ++i)
      if (p.q_position[i] != removed) q_next[p.q_position[i]] = q[p.q_position[i]] + dq[p.v_position[i]];
    if (p.q_rotation == removed) continue;
    const Quaternion turned = quaternion_product(q.segment<4>(p.q_rotation), turn(dq.segment<3>(p.v_rotation)));
    q_next.segment<4>(p.q_rotation) = unit_correction(turned) * turned;
  }
}

void SpatialBeam::move(const Vector& q, const Vector& dq, Vector& q_next) const {
  move_nodes(q, dq, q_next, [](const Vector3& phi) { return quaternion_exp(phi); });
}

void SpatialBeam::rational_move(const Vector& q, const Vector& dq, Vector& q_next) const {
  move_nodes(q, dq, q_next, [](const Vector3& phi) { return quaternion_cayley(phi); });
}

void SpatialBeam::difference(const Vector& qa, const Vector& qb, Vector& dq) const {
  fit(nv_, dq);
  for (const Places& p : places_) {
    for (std::size_t i = 0; i < 3; ++i)
      if (p.q_position[i] != removed) dq[p.v_position[i]] = qb[p.q_position[i]] - qa[p.q_position[i]];
    if (p.q_rotation == removed) continue;
    dq.segment<3>(p.v_rotation) = quaternion_log(
        quaternion_product(quaternion_conjugate(qa.segment<4>(p.q_rotation)), qb.segment<4>(p.q_rotation)));
  }
}

void SpatialBeam::apply_T(const Vector& q, const Vector& v, Vector& dq) const {
  fit(nq_, dq);
  for (const Places& p : places_) {
    for (std::size_t i = 0; i < 3; ++i)
      if (p.q_position[i] != removed) dq[p.q_position[i]] = v[p.v_position[i]];
    if (p.q_rotation == removed) continue;
    dq.segment<4>(p.q_rotation) =
        quaternion_rate_map(q.segment<4>(p.q_rotation)) * v.segment<3>(p.v_rotation);
  }
}

void SpatialBeam::apply_T_transpose(const Vector& q, const Vector& f, Vector& r) const {
  fit(nv_, r);
  for (const Places& p : places_) {
    for (std::size_t i = 0; i < 3; ++i)
      if (p.q_position[i] != removed) r[p.v_position[i]] = f[p.q_position[i]];
    if (p.q_rotation == removed) continue;
    r.segment<3>(p.v_rotation) =
        quaternion_rate_map(q.segment<4>(p.q_rotation)).transpose() * f.segment<4>(p.q_rotation);
  }
}

double SpatialBeam::kinetic_energy(double, const Vector&, const Vector& v) const {
  return 0.5 * M_->bilinear(v.data(), v.data());
}

double SpatialBeam::potential_energy(double, const Vector& q) const {
  const Vector rest = Vector::Zero(nv_);
  double energy = 0.0;
  for (Index node = 0; node < node_count(); ++node)
    energy -= node_forces_[static_cast<std::size_t>(node)].dot(node_position(q, node));
  for (Index e = 0; e < element_count(); ++e) {
    const BeamNode a = node_at(q, rest, e), b = node_at(q, rest, e + 1);
    const Element::Vector6 eps = Element(a, b, element_length()).strain();
    energy += 0.5 * element_length() * eps.dot(D_.cwiseProduct(eps));
  }
  return energy;
}

double SpatialBeam::other_power(double, const Vector& q, const Vector& v) const {
  double power = -2.0 * spec_.damping.mass_factor * kinetic_energy(0.0, q, v);
  for (const SpatialLoad& load : spec_.loads) power += load.moment.dot(node_twist(q, v, load.node).omega);
  if (spec_.damping.stiffness_factor == 0.0) return power;
  for (Index e = 0; e < element_count(); ++e) {
    const BeamNode a = node_at(q, v, e), b = node_at(q, v, e + 1);
    const Element::Vector6 rate = Element(a, b, element_length()).strain_rate();
    power -= spec_.damping.stiffness_factor * element_length() * rate.dot(D_.cwiseProduct(rate));
  }
  return power;
}

void SpatialBeam::add_node_rows(const Vector& q, Index node, double weight, Index rows, const Vector3* d,
                                const Vector3* torque, ConstraintJacobian& W) const {
  const Places& p = places(node);
  std::array<Index, node_width> free;
  Index count = 0;
  for (Index i = 0; i < node_width; ++i)
    if (unknown(node, i) != removed) free[static_cast<std::size_t>(count++)] = i;
  if (count == 0) return;
  const Matrix3 R = p.q_rotation == removed ? Matrix3(Matrix3::Zero()) : rotation_matrix(node_orientation(q, node));
  double* entries = W.add_segment(unknown(node, free[0]), count);
  for (Index r = 0; r < rows; ++r) {
    const Vector3 body_torque = R.transpose() * torque[r];
    for (Index j = 0; j < count; ++j) {
      const Index i = free[static_cast<std::size_t>(j)];
      *entries++ = weight * (i < 3 ? d[r][i] : body_torque[i - 3]);
    }
  }
}

SpatialBeam::Momentum SpatialBeam::momentum(const Vector& q, const Vector& v) const {
  Momentum sum;
  const auto add = [&](const BeamNode& node, const Vector3& linear, const Vector3& spin) {
    sum.linear += linear;
    sum.angular += node.x.cross(linear) + rotation_matrix(node.p) * spin;
  };
  for (Index e = 0; e < element_count(); ++e) {
    const BeamNode a = node_at(q, v, e), b = node_at(q, v, e + 1);
    const Element::Vector12 p = momenta(a, b);
    add(a, p.segment<3>(0), p.segment<3>(3));
    add(b, p.segment<3>(6), p.segment<3>(9));
  }
  return sum;
}

void SpatialBeam::describe(Layout& layout) const {
  std::vector<std::string> names;
  for (Index node = 0; node < node_count(); ++node) names.push_back(fmt::format("node{}", node));
  layout.add_pool("/node", std::move(names));
  // place(p, k): where the k-th number of a node stands; start(p, k): its value where it is held.
  const auto add = [&](const char* path, FieldOf of, Index width, auto place, auto start, const char* unit, const char* meaning) {
    std::vector<Index> places;
    std::vector<double> held;
    for (const Places& p : places_)
      for (Index k = 0; k < width; ++k) {
        const Index i = place(p, k);
        places.push_back(i == removed ? Field::is_held : i);
        if (i == removed) held.push_back(start(p, k));
      }
    layout.add_pooled(path, of, width, std::move(places), std::move(held), unit, meaning);
  };
  const auto zero = [](const Places&, Index) { return 0.0; };
  const auto from = [](Index first, Index k) { return first == removed ? removed : first + k; };
  add("/node/position", FieldOf::q, 3, [](const Places& p, Index k) { return p.q_position[static_cast<std::size_t>(k)]; },
      [](const Places& p, Index k) { return p.start[k]; }, "m", "in the world");
  add("/node/orientation", FieldOf::q, 4, [&](const Places& p, Index k) { return from(p.q_rotation, k); },
      [&](const Places&, Index k) { return spec_.orientation[k]; }, "1", "unit quaternion of the cross section, scalar first");
  add("/node/velocity", FieldOf::v, 3, [](const Places& p, Index k) { return p.v_position[static_cast<std::size_t>(k)]; }, zero,
      "m/s", "in the world");
  add("/node/spin", FieldOf::v, 3, [&](const Places& p, Index k) { return from(p.v_rotation, k); }, zero, "rad/s",
      "angular velocity of the cross section, in its own frame");
}

std::string SpatialBeam::coordinate_name(Index i) const { return q_names_.at(static_cast<std::size_t>(i)); }
std::string SpatialBeam::velocity_name(Index i) const { return v_names_.at(static_cast<std::size_t>(i)); }

Model make_spatial_beam(const SpatialBeamSpec& spec) {
  auto beam = std::make_shared<SpatialBeam>(spec);
  Model model;
  model.initial = beam->start();
  model.system = std::move(beam);
  return model;
}

}  // namespace carom
