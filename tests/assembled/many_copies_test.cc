// What many copies of a scene do, far from each other in one model, is what one does alone. One is small: its matrices
// are dense and Newton's method is complete. Many are large: the same equations by blocks, springs as components,
// curvature left out.
#include <gtest/gtest.h>

#include "carom/model/assembly/builder.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

constexpr int links = 4;
constexpr double far_apart = 10.0;

// Four links fall on a rough floor, bent; a spring between the first and the last, with or without a damper.
void add_scene(ModelBuilder& m, int copy, double damping) {
  constexpr double length = 0.2, radius = 0.03, mass = 0.3, J = mass * length * length / 12.0;
  const std::string name = "copy" + std::to_string(copy) + "_";
  std::vector<BodyRef> chain;
  double x = far_apart * copy, y = 0.05;
  for (int i = 0; i < links; ++i) {
    const double angle = i < links / 2 ? -0.3 : 0.4, c = std::cos(angle), s = std::sin(angle);
    if (i == 0) y += 0.6 * length;
    chain.push_back(m.add_body({.name = name + std::to_string(i),
                                .mass = mass,
                                .inertia = J * Matrix3::Identity(),
                                .position = {x + 0.5 * length * c, y + 0.5 * length * s, 0.0},
                                .angle = angle}));
    m.add_surface({.body = chain.back().number, .shape = geometry::Disc(radius), .material = "link"});
    if (i > 0)
      m.add_joint({.name = name + "pin" + std::to_string(i),
                   .kind = "revolute",
                   .a = chain[static_cast<std::size_t>(i - 1)].at({length / 2, 0, 0}),
                   .b = chain.back().at({-length / 2, 0, 0})});
    x += length * c;
    y += length * s;
  }
  m.add_spring({.name = name + "spring",
                .a = chain.front().at({0, radius, 0}),
                .b = chain.back().at({0, radius, 0}),
                .stiffness = 200.0,
                .damping = damping});
}

Model copies(int count, double damping) {
  ModelBuilder m(Space::planar);
  m.set_gravity({0.0, -9.81, 0.0});
  for (int k = 0; k < count; ++k) add_scene(m, k, damping);
  m.add_surface({.name = "floor", .shape = geometry::HalfPlane(), .material = "floor"});
  m.add_contact({.a = "link", .b = "floor", .law = ContactParameters{.restitution = 0.2, .friction = 0.3}});
  return m.build();
}

struct Case {
  const char* scheme;
  double damping;
};

class ManyCopies : public ::testing::TestWithParam<Case> {};

// Newton's methods stop at 1e-10 of what is there; impacts make that grow.
TEST_P(ManyCopies, MoveLikeOne) {
  constexpr int count = 12, steps = 150;
  constexpr double dt = 2e-3;
  const Model one = copies(1, GetParam().damping), many = copies(count, GetParam().damping);
  ASSERT_LE(one.system->nv(), 48);
  ASSERT_GT(many.system->nv(), 48);
  int touched = 0;
  const State a = testing::run(*one.system, one.initial, GetParam().scheme, {}, dt, steps, [&](const StepResult& r) {
    touched += static_cast<int>(r.contacts.size()) > links - 1;
  });
  const State b = testing::run(*many.system, many.initial, GetParam().scheme, {}, dt, steps);
  EXPECT_GT(touched, 20) << "it reached the floor";
  double worst = 0.0;
  for (int k = 0; k < count; ++k)
    for (Index i = 0; i < 3 * links; ++i) {
      const double shift = i % 3 == 0 ? far_apart * k : 0.0;
      worst = std::max(worst, std::abs(b.q[3 * links * k + i] - shift - a.q[i]));
    }
  EXPECT_LT(worst, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Schemes, ManyCopies,
                         ::testing::Values(Case{"moreau_jean", 0.0}, Case{"moreau_jean", 2.0},
                                           Case{"projection_combined", 2.0}, Case{"ggl_unified", 0.0},
                                           Case{"ggl_unified", 2.0}, Case{"nonsmooth_generalized_alpha", 0.0},
                                           Case{"nonsmooth_generalized_alpha", 2.0}),
                         [](const auto& of) {
                           return std::string(of.param.scheme) + (of.param.damping > 0.0 ? "_damped" : "");
                         });

}  // namespace
}  // namespace carom::model
