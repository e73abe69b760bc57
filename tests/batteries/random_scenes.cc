#include "batteries/random_scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace carom::batteries {

namespace {

using Random = std::mt19937_64;

double uniform(Random& r, double a, double b) { return std::uniform_real_distribution<double>(a, b)(r); }
double spread(Random& r, double a, double b) { return std::exp(uniform(r, std::log(a), std::log(b))); }
bool chance(Random& r, double part) { return uniform(r, 0.0, 1.0) < part; }
Index whole(Random& r, Index a, Index b) { return std::uniform_int_distribution<Index>(a, b)(r); }
Vector3 within(Random& r, double size) {
  return {uniform(r, -size, size), uniform(r, -size, size), uniform(r, -size, size)};
}

BodySpec sphere(const std::string& name, double radius, double mass, const Vector3& position) {
  BodySpec body;
  body.name = name;
  body.mass = mass;
  body.inertia = Vector3::Constant(0.4 * mass * radius * radius);
  body.position = position;
  body.shape = Shape::sphere(radius);
  return body;
}

// Spheres in a column over the floor, the heavy ones anywhere: mass ratios up to a million.
void draw_column(Random& r, RandomScene& scene) {
  const Index count = whole(r, 1, 3);
  double height = 0.0;
  for (Index i = 0; i < count; ++i) {
    const double radius = uniform(r, 0.05, 0.15);
    height += radius + uniform(r, 0.0, 0.15);
    BodySpec body = sphere(fmt::format("s{}", i), radius, spread(r, 1e-3, 1e3), {uniform(r, -1e-3, 1e-3), 0, height});
    height += radius;
    if (chance(r, 0.5)) body.velocity = within(r, 1.0);
    if (chance(r, 0.5)) body.spin = within(r, 20.0);
    scene.bodies.push_back(body);
  }
}

// Spheres flying about in a corner of three planes, some fast.
void draw_cloud(Random& r, RandomScene& scene) {
  scene.planes.push_back({"wall", {-1.5, 0, 0}, {1, 0, uniform(r, 0.0, 0.3)}});
  scene.planes.push_back({"side", {0, -1.5, 0}, {0, 1, 0}});
  const Index count = whole(r, 2, 4);
  const double fast = chance(r, 0.3) ? spread(r, 10.0, 1000.0) : 3.0;
  for (Index i = 0; i < count; ++i) {
    const double radius = uniform(r, 0.05, 0.2);
    BodySpec body = sphere(fmt::format("s{}", i), radius, spread(r, 1e-3, 1e3),
                           {0.5 * static_cast<double>(i), uniform(r, -0.1, 0.1), uniform(r, 0.3, 1.0)});
    body.velocity = within(r, 2.0);
    if (i == 0) body.velocity = {fast, 0, 0};
    body.spin = within(r, 10.0);
    scene.bodies.push_back(body);
  }
}

// Boxes over a floor, far from each other.
void draw_boxes(Random& r, RandomScene& scene) {
  if (chance(r, 0.3)) scene.planes.push_back({"wall", {-0.6, 0, 0}, {1, 0, 0}});
  const Index count = whole(r, 1, 2);
  for (Index i = 0; i < count; ++i) {
    BodySpec body;
    body.name = fmt::format("b{}", i);
    const Vector3 size = {uniform(r, 0.1, 0.5), uniform(r, 0.1, 0.5), uniform(r, 0.1, 0.5)};
    body.mass = spread(r, 1e-3, 1e3);
    const Vector3 square = size.cwiseProduct(size);
    body.inertia =
        body.mass / 12.0 * Vector3(square.y() + square.z(), square.z() + square.x(), square.x() + square.y());
    body.shape = Shape::box(size);
    const bool flat = chance(r, 0.25);
    body.orientation =
        flat ? Quaternion(1, 0, 0, 0) : orientation_from_axis(within(r, 1.0) + Vector3(0, 0, 2), uniform(r, -3.0, 3.0));
    body.position = {2.0 * static_cast<double>(i), 0, flat ? 0.5 * size.z() : 0.5 * size.norm() + uniform(r, 0.0, 0.5)};
    if (!flat || chance(r, 0.5)) body.velocity = flat ? Vector3(uniform(r, -3.0, 3.0), 0, 0) : within(r, 2.0);
    if (!flat) body.spin = within(r, 8.0);
    scene.bodies.push_back(body);
  }
  scene.spheres_touch = false;
}

// Links hung at a point by joints of any kind, a ball at their end, over a floor and before a wall.
void draw_chain(Random& r, RandomScene& scene) {
  scene.planes.push_back({"wall", {uniform(r, -0.5, -0.2), 0, 0}, {1, 0, 0}});
  const Index links = whole(r, 1, 3);
  const double half = uniform(r, 0.06, 0.15), height = uniform(r, 0.8, 1.2) * 2.0 * half * static_cast<double>(links);
  const auto end = [](double length) { return Vector3(length, 0, 0); };
  // A link may be welded to the one before it, but not to the ground.
  const auto kind = [&](bool welded) {
    const double where = uniform(r, 0.0, 1.0);
    return where < 0.4 ? "spherical" : where < 0.8 || !welded ? "revolute" : "fixed";
  };
  const auto join = [&](Index b, const Vector3& point_a, const Vector3& point_b) {
    const Vector3 axis = chance(r, 0.5) ? Vector3(Vector3::UnitY()) : Vector3(within(r, 1.0) + Vector3(0, 1.5, 0));
    scene.joints.push_back({kind(b > 0), b - 1, b, point_a, point_b, axis});
  };
  double x = 0.0;
  for (Index i = 0; i < links; ++i) {
    BodySpec link;
    link.name = fmt::format("l{}", i);
    link.mass = spread(r, 1e-3, 1e3);
    link.inertia = link.mass * half * half / 3.0 * Vector3(0.1, 1.0, 1.0);
    link.position = {x + half, 0, height};
    scene.bodies.push_back(link);
    join(i, i == 0 ? Vector3(0, 0, height) : end(half), end(-half));
    x += 2.0 * half;
  }
  const double radius = uniform(r, 0.03, 0.06);
  BodySpec bob = sphere("bob", radius, spread(r, 1e-3, 1e3), {x, 0, height});
  scene.bodies.push_back(bob);
  // A bob kept from turning hangs by a point, or two joints would hold the same.
  if (chance(r, 0.2)) {
    scene.joints.push_back({"spherical", links - 1, links, end(half), Vector3::Zero(), Vector3::UnitY()});
    scene.joints.push_back({"fixed_orientation", -1, links, Vector3::Zero(), Vector3::Zero(), Vector3::UnitY()});
  } else {
    join(links, end(half), Vector3::Zero());
  }
  scene.spheres_touch = false;
}

// Poses read from q by hand.
struct Placed {
  Vector3 x;
  Quaternion p;
  Vector3 turned(const Vector3& s) const {  // p s p*, written out
    const Vector3 u = p.tail<3>();
    return s + 2.0 * u.cross(u.cross(s) + p[0] * s);
  }
};
Placed placed(const Vector& q, std::size_t b) {
  const auto i = static_cast<Eigen::Index>(7 * b);
  return {q.segment<3>(i), q.segment<4>(i + 3)};
}

}  // namespace

void build_model(RandomScene& scene) {
  Multibody builder;
  builder.set_gravity(scene.gravity);
  for (const BodySpec& body : scene.bodies) builder.add_body(body);
  for (const PlaneSpec& plane : scene.planes) builder.add_plane(plane);
  builder.set_default_contact(scene.contact);
  if (!scene.spheres_touch)
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        builder.add_contact({fmt::format("none{}{}", i, j), scene.bodies[i].name, scene.bodies[j].name, std::nullopt});
  const auto name = [&](Index b) {
    return b < 0 ? std::string("ground") : scene.bodies[static_cast<std::size_t>(b)].name;
  };
  for (std::size_t k = 0; k < scene.joints.size(); ++k) {
    const RandomScene::Joint& joint = scene.joints[k];
    JointSpec spec{.name = fmt::format("joint{}", k), .type = joint.type, .a = name(joint.a), .b = name(joint.b)};
    spec.axis = joint.axis;
    if (joint.type != "fixed_orientation") {
      spec.point_a = joint.point_a;
      spec.point_b = joint.point_b;
    }
    builder.add_joint(spec);
  }
  scene.model = builder.build();
}

RandomScene draw_scene(SceneKind kind, Random& r) {
  RandomScene scene;
  scene.planes.push_back({"floor", {0, 0, 0}, {0, 0, 1}});
  const char* word = "";
  switch (kind) {
    case SceneKind::column:
      draw_column(r, scene);
      word = "column";
      break;
    case SceneKind::cloud:
      draw_cloud(r, scene);
      word = "cloud";
      break;
    case SceneKind::boxes:
      draw_boxes(r, scene);
      word = "boxes";
      break;
    case SceneKind::chain:
      draw_chain(r, scene);
      word = "chain";
      break;
  }
  ContactParameters contact;
  contact.restitution = chance(r, 0.25) ? 0.0 : chance(r, 0.2) ? 1.0 : uniform(r, 0.0, 1.0);
  contact.friction = chance(r, 0.3) ? 0.0 : uniform(r, 0.0, 1.0);
  scene.dt = spread(r, 2e-4, 5e-3);
  scene.t_end = std::min(0.8, 160.0 * scene.dt);
  scene.text = fmt::format("{} of {} bodies, e {:.3g}, mu {:.3g}, dt {:.3g}, t_end {:.3g}", word, scene.bodies.size(),
                           contact.restitution, contact.friction, scene.dt, scene.t_end);
  scene.contact = contact;
  build_model(scene);
  return scene;
}

void OwnObserver::begin(const System&, const State& start) { look(start); }

void OwnObserver::step(const System&, const StepView& view) {
  look_between(view.before, view.result.next);
  look(view.result.next);
}

void OwnObserver::look(const State& state) {
  double kinetic = 0.0, potential = 0.0;
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    const BodySpec& body = scene_.bodies[b];
    const Vector3 x = state.q.segment<3>(static_cast<Eigen::Index>(7 * b));
    const Vector3 v = state.v.segment<3>(static_cast<Eigen::Index>(6 * b)),
                  spin = state.v.segment<3>(static_cast<Eigen::Index>(6 * b + 3));
    kinetic += 0.5 * body.mass * v.squaredNorm() + 0.5 * spin.dot(body.inertia.cwiseProduct(spin));
    potential -= body.mass * scene_.gravity.dot(x);
  }
  const double energy = kinetic + potential;
  measure_.finite = measure_.finite && std::isfinite(energy);
  if (!started_) {
    energy_ = lowest_ = energy;
    potential_low_ = potential_high_ = potential;
    started_ = true;
  }
  falls_ += std::max(0.0, energy_ - energy);
  energy_ = energy;
  lowest_ = std::min(lowest_, energy);
  kinetic_ = std::max(kinetic_, kinetic);
  potential_low_ = std::min(potential_low_, potential);
  potential_high_ = std::max(potential_high_, potential);
  measure_.rise = std::max(measure_.rise, energy - lowest_);
  double weight = 0.0;  // what would lift everything by a millionth of a metre is rounding
  for (const BodySpec& body : scene_.bodies) weight += body.mass * scene_.gravity.norm();
  measure_.turned_over = std::max(kinetic_, potential_high_ - potential_low_) + falls_ + 1e-6 * weight;

  for (std::size_t a = 0; a < scene_.bodies.size(); ++a) {
    const Shape& shape = scene_.bodies[a].shape;
    const Placed at = placed(state.q, a);
    for (const PlaneSpec& plane : scene_.planes) {
      const Vector3 n = plane.normal.normalized();
      const double centre = n.dot(at.x - plane.point);
      double depth = 0.0, size = 1.0;
      if (shape.type == ShapeType::sphere) {
        depth = shape.radius - centre;
        size = shape.radius;
      } else if (shape.type == ShapeType::box) {
        size = shape.half_size.norm();
        for (int k = 0; k < 8; ++k) {
          const Vector3 s = {(k & 1 ? 1 : -1) * shape.half_size.x(), (k & 2 ? 1 : -1) * shape.half_size.y(),
                             (k & 4 ? 1 : -1) * shape.half_size.z()};
          depth = std::max(depth, -(centre + n.dot(at.turned(s))));
        }
      } else {
        continue;
      }
      measure_.penetration = std::max(measure_.penetration, depth / size);
    }
    for (std::size_t b = 0; scene_.spheres_touch && b < a; ++b) {
      const double ra = shape.radius, rb = scene_.bodies[b].shape.radius;
      const double depth = ra + rb - (at.x - placed(state.q, b).x).norm();
      measure_.penetration = std::max(measure_.penetration, depth / std::min(ra, rb));
    }
  }
  for (const RandomScene::Joint& joint : scene_.joints) {
    const Placed ground{Vector3::Zero(), {1, 0, 0, 0}};
    const Placed at_a = joint.a < 0 ? ground : placed(state.q, static_cast<std::size_t>(joint.a));
    const Placed at_b = placed(state.q, static_cast<std::size_t>(joint.b));
    if (joint.type != "fixed_orientation") {
      const double arm = std::max(joint.a < 0 ? 0.0 : joint.point_a.norm(), joint.point_b.norm());
      const Vector3 apart = at_a.x + at_a.turned(joint.point_a) - at_b.x - at_b.turned(joint.point_b);
      measure_.joint_distance = std::max(measure_.joint_distance, apart.lpNorm<Eigen::Infinity>() / arm);
    }
    const auto angle = [&](const Vector3& d) { return at_a.turned(d).cross(at_b.turned(d)).norm() / d.squaredNorm(); };
    if (joint.type == "revolute") measure_.joint_angle = std::max(measure_.joint_angle, angle(joint.axis));
    if (joint.type == "fixed" || joint.type == "fixed_orientation")
      measure_.joint_angle = std::max({measure_.joint_angle, angle(Vector3::UnitX()), angle(Vector3::UnitY())});
  }
}

void OwnObserver::look_between(const State& before, const State& after) {
  if (!scene_.spheres_touch) return;
  const double dt = after.t - before.t;
  const auto flies = [&](std::size_t b) {
    const auto i = static_cast<Eigen::Index>(6 * b);
    const Vector3 change = after.v.segment<3>(i) - before.v.segment<3>(i) - dt * scene_.gravity;
    return change.norm() < 1e-9 * (1.0 + before.v.segment<3>(i).norm());
  };
  for (std::size_t a = 0; a < scene_.bodies.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      if (!flies(a) || !flies(b)) continue;
      const double ra = scene_.bodies[a].shape.radius, rb = scene_.bodies[b].shape.radius;
      const Vector3 d_0 = placed(before.q, a).x - placed(before.q, b).x,
                    d_1 = placed(after.q, a).x - placed(after.q, b).x;
      if (d_0.norm() < ra + rb || d_1.norm() < ra + rb) continue;
      const Vector3 way = d_1 - d_0;
      const double s = std::clamp(-d_0.dot(way) / std::max(way.squaredNorm(), 1e-300), 0.0, 1.0);
      const double depth = ra + rb - (d_0 + s * way).norm();
      measure_.passed = std::max(measure_.passed, depth / std::min(ra, rb));
    }
}

bool jammed(const SimulationSummary& summary) {
  return summary.outcome == Outcome::failed && summary.advice.find("impact law has no solution") != std::string::npos;
}

std::vector<std::string> contradictions(const SimulationSummary& summary, const OwnMeasure& own,
                                        const JudgementLimits& limits) {
  std::vector<std::string> list;
  const auto marked = [&](std::initializer_list<Flaw> flaws) {
    return std::any_of(
        summary.judgement.findings.begin(), summary.judgement.findings.end(),
        [&](const Finding& finding) { return std::find(flaws.begin(), flaws.end(), finding.flaw) != flaws.end(); });
  };
  // An explicit scheme may blow up at these steps; it must say so, and be marked.
  const bool unstable =
      summary.advice.find("the scheme is unstable") != std::string::npos && marked({Flaw::scheme_energy});
  if (summary.outcome == Outcome::failed && !jammed(summary) && !unstable)
    list.push_back("failed without a reason: " + summary.advice);
  if (!own.finite) list.emplace_back("a state is not a number");
  // Twice the limit, because the run knows losses at contacts step by step and this measure their sums only.
  const double energy = own.turned_over > 0.0 ? own.rise / own.turned_over : 0.0;
  const bool energy_marked = marked({Flaw::scheme_energy, Flaw::law_energy});
  if (energy > 2.0 * limits.energy && !energy_marked)
    list.push_back(fmt::format("energy rose by {:.3g} without a mark", energy));
  const bool entered = marked({Flaw::penetration, Flaw::behind});
  if (own.penetration > limits.penetration * (1.0 + 1e-9) && !entered)
    list.push_back(fmt::format("penetration {:.3g} without a mark", own.penetration));
  if (own.penetration < limits.penetration * (1.0 - 1e-9) && entered)
    list.push_back(fmt::format("marked as penetrating, but it is {:.3g}", own.penetration));
  // The length of a joint is its longer arm or a radius of gyration, which is less than twice of it here.
  if (own.joint_distance > 2.0 * limits.joint_error && !marked({Flaw::joint_error}))
    list.push_back(fmt::format("joint open by {:.3g} without a mark", own.joint_distance));
  // Each of the two rows of an angle is judged by itself.
  if (own.joint_angle > 2.0 * limits.joint_error && !marked({Flaw::joint_error}))
    list.push_back(fmt::format("joint bent by {:.3g} without a mark", own.joint_angle));
  if (own.passed > limits.penetration * (1.0 + 1e-6) && !marked({Flaw::missed_contact}))
    list.push_back(fmt::format("spheres passed through each other by {:.3g} without a mark", own.passed));
  return list;
}

}  // namespace carom::batteries
