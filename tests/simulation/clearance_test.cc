// The clearance of a contact is its gap where the loose part is centred: what penetration in a joint with play is
// judged by.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/assembly/builder.h"
#include "carom/system/system.h"

namespace carom {
namespace {

struct Case {
  const char* model;
  std::map<std::string, ParameterValue> centred;
  Index loose;  // contacts with play
  double clearance;
};

// Which contacts of a model have play, judged at a start in which all of these are centred.
void expect_clearance(const Model& model, Index loose, double clearance) {
  const System& system = *model.system;
  ContactSet contacts;
  system.detect(0.0, model.initial.q, model.initial.v, 0.0, contacts);
  ActiveSet all;
  all.reset(contacts);
  all.add_all();
  Evaluation at;
  system.evaluate(0.0, model.initial.q, model.initial.v, Need::gap, all, at);
  Index row = 0, with_play = 0;
  for (const Constraint& c : contacts.constraints) {
    if (c.clearance != 0.0) {
      ++with_play;
      EXPECT_FALSE(c.bilateral);
      EXPECT_NEAR(c.clearance, clearance, 1e-15) << system.constraint_name(c);
      EXPECT_NEAR(at.g[row], c.clearance, 1e-15) << system.constraint_name(c);
    }
    row += c.law->dim();
  }
  EXPECT_EQ(with_play, loose);
}

TEST(Clearance, OfModelsWrittenAsFormulas) {
  const ContactParameters steel = {.restitution = 0.4, .friction = 0.01};
  const std::vector<Case> cases = {
      {"slider_crank", {{"clearance", 0.0007}}, 4, 0.0007},
      {"slider_crank_maximal", {{"clearance", 0.0007}}, 4, 0.0007},
      {"woodpecker", {{"rM", 0.0031}, {"rO", 0.0025}, {"sleeve_angle", 0.0}}, 2, 0.0031 - 0.0025},
      {"rotor", {{"bearing_radius", 0.0102}}, 1, 0.0102 - 0.01},
      {"bouncing_ball", {}, 0, 0.0},
      {"slider_crank", {{"clearance", 0.0}}, 0, 0.0},  // without play there is none to judge by
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.model);
    expect_clearance(make_analytic_model(c.model, c.centred, c.loose > 0 ? steel : ContactParameters{}), c.loose,
                     c.clearance);
  }
}

TEST(Clearance, OfGuidesAndBores) {
  model::ModelBuilder m(Space::planar);
  const model::BodyRef block = m.add_body({.name = "block", .mass = 1.0, .inertia = Matrix3::Identity()});
  m.add_guide({.name = "guide",
               .guide = m.ground().at({0, 0, 0}),
               .block = block.at({0, 0, 0}),
               .half_length = 0.05,
               .half_height = 0.025,
               .clearance = 0.002,
               .law = {}});
  const model::BodyRef pin = m.add_body({.name = "pin", .mass = 1.0, .inertia = Matrix3::Identity()});
  m.add_clearance({.name = "bore",
                   .pin = pin.at({0, 0, 0}),
                   .bore = m.ground().at({0, 0, 0}),
                   .pin_radius = 0.008,
                   .bore_radius = 0.01,
                   .law = {}});
  expect_clearance(m.build(), 5, 0.002);
}

// Both edges, with two candidates each, and four points of both ends.
TEST(Clearance, OfPinsWithEdges) {
  model::ModelBuilder m(Space::spatial);
  const model::BodyRef pin = m.add_body({.name = "pin", .mass = 1.0, .inertia = Matrix3::Identity()});
  m.add_clearance({.name = "bore",
                   .pin = pin.at({0, 0, 0}),
                   .bore = m.ground().at({0, 0, 0}),
                   .pin_radius = 0.008,
                   .bore_radius = 0.01,
                   .pin_length = 0.05,
                   .axial_play = 0.004,
                   .law = {}});
  expect_clearance(m.build(), 12, 0.002);
}

// Teeth that touch the one flank or the other, half of the backlash away from between them. The sum has the unit of its
// terms.
TEST(Clearance, OfBacklash) {
  model::ModelBuilder m(Space::planar);
  const model::BodyRef wheel = m.add_body({.name = "wheel", .mass = 1.0, .inertia = Matrix3::Identity()});
  const model::BodyRef pinion =
      m.add_body({.name = "pinion", .mass = 1.0, .inertia = Matrix3::Identity(), .position = {0.3, 0, 0}});
  m.add_joint({.name = "big", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = wheel.at({0, 0, 0})});
  m.add_joint({.name = "small", .kind = "revolute", .a = m.ground().at({0.3, 0, 0}), .b = pinion.at({0, 0, 0})});
  m.add_backlash({.name = "teeth", .terms = {{"big", 0.2}, {"small", 0.1}}, .backlash = 0.0006});
  expect_clearance(m.build(), 2, 0.0003);
}

// A stroke between two stops has its half to either side; a single stop bounds no play.
TEST(Clearance, OfStops) {
  const auto slide = [](std::optional<double> lower, std::optional<double> upper) {
    model::ModelBuilder m(Space::planar);
    const model::BodyRef block = m.add_body({.name = "block", .mass = 1.0, .inertia = 1e-4 * Matrix3::Identity()});
    m.add_joint({.name = "way",
                 .kind = "prismatic",
                 .a = m.ground().at({0, 0, 0}),
                 .b = block.at({0.05, 0, 0}),
                 .start = model::CoordinateStart{.value = 0.02}});
    m.add_limit({.joint = "way", .lower = lower, .upper = upper});
    return m.build();
  };
  expect_clearance(slide(0.019, 0.021), 2, 0.001);
  expect_clearance(slide(0.019, std::nullopt), 0, 0.0);
  // They are judged by the length of the slide, not by a metre.
  const Model model = slide(0.019, std::nullopt);
  ContactSet contacts;
  model.system->detect(0.0, model.initial.q, model.initial.v, 0.0, contacts);
  EXPECT_DOUBLE_EQ(contacts.constraints.back().length_scale, 0.05);
}

}  // namespace
}  // namespace carom
