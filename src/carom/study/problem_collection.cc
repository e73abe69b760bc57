#include "carom/study/problem_collection.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>

#include "carom/base/rotation.h"
#include "carom/laws/spatial_coulomb_law.h"
#include "carom/model/multibody_scenes.h"
#include "carom/simulation/simulate.h"

namespace carom::inline study {

namespace {

constexpr double gravity_step = 9.81e-3;  // g dt
constexpr double density = 1000.0;
const Vector3 up(0.0, 0.0, 1.0);

// Bodies and contact points between them, or between one and the ground (-1).
class Pile {
 public:
  Index add_body(double mass, const Matrix3& inertia, const Vector3& centre) {
    masses_.push_back(mass);
    inertias_.push_back(inertia);
    centres_.push_back(centre);
    return static_cast<Index>(centres_.size()) - 1;
  }
  Index add_box(const Vector3& size, const Vector3& centre, const Matrix3& frame = Matrix3::Identity(),
                double heavier = 1.0) {
    const double mass = heavier * density * size.prod();
    const Vector3 square = size.cwiseAbs2();
    const Vector3 moments = mass / 12.0 * (Vector3::Constant(square.sum()) - square);
    return add_body(mass, frame * moments.asDiagonal() * frame.transpose(), centre);
  }
  Index add_sphere(double radius, const Vector3& centre, double heavier = 1.0) {
    const double mass = heavier * density * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
    return add_body(mass, 0.4 * mass * radius * radius * Matrix3::Identity(), centre);
  }

  // The normal points into the first body.
  void add_contact(Index first, Index second, const Vector3& point, const Vector3& normal) {
    contacts_.push_back({first, second, point, normal});
  }
  // Four corners of a rectangle with the half sides a, b.
  void add_face(Index first, Index second, const Vector3& centre, const Vector3& a, const Vector3& b) {
    const Vector3 normal = a.cross(b).normalized();
    for (const double i : {-1.0, 1.0})
      for (const double j : {-1.0, 1.0}) add_contact(first, second, centre + i * a + j * b, normal);
  }
  const Vector3& centre(Index body) const { return centres_[static_cast<std::size_t>(body)]; }
  Index bodies() const { return static_cast<Index>(centres_.size()); }

  // Gravity; random: velocities of standard deviation `speed` and speed / length in addition; pushed: one body along y.
  GeneratedProblemPtr problem(std::string name, double mu, ProblemMotion motion, double speed, double length,
                              Index pushed) const {
    auto made = bare_problem(std::move(name));
    const Index nv = 6 * bodies();
    Vector v = Vector::Zero(nv);
    for (Index b = 0; b < bodies(); ++b) v[6 * b + 2] = -gravity_step;
    if (motion == ProblemMotion::pushed) v[6 * pushed + 1] += speed;
    if (motion == ProblemMotion::random) {
      std::mt19937 random(5);
      std::normal_distribution<double> normal;
      for (Index i = 0; i < nv; ++i) v[i] += normal(random) * (i % 6 < 3 ? speed : speed / length);
    }
    finish(v, mu, *made);
    return made;
  }

  // Gravity in addition to velocities of the bodies.
  GeneratedProblemPtr problem(std::string name, double mu, Vector v) const {
    auto made = bare_problem(std::move(name));
    for (Index b = 0; b < bodies(); ++b) v[6 * b + 2] -= gravity_step;
    finish(v, mu, *made);
    return made;
  }

 private:
  GeneratedProblemPtr bare_problem(std::string name) const {
    auto made = std::make_unique<GeneratedProblem>();
    made->name = std::move(name);
    Inertia M;
    Matrix3* blocks = M.block_diagonal(6 * bodies());
    for (std::size_t b = 0; b < centres_.size(); ++b) {
      blocks[2 * b] = masses_[b] * Matrix3::Identity();
      blocks[2 * b + 1] = inertias_[b];
    }
    made->A.factor(M);
    for (const Contact& contact : contacts_) add_rows(contact, made->W);
    return made;
  }

  void finish(const Vector& v, double mu, GeneratedProblem& made) const {
    InclusionProblem& problem = made.problem;
    problem.c.resize(made.W.rows());
    made.W.transpose_multiply(v.data(), problem.c.data());
    made.laws.assign(contacts_.size(), std::make_shared<SpatialCoulombLaw>(0.0, mu));
    for (const auto& law : made.laws) problem.laws.push_back(law.get());
    problem.G = &made.factory.build(made.W, made.A);
  }

  struct Contact {
    Index first, second;
    Vector3 point, normal;
  };

  void add_rows(const Contact& contact, ConstraintJacobian& W) const {
    const Vector3 normal = contact.normal;
    const Vector3 t1 = normal.cross(std::abs(normal.x()) < 0.7 ? Vector3::UnitX() : Vector3::UnitY()).normalized();
    const Vector3 directions[3] = {normal, t1, normal.cross(t1)};
    W.add_block(3);
    for (const auto& [body, sign] : {std::pair(contact.first, 1.0), std::pair(contact.second, -1.0)}) {
      if (body < 0) continue;
      double* entries = W.add_segment(6 * body, 6);
      const Vector3 lever = contact.point - centre(body);
      for (int r = 0; r < 3; ++r) {
        Eigen::Map<Vector3>(entries + 6 * r) = sign * directions[r];
        Eigen::Map<Vector3>(entries + 6 * r + 3) = sign * lever.cross(directions[r]);
      }
    }
  }

  std::vector<double> masses_;
  std::vector<Matrix3> inertias_;
  std::vector<Vector3> centres_;
  std::vector<Contact> contacts_;
};

// Spheres of radius 1/2 at the given places, all that touch, and the walls of the box around them but for its lid.
// Masses are spread evenly in their logarithm, the largest `mass_ratio` times the smallest.
GeneratedProblemPtr lattice(std::string name, const std::vector<Vector3>& centres, double mu, ProblemMotion motion,
                            double mass_ratio = 1.0) {
  constexpr double radius = 0.5, near = 1.0 + 1e-9;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> share;
  Pile pile;
  Vector3 low = centres.front(), high = low;
  for (const Vector3& centre : centres) {
    pile.add_sphere(radius, centre, std::pow(mass_ratio, share(random)));
    low = low.cwiseMin(centre);
    high = high.cwiseMax(centre);
  }
  for (Index i = 0; i < pile.bodies(); ++i) {
    const Vector3 x = pile.centre(i);
    for (Index j = i + 1; j < pile.bodies(); ++j) {
      const Vector3 between = x - pile.centre(j);
      if (between.squaredNorm() <= near * near) pile.add_contact(i, j, x - 0.5 * between, between.normalized());
    }
    for (int axis = 0; axis < 3; ++axis)
      for (const double side : {1.0, -1.0}) {
        if (axis == 2 && side < 0.0) continue;
        const double wall = side > 0.0 ? low[axis] : high[axis];
        const Vector3 normal = side * Vector3::Unit(axis);
        if (std::abs(x[axis] - wall) < 1e-9) pile.add_contact(i, -1, x - radius * normal, normal);
      }
  }
  return pile.problem(std::move(name), mu, motion, 1.0, 1.0, 0);
}

std::string motion_word(ProblemMotion motion) {
  return motion == ProblemMotion::rest ? "rest" : motion == ProblemMotion::pushed ? "pushed" : "random";
}

}  // namespace

GeneratedProblemPtr stack_problem(Index cubes, double mu, double top_mass_ratio, ProblemMotion motion) {
  Pile pile;
  for (Index k = 0; k < cubes; ++k) {
    const bool top = k == cubes - 1;
    pile.add_box(Vector3::Ones(), (k + 0.5) * up, Matrix3::Identity(), top ? top_mass_ratio : 1.0);
    pile.add_face(k, k - 1, k * up, 0.5 * Vector3::UnitX(), 0.5 * Vector3::UnitY());
  }
  return pile.problem("stack_" + std::to_string(cubes) + "_" + motion_word(motion), mu, motion, 0.1, 1.0, cubes / 2);
}

GeneratedProblemPtr wall_problem(Index rows, Index columns, double mu, ProblemMotion motion) {
  constexpr double length = 0.2, depth = 0.1, height = 0.1;
  const Vector3 half_depth(0.0, 0.5 * depth, 0.0), half_height(0.0, 0.0, 0.5 * height);
  const auto half_length = [](double l) { return Vector3(0.5 * l, 0.0, 0.0); };
  Pile pile;
  for (Index k = 0; k < rows; ++k)
    for (Index i = 0; i < columns; ++i) {
      const double x = length * (i + (k % 2 == 0 ? 0.5 : 1.0)), bottom = height * k;
      const Index brick = pile.add_box({length, depth, height}, {x, 0.0, bottom + 0.5 * height});
      if (k == 0) {
        pile.add_face(brick, -1, {x, 0.0, 0.0}, half_length(length), half_depth);
      } else {
        // The two below, where they are: their middles lie half a length to either side.
        for (const double side : {-1.0, 1.0}) {
          const Index below = i + (k % 2 == 0 ? (side < 0.0 ? -1 : 0) : (side < 0.0 ? 0 : 1));
          if (below < 0 || below >= columns) continue;
          pile.add_face(brick, columns * (k - 1) + below, {x + 0.25 * side * length, 0.0, bottom},
                        half_length(0.5 * length), half_depth);
        }
      }
      if (i > 0)
        pile.add_face(brick, brick - 1, {x - 0.5 * length, 0.0, bottom + 0.5 * height}, half_depth, half_height);
    }
  return pile.problem("wall_" + std::to_string(rows) + "x" + std::to_string(columns) + "_" + motion_word(motion), mu,
                      motion, 1.0, length, columns * (rows / 2) + columns / 2);
}

// Half a circle of the mean radius 1; joint k stands at the angle k pi / n and its normal points to wedge k.
GeneratedProblemPtr arch_problem(Index wedges, double mu) {
  constexpr double thickness = 0.15, depth = 0.2;
  Pile pile;
  const double step = std::numbers::pi / wedges;
  const auto radial = [](double angle) { return Vector3(std::cos(angle), 0.0, std::sin(angle)); };
  for (Index k = 0; k < wedges; ++k) {
    const Vector3 outward = radial((k + 0.5) * step);
    Matrix3 frame;
    frame << outward, Vector3::UnitY(), outward.cross(Vector3::UnitY());
    pile.add_box({thickness, depth, 2.0 * std::sin(0.5 * step)}, std::cos(0.5 * step) * outward, frame);
  }
  for (Index k = 0; k <= wedges; ++k) {
    const Vector3 r = radial(k * step), a = 0.5 * thickness * r, b = 0.5 * depth * Vector3::UnitY();
    if (k < wedges)
      pile.add_face(k, k - 1, r, a, b);  // the direction of growing angle
    else
      pile.add_face(k - 1, -1, r, -a, b);
  }
  return pile.problem("arch_" + std::to_string(wedges), mu, ProblemMotion::rest, 0.0, 1.0, 0);
}

GeneratedProblemPtr cubic_lattice_problem(Index side, double mu, ProblemMotion motion, double mass_ratio) {
  std::vector<Vector3> centres;
  for (Index k = 0; k < side; ++k)
    for (Index j = 0; j < side; ++j)
      for (Index i = 0; i < side; ++i) centres.emplace_back(i, j, k);
  return lattice("cubic_" + std::to_string(side) + "_" + motion_word(motion), centres, mu, motion, mass_ratio);
}

GeneratedProblemPtr fcc_lattice_problem(Index cells, double mu, ProblemMotion motion, double mass_ratio) {
  std::vector<Vector3> centres;
  const double half_cell = std::sqrt(0.5);
  const Index points = 2 * cells + 1;
  for (Index k = 0; k < points; ++k)
    for (Index j = 0; j < points; ++j)
      for (Index i = 0; i < points; ++i)
        if ((i + j + k) % 2 == 0) centres.emplace_back(half_cell * Vector3(i, j, k));
  return lattice("fcc_" + std::to_string(cells) + "_" + motion_word(motion), centres, mu, motion, mass_ratio);
}

GeneratedProblemPtr fall_problem(std::array<Index, 3> counts, double mu, double t) {
  const SphereLattice lattice;  // radius and density of spheres_in_box
  const Model model = spheres_in_box(counts, {.restitution = 0.0, .friction = mu}).build();
  const auto scheme = make_scheme("moreau_jean", {{"newton_tolerance", 1e-6}});
  const auto solver = make_solver("automatic", {{"tolerance", 1e-6}});
  SimulationOptions options;
  options.t_end = t;
  options.audit = false;
  const State state = simulate(*model.system, *scheme, *solver, model.initial, options).last;

  constexpr double near = 1e-9;
  const double r = lattice.radius, pitch = 2.2 * r;
  Pile pile;
  Vector v = Vector::Zero(model.system->nv());
  for (Index b = 0; b < model.system->nv() / 6; ++b) {
    pile.add_sphere(r, state.q.segment<3>(7 * b));
    v.segment<3>(6 * b) = state.v.segment<3>(6 * b);
    v.segment<3>(6 * b + 3) = rotation_matrix(state.q.segment<4>(7 * b + 3)) * state.v.segment<3>(6 * b + 3);
  }
  for (Index i = 0; i < pile.bodies(); ++i) {
    const Vector3 x = pile.centre(i);
    for (Index j = i + 1; j < pile.bodies(); ++j) {
      const Vector3 between = x - pile.centre(j);
      if (between.norm() <= 2.0 * r + near) pile.add_contact(i, j, x - 0.5 * between, between.normalized());
    }
    for (int axis = 0; axis < 3; ++axis)
      for (const double side : {1.0, -1.0}) {
        if (axis == 2 && side < 0.0) continue;
        const double wall =
            axis == 2 ? 0.0 : -0.5 * side * pitch * static_cast<double>(counts[static_cast<std::size_t>(axis)]);
        const Vector3 normal = side * Vector3::Unit(axis);
        if (side * (x[axis] - wall) <= r + near) pile.add_contact(i, -1, x - r * normal, normal);
      }
  }
  return pile.problem("fall_" + std::to_string(pile.bodies()), mu, std::move(v));
}

const std::vector<ProblemMaker>& problem_collection() {
  using enum ProblemMotion;
  static const std::vector<ProblemMaker> collection = {
      {"stack_10", true, [] { return stack_problem(10, 0.5); }},
      {"stack_10_random", true, [] { return stack_problem(10, 0.5, 1.0, random); }},
      {"stack_10_heavy_top", true, [] { return stack_problem(10, 0.5, 1e4); }},
      {"stack_50", true, [] { return stack_problem(50, 0.5); }},
      {"stack_50_pushed", true, [] { return stack_problem(50, 0.3, 1.0, pushed); }},
      {"stack_200", false, [] { return stack_problem(200, 0.5); }},
      {"stack_200_heavy_top", false, [] { return stack_problem(200, 0.5, 1e4); }},
      {"wall_4x4_rest", true, [] { return wall_problem(4, 4, 0.5, rest); }},
      {"wall_4x4_pushed", true, [] { return wall_problem(4, 4, 0.5, pushed); }},
      {"wall_4x4_random", true, [] { return wall_problem(4, 4, 0.5, random); }},
      {"wall_8x8_rest", false, [] { return wall_problem(8, 8, 0.5, rest); }},
      {"wall_8x8_pushed", false, [] { return wall_problem(8, 8, 0.5, pushed); }},
      {"wall_8x8_random", false, [] { return wall_problem(8, 8, 0.5, random); }},
      {"wall_20x20_rest", false, [] { return wall_problem(20, 20, 0.5, rest); }},
      {"wall_20x20_pushed", false, [] { return wall_problem(20, 20, 0.5, pushed); }},
      {"arch_21", true, [] { return arch_problem(21, 0.6); }},
      {"arch_101", false, [] { return arch_problem(101, 0.6); }},
      {"cubic_4_rest", true, [] { return cubic_lattice_problem(4, 0.5, rest); }},
      {"cubic_4_random", true, [] { return cubic_lattice_problem(4, 0.5, random); }},
      {"cubic_4_random_smooth", true, [] { return cubic_lattice_problem(4, 0.05, random); }},
      {"cubic_10_rest", false, [] { return cubic_lattice_problem(10, 0.5, rest); }},
      {"cubic_10_random", false, [] { return cubic_lattice_problem(10, 0.5, random); }},
      {"cubic_10_random_rough", false, [] { return cubic_lattice_problem(10, 1.0, random); }},
      {"fcc_2_rest", true, [] { return fcc_lattice_problem(2, 0.3, rest); }},
      {"fcc_2_random", true, [] { return fcc_lattice_problem(2, 0.3, random); }},
      {"fcc_4_rest", false, [] { return fcc_lattice_problem(4, 0.3, rest); }},
      {"fcc_4_random", false, [] { return fcc_lattice_problem(4, 0.3, random); }},
      {"fcc_7_random", false, [] { return fcc_lattice_problem(7, 0.3, random); }},
      {"fcc_12_random", false, [] { return fcc_lattice_problem(12, 0.3, random); }},
      {"stack_10_slippery", true, [] { return stack_problem(10, 0.05, 1.0, random); }},
      {"stack_10_rough", true, [] { return stack_problem(10, 1.0, 1.0, random); }},
      {"stack_20_heavy_top_random", true, [] { return stack_problem(20, 0.5, 1e4, random); }},
      {"wall_4x4_pushed_slippery", true, [] { return wall_problem(4, 4, 0.05, pushed); }},
      {"wall_4x4_pushed_rough", true, [] { return wall_problem(4, 4, 1.0, pushed); }},
      {"arch_51", true, [] { return arch_problem(51, 1.0); }},
      {"cubic_4_masses_1e2", true, [] { return cubic_lattice_problem(4, 0.5, random, 1e2); }},
      {"cubic_4_masses_1e4", true, [] { return cubic_lattice_problem(4, 0.5, random, 1e4); }},
      {"cubic_10_masses_1e4", false, [] { return cubic_lattice_problem(10, 0.5, random, 1e4); }},
      {"fcc_2_slippery", true, [] { return fcc_lattice_problem(2, 0.05, random); }},
      {"fcc_2_rough", true, [] { return fcc_lattice_problem(2, 1.0, random); }},
      // Redundant, and masses over four decades: solved by interior points when all else has failed.
      {"fcc_2_masses_1e4", true, [] { return fcc_lattice_problem(2, 0.3, random, 1e4); }},
      {"fall_100_at_0.2", true,
       [] {
         return fall_problem({5, 5, 4}, 0.5, 0.2);
       }},
      {"fall_100_at_0.4", true,
       [] {
         return fall_problem({5, 5, 4}, 0.5, 0.4);
       }},
      {"fall_100_slippery", true,
       [] {
         return fall_problem({5, 5, 4}, 0.05, 0.4);
       }},
      {"fall_100_rough", true,
       [] {
         return fall_problem({5, 5, 4}, 1.0, 0.4);
       }},
      {"fall_1000_at_0.15", false,
       [] {
         return fall_problem({10, 10, 10}, 0.5, 0.15);
       }},
      {"fall_1000_at_0.25", false, [] {
         return fall_problem({10, 10, 10}, 0.5, 0.25);
       }}};
  return collection;
}

}  // namespace carom::inline study
