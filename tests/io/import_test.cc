// Files of other programs: frames, inertia, limits and shapes arrive where they belong, and what is left out is named.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "carom/base/errors.h"
#include "carom/io/import/imported_model.h"

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

}  // namespace
}  // namespace carom::import
