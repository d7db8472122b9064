// COLLADA files: elements of geometry, nodes and their transformations, and files that are refused.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "math/vec3.hpp"
#include "model/format/mesh/mesh.hpp"
#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

// A tetrahedron's corners, and faces as the caller writes them.
std::string geometry(const std::string& faces, const std::string& id = "g") {
  return fmt::format(R"(<geometry id="{0}"><mesh>
    <source id="{0}-p"><float_array id="{0}-a" count="12">0 0 0  2 0 0
      0 1 0  0 0 +1e0</float_array><technique_common><accessor source="#{0}-a" count="4" stride="3">
      <param name="X"/><param name="Y"/><param name="Z"/></accessor></technique_common></source>
    <vertices id="{0}-v"><input semantic="POSITION" source="#{0}-p"/></vertices>{1}
    </mesh></geometry>)",
                     id, faces);
}
const std::string inputs =
    R"(<input semantic="NORMAL" source="#none" offset="0"/>
       <input semantic="VERTEX" source="#g-v" offset="1"/>)";
const std::string one_triangle =
    "<triangles count=\"1\">" + inputs + "<p>9 0 9 1 9 2</p></triangles>";
const std::string instance = R"(<instance_geometry url="#g"/>)";

std::string document(const std::string& geometries, const std::string& nodes,
                     const std::string& more = "", const std::string& asset = "") {
  return fmt::format(R"(<?xml version="1.0"?><COLLADA version="1.4.1"><asset>{}</asset>
    <library_geometries>{}</library_geometries>{}
    <library_visual_scenes><visual_scene id="s">{}</visual_scene></library_visual_scenes>
    <scene><instance_visual_scene url="#s"/></scene></COLLADA>)",
                     asset, geometries, more, nodes);
}
Mesh read(const std::string& text) { return joined(parse_dae(text, "a.dae")); }
std::string refusal(const std::string& text) {
  return complaint([&] { parse_dae(text, "a.dae"); });
}
double area(const Mesh& m) {
  double sum = 0;
  for (const auto& t : m.triangles) {
    Vec3<double> p[3];
    for (int k = 0; k < 3; ++k) {
      const auto& x = m.points[t[k]];
      p[k] = {x[0], x[1], x[2]};
    }
    sum += norm(cross(p[1] - p[0], p[2] - p[0])) / 2;
  }
  return sum;
}

TEST(Dae, FacesOfEveryKind) {
  const auto faces = [](const std::string& text) {
    return read(document(geometry(text), "<node>" + instance + "</node>")).triangles.size();
  };
  EXPECT_EQ(faces(one_triangle), 1u);
  EXPECT_EQ(faces("<polylist count=\"2\">" + inputs +
                  "<vcount>3 4</vcount><p>0 0 0 1 0 2  0 0 0 1 0 2 0 3</p></polylist>"),
            3u);
  EXPECT_EQ(faces("<polygons>" + inputs +
                  "<p>0 0 0 1 0 2 0 3</p><ph><p>0 0 0 1 0 3</p><h>0 1</h>"
                  "</ph></polygons>"),
            3u);
  EXPECT_EQ(faces("<trifans>" + inputs + "<p>0 0 0 1 0 2 0 3</p></trifans>"), 2u);
  EXPECT_EQ(faces("<tristrips>" + inputs + "<p>0 0 0 1 0 2 0 3</p></tristrips>"), 2u);
  EXPECT_EQ(faces(one_triangle + "<lines>" + inputs + "<p>0 0 0 1</p></lines>"), 1u);
}

TEST(Dae, StripsKeepTheirSides) {
  const Mesh m = read(
      document(geometry("<tristrips>" + inputs + "<p>0 0 0 1 0 2 0 3</p></tristrips>"), instance));
  ASSERT_EQ(m.triangles.size(), 2u);
  EXPECT_EQ(m.triangles[0], (Mesh::Triangle{0, 1, 2}));
  EXPECT_EQ(m.triangles[1], (Mesh::Triangle{2, 1, 3}));
}

// In the order of the file: the last one is applied first. Checked by hand.
TEST(Dae, TransformationsAndUnits) {
  const std::string node = R"(<node><translate>10 0 0</translate><rotate>0 0 1 90</rotate>
    <scale>1 3 1</scale><node><matrix>1 0 0 0  0 1 0 1  0 0 1 0  0 0 0 1</matrix>)" +
                           instance + "</node></node>";
  const Mesh m = read(document(geometry(one_triangle), node, "", R"(<unit meter="0.1"/>)"));
  // (0 1 0) + (0 1 0) = (0 2 0), scaled (0 6 0), turned (-6 0 0), moved (4 0 0), in metres
  ASSERT_EQ(m.points.size(), 3u);
  const Mesh::Point expected[3] = {{0.7f, 0, 0}, {0.7f, 0.2f, 0}, {0.4f, 0, 0}};
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(m.points[k][i], expected[k][i], 1e-7);
}

TEST(Dae, LookAtPutsTheEyeAtTheOriginLookingAlongMinusZ) {
  const Mesh m = read(document(
      geometry(one_triangle), "<node><lookat>1 2 3  4 2 3  0 0 1</lookat>" + instance + "</node>"));
  // z = -x of the world, y = z, x = y × z = -y
  EXPECT_NEAR(m.points[0][0], 1, 1e-6);
  EXPECT_NEAR(m.points[1][1], 2 - 2, 1e-6);
  EXPECT_NEAR(m.points[2][2], 3 + 1, 1e-6);
}

TEST(Dae, AMirroredNodeTurnsItsTrianglesOver) {
  const Mesh m =
      read(document(geometry(one_triangle), "<node><scale>1 1 -1</scale>" + instance + "</node>"));
  EXPECT_EQ(m.points[m.triangles[0][1]], (Mesh::Point{0, 1, 0}));
}

TEST(Dae, TheUpAxisIsTheRobotFiles) {
  const Mesh a = read(document(geometry(one_triangle), instance));
  const Mesh b = read(document(geometry(one_triangle), instance, "", "<up_axis>Y_UP</up_axis>"));
  EXPECT_EQ(a.points, b.points);
}

TEST(Dae, InstancesOfNodesAndSkins) {
  const std::string library =
      "<library_nodes><node id=\"n\"><translate>0 0 5</translate>" + instance +
      "</node></library_nodes><library_controllers><controller id=\"c\"><skin source=\"#g\">"
      "<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 7 0 0 0 1</bind_shape_matrix></skin></controller>"
      "</library_controllers>";
  const Mesh m = read(document(geometry(one_triangle),
                               "<node><instance_node url=\"#n\"/><instance_node url=\"#n\"/>"
                               "<instance_controller url=\"#c\"/></node>",
                               library));
  EXPECT_EQ(m.triangles.size(), 3u);
  EXPECT_EQ(m.points[0][2], 5);
  EXPECT_EQ(m.points.back()[2], 7);
}

TEST(Dae, ConcavePolygonsKeepTheirArea) {
  // an arrow: the fan from its first corner covers more than the polygon
  const std::string arrow =
      R"(<geometry id="g"><mesh><source id="p"><float_array>-1 0 0  0 -0.5 0  3 0 0  0 3 0  -0.5 0 0
      0 0 0</float_array></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
      <polylist><input semantic="VERTEX" source="#v" offset="0"/><vcount>4</vcount>
      <p>4 2 5 3</p></polylist></mesh></geometry>)";
  // corners (-0.5 0) (3 0) (0 0) (0 3): concave at (0 0)
  EXPECT_NEAR(area(read(document(arrow, instance))), 0.5 * 0.5 * 3, 1e-6);
  const Mesh obj = parse_obj("v 0 0 0\nv 2 1 0\nv 4 0 0\nv 2 4 0\nf 1 2 3 4\nf 2 3 4 1\n", "a.obj");
  EXPECT_NEAR(area(obj), 2 * (8 - 2), 1e-6);
}

TEST(Dae, TheSameIdInTwoMeshesMeansItsOwn) {
  const std::string second = R"(<geometry id="h"><mesh><source id="g-p"><float_array>0 0 9 1 0 9
    0 1 9</float_array></source><vertices id="g-v"><input semantic="POSITION" source="#g-p"/></vertices>
    <triangles><input semantic="VERTEX" source="#g-v" offset="0"/><p>0 1 2</p></triangles></mesh>
    </geometry>)";
  const Mesh m = read(
      document(geometry(one_triangle) + second, instance + R"(<instance_geometry url="#h"/>)"));
  EXPECT_EQ(m.points.back()[2], 9);
}

TEST(Dae, WithoutASceneAllGeometriesAreRead) {
  EXPECT_EQ(read("<COLLADA><library_geometries>" + geometry(one_triangle) +
                 "</library_geometries></COLLADA>" + std::string(3, '\0'))
                .triangles.size(),
            1u);
}

TEST(Dae, RefusalsNameTheLine) {
  const auto says = [](const std::string& text, const std::string& part) {
    EXPECT_NE(refusal(text).find(part), std::string::npos) << refusal(text);
  };
  says("<robot/>", "this is not a COLLADA file");
  says("<COLLADA>", "malformed XML");
  says("<COLLADA/>", "contains no triangle");
  says(document(geometry(one_triangle), "<node>\n\n<instance_geometry url=\"#h\"/></node>"),
       "a.dae:11: <instance_geometry> refers to '#h', and there is no such <geometry>");
  says(document(geometry(one_triangle), "<node><instance_geometry url=\"b.dae#g\"/></node>"),
       "refers to 'b.dae#g'");
  says(document(geometry("<triangles>" + inputs + "<p>0 0 0 1 0 4</p></triangles>"), instance),
       "refers to a vertex that does not exist");
  says(document(geometry("<triangles>" + inputs + "<p>0 0 0 1 0 -1</p></triangles>"), instance),
       "malformed number");
  says(document(geometry("<polylist>" + inputs + "<vcount>4</vcount><p>0 0 0 1 0 2</p></polylist>"),
                instance),
       "fewer corners");
  says(document(geometry(one_triangle), "<node><translate>1 2</translate>" + instance + "</node>"),
       "<translate> has 2 numbers instead of 3");
  says(document(geometry(one_triangle), instance, "", "<unit meter=\"0\"/>"), "is not a length");
  says(document(geometry(one_triangle), "<node><scale>1e30 1 1</scale>" + instance + "</node>"),
       "farther away than");
}

// Each of the nodes instances the next one twice: 2^60 triangles; and a node that contains itself.
TEST(Dae, NodesThatMultiplyAreRefused) {
  std::string library = "<library_nodes>";
  for (int k = 0; k < 60; ++k)
    library += fmt::format(
        R"(<node id="n{}"><instance_node url="#n{}"/><instance_node url="#n{}"/></node>)", k, k + 1,
        k + 1);
  library += "<node id=\"n60\">" + instance + "</node></library_nodes>";
  const std::string node = R"(<node><instance_node url="#n0"/></node>)";
  EXPECT_NE(refusal(document(geometry(one_triangle), node, library)).find("the scene has more"),
            std::string::npos);
  const std::string itself =
      R"(<library_nodes><node id="n0"><instance_node url="#n0"/></node></library_nodes>)";
  EXPECT_NE(refusal(document(geometry(one_triangle), node, itself)).find("deep"),
            std::string::npos);
}

}  // namespace
}  // namespace parid::test
