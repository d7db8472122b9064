// The reader of MJCF compared with MuJoCo on the same text: mass matrix, bias and gravity. The
// models of the Menagerie are in the folder that PARID_EXTRA_DATA names.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "model/format/mjcf/mjcf.hpp"
#include "model/format/mjcf/mjcf_compiler.hpp"
#include "model/format/mjcf/mjcf_writer.hpp"
#include "model/lint/check.hpp"
#include "tests/model/mjcf_dynamics.hpp"

namespace parid::test {
namespace {

#ifdef PARID_HAVE_MUJOCO
constexpr bool has_mujoco = true;
#else
constexpr bool has_mujoco = false;
#endif

struct Fixture {
  const char* name;
  const char* text;
  // MuJoCo 2.2 finds principal axes to some 1e-7 only: of `fullinertia` and several geoms.
  double tolerance = 1e-11;
};

constexpr double axes_by_mujoco = 3e-6;

const Fixture fixtures[] = {
    {"offset frames, odd names and mirrored axes", R"(<mujoco model="odd">
      <compiler angle="degree"/>
      <worldbody>
        <body name="base &lt;1&gt;" pos="0.3 -0.2 0.5" euler="10 20 30">
          <inertial pos="0 0 0" mass="4" diaginertia="0.1 0.1 0.1"/>
          <body name="arm/upper link" pos="0.1 0.2 0.3" axisangle="1 2 3 40">
            <joint name="j 1" axis="0 0 -1" pos="0.05 -0.1 0.2" armature="0.01"/>
            <inertial pos="0.1 0.02 -0.3" quat="1 2 3 4" mass="2" diaginertia="0.02 0.03 0.04"/>
            <body name="fore" pos="0 -0.1 0.4" xyaxes="0 1 0.1 -1 0.2 0">
              <joint name="ünï" axis="-1 0.5 0.2" ref="25"/>
              <inertial pos="0 0 0.2" mass="1.5" diaginertia="0.01 0.02 0.015"/>
              <body pos="0.3 0 0" zaxis="1 1 -0.3">
                <joint type="slide" axis="0 -2 0" ref="0.1"/>
                <inertial pos="0.1 0 0" mass="0.7" diaginertia="0.003 0.002 0.002"/>
              </body>
            </body>
          </body>
        </body>
      </worldbody></mujoco>)"},
    {"several joints of a body", R"(<mujoco><compiler angle="radian"/><worldbody>
        <body name="a" pos="0 0 1">
          <joint name="x" type="slide" axis="1 0 0"/>
          <joint name="y" type="slide" axis="0 1 0.2" pos="0.3 0.3 0.3"/>
          <joint name="z" type="hinge" axis="0 0 1" pos="0.1 -0.2 0.3" ref="0.3"/>
          <inertial pos="0.1 0.2 0.3" mass="3" diaginertia="0.3 0.2 0.25"/>
          <body name="b" pos="0.2 0 -0.3" quat="0.5 0.5 -0.5 0.5">
            <joint name="s" type="slide" axis="0 0 1"/>
            <joint name="ball" type="ball" pos="0 0.1 -0.1"/>
            <inertial pos="0 0.1 0" mass="1" diaginertia="0.01 0.02 0.03"/>
            <body name="c" pos="0 0 0.5">
              <joint name="p" axis="1 0 0" pos="0 0 0.2"/><joint name="q" axis="0 1 0"/>
              <joint name="r" axis="0.1 0 1" pos="0.1 0 0"/>
              <inertial pos="0 0 0.1" mass="0.5" diaginertia="0.01 0.01 0.01"/>
            </body></body></body></worldbody></mujoco>)"},
    {"two trees: a free body and an arm", R"(<mujoco><compiler angle="radian" eulerseq="ZYx"/>
        <option gravity="0.5 -1 -8"/><worldbody>
        <geom type="plane" size="1 1 1"/>
        <body name="torso" pos="1 2 3" euler="0.1 0.2 0.3"><freejoint name="root"/>
          <inertial pos="0.01 0.02 0.03" mass="10" diaginertia="0.5 0.4 0.3"/>
          <body name="leg" pos="0.1 -0.2 0"><joint name="hip" axis="0 1 0" damping="3"/>
            <inertial pos="0 0 -0.2" mass="2" diaginertia="0.04 0.04 0.01"/></body></body>
        <body name="arm" pos="-1 0 0" euler="0.3 -0.4 0.5"><joint name="shoulder" axis="1 1 0"/>
          <inertial pos="0.2 0 0" mass="1" diaginertia="0.01 0.03 0.03"/></body>
        </worldbody></mujoco>)"},
    {"defaults, nested classes and childclass", R"(<mujoco>
        <compiler angle="radian"/>
        <default><joint armature="0.1" axis="0 1 0"/><geom density="500" type="box" size=".1 .2 .3"/>
          <default class="big"><geom size="0.2 0.1 0.4"/>
            <default class="round"><geom type="sphere" size="0.2"/><joint type="slide"/></default>
          </default></default>
        <worldbody><body name="a"><joint/><geom/>
          <body name="b" pos="0 0 0.5" childclass="big"><joint/><geom pos="0.1 0 0"/>
            <body name="c" pos="0.3 0 0.5"><joint class="round"/><geom class="round"/>
              <body name="d" pos="0 0 0.5" childclass="round"><joint class="main"/><geom/>
            </body></body></body></body></worldbody></mujoco>)"},
    {"each primitive", R"(<mujoco><compiler angle="radian"/><worldbody>
        <body name="a"><joint axis="0 1 0"/><geom type="sphere" size="0.1" pos="0.1 0.2 0.3"/>
        <body name="b" pos="0 0 .3"><joint axis="1 0 0"/><geom type="capsule" size="0.05 0.2" euler="1 .5 .2"/>
        <body name="c" pos="0 0 .3"><joint axis="0 1 0"/><geom type="cylinder" fromto="0 0 0 .3 .1 .2" size="0.04"/>
        <body name="d" pos="0 0 .3"><joint axis="0 0 1"/><geom type="ellipsoid" size=".1 .2 .3" mass="2" pos="0 .1 0"/>
        <body name="e" pos="0 0 .3"><joint axis="1 1 0"/><geom type="box" size=".1 .2 .3" quat="1 2 3 4" density="321"/>
        <body name="f" pos="0 0 .3"><joint axis="0 1 1"/><geom type="box" fromto="0 0 0 .1 .2 .3" size="0.07"/>
        <body name="g" pos="0 0 .3"><joint axis="0 1 1"/><geom type="capsule" fromto="0 0 .1 0 0 .4" size="0.07"/>
        </body></body></body></body></body></body></body></worldbody></mujoco>)"},
    {"several geoms, groups and masses", R"(<mujoco>
        <compiler angle="radian" inertiagrouprange="0 2"/><worldbody>
        <body name="a"><joint axis="0 1 0"/><geom type="box" size=".1 .2 .3" pos="0.2 0 0"/>
          <geom type="sphere" size=".2" pos="0 0.4 0" group="3"/><geom size=".1" mass="0"/>
          <geom type="cylinder" size=".05 .3" pos="0 0.1 0.3" mass="3"/>
        <body name="b" pos="0 0 .6"><joint axis="1 0 0"/><geom type="capsule" size="0.05 0.2"/>
          <geom type="capsule" size="0.05 0.2" euler="1 0 0" pos="0 0.1 0"/></body></body>
        </worldbody></mujoco>)",
     axes_by_mujoco},
    {"full inertia", R"(<mujoco><worldbody><body name="a"><joint axis="0 1 0"/>
        <inertial pos="0.1 0 0" mass="2" fullinertia="0.2 0.25 0.3 0.01 -0.02 0.03"/>
        <body name="b" pos="0 0 1"><joint axis="1 0 0.3"/>
        <inertial pos="0 0.1 0" mass="1" fullinertia="0.02 0.025 0.03 -0.001 0.002 0.003"/>
        </body></body></worldbody></mujoco>)",
     axes_by_mujoco},
    {"inertia from geoms although it is given", R"(<mujoco>
        <compiler inertiafromgeom="true"/><worldbody><body name="a"><joint axis="0 1 0"/>
        <inertial pos="1 0 0" mass="2" diaginertia="1 1 1"/><geom type="box" size=".1 .2 .3"/>
        </body></worldbody></mujoco>)"},
    {"bounds", R"(<mujoco><compiler boundmass="0.5" boundinertia="0.02" balanceinertia="true"/>
        <worldbody><body name="a" pos="0.1 0.2 0.3"><joint axis="0 1 0"/>
        <inertial pos="0.1 0 0" mass="0.2" diaginertia="0.01 0.05 0.06"/>
        <body name="b" pos="0 0.3 0.1"><joint axis="1 0 0"/>
        <inertial pos="0.1 0 0.1" mass="3" diaginertia="0.1 0.2 0.9"/>
        <body name="c" pos="0.4 0.3 0.1"><joint axis="1 0 1"/></body></body></body>
        </worldbody></mujoco>)"},
    {"total mass", R"(<mujoco><compiler settotalmass="7"/><worldbody>
        <body name="s"><geom size=".2"/><body name="a"><joint axis="0 1 0"/><geom size=".1" pos="1 0 0"/>
        <body name="b" pos="0 0 1"><joint axis="1 0 0"/><geom type="box" size=".1 .2 .1"/></body></body>
        </body></worldbody></mujoco>)"},
    {"coupled joints", R"(<mujoco><compiler angle="radian"/><worldbody><body name="a">
        <joint name="a" axis="0 1 0" ref="0.2"/><geom size=".1" pos="1 0 0"/>
        <body name="b" pos="0 0 1"><joint name="b" axis="1 0 0" ref="-0.1"/><geom size=".2" pos="0 1 0"/>
        <body name="c" pos="0 0 1"><joint name="c" type="slide"/><geom size=".1"/></body></body></body>
        </worldbody><equality><joint joint1="b" joint2="a" polycoef="0.3 -0.5 0 0 0"/>
        <joint joint1="c" joint2="b" polycoef="0 2 0 0 0"/></equality></mujoco>)"},
    {"joints coupled by polynomials",
     R"(<mujoco><compiler angle="radian"/><worldbody><body name="a">
        <joint name="a" axis="0 1 0.2" ref="0.2"/><geom size=".1" pos="1 0 0"/>
        <body name="b" pos="0 0 1"><joint name="b" axis="1 0 0" ref="-0.1" armature="0.3"/>
        <geom size=".2" pos="0 1 0"/>
        <body name="c" pos="0 0 1"><joint name="c" type="slide"/><geom size=".1"/></body></body></body>
        </worldbody><equality><joint joint1="b" joint2="a" polycoef="0.3 -0.5 0.4 0.2 -0.1"/>
        <joint joint1="c" joint2="b" polycoef="0.1 2 -0.3 0 0"/></equality></mujoco>)"},
    {"world coordinates", R"(<mujoco><compiler coordinate="global" angle="radian"/><worldbody>
        <body name="a" pos="0.1 0.2 0.3" euler="0.1 0.2 0.3"><joint axis="0 1 0" pos="0.2 0.2 0.2"/>
        <inertial pos="0.3 0.1 0" mass="1" diaginertia="0.1 0.2 0.15" quat="1 .2 .3 .4"/>
        <body name="b" pos="0 0.3 0.8"><joint axis="1 0 0" pos="0 0.3 0.7"/>
        <geom type="box" size=".1 .2 .3" pos="0.3 0.3 0.8" euler="0.3 0.4 0.5"/></body></body>
        </worldbody></mujoco>)"},
};

TEST(MjcfAgainstMujoco, Fixtures) {
  if (!has_mujoco) GTEST_SKIP() << "MuJoCo is not installed";
  for (const Fixture& f : fixtures) {
    SCOPED_TRACE(f.name);
    const Description d = parse_mjcf(f.text, "fixture.xml");
    const auto model = peers::mujoco_model(f.text);
    EXPECT_LE(difference_to_mujoco(d, *model), f.tolerance);
  }
}

// A written model is the same model for MuJoCo and for the reader.
TEST(MjcfAgainstMujoco, WrittenModels) {
  if (!has_mujoco) GTEST_SKIP() << "MuJoCo is not installed";
  for (const Fixture& f : fixtures) {
    SCOPED_TRACE(f.name);
    const Description d = parse_mjcf(f.text, "fixture.xml");
    const std::string text = to_mjcf(d).text;
    SCOPED_TRACE(text);
    const auto model = peers::mujoco_model(text);
    EXPECT_LE(difference_to_mujoco(d, *model), axes_by_mujoco);
    EXPECT_LE(difference_to_mujoco(parse_mjcf(text, "written.xml"), *model), axes_by_mujoco);
  }
}

// ---- the Menagerie ----

// The model reduced to elements of MuJoCo 2.2 that affect dynamics: bodies, joints, inertials and
// primitives, with the defaults written out and principal axes computed here.
class Plain {
 public:
  explicit Plain(const mjcf::Document& document) : document_(document), defaults_(document) {}

  std::string text() const {
    std::string out = "<mujoco>\n";
    for (const mjcf::Element& s : document_.root.children)
      if (s.name == "compiler")
        out += element(s, nullptr,
                       {"angle", "eulerseq", "inertiafromgeom", "boundmass", "boundinertia",
                        "settotalmass", "balanceinertia"}) +
               "/>\n";
    for (const mjcf::Element& s : document_.root.children)
      if (s.name == "option") out += element(s, nullptr, {"gravity"}) + "/>\n";
    for (const mjcf::Element& s : document_.root.children)
      if (s.name == "worldbody")
        out += "<worldbody>\n" + parts(s, defaults_.main()) + "</worldbody>";
    return out + "</mujoco>\n";
  }

 private:
  using Words = std::vector<const char*>;

  std::string element(const mjcf::Element& e, const mjcf::DefaultClass* of,
                      const Words& words) const {
    std::string out = "<" + e.name;
    const mjcf::Node node(document_, e, of, e.name);
    for (const char* word : words)
      if (const std::string* value = node.text(word))
        out += std::string(" ") + word + "='" + *value + "'";
    return out;
  }
  const mjcf::DefaultClass* class_of(const mjcf::Element& e, const char* attribute,
                                     const mjcf::DefaultClass* otherwise) const {
    const std::string* name = e.attribute(attribute);
    return name ? defaults_.named(*name, document_, e.line) : otherwise;
  }
  std::string inertial(const mjcf::Element& e) const {
    const mjcf::Node node(document_, e, nullptr, "inertial");
    const auto full = node.numbers("fullinertia", 6, 6);
    if (!full)
      return element(e, nullptr, {"pos", "quat", "euler", "axisangle", "mass", "diaginertia"}) +
             "/>\n";
    Eigen::Matrix3d I;
    const auto& f = *full;
    I << f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2];
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(I);
    Eigen::Matrix3d axes = solver.eigenvectors();
    if (axes.determinant() < 0) axes.col(0) *= -1;
    const Eigen::Quaterniond q(axes);
    std::ostringstream out;
    out.precision(17);
    out << element(e, nullptr, {"pos", "mass"}) << " quat='" << q.w() << " " << q.x() << " "
        << q.y() << " " << q.z() << "' diaginertia='" << solver.eigenvalues().transpose()
        << "'/>\n";
    return out.str();
  }
  std::string parts(const mjcf::Element& body, const mjcf::DefaultClass* of) const {
    std::string out;
    bool given = false;
    for (const mjcf::Element& e : body.children) given |= e.name == "inertial";
    for (const mjcf::Element& e : body.children) {
      if (e.name == "inertial") out += inertial(e);
      if (e.name == "freejoint") out += element(e, nullptr, {"name"}) + "/>\n";
      if (e.name == "joint")
        out += element(e, class_of(e, "class", of),
                       {"name", "type", "pos", "axis", "ref", "armature"}) +
               "/>\n";
      if (e.name == "geom" && !given) {
        const mjcf::DefaultClass* own = class_of(e, "class", of);
        const mjcf::Node geom(document_, e, own, "geom");
        if (!geom.text("mesh") && !geom.text("hfield"))
          out += element(e, own,
                         {"type", "size", "pos", "quat", "euler", "fromto", "mass", "density"}) +
                 "/>\n";
      }
      if (e.name == "body" && !e.attribute("mocap"))
        out += element(e, nullptr, {"name", "pos", "quat", "euler", "axisangle"}) + ">\n" +
               parts(e, class_of(e, "childclass", of)) + "</body>\n";
    }
    return out;
  }

  const mjcf::Document& document_;
  mjcf::Defaults defaults_;
};

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Models whose masses are those of meshes that are not there cannot be compared.
TEST(MjcfAgainstMujoco, Menagerie) {
  const char* extra = std::getenv("PARID_EXTRA_DATA");
  const std::filesystem::path folder =
      std::string(extra ? extra : "") + "/zoo/mjcf/google-deepmind+mujoco_menagerie";
  if (!extra || !std::filesystem::exists(folder))
    GTEST_SKIP() << "PARID_EXTRA_DATA names no folder with the models";
  if (!has_mujoco) GTEST_SKIP() << "MuJoCo is not installed";
  int compared = 0, without_meshes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (entry.path().extension() != ".xml" || path.find("/assets/") != path.npos) continue;
    const std::string text = content(path);
    if (text.find("<body") == text.npos && text.find("<include") == text.npos) continue;
    SCOPED_TRACE(path);
    const mjcf::Document document = mjcf::open_document(text, path);
    if (std::none_of(document.root.children.begin(), document.root.children.end(),
                     [](const mjcf::Element& e) { return e.name == "worldbody"; }))
      continue;  // actuators or keyframes, for others to include
    const Description d = parse_mjcf(text, path);
    bool missing = false, errors = false;
    for (const Finding& f : check(d)) {
      missing |= f.code == "missing-mesh";
      errors |= f.severity == Finding::Severity::error && f.code != "missing-mesh";
    }
    if (missing) {
      ++without_meshes;
      continue;
    }
    EXPECT_FALSE(errors);
    if (OurDynamics(d).nv() == 0) continue;
    const auto model = peers::mujoco_model(Plain(document).text());
    EXPECT_LE(difference_to_mujoco(d, *model), 1e-11);
    EXPECT_LE(difference_to_mujoco(parse_mjcf(to_mjcf(d).text, "written.xml"), *model), 1e-11);
    ++compared;
  }
  std::printf("%d models compared, %d need meshes\n", compared, without_meshes);
  EXPECT_GE(compared, 50);
}

}  // namespace
}  // namespace parid::test
