// A wheel that was meant to turn for ever: n massless levers hinged on its rim, a mass at the end of each, stops
// that hold a lever between radial and tangential. q = (phi, x1, y1, ..., xn, yn), y upwards; with
// c = cos(phi + alpha_i), s = sin(phi + alpha_i), alpha_i = 2 pi (i - 1)/n,
//
//     M = diag(theta, m, ..., m)       V = m g sum y_i
//     lever:            g = 1/2 (x - a c)^2 + 1/2 (y - a s)^2 - 1/2 l^2 = 0
//     tangential stop:  g =  x c + y s - a >= 0         radial stop:  g = -x s + y c >= 0
//
// Every constraint depends on (phi, x_i, y_i) alone and is known here by its value, gradient and second
// derivatives in these three.
//
// Reference: M. Moeller, Consistent integrators for non-smooth dynamical systems, ETH Zurich (2011), section 6.3.
#include <array>
#include <cmath>
#include <numbers>

#include "carom/base/errors.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/analytic/sketch.h"
#include "carom/system/curvature.h"
#include "carom/system/gap_rate.h"
#include "carom/system/layout.h"

namespace carom::analytic {
namespace {

enum class Part : Index { lever, tangential_stop, radial_stop };

// Value, gradient and second derivatives in (phi, x, y).
struct Local {
  double g;
  Vector3 gradient;
  Matrix3 hessian;
};

class OverbalancedWheel final : public System, public Energetics, public Curvature {
 public:
  struct Data {
    Index arms;
    double length, mass, radius, inertia, gravity;
  };

  OverbalancedWheel(const Data& data, const ContactParameters& contact)
      : data_(data), law_(make_contact_law(Space::planar, contact)), lever_law_(make_bilateral_law(1)) {
    if (contact.friction > 0.0)
      throw InputError({"E0121",
                        "friction in a model without tangential motion",
                        "friction",
                        "the stops have a normal direction only: set friction to 0",
                        {},
                        0,
                        0,
                        {}});
    for (Index k = 0; k < 3 * data_.arms; ++k) {  // levers first, then stop by stop
      Constraint c;
      const bool lever = k < data_.arms;
      c.id = static_cast<std::uint64_t>(k + 1);
      c.law = lever ? lever_law_.get() : law_.get();
      c.bilateral = lever;
      c.length_scale = data_.length;
      c.a = lever ? k : (k - data_.arms) / 2;
      c.element = static_cast<Index>(lever                       ? Part::lever
                                     : (k - data_.arms) % 2 == 0 ? Part::tangential_stop
                                                                 : Part::radial_stop);
      constraints_.push_back(c);
    }
  }

  Index nq() const override { return 1 + 2 * data_.arms; }
  Index nv() const override { return nq(); }
  Constancy constancy() const override { return {.inertia = true, .affine_force = true, .contacts = true}; }
  FeatureSet features() const override {
    FeatureSet features = features_of_contact(*law_);
    features.insert(Feature::joints);
    return features;
  }
  void detect(double, const Vector&, const Vector&, double, ContactSet& contacts) const override {
    contacts.constraints = constraints_;
  }

  void evaluate(double, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                Evaluation& out) const override {
    if (has(need, Need::inertia)) evaluate_inertia(out.M);
    if (has(need, Need::force)) {
      potential_gradient(0.0, q, out.h);
      out.h = -out.h;
    }
    if (has(need, Need::force_jacobian)) {
      out.dh_dq.set_zero(nv());
      out.dh_dv.set_zero(nv());
    }
    if (!has(need, Need::gap | Need::jacobian | Need::gap_rate | Need::convective)) return;
    if (has(need, Need::gap)) out.g.assign(active.rows(), 0.0);
    if (has(need, Need::gap_rate)) out.g_rate.assign(active.rows(), 0.0);
    if (has(need, Need::convective)) out.zeta.assign(active.rows(), 0.0);
    if (has(need, Need::jacobian)) {
      out.chi.assign(active.rows(), 0.0);
      out.W.clear();
    }
    for (Index row = 0; row < active.size(); ++row) {
      const Constraint& c = active.constraint(row);
      const Local local = look(q, c);
      const Vector3 rate = of_arm(v, c.a);
      if (has(need, Need::gap)) out.g[row] = local.g;
      if (has(need, Need::gap_rate)) out.g_rate[row] = local.gradient.dot(rate);
      if (has(need, Need::convective)) out.zeta[row] = rate.dot(local.hessian * rate);
      if (has(need, Need::jacobian)) {
        out.W.add_block(1);
        out.W.add_segment(0, 1)[0] = local.gradient[0];
        double* mass = out.W.add_segment(1 + 2 * c.a, 2);
        mass[0] = local.gradient[1];
        mass[1] = local.gradient[2];
      }
    }
  }

  const Energetics* energetics() const override { return this; }
  double kinetic_energy(double, const Vector&, const Vector& v) const override {
    return 0.5 * (data_.inertia * v[0] * v[0] + data_.mass * v.tail(2 * data_.arms).squaredNorm());
  }
  double potential_energy(double, const Vector& q) const override {
    double height = 0.0;
    for (Index i = 0; i < data_.arms; ++i) height += q[2 + 2 * i];
    return data_.mass * data_.gravity * height;
  }
  double other_power(double, const Vector&, const Vector&) const override { return 0.0; }
  void potential_gradient(double, const Vector&, Vector& out) const override {
    out.setZero(nq());
    for (Index i = 0; i < data_.arms; ++i) out[2 + 2 * i] = data_.mass * data_.gravity;
  }
  bool conservative() const override { return true; }

  const Curvature* curvature() const override { return this; }
  bool directions(double, const Vector& q, const ActiveSet& active, const double* x, Buffer& out) const override {
    const Index n = nv();
    out.assign(n * n, 0.0);
    for (Index row = 0; row < active.size(); ++row) {
      const Constraint& c = active.constraint(row);
      const Local local = look(q, c);
      const Index at[3] = {0, 1 + 2 * c.a, 2 + 2 * c.a};
      for (Index j = 0; j < 3; ++j)
        for (Index i = 0; i < 3; ++i) out[at[i] + at[j] * n] += x[row] * local.hessian(i, j);
    }
    return true;
  }
  bool rates(double, const Vector& q, const ActiveSet& active, const Vector& z, Buffer& out) const override {
    const Index rows = active.rows();
    out.assign(rows * nv(), 0.0);
    for (Index row = 0; row < active.size(); ++row) {
      const Constraint& c = active.constraint(row);
      const Vector3 rate = look(q, c).hessian * of_arm(z, c.a);
      const Index at[3] = {0, 1 + 2 * c.a, 2 + 2 * c.a};
      for (Index j = 0; j < 3; ++j) out[row + at[j] * rows] = rate[j];
    }
    return true;
  }
  bool convective(double t, const Vector& q, const Vector& v, const ActiveSet& active, Buffer& dq,
                  Buffer& dv) const override {
    thread_local DifferencedCurvature differences;
    differences.of(*this);
    return differences.convective(t, q, v, active, dq, dv);
  }
  bool inertia(double, const Vector&, const Vector&, Buffer&) const override { return false; }

  std::string constraint_name(const Constraint& c) const override {
    const char* names[] = {"lever", "tangential_stop", "radial_stop"};
    return std::string(names[c.element]) + std::to_string(c.a + 1);
  }
  void describe(Layout& layout) const override { layout.add_lengths_and_angles(*this, nq()); }
  std::string coordinate_name(Index i) const override { return name(i, "wheel.angle", ".x", ".y"); }
  std::string velocity_name(Index i) const override { return name(i, "wheel.rate", ".vx", ".vy"); }

  double lever_angle(Index arm) const { return 2.0 * std::numbers::pi * arm / data_.arms; }

 private:
  static Vector3 of_arm(const Vector& x, Index arm) { return {x[0], x[1 + 2 * arm], x[2 + 2 * arm]}; }

  std::string name(Index i, const char* wheel, const char* x, const char* y) const {
    if (i == 0) return wheel;
    return "mass" + std::to_string((i - 1) / 2 + 1) + ((i - 1) % 2 == 0 ? x : y);
  }

  void evaluate_inertia(Inertia& M) const {
    StructuredMatrix::Sparse& sparse = M.sparse(nv());
    if (sparse.nonZeros() != nv()) {
      sparse.setIdentity();
      sparse.makeCompressed();
    }
    double* values = sparse.valuePtr();
    values[0] = data_.inertia;
    for (Index i = 1; i < nv(); ++i) values[i] = data_.mass;
  }

  Local look(const Vector& q, const Constraint& constraint) const {
    const double angle = q[0] + lever_angle(constraint.a), c = std::cos(angle), s = std::sin(angle);
    const double x = q[1 + 2 * constraint.a], y = q[2 + 2 * constraint.a], a = data_.radius;
    const double along = x * c + y * s, across = -x * s + y * c;
    Local local;
    const auto second = [&](double phi_phi, double phi_x, double phi_y, double mass) {
      local.hessian << phi_phi, phi_x, phi_y, phi_x, mass, 0.0, phi_y, 0.0, mass;
    };
    switch (static_cast<Part>(constraint.element)) {
      case Part::lever: {
        const double dx = x - a * c, dy = y - a * s;
        local.g = 0.5 * (dx * dx + dy * dy - data_.length * data_.length);
        local.gradient = {-a * across, dx, dy};
        second(a * along, a * s, -a * c, 1.0);
        break;
      }
      case Part::tangential_stop:
        local.g = along - a;
        local.gradient = {across, c, s};
        second(-along, -s, c, 0.0);
        break;
      case Part::radial_stop:
        local.g = across;
        local.gradient = {-along, -s, c};
        second(-across, -c, -s, 0.0);
        break;
    }
    return local;
  }

  Data data_;
  std::shared_ptr<const Law> law_, lever_law_;
  bool inelastic_ = false, two_phases_ = false;
  std::vector<Constraint> constraints_;
};

// Where the levers of a wheel rest that has been turning clockwise slowly. beta is a lever's angle from the
// outward radius, 0 (radial) to pi/2 (tangential). A hinge comes down on the right from the top with its lever still
// tangential, and drops it to radial at the height of the axle; carried up again on the left, the lever hangs
// straight down between its stops until it lies tangential.
double resting_lever(double hinge) {
  using std::numbers::pi;
  constexpr double rounding = 1e-12;
  if (hinge > rounding && hinge <= pi + rounding) return 0.5 * pi;
  if (hinge > pi && hinge < 1.5 * pi) return 1.5 * pi - hinge;
  return 0.0;
}

Model make(const Parameters& p, const ContactParameters& contact) {
  if (p.number("arms") != std::floor(p.number("arms")))
    throw InputError({"E0126", "the number of levers is not whole", "arms", "use a whole number", {}, 0, 0, {}});
  const OverbalancedWheel::Data data{static_cast<Index>(p.number("arms")),
                                     p.number("length"),
                                     p.number("mass"),
                                     p.number("radius"),
                                     p.number("inertia"),
                                     p.number("gravity")};
  auto wheel = std::make_shared<OverbalancedWheel>(data, contact);
  Model model;
  State& x = model.initial;
  x.q.setZero(wheel->nq());
  x.v.setZero(wheel->nv());
  x.v[0] = p.number("rate");
  for (Index i = 0; i < data.arms; ++i) {
    const double hinge = wheel->lever_angle(i), lever = hinge + resting_lever(hinge);
    x.q[1 + 2 * i] = data.radius * std::cos(hinge) + data.length * std::cos(lever);
    x.q[2 + 2 * i] = data.radius * std::sin(hinge) + data.length * std::sin(lever);
    x.v[1 + 2 * i] = -x.v[0] * x.q[2 + 2 * i];
    x.v[2 + 2 * i] = x.v[0] * x.q[1 + 2 * i];
  }
  model.system = wheel;
  Scene scene = planar_scene({"wheel"});
  scene.shapes = {{.frame = 1, .name = "wheel", .kind = "disc", .size = {data.radius, 0.93 * data.radius}},
                  drawn_disc(1, "wheel", 0.06 * data.radius)};
  scene.links = {{"axle", "revolute", 0, 1}};
  for (Index i = 0; i < data.arms; ++i) {
    const std::string number = std::to_string(i + 1);
    scene.frames.push_back("lever" + number);
    scene.shapes.push_back(drawn_bar(2 + i, "lever" + number, data.length, 0.05 * data.radius));
    scene.shapes.push_back(drawn_disc(2 + i, "mass" + number, 0.09 * data.radius, data.length));
    const double at = wheel->lever_angle(i);
    scene.shapes.push_back({.frame = 1,
                            .name = "spoke",
                            .kind = "line",
                            .size = {0.02 * data.radius},
                            .points = {Vector3::Zero(), data.radius * Vector3(std::cos(at), std::sin(at), 0.0)}});
  }
  const auto hinge = [=](const double* q, Index i) {
    const double at = q[0] + wheel->lever_angle(i);
    return Vector3(data.radius * std::cos(at), data.radius * std::sin(at), 0.0);
  };
  model.drawing = sketch(
      scene,
      [=](const double* q, Pose* frames) {
        frames[1] = planar_pose(0.0, 0.0, q[0]);
        for (Index i = 0; i < data.arms; ++i) {
          const Vector3 from = hinge(q, i);
          frames[2 + i] = planar_pose(from.x(), from.y(), std::atan2(q[2 + 2 * i] - from.y(), q[1 + 2 * i] - from.x()));
        }
      },
      [=](const double* q, const Constraint& c) -> std::optional<SketchedContact> {
        if (c.bilateral) return std::nullopt;
        const Vector3 out = hinge(q, c.a).normalized();
        const bool tangential = static_cast<Part>(c.element) == Part::tangential_stop;
        return SketchedContact{{q[1 + 2 * c.a], q[2 + 2 * c.a], 0.0},
                               tangential ? out : Vector3(-out.y(), out.x(), 0.0)};
      });
  model.system = wheel;
  return model;
}

}  // namespace

AnalyticEntry overbalanced_wheel() {
  ParameterSpec arms = positive("arms", 12.0, "how many levers");
  arms.min = 1.0;
  arms.max = 1000.0;  // the inertia matrix is dense
  arms.exclusive_min = false;
  return {"overbalanced_wheel",
          "an overbalanced wheel: levers with masses between stops on a turning rim",
          "Moeller 2011, section 6.3",
          true,
          {arms, positive("length", 0.2, "of a lever, m"), positive("mass", 0.1, "at the end of each lever, kg"),
           positive("radius", 0.4, "of the rim, m"), positive("inertia", 0.16, "of the wheel, kg m^2"),
           any("gravity", 9.81, "m/s^2"), any("rate", -2.0, "of the wheel at the start, rad/s; negative: clockwise")},
          make};
}

}  // namespace carom::analytic
