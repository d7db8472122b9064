// The visuals of a URDF, and the paths that it may name.

#include "report/visuals.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

namespace fs = std::filesystem;

const char* const triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

TEST(Visuals, PrimitivesWithColoursAndPlaces) {
  Scratch scratch;
  const std::string file = scratch.file("a.urdf", R"(<robot name="a">
    <material name="blue"><color rgba="0 0 2 0.5"/></material>
    <link name="l"><visual><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>
      <geometry><box size="0.1 0.2 0.3"/></geometry><material name="blue"/></visual>
      <visual><geometry><cylinder radius="0.1" length="0.5"/></geometry></visual>
      <visual><geometry><sphere radius="0.2"/></geometry><material name="x"><color rgba="1 0 0 1"/></material></visual>
    </link></robot>)");
  const Visuals v = visuals_of(file);
  ASSERT_EQ(v.parts.size(), 3u);
  EXPECT_TRUE(v.notes.empty());
  EXPECT_EQ(v.parts[0].size, (std::array<double, 3>{0.1, 0.2, 0.3}));
  EXPECT_EQ(v.parts[0].at.p.y, 2);
  const Vec3<double> x = v.parts[0].at.R * Vec3<double>{1, 0, 0};
  EXPECT_EQ(x.x, 0);
  EXPECT_EQ(x.y, 1);
  EXPECT_EQ(*v.parts[0].colour, (std::array<double, 4>{0, 0, 1, 0.5}));  // brought into range
  EXPECT_EQ(v.parts[1].kind, Visual::Kind::cylinder);
  EXPECT_FALSE(v.parts[1].colour);
  EXPECT_EQ((*v.parts[2].colour)[0], 1);
}

TEST(Visuals, MeshesAreReadOnceAndSharedByTheirReaders) {
  Scratch scratch;
  scratch.file("part.obj", triangle);
  const std::string file = scratch.file("a.urdf", R"(<robot name="a">
    <link name="l"><visual><geometry><mesh filename="part.obj" scale="2 2 2"/></geometry></visual></link>
    <link name="m"><visual><geometry><mesh filename="part.obj"/></geometry></visual>
      <visual><geometry><mesh filename="missing.stl"/></geometry></visual>
      <visual><geometry><mesh filename="missing.stl"/></geometry></visual></link></robot>)");
  const Visuals v = visuals_of(file);
  ASSERT_EQ(v.parts.size(), 2u);
  EXPECT_EQ(v.meshes.size(), 1u);
  EXPECT_EQ(v.parts[0].size[0], 2);
  ASSERT_EQ(v.notes.size(), 1u);
  EXPECT_NE(v.notes[0].find("missing.stl: the mesh file does not exist"), std::string::npos)
      << v.notes[0];
  EXPECT_EQ(v.unseen, std::vector<int>{1});  // once
  EXPECT_EQ(v.links, (std::vector<std::string>{"l", "m"}));
}

std::string mesh_of(const std::string& link, const std::string& file) {
  return "<link name=\"" + link + "\"><visual><geometry><mesh filename=\"" + file +
         "\"/></geometry></visual></link>";
}

TEST(Visuals, AMeshByManyNamesIsHeldOnce) {
  Scratch scratch;
  scratch.file("part.obj", triangle);
  fs::create_symlink(scratch.path("part.obj"), scratch.path("same.obj"));
  std::string text = "<robot name=\"a\">" + mesh_of("l", "same.obj"), path = "part.obj";
  for (int k = 0; k < 1000; ++k, path = "./" + path) text += mesh_of("l" + std::to_string(k), path);
  const Visuals v = visuals_of(scratch.file("a.urdf", text + "</robot>"));
  EXPECT_EQ(v.parts.size(), 1001u);
  EXPECT_EQ(v.meshes.size(), 1u);
}

TEST(Visuals, MeshesBeyondTheMostBytesAreLeftOut) {
  Scratch scratch;
  std::string text = "<robot name=\"a\">";
  for (const std::string name : {"a", "b", "c"}) {  // 48 bytes each: three points and a triangle
    scratch.file(name + ".obj", triangle);
    text += mesh_of(name, name + ".obj");
  }
  const std::string file = scratch.file("a.urdf", text + mesh_of("d", "a.obj") + "</robot>");
  EXPECT_EQ(visuals_of(file).meshes.size(), 3u);
  const Visuals v = visuals_of(file, 60'000, 100);
  EXPECT_EQ(v.meshes.size(), 2u);
  EXPECT_EQ(v.parts.size(), 3u);  // what is there already costs nothing more
  EXPECT_EQ(v.unseen, std::vector<int>{2});
  ASSERT_EQ(v.notes.size(), 1u);
  EXPECT_EQ(
      v.notes[0],
      "c.obj: the meshes of the robot are too large together; export them with fewer triangles");
}

TEST(Visuals, APathThatCannotBeCostsItsOwnVisualAlone) {
  Scratch scratch;
  scratch.file("part.obj", triangle);
  const std::string file =
      scratch.file("a.urdf", "<robot name=\"a\">" +
                                 mesh_of("l", "package://" + std::string(300, 'A') + "/x.stl") +
                                 mesh_of("m", std::string(300, 'A')) +
                                 mesh_of("n", "package://" + std::string(100'000, 'A') + "/x.stl") +
                                 mesh_of("o", "part.obj") + "</robot>");
  const Visuals v = visuals_of(file);
  EXPECT_EQ(v.parts.size(), 1u);
  EXPECT_EQ(v.unseen, (std::vector<int>{0, 1, 2}));
  ASSERT_EQ(v.notes.size(), 3u);
  for (const std::string& note : v.notes) EXPECT_LT(note.size(), 500u) << note;
}

TEST(Visuals, NotesNameEachReasonOnce) {
  Scratch scratch;
  scratch.file("empty.stl", "");
  std::string text = "<robot name=\"a\">";
  for (int k = 0; k < 6; ++k)
    text += mesh_of("p" + std::to_string(k), "package://arm/" + std::to_string(k) + ".dae");
  for (int k = 0; k < 6; ++k)
    text += mesh_of("m" + std::to_string(k), std::to_string(k % 5) + ".stl");
  text += mesh_of("e", "empty.stl") + "</robot>";
  const Visuals v = visuals_of(scratch.file("a.urdf", text));
  EXPECT_EQ(v.unseen.size(), 13u);
  ASSERT_EQ(v.notes.size(), 3u);
  EXPECT_EQ(v.notes[0].find("package://arm: the package is not found; "), 0u) << v.notes[0];
  EXPECT_EQ(v.notes[1],
            "0.stl: the mesh file does not exist; put it beside the URDF file; also 1.stl, 2.stl "
            "and 2 more");
}

TEST(Visuals, ColladaPartsHaveTheirColoursUnlessTheRobotFileHasOne) {
  Scratch scratch;
  scratch.file("part.dae", R"(<COLLADA version="1.4.1"><asset><unit meter="0.5"/></asset>
    <library_effects><effect id="e"><profile_COMMON><technique sid="t"><phong><diffuse>
      <color>0.2 0.4 2 0.1</color></diffuse></phong></technique></profile_COMMON></effect>
    </library_effects>
    <library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
    <library_geometries><geometry id="g"><mesh>
      <source id="s"><float_array>0 0 0 1 0 0 0 1 0 0 0 1</float_array></source>
      <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
      <triangles material="blue"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p>
      </triangles>
      <triangles><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 3 1 2 3</p></triangles>
    </mesh></geometry></library_geometries>
    <library_visual_scenes><visual_scene id="w"><node><instance_geometry url="#g"><bind_material>
      <technique_common><instance_material symbol="blue" target="#m"/></technique_common>
    </bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
    <scene><instance_visual_scene url="#w"/></scene></COLLADA>)");
  const Visuals v = visuals_of(
      scratch.file("a.urdf", "<robot name=\"a\">" + mesh_of("l", "part.dae") +
                                 R"(<link name="k"><visual><geometry><mesh filename="part.dae"/>
    </geometry><material name="red"><color rgba="1 0 0 1"/></material></visual></link></robot>)"));
  EXPECT_TRUE(v.notes.empty());
  ASSERT_EQ(v.meshes.size(), 2u);  // by colour, read once
  ASSERT_EQ(v.parts.size(), 4u);
  EXPECT_FALSE(v.parts[0].colour);
  EXPECT_EQ(v.meshes[v.parts[0].mesh].triangles.size(), 2u);
  EXPECT_EQ(*v.parts[1].colour, (std::array<double, 4>{0.2, 0.4, 1, 1}));
  EXPECT_EQ(v.meshes[v.parts[1].mesh].points[1], (Mesh::Point{0.5, 0, 0}));  // in metres
  for (const int k : {2, 3}) EXPECT_EQ((*v.parts[k].colour)[0], 1);
}

TEST(Visuals, AXacroFileHasThoseOfItsExpansion) {
  Scratch scratch;
  scratch.file("part.obj", triangle);
  const std::string file = scratch.file("a.urdf.xacro", "<robot name=\"a\"/>");
  const Visuals v = visuals_of(file, 60'000, std::size_t{256} << 20, PackagePath(),
                               "<robot name=\"a\">" + mesh_of("l", "part.obj") + "</robot>");
  EXPECT_EQ(v.parts.size(), 1u);
}

// As long as names may be, and thousands of visuals that are called by it.
TEST(Visuals, LongNamesDoNotMultiply) {
  Scratch scratch;
  std::string text = "<robot name=\"" + std::string(1000, 'r') + "\"><link name=\"" +
                     std::string(1000, 'l') + "\">";
  for (int k = 0; k < 20'000; ++k)
    text += "<visual><geometry><sphere radius=\"1\"/></geometry></visual>";
  text += "<visual><geometry><sphere radius=\"x\"/></geometry></visual></link></robot>";
  const Visuals v = visuals_of(scratch.file("a.urdf", text));
  EXPECT_EQ(v.parts.size(), 20'000u);
  EXPECT_EQ(v.links.size(), 1u);
  ASSERT_EQ(v.notes.size(), 1u);
  EXPECT_LT(v.notes[0].size(), 500u);
}

TEST(Visuals, OtherRobotsHaveNone) {
  EXPECT_TRUE(visuals_of("puma560").parts.empty());
  EXPECT_TRUE(visuals_of("robots/panda.toml").parts.empty());
  EXPECT_THROW(visuals_of("there/is/none.urdf"), Error);  // the robot was read from it before
}

TEST(Visuals, TooManyTrianglesAreMadeFewer) {
  Scratch scratch;
  std::string wave;
  for (int i = 0; i < 60; ++i)
    for (int j = 0; j < 60; ++j)
      wave += "v " + std::to_string(i) + " " + std::to_string(j) + " " +
              std::to_string((i * j) % 7) + "\n";
  for (int i = 0; i + 1 < 60; ++i)
    for (int j = 0; j + 1 < 60; ++j) {
      const int k = 60 * i + j + 1;
      wave += "f " + std::to_string(k) + " " + std::to_string(k + 1) + " " +
              std::to_string(k + 61) + "\n";
    }
  scratch.file("wave.obj", wave);
  const std::string file = scratch.file("a.urdf", R"(<robot name="a">
    <link name="l"><visual><geometry><mesh filename="wave.obj"/></geometry></visual></link></robot>)");
  EXPECT_EQ(visuals_of(file).meshes.at(0).triangles.size(), 59u * 59u);
  EXPECT_LE(visuals_of(file, 500).meshes.at(0).triangles.size(), 500u);
}

TEST(MeshPath, StaysWithTheRobot) {
  Scratch scratch;
  for (const char* folder : {"pkg/urdf", "pkg/meshes", "other/meshes", "secret"})
    fs::create_directories(scratch.path(folder));
  scratch.file("pkg/meshes/a.stl", "x");
  scratch.file("pkg/urdf/b.stl", "x");
  scratch.file("other/meshes/c.stl", "x");
  scratch.file("secret/d.stl", "x");
  scratch.file("top.stl", "x");
  fs::create_symlink(scratch.path("secret/d.stl"), scratch.path("pkg/meshes/sly.stl"));
  fs::create_symlink(scratch.path("secret"), scratch.path("pkg/urdf/way"));
  const std::string urdf = scratch.path("pkg/urdf/robot.urdf");
  auto is = [&](const char* named, const char* file) {
    EXPECT_EQ(mesh_path(urdf, named), fs::canonical(scratch.path(file)).string()) << named;
  };
  is("b.stl", "pkg/urdf/b.stl");
  is("../meshes/a.stl", "pkg/meshes/a.stl");
  is("package://pkg/meshes/a.stl", "pkg/meshes/a.stl");
  is("package://other/meshes/c.stl", "other/meshes/c.stl");
  is("model://pkg/meshes/a.stl", "pkg/meshes/a.stl");
  auto refused = [&](const std::string& named) {
    EXPECT_NE(complaint([&] { mesh_path(urdf, named); }), "") << named;
  };
  refused(scratch.path("pkg/urdf/b.stl"));  // absolute, whatever it leads to
  refused("file://" + scratch.path("pkg/urdf/b.stl"));
  refused("http://example.org/a.stl");
  refused("../../top.stl");
  refused("../meshes/../../top.stl");
  refused("../meshes/sly.stl");  // a link that leads out
  refused("way/d.stl");
  refused("package://pkg/../secret/d.stl");
  refused("package://../secret/d.stl");
  refused("package:///etc/passwd");
  refused("package://");
  refused("package://nowhere/a.stl");
  refused("package://" + std::string(300, 'A') + "/a.stl");  // longer than a name may be
  refused("");
}

}  // namespace
}  // namespace parid::test
