#include "carom/model/parts/spatial_beam.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/base/errors.h"
#include "carom/model/assembly/constant_blocks.h"
#include "carom/model/assembly/frames.h"
#include "carom/model/flexible/beam_section.h"
#include "carom/model/parts/body_manifold.h"

namespace carom::model {

namespace {

constexpr Index node_width = 6;  // velocities of a node
constexpr Index element_width = 12;

using manifold::four;
using manifold::three;

// The rotation vector from one node to the next, as the element takes it.
Vector3 between(const BeamNode& a, const BeamNode& b) {
  Quaternion relative = quaternion_product(quaternion_conjugate(a.p), b.p);
  if (relative[0] < 0.0) relative = -relative;
  return quaternion_log(relative);
}

void check_spec(const SpatialBeamSpec& spec) {
  check_beam(spec.elements, spec.length, spec.damping, spec.contacts);
  std::vector<InputProblem> problems;
  const auto refuse = [&](std::string key, std::string message, std::string hint) {
    problems.push_back({"E0150", std::move(message), std::move(key), std::move(hint), {}, 0, 0, {}});
  };
  const SpatialSection& s = spec.section;
  if (!(s.EA > 0.0 && s.GA_2 > 0.0 && s.GA_3 > 0.0 && s.GJ > 0.0 && s.EI_2 > 0.0 && s.EI_3 > 0.0))
    refuse("section", "the stiffnesses of a section must be positive", "EA, GA, GJ, EI > 0");
  if (!(s.rho_A > 0.0 && s.rho_J.minCoeff() > 0.0))
    refuse("section", "mass and rotary inertia per length must be positive", "rho_A, rho_J > 0");
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

SpatialBeam::SpatialBeam(SpatialBeamSpec spec, const std::vector<double>& frames) : spec_(std::move(spec)) {
  check_spec(spec_);
  const SpatialSection& s = spec_.section;
  D_ << s.EA, s.GA_2, s.GA_3, s.GJ, s.EI_2, s.EI_3;
  per_length_ << Vector3::Constant(s.rho_A), s.rho_J;
  for (const double at : frames) {
    const BeamPlace place = place_on_beam(at, spec_.elements, spec_.length);
    frames_.push_back({place_name(spec_.name, at, place), place});
    sections_between_nodes_ = sections_between_nodes_ || !place.at_node();
  }
  number_unknowns();
  for (Index node = 0; node < node_count(); ++node)
    for (Index i = 0; i < node_width; ++i) unknowns_.push_back(unknown(node, i));

  const Element::Vector6 third = element_length() / 3.0 * per_length_;
  std::vector<Eigen::Triplet<double>> entries;
  for (Index e = 0; e < element_count(); ++e)
    for (Index i = 0; i < element_width; ++i)
      for (Index j = i % node_width; j < element_width; j += node_width)
        if (unknowns(e)[i] != held_fast && unknowns(e)[j] != held_fast)
          entries.emplace_back(unknowns(e)[i], unknowns(e)[j], (i == j ? 1.0 : 0.5) * third[i % node_width]);
  Eigen::SparseMatrix<double> M(nv_, nv_);
  M.setFromTriplets(entries.begin(), entries.end());
  M_ = std::make_shared<const ConstantMatrix>(std::move(M));

  node_forces_.assign(static_cast<std::size_t>(node_count()), Vector3::Zero());
  const Vector3 weight = 0.5 * element_length() * s.rho_A * spec_.gravity;  // of half an element
  for (Index e = 0; e < element_count(); ++e)
    for (const Index node : {e, e + 1}) node_forces_[static_cast<std::size_t>(node)] += weight;
  for (const SpatialLoad& load : spec_.loads) node_forces_[static_cast<std::size_t>(load.node)] += load.force;
}

void SpatialBeam::number_unknowns() {
  places_.resize(static_cast<std::size_t>(node_count()));
  const Vector3 along = rotation_matrix(spec_.orientation).col(0);
  const std::string prefix = spec_.name.empty() ? "" : spec_.name + ".";
  std::vector<std::array<bool, 4>> holds(places_.size(), {false, false, false, false});
  for (const SpatialSupport& support : spec_.supports) {
    auto& at = holds[static_cast<std::size_t>(support.node)];
    for (std::size_t i = 0; i < 3; ++i) at[i] = at[i] || support.position[i];
    at[3] = at[3] || support.rotation;
  }
  for (Index node = 0; node < node_count(); ++node) {
    Places& p = places_[static_cast<std::size_t>(node)];
    const auto& at = holds[static_cast<std::size_t>(node)];
    p.start = spec_.origin + node * element_length() * along;
    for (std::size_t i = 0; i < 3; ++i) {
      p.q_position[i] = at[i] ? held_fast : nq_;
      p.v_position[i] = at[i] ? held_fast : nv_;
      if (at[i]) continue;
      ++nq_;
      ++nv_;
      const char letter = "xyz"[i];
      q_names_.push_back(fmt::format("{}node{}.{}", prefix, node, letter));
      v_names_.push_back(fmt::format("{}node{}.v{}", prefix, node, letter));
    }
    if (at[3]) continue;
    p.q_rotation = nq_;
    p.v_rotation = nv_;
    nq_ += 4;
    nv_ += 3;
    for (int i = 0; i < 4; ++i) q_names_.push_back(fmt::format("{}node{}.p{}", prefix, node, i));
    for (int i = 0; i < 3; ++i) v_names_.push_back(fmt::format("{}node{}.spin_{}", prefix, node, "xyz"[i]));
  }
}

Index SpatialBeam::unknown(Index node, Index component) const {
  const Places& p = places(node);
  if (component < 3) return p.v_position[static_cast<std::size_t>(component)];
  return p.v_rotation == held_fast ? held_fast : p.v_rotation + component - 3;
}

State SpatialBeam::start() const {
  State state;
  state.q.resize(nq_);
  state.v.resize(nv_);
  const Vector3 body_spin = rotation_matrix(spec_.orientation).transpose() * spec_.spin;
  for (const Places& p : places_) {
    const Vector3 velocity = spec_.velocity + spec_.spin.cross(p.start - spec_.origin);
    for (std::size_t i = 0; i < 3; ++i) {
      if (p.q_position[i] == held_fast) continue;
      state.q[p.q_position[i]] = p.start[static_cast<Index>(i)];
      state.v[p.v_position[i]] = velocity[static_cast<Index>(i)];
    }
    if (p.q_rotation == held_fast) continue;
    state.q.segment<4>(p.q_rotation) = spec_.orientation;
    state.v.segment<3>(p.v_rotation) = body_spin;
  }
  return state;
}

BeamNode SpatialBeam::node(const double* q, const double* v, Index node) const {
  const Places& p = places(node);
  BeamNode at;
  at.x = p.start;
  at.p = p.q_rotation == held_fast ? spec_.orientation : Quaternion(four(q + p.q_rotation));
  for (std::size_t i = 0; i < 3; ++i) {
    if (p.q_position[i] == held_fast) continue;
    at.x[static_cast<Index>(i)] = q[p.q_position[i]];
    if (v) at.velocity[static_cast<Index>(i)] = v[p.v_position[i]];
  }
  if (v && p.v_rotation != held_fast) at.spin = three(v + p.v_rotation);
  return at;
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

void SpatialBeam::declare(Index offset, MatrixAssembly& M, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const {
  declare_runs(M_.get(), offset, M);
  for (Index e = 0; e < element_count(); ++e) {
    declare_element(unknowns(e), element_width, offset, dh_dq);
    declare_element(unknowns(e), element_width, offset, dh_dv);
  }
}

void SpatialBeam::inertia(const double*, MatrixAssembly::Writer& M) const { write_runs(M_.get(), M); }

void SpatialBeam::add_force(double, const double* q, const double* v, double* h) const {
  const double alpha = spec_.damping.mass_factor, beta = spec_.damping.stiffness_factor;
  for (Index n = 0; n < node_count(); ++n)
    for (Index i = 0; i < 3; ++i)
      if (unknown(n, i) != held_fast) h[unknown(n, i)] += node_forces_[static_cast<std::size_t>(n)][i];
  for (const SpatialLoad& load : spec_.loads)
    if (places(load.node).v_rotation != held_fast)
      three(h + places(load.node).v_rotation) +=
          rotation_matrix(node(q, nullptr, load.node).p).transpose() * load.moment;
  if (alpha != 0.0) M_->multiply_add(-alpha, v, h);

  BeamNode a = node(q, v, 0);
  for (Index e = 0; e < element_count(); ++e) {
    const BeamNode b = node(q, v, e + 1);
    const Element element(a, b, element_length());
    Element::Vector6 eps = element.strain();
    if (beta != 0.0) eps += beta * element.strain_rate();
    Element::Vector12 f = element.force(D_.cwiseProduct(eps));
    const Element::Vector12 p = momenta(a, b);
    f.segment<3>(3) += a.spin.cross(Vector3(p.segment<3>(3)));
    f.segment<3>(9) += b.spin.cross(Vector3(p.segment<3>(9)));
    const Index* unknown = unknowns(e);
    for (Index i = 0; i < element_width; ++i)
      if (unknown[i] != held_fast) h[unknown[i]] -= f[i];
    a = b;
  }
}

void SpatialBeam::force_jacobian(double, const double* q, const double* v, MatrixAssembly::Writer& dh_dq,
                                 MatrixAssembly::Writer& dh_dv) const {
  const double alpha = spec_.damping.mass_factor, beta = spec_.damping.stiffness_factor;
  const Element::Vector6 third = element_length() / 3.0 * per_length_;
  BeamNode a = node(q, v, 0);
  for (Index e = 0; e < element_count(); ++e) {
    const BeamNode b = node(q, v, e + 1);
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
    write_element<element_width>(K, unknowns(e), dh_dq);

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
    write_element<element_width>(C, unknowns(e), dh_dv);
    a = b;
  }
}

template <class Turn>
void SpatialBeam::move_nodes(const double* q, const double* dq, double* q_next, Turn turn) const {
  for (const Places& p : places_) {
    for (std::size_t i = 0; i < 3; ++i)
      if (p.q_position[i] != held_fast) q_next[p.q_position[i]] = q[p.q_position[i]] + dq[p.v_position[i]];
    if (p.q_rotation == held_fast) continue;
    const Quaternion turned = quaternion_product(four(q + p.q_rotation), turn(three(dq + p.v_rotation)));
    four(q_next + p.q_rotation) = unit_correction(turned) * turned;
  }
}

void SpatialBeam::move(const double* q, const double* dq, double* q_next) const {
  move_nodes(q, dq, q_next, [](const Vector3& phi) { return quaternion_exp(phi); });
}

void SpatialBeam::rational_move(const double* q, const double* dq, double* q_next) const {
  move_nodes(q, dq, q_next, [](const Vector3& phi) { return quaternion_cayley(phi); });
}

void SpatialBeam::difference(const double* qa, const double* qb, double* dq) const {
  for (const Places& p : places_) {
    for (std::size_t i = 0; i < 3; ++i)
      if (p.q_position[i] != held_fast) dq[p.v_position[i]] = qb[p.q_position[i]] - qa[p.q_position[i]];
    if (p.q_rotation == held_fast) continue;
    three(dq + p.v_rotation) =
        quaternion_log(quaternion_product(quaternion_conjugate(four(qa + p.q_rotation)), four(qb + p.q_rotation)));
  }
}

void SpatialBeam::apply_T(const double* q, const double* v, double* dq) const {
  for (const Places& p : places_) {
    for (std::size_t i = 0; i < 3; ++i)
      if (p.q_position[i] != held_fast) dq[p.q_position[i]] = v[p.v_position[i]];
    if (p.q_rotation != held_fast)
      four(dq + p.q_rotation) = quaternion_rate_map(four(q + p.q_rotation)) * three(v + p.v_rotation);
  }
}

void SpatialBeam::apply_T_transpose(const double* q, const double* f, double* r) const {
  for (const Places& p : places_) {
    for (std::size_t i = 0; i < 3; ++i)
      if (p.q_position[i] != held_fast) r[p.v_position[i]] = f[p.q_position[i]];
    if (p.q_rotation != held_fast)
      three(r + p.v_rotation) = quaternion_rate_map(four(q + p.q_rotation)).transpose() * four(f + p.q_rotation);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Frames

void SpatialBeam::place(double, const double* q, Pose* poses) const {
  for (const Frame& frame : frames_) {
    const BeamPlace& at = frame.place;
    if (at.at_node()) {
      const BeamNode n = node(q, nullptr, at.node());
      *poses++ = {n.x, rotation_matrix(n.p)};
      continue;
    }
    const BeamNode a = node(q, nullptr, at.element), b = node(q, nullptr, at.element + 1);
    *poses++ = {(1.0 - at.weight) * a.x + at.weight * b.x,
                BeamSection<double>(rotation_matrix(a.p), between(a, b), at.weight).R};
  }
}

SpatialBeam::FrameMap SpatialBeam::frame_map(const double* q, const BeamPlace& at) const {
  const Matrix3 zero = Matrix3::Zero();
  if (at.weight == 0.0) return {{1.0, 0.0}, {rotation_matrix(node(q, nullptr, at.element).p), zero}};
  if (at.weight == 1.0) return {{0.0, 1.0}, {zero, rotation_matrix(node(q, nullptr, at.element + 1).p)}};
  const BeamNode a = node(q, nullptr, at.element), b = node(q, nullptr, at.element + 1);
  const BeamSection<double> section(rotation_matrix(a.p), between(a, b), at.weight);
  return {{1.0 - at.weight, at.weight}, {section.R * section.A_1, section.R * section.A_2}};
}

void SpatialBeam::twists(double, const double* q, const double* v, const Pose*, Twist* twists) const {
  for (const Frame& frame : frames_) {
    const FrameMap map = frame_map(q, frame.place);
    const BeamNode a = node(q, v, frame.place.element), b = node(q, v, frame.place.element + 1);
    *twists++ = {map.weight[0] * a.velocity + map.weight[1] * b.velocity, map.B[0] * a.spin + map.B[1] * b.spin};
  }
}

// At a node omega = R Omega, whose rate at constant Omega is omega x omega = 0. Between nodes (R Omega)' = R Omega',
// and Omega' is the change of A_1 and A_2.
void SpatialBeam::rates(double, const double* q, const double* v, const Pose*, Twist* rates) const {
  for (const Frame& frame : frames_) {
    Twist& rate = *rates++;
    rate = {};
    if (frame.place.at_node()) continue;
    const BeamNode a = node(q, v, frame.place.element), b = node(q, v, frame.place.element + 1);
    const auto section = turned_section<1>(rotation_matrix(a.p), between(a, b), frame.place.weight, &a.spin, &b.spin);
    for (int i = 0; i < 3; ++i) {
      double change = 0.0;
      for (int k = 0; k < 3; ++k) change += section.A_1(i, k).d[0] * a.spin[k] + section.A_2(i, k).d[0] * b.spin[k];
      for (int k = 0; k < 3; ++k) rate.omega[k] += section.R(k, i).value * change;
    }
  }
}

void SpatialBeam::add_load(const double* q, Index f, const Pose&, const Vector3& force, const Vector3& torque,
                           double* h) const {
  const BeamPlace& at = frames_[static_cast<std::size_t>(f)].place;
  const FrameMap map = frame_map(q, at);
  for (Index side = 0; side < 2; ++side) {
    if (map.weight[side] == 0.0) continue;
    const Vector3 turning = map.B[side].transpose() * torque;
    for (Index i = 0; i < node_width; ++i) {
      const Index k = unknown(at.element + side, i);
      if (k != held_fast) h[k] += i < 3 ? map.weight[side] * force[i] : turning[i - 3];
    }
  }
}

void SpatialBeam::add_rows(const double* q, Index f, const Pose&, Index rows, const Vector3* force,
                           const Vector3* torque, Index offset, ConstraintJacobian& W) const {
  const BeamPlace& at = frames_[static_cast<std::size_t>(f)].place;
  const FrameMap map = frame_map(q, at);
  const Index* unknown = unknowns(at.element);
  const Index begin = at.weight == 1.0 ? node_width : 0, end = at.weight == 0.0 ? node_width : element_width;
  Index first = held_fast, count = 0;
  for (Index i = begin; i < end; ++i)
    if (unknown[i] != held_fast) {
      if (first == held_fast) first = unknown[i];
      ++count;
    }
  if (count == 0) return;
  double* entries = W.add_segment(offset + first, count);
  for (Index r = 0; r < rows; ++r) {
    const Vector3 turning[2] = {map.B[0].transpose() * torque[r], map.B[1].transpose() * torque[r]};
    for (Index i = begin; i < end; ++i) {
      if (unknown[i] == held_fast) continue;
      const Index side = i / node_width, component = i % node_width;
      *entries++ = component < 3 ? map.weight[side] * force[r][component] : turning[side][component - 3];
    }
  }
}

void SpatialBeam::frame_derivatives(const double* q, const double* v, Index f, const Pose&, const Vector3&,
                                    const Vector3& torque, FrameColumns& out) const {
  const BeamPlace& at = frames_[static_cast<std::size_t>(f)].place;
  const BeamNode a = node(q, v, at.element), b = node(q, v, at.element + 1);
  // The six turns of the two nodes.
  Vector3 theta[2][6];
  for (int n = 0; n < 6; ++n) {
    theta[0][n] = n < 3 ? Vector3(Vector3::Unit(n)) : Vector3(Vector3::Zero());
    theta[1][n] = n < 3 ? Vector3(Vector3::Zero()) : Vector3(Vector3::Unit(n - 3));
  }
  Eigen::Matrix<double, 3, 6> omega_by;  // of omega = R (A_1 Omega_1 + A_2 Omega_2)
  Eigen::Matrix<double, 6, 6> load_by;   // of (A_1, A_2)' R' torque
  if (at.at_node()) {
    const Matrix3 R = rotation_matrix(at.weight == 0.0 ? a.p : b.p);
    const Index side = at.weight == 0.0 ? 0 : 3;
    omega_by.setZero();
    load_by.setZero();
    omega_by.middleCols<3>(side) = -R * skew(at.weight == 0.0 ? a.spin : b.spin);
    load_by.block<3, 3>(side, side) = skew(R.transpose() * torque);
  } else {
    using S = Dual<6>;
    const BeamSection<S> section =
        turned_section<6>(rotation_matrix(a.p), between(a, b), at.weight, theta[0], theta[1]);
    const Vector3Of<S> spin = section.A_1 * a.spin.cast<S>() + section.A_2 * b.spin.cast<S>();
    const Vector3Of<S> omega = section.R * spin, turning = section.R.transpose() * torque.cast<S>();
    const Vector3Of<S> load[2] = {section.A_1.transpose() * turning, section.A_2.transpose() * turning};
    for (int i = 0; i < 3; ++i)
      for (std::size_t n = 0; n < 6; ++n) {
        omega_by(i, static_cast<int>(n)) = omega[i].d[n];
        load_by(i, static_cast<int>(n)) = load[0][i].d[n];
        load_by(3 + i, static_cast<int>(n)) = load[1][i].d[n];
      }
  }
  // The columns of add_rows.
  const Index* unknown = unknowns(at.element);
  const Index begin = at.weight == 1.0 ? node_width : 0, end = at.weight == 0.0 ? node_width : element_width;
  const auto turn = [](Index i) { return i % node_width < 3 ? -1 : 3 * (i / node_width) + i % node_width - 3; };
  Index column = 0;
  for (Index j = begin; j < end; ++j) {
    if (unknown[j] == held_fast) continue;
    if (turn(j) >= 0) {
      out.twist_by_q.block<3, 1>(3, column) += omega_by.col(turn(j));
      Index row = 0;
      for (Index i = begin; i < end; ++i) {
        if (unknown[i] == held_fast) continue;
        if (turn(i) >= 0) out.load_by_q(row, column) += load_by(turn(i), turn(j));
        ++row;
      }
    }
    ++column;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Energies

double SpatialBeam::kinetic_energy(const double*, const double* v) const { return 0.5 * M_->bilinear(v, v); }

double SpatialBeam::potential_energy(const double* q) const {
  double energy = 0.0;
  for (Index n = 0; n < node_count(); ++n)
    energy -= node_forces_[static_cast<std::size_t>(n)].dot(node(q, nullptr, n).x);
  for (Index e = 0; e < element_count(); ++e) {
    const BeamNode a = node(q, nullptr, e), b = node(q, nullptr, e + 1);
    const Element::Vector6 eps = Element(a, b, element_length()).strain();
    energy += 0.5 * element_length() * eps.dot(D_.cwiseProduct(eps));
  }
  return energy;
}

bool SpatialBeam::conservative() const {
  for (const SpatialLoad& load : spec_.loads)
    if (load.moment != Vector3::Zero()) return false;
  return spec_.damping.mass_factor == 0.0 && spec_.damping.stiffness_factor == 0.0;
}

double SpatialBeam::other_power(double, const double* q, const double* v) const {
  double power = -2.0 * spec_.damping.mass_factor * kinetic_energy(q, v);
  for (const SpatialLoad& load : spec_.loads) {
    const BeamNode at = node(q, v, load.node);
    power += load.moment.dot(rotation_matrix(at.p) * at.spin);
  }
  if (spec_.damping.stiffness_factor == 0.0) return power;
  for (Index e = 0; e < element_count(); ++e) {
    const BeamNode a = node(q, v, e), b = node(q, v, e + 1);
    const Element::Vector6 rate = Element(a, b, element_length()).strain_rate();
    power -= spec_.damping.stiffness_factor * element_length() * rate.dot(D_.cwiseProduct(rate));
  }
  return power;
}

SpatialBeam::Momentum SpatialBeam::momentum(const double* q, const double* v) const {
  Momentum sum;
  const auto add = [&](const BeamNode& node, const Vector3& linear, const Vector3& spin) {
    sum.linear += linear;
    sum.angular += node.x.cross(linear) + rotation_matrix(node.p) * spin;
  };
  for (Index e = 0; e < element_count(); ++e) {
    const BeamNode a = node(q, v, e), b = node(q, v, e + 1);
    const Element::Vector12 p = momenta(a, b);
    add(a, p.segment<3>(0), p.segment<3>(3));
    add(b, p.segment<3>(6), p.segment<3>(9));
  }
  return sum;
}

void SpatialBeam::describe(Layout& layout) const {
  const std::string path = spec_.name.empty() ? "/node" : "/" + spec_.name;
  std::vector<std::string> names;
  for (Index n = 0; n < node_count(); ++n) names.push_back(place_name(spec_.name, 0.0, {n, 0.0}));
  layout.add_pool(path, std::move(names));
  // place(p, k): where the k-th number of a node stands; start(p, k): its value where it is held.
  const auto add = [&](const char* field, FieldOf of, Index width, auto place, auto start, const char* unit,
                       const char* meaning) {
    std::vector<Index> places;
    std::vector<double> fixed;
    for (const Places& p : places_)
      for (Index k = 0; k < width; ++k) {
        const Index i = place(p, k);
        places.push_back(i == held_fast ? Field::is_held : i);
        if (i == held_fast) fixed.push_back(start(p, k));
      }
    layout.add_pooled(path + field, of, width, std::move(places), std::move(fixed), unit, meaning);
  };
  const auto zero = [](const Places&, Index) { return 0.0; };
  const auto from = [](Index first, Index k) { return first == held_fast ? held_fast : first + k; };
  add(
      "/position", FieldOf::q, 3, [](const Places& p, Index k) { return p.q_position[static_cast<std::size_t>(k)]; },
      [](const Places& p, Index k) { return p.start[k]; }, "m", "in the world");
  add(
      "/orientation", FieldOf::q, 4, [&](const Places& p, Index k) { return from(p.q_rotation, k); },
      [&](const Places&, Index k) { return spec_.orientation[k]; }, "1",
      "unit quaternion of the cross section, scalar first");
  add(
      "/velocity", FieldOf::v, 3, [](const Places& p, Index k) { return p.v_position[static_cast<std::size_t>(k)]; },
      zero, "m/s", "in the world");
  add(
      "/spin", FieldOf::v, 3, [&](const Places& p, Index k) { return from(p.v_rotation, k); }, zero, "rad/s",
      "angular velocity of the cross section, in its own frame");
  if (!spec_.name.empty())
    for (const Frame& frame : frames_) layout.add_frame(frame.name, StateFrame::Kind::general);
}

std::string SpatialBeam::coordinate_name(Index i) const { return q_names_.at(static_cast<std::size_t>(i)); }
std::string SpatialBeam::velocity_name(Index i) const { return v_names_.at(static_cast<std::size_t>(i)); }

Model make_spatial_beam(const SpatialBeamSpec& spec) {
  std::vector<double> frames;
  for (const BeamContact& contact : spec.contacts) frames.push_back(contact.at);
  const auto beam = std::make_shared<SpatialBeam>(spec, frames);
  return make_beam_model(Space::spatial, beam, spec.contacts, spec.length, beam->start());
}

}  // namespace carom::model
