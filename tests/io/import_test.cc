// Files of other programs: frames, inertia, limits and shapes arrive where they belong, and what is left out is named.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "carom/base/errors.h"
#include "carom/io/import/imported_model.h"
#include "carom/io/scenario.h"

namespace carom::import {
namespace {

class Import : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("carom_import_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  static bool noted(const ImportedModel& model, const std::string& words) {
    for (const std::string& note : model.notes)
      if (note.find(words) != std::string::npos) return true;
    return false;
  }
  std::filesystem::path folder_;
};

const char* const arm = R"(<robot name="arm">
  <link name="base"/>
  <link name="upper arm">
    <inertial><origin xyz="0.5 0 0" rpy="0 0 1.5707963267948966"/><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.25"/></inertial>
    <collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision>
  </link>
  <link name="lower">
    <inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
    <collision><geometry><mesh filename="package://tip.stl"/></geometry></collision>
  </link>
  <link name="flange"><collision><geometry><sphere radius="0.05"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper arm"/><origin xyz="0 0 1" rpy="0 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="3"/><dynamics damping="0.3" friction="0.1"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper arm"/><child link="lower"/><origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/><axis xyz="1 0 0"/></joint>
  <joint name="end" type="fixed"><parent link="lower"/><child link="flange"/><origin xyz="0 0 0.2"/></joint>
</robot>)";
const char* const tetrahedron =
    "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid\n";

TEST_F(Import, UrdfFramesAndWhatIsLeftOut) {
  write("tip.stl", tetrahedron);
  const ImportedModel model = import_model(write("arm.urdf", arm));
  ASSERT_EQ(model.bodies.size(), 2u);
  const Body& upper = model.bodies[0];
  EXPECT_EQ(upper.name, "upper_arm");
  EXPECT_LT((upper.pose.x - Vector3(0.5, 0, 1)).norm(), 1e-15);
  EXPECT_LT((upper.pose.R.col(0) - Vector3::UnitY()).norm(), 1e-12);  // turned about z by its inertial frame
  ASSERT_EQ(model.joints.size(), 2u);
  const Joint& shoulder = model.joints[0].name == "shoulder" ? model.joints[0] : model.joints[1];
  const Joint& elbow = model.joints[0].name == "shoulder" ? model.joints[1] : model.joints[0];
  EXPECT_EQ(shoulder.a, "ground");
  EXPECT_EQ(*shoulder.upper, 1.0);
  EXPECT_EQ(shoulder.damping, 0.3);
  EXPECT_EQ(shoulder.friction, 0.1);
  EXPECT_LT((elbow.point - Vector3(1, 0, 1)).norm(), 1e-15);
  EXPECT_LT((elbow.axis - Vector3::UnitY()).norm(), 1e-12);
  EXPECT_FALSE(elbow.lower);
  const Body& lower = model.bodies[1];
  ASSERT_EQ(lower.shapes.size(), 2u);  // its own hull, and the ball of the massless flange
  EXPECT_EQ(lower.shapes[0].points.size(), 4u);
  EXPECT_LT((lower.shapes[1].pose.x - Vector3(1, 0, 1.2)).norm(), 1e-15);
  for (const char* words : {"effort", "convex hull", "flange"}) EXPECT_TRUE(noted(model, words)) << words;
  const std::string text = to_toml(model);
  for (const char* line : {"[body.upper_arm]", "type = \"revolute\"", "limits = { lower = -1, upper = 1 }",
                           "type = \"hull\"", "# - joint shoulder: limits of effort", "friction = { torque = 0.1 }"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
}

TEST_F(Import, MjcfMassesOfGeomsAndNesting) {
  const ImportedModel model = import_model(write("m.xml", R"(<mujoco model="two"><option gravity="0 0 -10"/><worldbody>
    <geom type="plane" size="1 1 0.1"/>
    <body name="a" pos="0 0 1"><joint type="hinge" axis="0 1 0" range="-90 45" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 1 0 0" size="0.1" density="500"/>
      <body name="b" pos="1 0 0" euler="0 0 90"><joint type="slide" axis="1 0 0"/><geom type="box" size="0.1 0.2 0.3" mass="6"/></body></body>
    <body name="ball" pos="0 0 3"><freejoint/><geom size="0.1"/></body>
    </worldbody><actuator/></mujoco>)"));
  EXPECT_EQ(model.gravity.z(), -10.0);
  ASSERT_EQ(model.bodies.size(), 3u);
  const double volume = 3.14159265358979 * 0.01 * (1.0 + 4.0 / 3.0 * 0.1);
  EXPECT_NEAR(model.bodies[0].mass, 500 * volume, 1e-9);
  EXPECT_LT((model.bodies[0].pose.x - Vector3(0.5, 0, 1)).norm(), 1e-12);
  EXPECT_NEAR(model.bodies[1].mass, 6.0, 1e-12);
  // 6/3 (0.2^2 + 0.3^2) about the box's x, which lies along y of the world
  EXPECT_NEAR(model.bodies[1].inertia(1, 1), 2.0 * 0.13, 1e-12);
  ASSERT_EQ(model.joints.size(), 2u);
  EXPECT_NEAR(*model.joints[0].lower, -1.5707963267948966, 1e-15);
  EXPECT_EQ(model.joints[1].type, "prismatic");
  EXPECT_LT((model.joints[1].axis - Vector3::UnitY()).norm(), 1e-12);
  EXPECT_TRUE(noted(model, "<actuator>"));
  EXPECT_EQ(model.ground.size(), 1u);
  EXPECT_NE(to_toml(model).find("[plane.floor]"), std::string::npos);
}

TEST_F(Import, MeshesOfThreeKindsAreTheSame) {
  const auto text = hull_corners(read_mesh(write("t.stl", tetrahedron)));
  std::string binary(84, '\0');
  const std::uint32_t count = 2;
  binary.replace(80, 4, reinterpret_cast<const char*>(&count), 4);
  const float triangles[2][12] = {{0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
  for (const auto& t : triangles) binary += std::string(reinterpret_cast<const char*>(t), 48) + std::string(2, '\0');
  EXPECT_EQ(hull_corners(read_mesh(write("b.stl", binary))).size(), text.size());
  EXPECT_EQ(
      hull_corners(read_mesh(write("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.1 0.1 0.1\nf 1 2 3\n"))).size(),
      4u);
  EXPECT_EQ(text.size(), 4u);
}

TEST_F(Import, WhatCannotBeReadIsNamed) {
  const auto code = [&](const std::filesystem::path& file) {
    try {
      import_model(file);
    } catch (const InputError& error) {
      return error.problems().at(0).code;
    }
    return std::string("none");
  };
  EXPECT_EQ(code(write("a.xml", "<nothing/>")), "E0155");
  EXPECT_EQ(code(write("b.xml", "<robot")), "E0155");
  EXPECT_EQ(code(write("c.urdf", "<robot><link name='a'><inertial><mass value='heavy'/></inertial></link></robot>")),
            "E0155");
  EXPECT_EQ(code(write("d.stl", "short")), "E0155");
  EXPECT_THROW(read_mesh(write("e.stl", "solid nothing facet")), InputError);
}

// Classes inherit, a body's childclass holds for all in it, and what an element says itself comes first; files are put
// in where they are named.
TEST_F(Import, MjcfClassesAndIncludes) {
  write("defaults.xml", R"(<mujoco><default><geom type="box" size="0.1 0.2 0.3"/>
    <default class="ball"><geom type="sphere" size="0.05"/><joint damping="0.7"/>
      <default class="seen"><geom contype="0" conaffinity="0"/></default></default></default></mujoco>)");
  const ImportedModel model = import_model(
      write("m.xml", R"(<mujoco><compiler angle="radian" eulerseq="ZYX"/><include file="defaults.xml"/><worldbody>
    <body name="a" childclass="ball"><geom mass="1"/><geom class="seen" pos="0 0 1"/><joint axis="0 1 0"/>
      <body name="b" pos="1 0 0" euler="0.3 0.2 0.1"><geom class="main" mass="2"/><joint axis="1 0 0" damping="0.1"/></body></body>
    </worldbody></mujoco>)"));
  ASSERT_EQ(model.bodies.size(), 2u);
  ASSERT_EQ(model.bodies[0].shapes.size(), 2u);
  EXPECT_EQ(model.bodies[0].shapes[0].type, "sphere");
  EXPECT_EQ(model.bodies[0].shapes[0].size.x(), 0.05);
  EXPECT_FALSE(model.bodies[0].shapes[0].picture);
  EXPECT_TRUE(model.bodies[0].shapes[1].picture);
  EXPECT_EQ(model.bodies[1].shapes[0].type, "box");
  EXPECT_LT((model.bodies[1].shapes[0].size - Vector3(0.2, 0.4, 0.6)).norm(), 1e-15);
  EXPECT_EQ(model.joints[0].damping, 0.7);
  EXPECT_EQ(model.joints[1].damping, 0.1);
  // Capital letters turn about fixed axes, in their order.
  const auto about = [](int axis, double angle) {
    return rotation_matrix(quaternion_exp(Vector3(angle * Vector3::Unit(axis))));
  };
  EXPECT_LT((model.bodies[1].shapes[0].pose.R - about(0, 0.1) * about(1, 0.2) * about(2, 0.3)).norm(), 1e-14);
}

// A range that does not hold the pose of the file: the body is turned about its joint to where it begins.
TEST_F(Import, MjcfRangeAwayFromTheStart) {
  const ImportedModel model =
      import_model(write("m.xml", R"(<mujoco><worldbody><body name="a"><geom type="sphere" size="0.1" pos="1 0 0"/>
    <joint name="hip" axis="0 0 1" range="30 70"/></body></worldbody></mujoco>)"));
  EXPECT_LT((model.bodies[0].pose.x - Vector3(std::cos(M_PI / 6), std::sin(M_PI / 6), 0)).norm(), 1e-14);
  EXPECT_NEAR(*model.joints[0].lower, 0.0, 1e-15);
  EXPECT_NEAR(*model.joints[0].upper, 40.0 * M_PI / 180.0, 1e-14);
  EXPECT_TRUE(noted(model, "hip"));
}

TEST_F(Import, MjcfSeveralJointsOfABody) {
  const auto type = [&](const std::string& joints) {
    return import_model(write("m.xml", "<mujoco><worldbody><body name=\"a\"><geom type=\"sphere\" size=\"0.1\"/>" +
                                           joints + "</body></worldbody></mujoco>"))
        .joints.at(0)
        .type;
  };
  EXPECT_EQ(type(R"(<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint axis="0 1 0"/>)"),
            "planar");
  EXPECT_EQ(type(R"(<joint axis="0 0 1"/><joint axis="0 1 0"/>)"), "universal");
  EXPECT_EQ(type(R"(<joint axis="0 0 1"/><joint type="slide" axis="0 0 1"/>)"), "cylindrical");
  EXPECT_EQ(type(R"(<joint axis="0 0 1"/><joint axis="0 1 0"/><joint axis="1 0 0"/>)"), "spherical");
}

TEST_F(Import, MjcfPlacesInTheWorld) {
  const ImportedModel model =
      import_model(write("m.xml", R"(<mujoco><compiler coordinate="global"/><worldbody><body name="a" pos="0 0 1">
    <geom type="capsule" size="0.1" fromto="0 0 1 0 0 2"/><body name="b" pos="0 0 2"><geom type="sphere" size="0.1" pos="0 0 3"/>
    <joint axis="0 1 0" pos="0 0 2"/></body></body></worldbody></mujoco>)"));
  EXPECT_LT((model.bodies[0].pose.x - Vector3(0, 0, 1.5)).norm(), 1e-14);
  EXPECT_LT((model.bodies[1].pose.x - Vector3(0, 0, 3)).norm(), 1e-14);
  EXPECT_LT((model.joints[1].point - Vector3(0, 0, 2)).norm(), 1e-14);
}

// Links of no mass belong to what holds them; the inertia of no rigid body is raised; what overlaps does not touch; a
// fixed joint has no damper. What comes out can be read.
TEST_F(Import, UrdfWhatIsNotPossible) {
  const ImportedModel model = import_model(write("m.urdf", R"(<robot name="m">
    <link name="base"><inertial><mass value="0"/></inertial></link>
    <link name="arm"><inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.2"/></inertial>
      <collision><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
    <link name="hand"><inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
    <link name="tip"><inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
      <collision><origin xyz="-0.5 0 0"/><geometry><sphere radius="0.2"/></geometry></collision></link>
    <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint>
    <joint name="held" type="fixed"><parent link="arm"/><child link="hand"/><origin xyz="0.5 0 0"/><dynamics damping="0.1"/></joint>
    <joint name="bend" type="continuous"><parent link="hand"/><child link="tip"/><axis xyz="0 0 1"/></joint></robot>)"));
  ASSERT_EQ(model.bodies.size(), 3u);
  EXPECT_EQ(model.joints[0].a, "ground");
  EXPECT_TRUE(noted(model, "link base has no mass"));
  EXPECT_TRUE(noted(model, "arm: its inertia is that of no rigid body"));
  EXPECT_TRUE(noted(model, "overlap where the file has them"));
  EXPECT_NO_THROW(parse_scenario("m.toml", to_toml(model)));
}

TEST_F(Import, NothingThatMovesIsRefused) {
  EXPECT_THROW(import_model(write("m.urdf", "<robot name=\"m\"><link name=\"a\"/></robot>")), InputError);
}

}  // namespace
}  // namespace carom::import
