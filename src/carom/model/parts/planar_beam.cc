#include "carom/model/parts/planar_beam.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/base/errors.h"
#include "carom/model/assembly/constant_blocks.h"

namespace carom::model {

namespace {

constexpr Index node_width = 3;
constexpr Index element_width = 6;

void check_spec(const PlanarBeamSpec& spec) {
  check_beam(spec.elements, spec.length, spec.damping, spec.contacts);
  std::vector<InputProblem> problems;
  const auto refuse = [&](std::string key, std::string message, std::string hint) {
    problems.push_back({"E0150", std::move(message), std::move(key), std::move(hint), {}, 0, 0, {}});
  };
  const PlanarSection& s = spec.section;
  if (!(s.EA > 0.0 && s.GA > 0.0 && s.EI > 0.0))
    refuse("section", "the stiffnesses of a section must be positive", "EA, GA, EI > 0");
  if (!(s.rho_A > 0.0 && s.rho_I > 0.0))
    refuse("section", "mass and rotary inertia per length must be positive", "rho_A, rho_I > 0");
  const auto check_node = [&](const char* key, Index node) {
    if (node < 0 || node > spec.elements)
      refuse(key, fmt::format("there is no node {}", node), fmt::format("nodes 0 to {}", spec.elements));
  };
  for (const PlanarSupport& support : spec.supports) check_node("support", support.node);
  for (const PlanarLoad& load : spec.loads) check_node("load", load.node);
  for (const BeamContact& c : spec.contacts) {
    const bool plane = c.obstacle.kind == BeamObstacle::Kind::plane;
    if (plane ? c.obstacle.normal.z() != 0.0 : c.obstacle.point.z() != 0.0)
      refuse(c.name, "an obstacle that is not in the plane of the beam", "normal and centre with z = 0");
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace

PlanarBeam::PlanarBeam(PlanarBeamSpec spec, const std::vector<double>& frames) : spec_(std::move(spec)) {
  check_spec(spec_);
  const PlanarSection& s = spec_.section;
  D_ << s.EA, s.GA, s.EI;
  for (const double at : frames) {
    const BeamPlace place = place_on_beam(at, spec_.elements, spec_.length);
    frames_.push_back({place_name(spec_.name, at, place), place});
  }

  unknowns_.assign(static_cast<std::size_t>(node_width * node_count()), 0);
  for (const PlanarSupport& support : spec_.supports) {
    Index* first = unknowns_.data() + node_width * support.node;
    if (support.x) first[0] = held_fast;
    if (support.y) first[1] = held_fast;
    if (support.angle) first[2] = held_fast;
  }
  const Vector2 along(std::cos(spec_.angle), std::sin(spec_.angle));
  for (Index node = 0; node < node_count(); ++node) {
    const Vector2 x = spec_.origin + node * element_length() * along;
    start_.insert(start_.end(), {x.x(), x.y(), spec_.angle});
  }
  for (Index k = 0; k < node_width * node_count(); ++k) {
    Index& unknown = unknowns_[static_cast<std::size_t>(k)];
    if (unknown == held_fast) continue;
    unknown = size_++;
    owners_.push_back(k);
  }

  const Element::Matrix6 element = element_inertia();
  std::vector<Eigen::Triplet<double>> entries;
  for (Index e = 0; e < element_count(); ++e)
    for (Index i = 0; i < element_width; ++i)
      for (Index j = i % node_width; j < element_width; j += node_width)
        if (unknowns(e)[i] != held_fast && unknowns(e)[j] != held_fast)
          entries.emplace_back(unknowns(e)[i], unknowns(e)[j], element(i, j));
  Eigen::SparseMatrix<double> M(size_, size_);
  M.setFromTriplets(entries.begin(), entries.end());
  M_ = std::make_shared<const ConstantMatrix>(std::move(M));

  constant_force_.setZero(size_);
  const auto apply = [&](Index node, const Vector2& force, double moment) {
    for (Index i = 0; i < node_width; ++i)
      if (unknown(node, i) != held_fast) constant_force_[unknown(node, i)] += i < 2 ? force[i] : moment;
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
    const double* x = start_.data() + node_width * node;
    const Vector2 lever = Vector2(x[0], x[1]) - spec_.origin;
    const double v[] = {spec_.velocity.x() - spec_.spin * lever.y(), spec_.velocity.y() + spec_.spin * lever.x(),
                        spec_.spin};
    for (Index i = 0; i < node_width; ++i) {
      if (unknown(node, i) == held_fast) continue;
      state.q[unknown(node, i)] = x[i];
      state.v[unknown(node, i)] = v[i];
    }
  }
  return state;
}

PlanarBeam::Element::Vector6 PlanarBeam::coordinates(const double* q, Index element) const {
  const Index* unknown = unknowns(element);
  const double* start = start_.data() + node_width * element;
  Element::Vector6 u;
  for (Index i = 0; i < element_width; ++i) u[i] = unknown[i] == held_fast ? start[i] : q[unknown[i]];
  return u;
}

PlanarBeam::Element::Vector6 PlanarBeam::element_rates(const double* v, Index element) const {
  const Index* unknown = unknowns(element);
  Element::Vector6 rate;
  for (Index i = 0; i < element_width; ++i) rate[i] = unknown[i] == held_fast ? 0.0 : v[unknown[i]];
  return rate;
}

void PlanarBeam::declare(Index offset, MatrixAssembly& M, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const {
  declare_runs(M_.get(), offset, M);
  for (Index e = 0; e < element_count(); ++e) {
    declare_element(unknowns(e), element_width, offset, dh_dq);
    if (damped()) declare_element(unknowns(e), element_width, offset, dh_dv);
  }
}

void PlanarBeam::inertia(const double*, MatrixAssembly::Writer& M) const { write_runs(M_.get(), M); }

void PlanarBeam::add_force(double, const double* q, const double* v, double* h) const {
  const double alpha = spec_.damping.mass_factor, beta = spec_.damping.stiffness_factor;
  for (Index i = 0; i < size_; ++i) h[i] += constant_force_[i];
  if (alpha != 0.0) M_->multiply_add(-alpha, v, h);
  for (Index e = 0; e < element_count(); ++e) {
    const Element element(coordinates(q, e), element_length());
    Element::Strain eps = element.eps;
    if (beta != 0.0) eps += beta * (element.B * element_rates(v, e));
    const Element::Vector6 f = element.force(D_.cwiseProduct(eps));
    const Index* unknown = unknowns(e);
    for (Index i = 0; i < element_width; ++i)
      if (unknown[i] != held_fast) h[unknown[i]] -= f[i];
  }
}

void PlanarBeam::force_jacobian(double, const double* q, const double* v, MatrixAssembly::Writer& dh_dq,
                                MatrixAssembly::Writer& dh_dv) const {
  const double alpha = spec_.damping.mass_factor, beta = spec_.damping.stiffness_factor;
  const Element::Matrix6 M = element_inertia();
  for (Index e = 0; e < element_count(); ++e) {
    const Element element(coordinates(q, e), element_length());
    const Element::Matrix6 material = element.material_tangent(D_);
    Element::Matrix6 K = -material;
    Element::Strain eps = element.eps;
    if (beta != 0.0) {
      const Element::Vector6 rate = element_rates(v, e);
      eps += beta * (element.B * rate);
      K -= beta * element.rate_tangent(D_, rate);
    }
    K -= element.geometric_tangent(D_.cwiseProduct(eps));
    write_element<element_width>(K, unknowns(e), dh_dq);
    if (!damped()) continue;
    const Element::Matrix6 C = -alpha * M - beta * material;
    write_element<element_width>(C, unknowns(e), dh_dv);
  }
}

PlanarBeam::TurnCounter PlanarBeam::turn_counter(Index frame) const {
  const BeamPlace& place = frames_[static_cast<std::size_t>(frame)].place;
  const Index node = place.weight > 0.5 ? place.element + 1 : place.element, entry = unknown(node, 2);
  return {entry, entry == held_fast ? spec_.angle : 0.0};
}

void PlanarBeam::place(double, const double* q, Pose* poses) const {
  for (const Frame& frame : frames_) {
    const Vector3 u = interpolated(coordinates(q, frame.place.element), frame.place);
    const double c = std::cos(u[2]), s = std::sin(u[2]);
    poses->x << u[0], u[1], 0.0;
    poses->R << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
    ++poses;
  }
}

void PlanarBeam::twists(double, const double*, const double* v, const Pose*, Twist* twists) const {
  for (const Frame& frame : frames_) {
    const Vector3 rate = interpolated(element_rates(v, frame.place.element), frame.place);
    *twists++ = {{rate[0], rate[1], 0.0}, {0.0, 0.0, rate[2]}};
  }
}

void PlanarBeam::add_load(const double*, Index f, const Pose&, const Vector3& force, const Vector3& torque,
                          double* h) const {
  const BeamPlace& place = frames_[static_cast<std::size_t>(f)].place;
  const Index* unknown = unknowns(place.element);
  const double load[node_width] = {force.x(), force.y(), torque.z()};
  for (Index i = 0; i < element_width; ++i)
    if (unknown[i] != held_fast)
      h[unknown[i]] += (i < node_width ? 1.0 - place.weight : place.weight) * load[i % node_width];
}

void PlanarBeam::add_rows(const double*, Index f, const Pose&, Index rows, const Vector3* force, const Vector3* torque,
                          Index offset, ConstraintJacobian& W) const {
  const BeamPlace& place = frames_[static_cast<std::size_t>(f)].place;
  const Index* unknown = unknowns(place.element);
  const Index begin = place.weight == 1.0 ? node_width : 0, end = place.weight == 0.0 ? node_width : element_width;
  Index first = held_fast, count = 0;
  for (Index i = begin; i < end; ++i)
    if (unknown[i] != held_fast) {
      if (first == held_fast) first = unknown[i];
      ++count;
    }
  if (count == 0) return;
  double* entries = W.add_segment(offset + first, count);
  for (Index r = 0; r < rows; ++r) {
    const double row[node_width] = {force[r].x(), force[r].y(), torque[r].z()};
    for (Index i = begin; i < end; ++i)
      if (unknown[i] != held_fast)
        *entries++ = (i < node_width ? 1.0 - place.weight : place.weight) * row[i % node_width];
  }
}

double PlanarBeam::kinetic_energy(const double*, const double* v) const { return 0.5 * M_->bilinear(v, v); }

double PlanarBeam::potential_energy(const double* q) const {
  double energy = -constant_force_.dot(ConstVectorMap(q, size_));
  for (Index e = 0; e < element_count(); ++e) {
    const Element element(coordinates(q, e), element_length());
    energy += 0.5 * element_length() * element.eps.dot(D_.cwiseProduct(element.eps));
  }
  return energy;
}

void PlanarBeam::add_potential_gradient(const double* q, double* out) const {
  for (Index i = 0; i < size_; ++i) out[i] -= constant_force_[i];
  for (Index e = 0; e < element_count(); ++e) {
    const Element element(coordinates(q, e), element_length());
    const Element::Vector6 f = element.force(D_.cwiseProduct(element.eps));
    const Index* unknown = unknowns(e);
    for (Index i = 0; i < element_width; ++i)
      if (unknown[i] != held_fast) out[unknown[i]] += f[i];
  }
}

double PlanarBeam::other_power(double, const double* q, const double* v) const {
  double power = -2.0 * spec_.damping.mass_factor * kinetic_energy(q, v);
  if (spec_.damping.stiffness_factor == 0.0) return power;
  for (Index e = 0; e < element_count(); ++e) {
    const Element element(coordinates(q, e), element_length());
    const Element::Strain rate = element.B * element_rates(v, e);
    power -= spec_.damping.stiffness_factor * element_length() * rate.dot(D_.cwiseProduct(rate));
  }
  return power;
}

Vector3 PlanarBeam::node(const double* q, Index node) const {
  Vector3 u;
  for (Index i = 0; i < node_width; ++i)
    u[i] =
        unknown(node, i) == held_fast ? start_[static_cast<std::size_t>(node_width * node + i)] : q[unknown(node, i)];
  return u;
}

PlanarBeam::Momentum PlanarBeam::momentum(const double* q, const double* v) const {
  Momentum sum;
  const Element::Matrix6 M = element_inertia();
  for (Index e = 0; e < element_count(); ++e) {
    const Element::Vector6 u = coordinates(q, e), p = M * element_rates(v, e);
    for (Index a = 0; a < element_width; a += node_width) {
      sum.linear += p.segment<2>(a);
      sum.angular += u[a] * p[a + 1] - u[a + 1] * p[a] + p[a + 2];
    }
  }
  return sum;
}

std::string PlanarBeam::name(Index i, const char* const* components) const {
  const Index owner = owners_.at(static_cast<std::size_t>(i));
  return fmt::format("{}{}node{}.{}", spec_.name, spec_.name.empty() ? "" : ".", owner / node_width,
                     components[owner % node_width]);
}

void PlanarBeam::describe(Layout& layout) const {
  const std::string path = spec_.name.empty() ? "/node" : "/" + spec_.name;
  std::vector<std::string> names;
  for (Index node = 0; node < node_count(); ++node) names.push_back(place_name(spec_.name, 0.0, {node, 0.0}));
  layout.add_pool(path, std::move(names));
  const auto add = [&](const char* field, FieldOf of, Index first, Index width, const char* unit, const char* meaning) {
    std::vector<Index> places;
    std::vector<double> fixed;
    for (Index node = 0; node < node_count(); ++node)
      for (Index k = first; k < first + width; ++k) {
        const Index i = unknown(node, k);
        places.push_back(i == held_fast ? Field::is_held : i);
        if (i == held_fast)
          fixed.push_back(of == FieldOf::q ? start_[static_cast<std::size_t>(node_width * node + k)] : 0.0);
      }
    layout.add_pooled(path + field, of, width, std::move(places), std::move(fixed), unit, meaning);
  };
  add("/position", FieldOf::q, 0, 2, "m", "in the world, x and y");
  add("/angle", FieldOf::q, 2, 1, "rad", "of the cross section about z");
  add("/velocity", FieldOf::v, 0, 2, "m/s", "in the world, x and y");
  add("/spin", FieldOf::v, 2, 1, "rad/s", "angular velocity of the cross section about z");
  if (!spec_.name.empty())
    for (const Frame& frame : frames_) layout.add_frame(frame.name, StateFrame::Kind::general);
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
  std::vector<double> frames;
  for (const BeamContact& contact : spec.contacts) frames.push_back(contact.at);
  const auto beam = std::make_shared<PlanarBeam>(spec, frames);
  return make_beam_model(Space::planar, beam, spec.contacts, spec.length, beam->start());
}

}  // namespace carom::model
