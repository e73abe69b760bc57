// The builder: what it makes of good scenes and what it says about bad ones.
#include <gtest/gtest.h>

#include <functional>

#include "carom/model/multibody.h"
#include "carom/model/multibody_scenes.h"
#include "model/multibody_test_scene.h"

namespace carom {
namespace {

BodySpec ball(const std::string& name, const Vector3& position = {0, 0, 1}) {
  return {
      .name = name, .mass = 1, .inertia = Vector3::Constant(0.004), .position = position, .shape = Shape::sphere(0.1)};
}
BodySpec box(const std::string& name, const Vector3& position = {0, 0, 1}) {
  BodySpec spec = ball(name, position);
  spec.shape = Shape::box({0.2, 0.2, 0.2});
  return spec;
}

struct Mistake {
  const char* title;
  const char* code;
  const char* key;
  const char* words;  // in message or hint
  std::function<void(Multibody&)> make;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.title; }

class MultibodyMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(MultibodyMistake, IsReportedWithItsKey) {
  Multibody scene;
  scene.set_default_contact(ContactParameters{});
  scene.add_plane({.name = "floor"});
  GetParam().make(scene);
  try {
    scene.build();
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    ASSERT_FALSE(error.problems().empty());
    const InputProblem& problem = error.problems().front();
    EXPECT_EQ(problem.code, GetParam().code);
    EXPECT_EQ(problem.key, GetParam().key);
    EXPECT_NE((problem.message + problem.hint).find(GetParam().words), std::string::npos)
        << problem.message << " | " << problem.hint;
  }
}

const Mistake mistakes[] = {
    {"no_body", "E0201", "body", "no body", [](Multibody&) {}},
    {"negative_mass", "E0206", "body.b.mass", "-2",
     [](Multibody& scene) {
       BodySpec b = ball("b");
       b.mass = -2;
       scene.add_body(b);
     }},
    {"mass_not_a_number", "E0206", "body.b.mass", "positive",
     [](Multibody& scene) {
       BodySpec b = ball("b");
       b.mass = std::nan("");
       scene.add_body(b);
     }},
    {"no_inertia", "E0207", "body.b.inertia", "positive",
     [](Multibody& scene) {
       BodySpec b = ball("b");
       b.inertia = Vector3::Zero();
       scene.add_body(b);
     }},
    {"impossible_inertia", "E0207", "body.b.inertia", "sum of the others",
     [](Multibody& scene) {
       BodySpec b = ball("b");
       b.inertia = {1e-3, 2e-3, 3.1e-3};
       scene.add_body(b);
     }},
    {"radius", "E0205", "body.b.shape.radius", "positive",
     [](Multibody& scene) {
       BodySpec b = ball("b");
       b.shape.radius = 0;
       scene.add_body(b);
     }},
    {"box_size", "E0205", "body.b.shape.size", "positive",
     [](Multibody& scene) {
       BodySpec b = box("b");
       b.shape = Shape::box({1, -1, 1});
       scene.add_body(b);
     }},
    {"quaternion", "E0208", "body.b.orientation", "length 2",
     [](Multibody& scene) {
       BodySpec b = ball("b");
       b.orientation = {2, 0, 0, 0};
       scene.add_body(b);
     }},
    {"same_name", "E0203", "plane.b", "twice",
     [](Multibody& scene) {
       scene.add_body(ball("b"));
       scene.add_plane({.name = "b"});
     }},
    {"reserved_name", "E0202", "body.ground", "fixed world", [](Multibody& scene) { scene.add_body(ball("ground")); }},
    {"normal", "E0204", "plane.wall.normal", "direction",
     [](Multibody& scene) {
       scene.add_body(ball("b"));
       scene.add_plane({.name = "wall", .normal = Vector3::Zero()});
     }},
    {"unknown_partner", "E0141", "joint.pin.between", "'hammer'",
     [](Multibody& scene) {
       scene.add_body(ball("hammer"));
       scene.add_joint({.name = "pin", .b = "hamer", .point = Vector3(0, 0, 1)});
     }},
    {"joint_with_itself", "E0211", "joint.pin.between", "different",
     [](Multibody& scene) {
       scene.add_body(ball("b"));
       scene.add_joint({.name = "pin", .a = "b", .b = "b", .point = Vector3(0, 0, 1)});
     }},
    {"joint_without_point", "E0212", "joint.pin.point", "needs a point",
     [](Multibody& scene) {
       scene.add_body(ball("b"));
       scene.add_joint({.name = "pin", .b = "b"});
     }},
    {"not_assembled", "E0213", "joint.pin", "0.3 m apart",
     [](Multibody& scene) {
       scene.add_body(ball("b"));
       scene.add_joint({.name = "pin", .b = "b", .point_a = Vector3(0, 0, 1.5), .point_b = Vector3(0, 0, 0.2)});
     }},
    {"torn_apart", "E0214", "joint.pin", "2 m/s",
     [](Multibody& scene) {
       BodySpec b = ball("b");
       b.velocity = {0, 2, 0};
       scene.add_body(b);
       scene.add_joint({.name = "pin", .b = "b", .point = Vector3(0, 0, 1)});
     }},
    {"in_the_floor", "E0218", "body.b", "b-floor by 0.03 m",
     [](Multibody& scene) {
       scene.add_body(ball("b", {0, 0, 0.07}));
     }},
    {"in_each_other", "E0218", "body.b", "b-c by 0.05 m",
     [](Multibody& scene) {
       scene.add_body(ball("b", {0, 0, 1}));
       scene.add_body(ball("c", {0.15, 0, 1}));
     }},
    {"corner_in_the_floor", "E0218", "body.b", "b.corner0-floor",
     [](Multibody& scene) {
       scene.add_body(box("b", {0, 0, 0.09}));
     }},
    {"unknown_contact_partner", "E0141", "contact.x.between", "'floor'",
     [](Multibody& scene) {
       scene.add_body(ball("b"));
       scene.add_contact({.name = "x", .a = "b", .b = "flor", .law = {}});
     }},
    {"boxes_overlap", "E0218", "body.b", "away by",
     [](Multibody& scene) {
       scene.add_body(box("b"));
       scene.add_body(box("c", {0.15, 0, 1}));
     }},
};

INSTANTIATE_TEST_SUITE_P(All, MultibodyMistake, ::testing::ValuesIn(mistakes),
                         [](const auto& mistake) { return std::string(mistake.param.title); });

TEST(MultibodyBuilder, ReportsAllMistakesAtOnce) {
  Multibody scene;
  BodySpec a = ball("a"), b = ball("b", {5, 0, 1});
  a.mass = -1;
  b.inertia = {1, 1, 3};
  scene.add_body(a);
  scene.add_body(b);
  scene.add_plane({.name = "wall", .normal = Vector3::Zero()});
  try {
    scene.build();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().size(), 3u);
  }
}

TEST(MultibodyBuilder, LawsByPair) {
  Multibody scene;
  scene.add_plane({.name = "floor"});
  scene.add_plane({.name = "ice", .point = {0, 0, 0}, .normal = {0, 0, 2}});
  scene.add_body(ball("a", {0, 0, 0.1}));
  scene.add_body(ball("b", {0.2, 0, 0.1}));
  scene.add_body(ball("c", {0.4, 0, 0.1}));
  scene.set_default_contact(ContactParameters{.friction = 0.5});
  scene.add_contact({.name = "slippery", .a = "a", .b = "ice", .law = ContactParameters{.friction = 0}});
  scene.add_contact({.name = "apart", .a = "a", .b = "b", .law = {}});
  const Model model = scene.build();
  ContactSet contacts;
  model.system->detect(0, model.initial.q, model.initial.v, 1e-3, contacts);
  std::map<std::string, Index> rows;
  for (const Constraint& c : contacts.constraints) rows[model.system->constraint_name(c)] = c.law->dim();
  const std::map<std::string, Index> expected = {{"a-floor", 3}, {"a-ice", 1},   {"b-floor", 3}, {"b-ice", 3},
                                                 {"b-c", 3},     {"c-floor", 3}, {"c-ice", 3}};
  EXPECT_EQ(rows, expected);
  EXPECT_TRUE(model.system->features().contains(Feature::friction));
  EXPECT_FALSE(model.system->features().contains(Feature::joints));
}

TEST(MultibodyBuilder, BoxesThatMayMeetNothingButTheFloor) {
  Multibody scene;
  scene.add_plane({.name = "floor"});
  scene.add_body(box("a", {0, 0, 0.1}));
  scene.add_body(box("b", {1, 0, 0.1}));
  scene.set_default_contact(ContactParameters{.friction = 0.5});
  scene.add_contact({.name = "apart", .a = "a", .b = "b", .law = {}});
  const Model model = scene.build();
  ContactSet contacts;
  model.system->detect(0, model.initial.q, model.initial.v, 1e-3, contacts);
  EXPECT_EQ(contacts.size(), 8);
}

TEST(MultibodyBuilder, JointTypesByWord) {
  EXPECT_EQ(joint_type("revolute", "joint.a.type"), "revolute");
  EXPECT_EQ(joint_type("fixed-orientation", "joint.a.type"), "fixed_orientation");
  try {
    joint_type("revolut", "joint.a.type");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems()[0].key, "joint.a.type");
    EXPECT_NE(error.problems()[0].hint.find("revolute"), std::string::npos);
  }
}

TEST(MultibodyBuilder, FeaturesAndConstancy) {
  const Model spheres = spheres_in_box({2, 2, 1}).build();
  EXPECT_TRUE(spheres.system->constancy().inertia);
  EXPECT_TRUE(spheres.system->constancy().affine_force);  // no gyroscopic force on spheres
  EXPECT_TRUE(spheres.system->features().contains(Feature::contacts));
  EXPECT_TRUE(spheres.system->features().contains(Feature::friction));
  EXPECT_TRUE(spheres.system->features().contains(Feature::quaternions));
  const Model chain = pendulum_chain(2).build();
  EXPECT_FALSE(chain.system->constancy().affine_force);
  EXPECT_TRUE(chain.system->features().contains(Feature::joints));
  EXPECT_FALSE(chain.system->features().contains(Feature::contacts));
  EXPECT_FALSE(chain.system->features().contains(Feature::friction));
}

// Expected centres from the definition of the scene, worked out outside this code.
TEST(MultibodyScenes, SpheresStandWhereTheSceneSays) {
  const Model model = spheres_in_box({5, 5, 4}).build();
  const Vector& q = model.initial.q;
  ASSERT_EQ(q.size(), 700);
  EXPECT_LT((q.segment<3>(7 * 0) - Vector3(-0.221952106970073, -0.221173073520411, 0.055)).norm(), 1e-14);
  EXPECT_LT((q.segment<3>(7 * 1) - Vector3(-0.108071880036658, -0.218321312951601, 0.055)).norm(), 1e-14);
  EXPECT_LT((q.segment<3>(7 * 37) - Vector3(-0.000495155631417502, 0.000966439451324021, 0.165)).norm(), 1e-14);
  EXPECT_LT((q.segment<3>(7 * 99) - Vector3(0.219778074885507, 0.219548867617478, 0.385)).norm(), 1e-14);
  const Multibody scene = spheres_in_box({5, 5, 4});
  EXPECT_NEAR(scene.bodies()[0].mass, 0.5235987755982988, 1e-15);
  EXPECT_EQ(scene.bodies()[99].name, "ball99");
  EXPECT_EQ(scene.planes().size(), 5u);
  EXPECT_EQ(model.initial.v.norm(), 0.0);
}

TEST(MultibodyScenes, BlockStandsOnFourCornersExactly) {
  const Model model = sliding_block();
  ContactSet contacts;
  model.system->detect(0, model.initial.q, model.initial.v, 1e-3, contacts);
  ASSERT_EQ(contacts.size(), 4);
  ActiveSet all;
  all.reset(contacts);
  all.add_all();
  Evaluation out;
  model.system->evaluate(0, model.initial.q, model.initial.v, Need::gap | Need::inertia, all, out);
  for (Index k = 0; k < 4; ++k) EXPECT_EQ(out.g[3 * k], 0.0);
  EXPECT_EQ(model.system->constraint_name(contacts[2]), "block.corner2-floor");
  EXPECT_DOUBLE_EQ(out.M.blocks()[0](0, 0), 16.0);
  EXPECT_DOUBLE_EQ(out.M.blocks()[1](2, 2), 16.0 * 0.32 / 12);
}

TEST(MultibodyScenes, SlidingExactSolution) {
  for (const Model& model : {sliding_block(), sliding_sphere()}) {
    Vector q, v;
    model.exact(0.0, q, v);
    EXPECT_EQ(q, model.initial.q);
    EXPECT_EQ(v, model.initial.v);
    model.exact(0.2, q, v);
    EXPECT_NEAR(v[0], 2 - 0.2 * 4.905, 1e-15);
    EXPECT_NEAR(q[0], 0.4 - 0.5 * 4.905 * 0.04, 1e-15);
    model.exact(3.0, q, v);  // at rest since 0.4077 s
    EXPECT_NEAR(q[0], 0.40774719673802245, 1e-14);
    EXPECT_EQ(v.norm(), 0.0);
  }
}

TEST(MultibodyScenes, MassOfSolids) {
  // By summing small cubes.
  const Vector3 size(0.4, 0.3, 0.1);
  const int n = 40;
  Vector3 inertia = Vector3::Zero();
  double sphere_inertia = 0, sphere_mass = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vector3 u((i + 0.5) / n - 0.5, (j + 0.5) / n - 0.5, (k + 0.5) / n - 0.5);
        const Vector3 x = u.cwiseProduct(size);
        const double m = 12.0 / (n * n * n);
        inertia += m * (Vector3::Constant(x.squaredNorm()) - x.cwiseAbs2());
        if (u.norm() < 0.5) {
          sphere_mass += 1.0 / (n * n * n);
          sphere_inertia += (u.x() * u.x() + u.y() * u.y()) / (n * n * n);
        }
      }
  const MassProperties found = solid(Shape::box(size), 1000);
  EXPECT_NEAR(found.mass, 12.0, 1e-12);
  EXPECT_LT((found.inertia - inertia).norm(), 1e-3 * inertia.norm());
  EXPECT_NEAR(solid(Shape::sphere(0.5), 1).mass, sphere_mass, 5e-3 * sphere_mass);
  EXPECT_NEAR(solid(Shape::sphere(0.5), 1).inertia.x(), sphere_inertia, 1e-2 * sphere_inertia);
}

}  // namespace
}  // namespace carom
