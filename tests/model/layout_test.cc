// Every system lists every entry of its state once, with a unit, under the names its coordinates have.
#include <gtest/gtest.h>

#include "carom/base/errors.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/assembly/builder.h"
#include "carom/system/layout.h"
#include "model/beam_model.h"

namespace carom {
namespace {

void is_complete(const System& system) {
  const Layout layout = layout_of(system);
  EXPECT_EQ(layout.trouble(system.nq(), system.nv()), "");
  for (const Field& field : layout.fields()) {
    EXPECT_NE(field.unit, "SI") << field.path;
    EXPECT_EQ(field.places.size(), static_cast<std::size_t>(field.size())) << field.path;
    EXPECT_EQ(static_cast<long>(field.held.size()),
              std::count(field.places.begin(), field.places.end(), Field::is_held));
    if (const Pool* pool = layout.pool_of(field)) {
      EXPECT_EQ(pool->names.size(), static_cast<std::size_t>(field.rows));
    }
  }
}

TEST(Layout, OfEveryAnalyticModelIsComplete) {
  for (const std::string& name : analytic_models().names()) {
    SCOPED_TRACE(name);
    const Model model = make_analytic_model(name, {}, {.restitution = 0.5});
    is_complete(*model.system);
  }
}

// Numbered states come back where the layout says they are.
State numbered(const System& system) {
  State state;
  state.q = Vector::LinSpaced(system.nq(), 0.0, system.nq() - 1.0);
  state.v = Vector::LinSpaced(system.nv(), 1000.0, 1000.0 + system.nv() - 1.0);
  return state;
}

Vector values(const Layout& layout, const std::string& path, const State& state) {
  const Field* field = layout.find(path);
  if (!field) return Vector();
  Vector out(field->size());
  field->copy(state, out.data());
  return out;
}

TEST(Layout, OfAMixedModelHasAPoolForEachKindOfBody) {
  model::ModelBuilder m(Space::spatial);
  const auto a = m.add_body({.name = "a"});
  m.add_body({.name = "b", .position = {3, 0, 0}});
  m.add_planar_body({.name = "p", .position = {6, 0, 0}});
  m.add_kinematic_body({"belt", [](double) { return model::PrescribedMotion{}; }});
  m.add_joint({.name = "hinge",
               .kind = "revolute",
               .a = m.ground().at({0, 0, 0}),
               .b = a.at({0, 0, 0}),
               .start = model::CoordinateStart{0.0, 1.0}});
  m.add_spring({.name = "coil", .joint = "hinge", .stiffness = 1.0});
  const Model model = m.build();
  is_complete(*model.system);
  const Layout layout = layout_of(*model.system);
  const State state = numbered(*model.system);
  const Vector spin = values(layout, "/body/spin", state), position = values(layout, "/planar_body/position", state);
  ASSERT_EQ(spin.size(), 6);
  for (Index k = 0; k < 3; ++k)
    EXPECT_EQ(model.system->velocity_name(static_cast<Index>(spin[3 + k]) - 1000), std::string("b.spin_") + "xyz"[k]);
  ASSERT_EQ(position.size(), 2);
  EXPECT_EQ(model.system->coordinate_name(static_cast<Index>(position[1])), "p.y");
  const Vector turning = values(layout, "/turning/angle", state);
  ASSERT_EQ(turning.size(), 1);
  EXPECT_EQ(model.system->coordinate_name(static_cast<Index>(turning[0])), "hinge.angle");

  std::vector<std::string> frames;
  for (const StateFrame& frame : layout.frames()) frames.push_back(frame.name);
  EXPECT_EQ(frames, (std::vector<std::string>{"a", "b", "p", "belt"}));
  EXPECT_EQ(model.system->coordinate_name(layout.frames()[1].q), "b.x");
  EXPECT_EQ(model.system->velocity_name(layout.frames()[2].v), "p.vx");
  EXPECT_EQ(layout.frames()[3].kind, StateFrame::Kind::prescribed);
}

TEST(Layout, OfABeamShowsItsSupportsToo) {
  model::PlanarBeamSpec planar;
  planar.elements = 3;
  planar.origin = {1.0, 2.0};
  planar.supports = {model::PlanarSupport::hinged(0)};
  const testing::PlanarBeamModel beam(planar);
  is_complete(beam);
  const Vector position = values(layout_of(beam), "/node/position", beam.start());
  ASSERT_EQ(position.size(), 8);
  for (Index node = 0; node < 4; ++node) {
    EXPECT_EQ(position[2 * node], beam.node_position(beam.start().q, node).x());
    EXPECT_EQ(position[2 * node + 1], beam.node_position(beam.start().q, node).y());
  }

  model::SpatialBeamSpec spatial;
  spatial.elements = 2;
  model::SpatialSupport clamp;
  clamp.node = 1;
  clamp.position = {true, false, true};
  clamp.rotation = true;
  spatial.supports = {clamp};
  const testing::SpatialBeamModel rod(spatial);
  is_complete(rod);
  const Vector places = values(layout_of(rod), "/node/position", rod.start());
  ASSERT_EQ(places.size(), 9);
  for (Index node = 0; node < 3; ++node)
    for (Index k = 0; k < 3; ++k) EXPECT_EQ(places[3 * node + k], rod.node_position(rod.start().q, node)[k]);
  EXPECT_EQ(values(layout_of(rod), "/node/orientation", rod.start()).segment<4>(4), spatial.orientation);
}

TEST(Layout, NoticesWhatIsMissingOrTwice) {
  Layout layout;
  layout.add_pool("/body", {"a", "b"});
  layout.add_pooled("/body/position", FieldOf::q, 0, 3, 3, "m", "");
  EXPECT_EQ(layout.trouble(6, 0), "");
  EXPECT_EQ(layout.trouble(7, 0), "q[6] is in no field");
  EXPECT_EQ(layout.trouble(6, 1), "v[0] is in no field");
  EXPECT_EQ(layout.trouble(5, 0), "/body/position reaches beyond q");
  layout.add("/coordinate/x", FieldOf::q, 4, "m", "");
  EXPECT_EQ(layout.trouble(6, 0), "q[4] is in /body/position and in /coordinate/x");
  EXPECT_THROW(layout.add_pool("/body", {}), LogicError);
  EXPECT_THROW(layout.add_pooled("/joint/angle", FieldOf::q, 0, 1, 1, "rad", ""), LogicError);
}

}  // namespace
}  // namespace carom
