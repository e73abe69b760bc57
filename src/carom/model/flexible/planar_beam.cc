#include "carom/model/flexible/planar_beam.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/base/errors.h"
#include "carom/base/vector_kernels.h"
#include "carom/system/layout.h"

namespace carom {

namespace {

constexpr Index node_width = 3;
constexpr Index element_width = 6;

void check_spec(const PlanarBeamSpec& spec) {
  std::vector<InputProblem> problems;
  const auto refuse = [&](std::string key, std::string message, std::string hint) {
    problems.push_back({"E0150", std::move(message), std::move(key), std::move(hint), {}, 0, 0, {}});
  };
  const PlanarSection& s = spec.section;
  if (!(s.EA > 0.0 && s.GA > 0.0 && s.EI > 0.0))
    refuse("section", "the stiffnesses of a section must be positive", "EA, GA, EI > 0");
  if (!(s.rho_A > 0.0 && s.rho_I > 0.0))
    refuse("section", "mass and rotary inertia per length must be positive", "rho_A, rho_I > 0");
  if (!(spec.damping.mass_factor >= 0.0 && spec.damping.stiffness_factor >= 0.0))
    refuse("damping", "negative damping", "both factors >= 0");
  const auto check_node = [&](const char* key, Index node) {
    if (node < 0 || node > spec.elements)
      refuse(key, fmt::format("there is no node {}", node), fmt::format("nodes 0 to {}", spec.elements));
  };
  for (const PlanarSupport& support : spec.supports) check_node("support", support.node);
  for (const PlanarLoad& load : spec.loads) check_node("load", load.node);
  for (const BeamContact& c : spec.contacts) {
    const bool plane = c.obstacle.kind == BeamObstacle::Kind::plane;
    if (plane ? c.obstacle.plane.normal.z() != 0.0 : c.obstacle.centre.z() != 0.0)
      refuse(c.name, "an obstacle that is not in the plane of the beam", "normal and centre with z = 0");
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace

PlanarBeam::PlanarBeam(PlanarBeamSpec spec)
    : Beam(Space::planar, spec.elements, spec.length, spec.contacts), spec_(std::move(spec)) {
  check_spec(spec_);
  const PlanarSection& s = spec_.section;
  D_ << s.EA, s.GA, s.EI;

  unknowns_.assign(static_cast<std::size_t>(node_width * node_count()), 0);
  for (const PlanarSupport& support : spec_.supports) {
    Index* first = unknowns_.data() + node_width * support.node;
    if (support.x) first[0] = removed;
    if (support.y) first[1] = removed;
    if (support.angle) first[2] = removed;
  }
  const Vector2 along(std::cos(spec_.angle), std::sin(spec_.angle));
  for (Index node = 0; node < node_count(); ++node) {
    const Vector2 x = spec_.origin + node * element_length() * along;
    held_.insert(held_.end(), {x.x(), x.y(), spec_.angle});
  }
  for (Index k = 0; k < node_width * node_count(); ++k) {
    Index& unknown = unknowns_[static_cast<std::size_t>(k)];
    if (unknown == removed) continue;
    unknown = size_++;
    owners_.push_back(k);
  }

  std::vector<Index> by_element;
  for (Index e = 0; e < element_count(); ++e)
    by_element.insert(by_element.end(), unknowns_.begin() + node_width * e,
                      unknowns_.begin() + node_width * e + element_width);
  tangent_ = ElementAssembly(size_, element_width, by_element);

  const ElementAssembly inertia(size_, element_width, by_element,
                                [](Index i, Index j) { return i % node_width == j % node_width; });
  const Element::Matrix6 element = element_inertia();
  Inertia sum;
  double* entries = inertia.begin(sum);
  for (Index e = 0; e < element_count(); ++e) inertia.add(e, element.data(), entries);
  M_ = std::make_shared<const ConstantMatrix>(sum.sparse_matrix());

  constant_force_.setZero(size_);
  const auto apply = [&](Index node, const Vector2& force, double moment) {
    for (Index i = 0; i < node_width; ++i)
      if (unknown(node, i) != removed) constant_force_[unknown(node, i)] += i < 2 ? force[i] : moment;
  };
  const Vector2 weight = 0.5 * element_length() * s.rho_A * spec_.gravity;  // of half an element
  for (Index e = 0; e < element_count(); ++e) {
    apply(e, weight, 0.0);
    apply(e + 1, weight, 0.0);
  }
  for (const PlanarLoad& load : spec_.loads) apply(load.node, load.force, load.moment);
}

PlanarBeam::Element::Matrix6 PlanarBeam::element_inertia() const {
  const PlanarSection& s = spec_.section;
  const Eigen::Vector3d per_length(s.rho_A, s.rho_A, s.rho_I);
  const Matrix3 sixth = (element_length() / 6.0 * per_length).asDiagonal();
  Element::Matrix6 M;
  M << 2.0 * sixth, sixth, sixth, 2.0 * sixth;
  return M;
}

State PlanarBeam::start() const {
  State state;
  state.q.resize(size_);
  state.v.resize(size_);
  for (Index node = 0; node < node_count(); ++node) {
    const double* x = held_.data() + node_width * node;
    const Vector2 lever = Vector2(x[0], x[1]) - spec_.origin;
    const double v[] = {spec_.velocity.x() - spec_.spin * lever.y(), spec_.velocity.y() + spec_.spin * lever.x(),
                        spec_.spin};
    for (Index i = 0; i < node_width; ++i) {
      if (unknown(node, i) == removed) continue;
      state.q[unknown(node, i)] = x[i];
      state.v[unknown(node, i)] = v[i];
    }
  }
  return state;
}

PlanarBeam::Element::Vector6 PlanarBeam::coordinates(const Vector& q, Index element) const {
  Element::Vector6 u;
  for (Index i = 0; i < element_width; ++i)
    u[i] = coordinate(q, element + i / node_width, i % node_width);
  return u;
}

PlanarBeam::Element::Vector6 PlanarBeam::rates(const Vector& v, Index element) const {
  const Index* unknown = tangent_.unknowns(element);
  Element::Vector6 rate;
  for (Index i = 0; i < element_width; ++i) rate[i] = unknown[i] == removed ? 0.0 : v[unknown[i]];
  return rate;
}

void PlanarBeam::evaluate(double, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                          Evaluation& out) const {
  if (has(need, Need::inertia)) out.M.share(M_);
  if (has(need, Need::force)) evaluate_force(q, v, out.h);
  if (has(need, Need::force_jacobian)) evaluate_force_jacobian(q, v, out);
  evaluate_contacts(q, v, need, active, out);
}

void PlanarBeam::evaluate_force(const Vector& q, const Vector& v, Vector& h) const {
  const double alpha = spec_.damping.mass_factor, beta = spec_.damping.stiffness_factor;
  h = constant_force_;
  if (alpha != 0.0) M_->multiply_add(-alpha, v.data(), h.data());
  for (Index e = 0; e < element_count(); ++e) {
    const Element element(coordinates(q, e), element_length());
    Element::Strain eps = element.eps;
    if (beta != 0.0) eps += beta * (element.B * rates(v, e));
    const Element::Vector6 f = element.force(D_.cwiseProduct(eps));
    const Index* unknown = tangent_.unknowns(e);
    for (Index i = 0; i < element_width; ++i)
      if (unknown[i] != removed) h[unknown[i]] -= f[i];
  }
}

void PlanarBeam::evaluate_force_jacobian(const Vector& q, const Vector& v, Evaluation& out) const {
  const double alpha = spec_.damping.mass_factor, beta = spec_.damping.stiffness_factor;
  const bool damped = alpha != 0.0 || beta != 0.0;
  double* dh_dq = tangent_.begin(out.dh_dq);
  double* dh_dv = nullptr;
  if (damped)
    dh_dv = tangent_.begin(out.dh_dv);
  else
    out.dh_dv.set_zero(size_);
  const Element::Matrix6 M = element_inertia();
  for (Index e = 0; e < element_count(); ++e) {
    const Element element(coordinates(q, e), element_length());
    const Element::Matrix6 material = element.material_tangent(D_);
    Element::Matrix6 K = -material;
    Element::Strain eps = element.eps;
    if (beta != 0.0) {
      const Element::Vector6 rate = rates(v, e);
      eps += beta * (element.B * rate);
      K -= beta * element.rate_tangent(D_, rate);
    }
    K -= element.geometric_tangent(D_.cwiseProduct(eps));
    tangent_.add(e, K.data(), dh_dq);
    if (damped) {
      const Element::Matrix6 C = -alpha * M - beta * material;
      tangent_.add(e, C.data(), dh_dv);
    }
  }
}

double PlanarBeam::kinetic_energy(double, const Vector&, const Vector& v) const {
  return 0.5 * M_->bilinear(v.data(), v.data());
}

double PlanarBeam::potential_energy(double, const Vector& q) const {
  double energy = -constant_force_.dot(q);
  for (Index e = 0; e < element_count(); ++e) {
    const Element element(coordinates(q, e), element_length());
    energy += 0.5 * element_length() * element.eps.dot(D_.cwiseProduct(element.eps));
  }
  return energy;
}

void PlanarBeam::potential_gradient(double, const Vector& q, Vector& out) const {
  scale(-1.0, constant_force_, out);
  for (Index e = 0; e < element_count(); ++e) {
    const Element element(coordinates(q, e), element_length());
    const Element::Vector6 f = element.force(D_.cwiseProduct(element.eps));
    const Index* unknown = tangent_.unknowns(e);
    for (Index i = 0; i < element_width; ++i)
      if (unknown[i] != removed) out[unknown[i]] += f[i];
  }
}

double PlanarBeam::other_power(double, const Vector& q, const Vector& v) const {
  double power = -2.0 * spec_.damping.mass_factor * kinetic_energy(0.0, q, v);
  if (spec_.damping.stiffness_factor == 0.0) return power;
  for (Index e = 0; e < element_count(); ++e) {
    const Element element(coordinates(q, e), element_length());
    const Element::Strain rate = element.B * rates(v, e);
    power -= spec_.damping.stiffness_factor * element_length() * rate.dot(D_.cwiseProduct(rate));
  }
  return power;
}

Vector3 PlanarBeam::node_position(const Vector& q, Index node) const {
  return {coordinate(q, node, 0), coordinate(q, node, 1), 0.0};
}

Twist PlanarBeam::node_twist(const Vector&, const Vector& v, Index node) const {
  const auto rate = [&](Index i) { return unknown(node, i) == removed ? 0.0 : v[unknown(node, i)]; };
  return {{rate(0), rate(1), 0.0}, {0.0, 0.0, rate(2)}};
}

void PlanarBeam::add_node_rows(const Vector&, Index node, double weight, Index rows, const Vector3* d,
                               const Vector3* torque, ConstraintJacobian& W) const {
  std::array<Index, node_width> free;
  Index count = 0;
  for (Index i = 0; i < node_width; ++i)
    if (unknown(node, i) != removed) free[static_cast<std::size_t>(count++)] = i;
  if (count == 0) return;
  double* entries = W.add_segment(unknown(node, free[0]), count);
  for (Index r = 0; r < rows; ++r)
    for (Index j = 0; j < count; ++j) {
      const Index i = free[static_cast<std::size_t>(j)];
      *entries++ = weight * (i < 2 ? d[r][i] : torque[r].z());
    }
}

PlanarBeam::Momentum PlanarBeam::momentum(const Vector& q, const Vector& v) const {
  Momentum sum;
  const Element::Matrix6 M = element_inertia();
  for (Index e = 0; e < element_count(); ++e) {
    const Element::Vector6 u = coordinates(q, e), p = M * rates(v, e);
    for (Index a = 0; a < element_width; a += node_width) {
      sum.linear += p.segment<2>(a);
      sum.angular += u[a] * p[a + 1] - u[a + 1] * p[a] + p[a + 2];
    }
  }
  return sum;
}

std::string PlanarBeam::name(Index i, const char* const* components) const {
  const Index owner = owners_.at(static_cast<std::size_t>(i));
  return fmt::format("node{}.{}", owner / node_width, components[owner % node_width]);
}

void PlanarBeam::describe(Layout& layout) const {
  std::vector<std::string> names;
  for (Index node = 0; node < node_count(); ++node) names.push_back(fmt::format("node{}", node));
  layout.add_pool("/node", std::move(names));
  const auto add = [&](const char* path, FieldOf of, Index first, Index width, const char* unit, const char* meaning) {
    std::vector<Index> places;
    std::vector<double> held;
    for (Index node = 0; node < node_count(); ++node)
      for (Index k = first; k < first + width; ++k) {
        const Index i = unknown(node, k);
        places.push_back(i == removed ? Field::is_held : i);
        if (i == removed) held.push_back(of == FieldOf::q ? held_[static_cast<std::size_t>(node_width * node + k)] : 0.0);
      }
    layout.add_pooled(path, of, width, std::move(places), std::move(held), unit, meaning);
  };
  add("/node/position", FieldOf::q, 0, 2, "m", "in the world, x and y");
  add("/node/angle", FieldOf::q, 2, 1, "rad", "of the cross section about z");
  add("/node/velocity", FieldOf::v, 0, 2, "m/s", "in the world, x and y");
  add("/node/spin", FieldOf::v, 2, 1, "rad/s", "angular velocity of the cross section about z");
}

std::string PlanarBeam::coordinate_name(Index i) const {
  static constexpr const char* components[] = {"x", "y", "angle"};
  return name(i, components);
}

std::string PlanarBeam::velocity_name(Index i) const {
  static constexpr const char* components[] = {"vx", "vy", "rate"};
  return name(i, components);
}

Model make_planar_beam(const PlanarBeamSpec& spec) {
  auto beam = std::make_shared<PlanarBeam>(spec);
  Model model;
  model.initial = beam->start();
  model.system = std::move(beam);
  return model;
}

}  // namespace carom
