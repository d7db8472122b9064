#include "model/lint/check.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>

#include "model/format/urdf/urdf.hpp"
#include "model/frame.hpp"
#include "model/lint/finding.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

// Line 1 is <robot>; the body begins on line 2.
std::vector<Finding> findings(const std::string& body, bool floating = false) {
  return check(parse_urdf("<robot name=\"r\">\n" + body + "\n</robot>\n", "r.urdf", floating));
}
std::string text_of(const std::vector<Finding>& all) {
  std::string text;
  for (const Finding& f : all)
    text += (f.severity == Finding::Severity::error ? "error " : "warning ") + f.code + " " +
            f.text() + "\n";
  return text;
}

std::string inertial(const std::string& xyz, double mass, const std::string& xx,
                     const std::string& yy, const std::string& zz, const std::string& xy = "0") {
  return "<inertial><origin xyz=\"" + xyz + "\"/><mass value=\"" + std::to_string(mass) +
         "\"/><inertia ixx=\"" + xx + "\" ixy=\"" + xy + "\" ixz=\"0\" iyy=\"" + yy +
         "\" iyz=\"0\" izz=\"" + zz + "\"/></inertial>";
}
const std::string solid = inertial("0 0 0.1", 1, "0.01", "0.01", "0.01");
std::string link(const std::string& name, const std::string& inside = solid) {
  return "<link name=\"" + name + "\">" + inside + "</link>\n";
}
std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& inside = "", const std::string& type = "revolute") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent +
         "\"/><child link=\"" + child + "\"/>" + inside + "</joint>\n";
}
// Links on lines 2 and 3, the joint on line 4.
std::string arm(const std::string& in_joint, const std::string& in_link = solid,
                const std::string& type = "revolute") {
  return link("a") + link("b", in_link) + joint("j", "a", "b", in_joint, type);
}
const std::string z = "<axis xyz=\"0 0 1\"/>";

TEST(Check, FindsNothingInASoundRobot) {
  EXPECT_EQ(text_of(findings(arm(z))), "");
  EXPECT_EQ(text_of(findings(link("a", ""))), "");
  EXPECT_EQ(text_of(findings(arm("", "", "fixed"))), "");  // no inertia where nothing moves
  EXPECT_EQ(text_of(findings(arm("<axis xyz=\"0 0 0\"/>", solid, "fixed"))), "");
  EXPECT_EQ(text_of(findings(arm("", inertial("0 0 0", -0.0, "9", "0", "0"), "fixed"))), "");
  for (const char* type : {"continuous", "prismatic", "planar", "floating", "spherical"})
    EXPECT_EQ(text_of(findings(arm(z, solid, type))), "") << type;
  EXPECT_EQ(text_of(findings(arm(z), true)), "");
}

struct Row {
  std::string body, finding;
};

void expect_each(const std::vector<Row>& rows) {
  for (const Row& row : rows)
    EXPECT_EQ(text_of(findings(row.body)), row.finding + "\n") << row.body;
}

TEST(Check, FindsWhatDoesNotHangTogether) {
  const std::string two = link("a") + link("b"),
                    tree = "a robot must be a tree without closed loops; remove one of the joints";
  expect_each({
      {"", "error empty-robot r.urdf: robot 'r' has no links; add at least one link"},
      {link("a") + link("a"),
       "error duplicate-link r.urdf:3: link 'a' is already defined on line 2; give each link a "
       "unique name"},
      {two + link("c") + joint("j", "a", "b") + joint("j", "b", "c"),
       "error duplicate-joint r.urdf:6: joint 'j' is already defined on line 5; give each joint a "
       "unique name"},
      {link("a") + joint("j", "a", "hand"),
       "error unknown-link r.urdf:3: child link 'hand' of joint 'j' does not exist; add <link "
       "name=\"hand\">, or correct the name"},
      {link("upper_arm") + link("b") + joint("j", "uper_arm", "b"),
       "error unknown-link r.urdf:4: parent link 'uper_arm' of joint 'j' does not exist; did you "
       "mean 'upper_arm'?"},
      {two + link("c") + joint("j", "a", "b") + joint("k", "a", "c") + joint("l", "c", "b"),
       "error two-parents r.urdf:7: link 'b' is the child of joint 'l' and of joint 'j' (line "
       "5); " +
           tree},
      {two + joint("j", "a", "b") + joint("k", "b", "a"),
       "error cycle r.urdf:5: joint 'k' closes a cycle of links: 'a' to 'b' to 'a'; a robot must "
       "be a tree; remove one joint of the cycle"},
      {link("a") + joint("j", "a", "a"),
       "error cycle r.urdf:3: joint 'j' closes a cycle of links: 'a' to 'a'; a robot must be a "
       "tree; remove one joint of the cycle"},
      {two,
       "error several-roots r.urdf:3: link 'b' is not the child of any joint, and neither is link "
       "'a' (line 2): a robot has one root; connect them, for example with a fixed joint"},
  });
}

TEST(Check, FindsAllOfALongerCycle) {
  const auto text =
      text_of(findings(link("root") + link("a") + link("b") + link("c") + joint("ab", "a", "b") +
                       joint("bc", "b", "c") + joint("ca", "c", "a")));
  EXPECT_EQ(text,
            "error cycle r.urdf:8: joint 'ca' closes a cycle of links: 'a' to 'b' to 'c' to 'a'; a "
            "robot must be a tree; remove one joint of the cycle\n");
}

TEST(Check, FindsMimicsThatFollowNothing) {
  // Joints are on lines 5 and 6.
  const auto pair = [](const std::string& first, const std::string& second,
                       const std::string& type = "revolute") {
    return link("a") + link("b") + link("c") + joint("j", "a", "b", z + first, type) +
           joint("k", "b", "c", "<axis xyz=\"1 0 0\"/>" + second);
  };
  const std::string only = "<mimic> is supported on revolute, continuous and prismatic joints";
  expect_each({
      {pair("", "<mimic joint=\"x\"/>"),
       "error unknown-mimic r.urdf:6: joint 'k' mimics joint 'x', which does not exist; correct "
       "the joint's name"},
      {pair("", "<mimic joint=\"k\"/>"),
       "error mimic-self r.urdf:6: joint 'k' mimics itself; name another joint, or remove the "
       "<mimic>"},
      {pair("<mimic joint=\"k\"/>", "<mimic joint=\"j\"/>"),
       "error mimic-cycle r.urdf:5: joint 'j' mimics 'k', and the chain of <mimic> leads back to "
       "it; remove one <mimic> of the cycle"},
      {pair("", "<mimic joint=\"j\"/>", "floating"),
       "error mimic-type r.urdf:6: joint 'k' mimics joint 'j', whose type does not have exactly "
       "one coordinate; " +
           only},
      {pair("<mimic joint=\"k\"/>", "", "spherical"),
       "error mimic-type r.urdf:5: joint 'j' has a <mimic>, but its type does not have exactly one "
       "coordinate; " +
           only},
  });
  EXPECT_EQ(text_of(findings(pair("", "<mimic joint=\"j\" multiplier=\"-2\"/>"))), "");
}

TEST(Check, FindsImpossibleNumbersOfJoints) {
  expect_each({
      {arm("\n<axis xyz=\"0 0 0\"/>"),
       "error zero-axis r.urdf:5: joint 'j' has a zero axis; set it to a direction such as 0 0 1"},
      {arm("\n<axis xyz=\"0 0 2\"/>"),
       "warning axis-length r.urdf:5: joint 'j' has axis 0 0 2 of length 2 instead of 1; "
       "normalized; give a unit vector"},
      {arm(z + "\n<limit lower=\"1\" upper=\"-1\"/>"),
       "warning limit-order r.urdf:5: joint 'j' has lower limit 1 above upper limit -1; both count "
       "as not given; swap them, or correct their signs"},
      {arm(z + "\n<limit lower=\"0\" upper=\"0\"/>"),
       "warning zero-range r.urdf:5: joint 'j' has equal lower and upper limits (0), so it cannot "
       "move; widen the limits, remove them, or make the joint fixed"},
      {arm(z + "\n<limit effort=\"-1\"/>"),
       "warning negative-limit r.urdf:5: joint 'j' has a negative effort limit, -1; it counts as "
       "not given; give a positive number"},
      {arm(z + "\n<limit velocity=\"-2\"/>"),
       "warning negative-limit r.urdf:5: joint 'j' has a negative velocity limit, -2; it counts as "
       "not given; give a positive number"},
      {arm(z + "\n<limit lower=\"inf\" upper=\"inf\"/>"),
       "error not-finite r.urdf:5: joint 'j' has a limit that is not finite; give finite numbers"},
      {arm(z + "<dynamics damping=\"-1\"/>"),
       "error negative-damping r.urdf:4: joint 'j' has negative damping, -1; damping dissipates "
       "energy; give a positive number"},
      {arm(z + "<dynamics friction=\"-1\"/>"),
       "error negative-friction r.urdf:4: joint 'j' has negative friction, -1; friction dissipates "
       "energy; give a positive number"},
      {arm(z + "<drake:rotor_inertia value=\"-1\"/>"),
       "error negative-rotor-inertia r.urdf:4: joint 'j' has a negative rotor inertia, -1; give a "
       "positive number, or omit it"},
      {arm(z + "<drake:gear_ratio value=\"0\"/>"),
       "warning unreadable-number r.urdf:4: joint 'j' has <drake:gear_ratio> 0; it is ignored; "
       "give "
       "motor turns per joint turn"},
  });
  EXPECT_EQ(text_of(findings(arm("<axis xyz=\"0.0005 0 1\"/>"))), "");
}

TEST(Check, FindsNumbersThatAreNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = Limits::none;
  const auto sound = [] {
    return parse_urdf("<robot name=\"r\">\n" + arm(z) + "</robot>", "r.urdf");
  };
  const std::vector<std::pair<std::function<void(Description&)>, const char*>> rows = {
      {[&](Description& d) { d.links[1].inertia->mass = nan; }, "3: link 'b' has a mass"},
      {[&](Description& d) { d.links[1].inertia->com.y = inf; },
       "3: link 'b' has a centre of mass"},
      {[&](Description& d) { d.links[1].inertia->about_com.xy = nan; },
       "3: link 'b' has an inertia"},
      {[&](Description& d) { d.joints[0].origin.p.x = nan; }, "4: joint 'j' has an origin"},
      {[&](Description& d) { d.joints[0].axis.x = inf; }, "4: joint 'j' has an axis"},
      {[&](Description& d) { d.joints[0].damping = inf; },
       "4: joint 'j' has a damping or friction"},
      {[&](Description& d) { d.joints[0].rotor_inertia = nan; },
       "4: joint 'j' has a rotor inertia or gear ratio"},
      {[&](Description& d) { d.joints[0].limits.lower = nan; }, "4: joint 'j' has a limit"},
      {[&](Description& d) { d.joints[0].limits.effort = nan; }, "4: joint 'j' has a limit"},
  };
  for (const auto& [spoil, place] : rows) {
    Description d = sound();
    spoil(d);
    EXPECT_EQ(text_of(check(d)), std::string("error not-finite r.urdf:") + place +
                                     " that is not finite; give finite numbers\n");
  }
}

// A sensor mount as PR2's, fixed to a head that outweighs it.
TEST(Check, APartThatCannotBeIsTakenWithAWholeThatCan) {
  const std::string mount = link("mount", inertial("0 0 0", 0.1, "0.001", "0.001", "0.01"));
  const auto on = [&](const std::string& type, const std::string& head) {
    return text_of(findings(link("a") + link("head", head) + mount + joint("j", "a", "head", z) +
                            joint("k", "head", "mount", z, type)));
  };
  EXPECT_EQ(on("fixed", solid),
            "warning triangle-part r.urdf:4: link 'mount' has a physically impossible inertia: "
            "principal moments 0.001 0.001 0.01, the last exceeds the sum of the others; accepted: "
            "the inertia is valid once fixed links are merged\n");
  EXPECT_NE(on("revolute", solid).find("error triangle-inequality"), std::string::npos);
  // For any content before it in the file.
  EXPECT_EQ(text_of(findings(link("a") + link("head", solid) + link("arm", solid) + mount +
                             joint("j", "a", "head", z) + joint("i", "a", "arm", z) +
                             joint("k", "head", "mount", z, "fixed")))
                .find("warning triangle-part r.urdf:5: link 'mount'"),
            0u);
  EXPECT_NE(on("fixed", inertial("0 0 0", 1e-5, "1e-9", "1e-9", "1e-9"))
                .find("error triangle-inequality"),
            std::string::npos);
  EXPECT_NE(on("fixed", "").find("error triangle-inequality"), std::string::npos);
}

// Three times the longest step between joints, and a metre.
TEST(Check, HowFarACentreOfMassMayLie) {
  const auto at = [](const char* x) {
    const std::string placed = std::string(z) + "<origin xyz=\"0.5 0 0\"/>";
    return text_of(findings(link("a") +
                            link("b", inertial(std::string(x) + " 0 0", 1, "1", "1", "1")) +
                            joint("j", "a", "b", placed)));
  };
  EXPECT_EQ(at("2.4"), "");
  EXPECT_NE(at("2.6").find("more than 2.5 m from"), std::string::npos) << at("2.6");
}

TEST(Check, FindsImpossibleNumbersOfLinks) {
  const auto with = [](const std::string& inertia) {
    return arm(z, "\n" + inertia, "spherical");
  };  // on line 4
  expect_each({
      {with(inertial("0 0 0", -1, "1", "1", "1")),
       "error negative-mass r.urdf:4: link 'b' has a negative mass, -1 kg; give a positive mass in "
       "kg"},
      {link("a", inertial("0 0 0", -1, "1", "1", "1")),
       "error negative-mass r.urdf:2: link 'a' has a negative mass, -1 kg; give a positive mass in "
       "kg"},
      {with(inertial("0 0 0", 1, "0.1", "0.1", "0.1", "0.2")),
       "error negative-inertia r.urdf:4: link 'b' has principal moments of inertia -0.1 0.1 0.3, "
       "one of them negative; check the signs of ixy, ixz and iyz, and that ixx, iyy and izz are "
       "positive"},
      {with(inertial("0 0 0", 1, "0.1", "0.1", "0.3")),
       "error triangle-inequality r.urdf:4: link 'b' has a physically impossible inertia: "
       "principal moments 0.1 0.1 0.3, the last exceeds the sum of the others; check the values, "
       "and that the inertia is about the centre of mass"},
      {with(inertial("0 0 0", 1, "0.3333", "0.3333", "0.6667")),
       "warning triangle-rounding r.urdf:4: link 'b' has a physically impossible inertia: "
       "principal moments 0.3333 0.3333 0.6667, the last slightly exceeds the sum of the others; "
       "give the inertia with more digits"},
      {with(inertial("0 0 1000", 1, "0.1", "0.1", "0.1")),
       "warning far-com r.urdf:4: link 'b' has its centre of mass at 0 0 1000, more than 1 m from "
       "the link's origin; give the centre of mass in metres in the link's frame"},
      {with(inertial("0 0 0", 1, "100", "100", "100")),
       "warning large-inertia r.urdf:4: link 'b' has an implausibly large inertia: a mass of 1 kg "
       "with a radius of gyration of 12.2474 m; give the inertia in kg m² and the mass in kg"},
  });
  const auto massless = text_of(findings(with(inertial("0 0 0", 0, "1", "1", "1"))));
  EXPECT_NE(massless.find("warning inertia-without-mass r.urdf:4: link 'b' has inertia but no "
                          "mass; give its mass in kg"),
            massless.npos)
      << massless;
  EXPECT_EQ(text_of(findings(with(inertial("0 0 0", 1, "0.5", "0.5", "1")))),
            "");  // a plate, exactly
}

TEST(Check, ThinRodsAndPointMassesMayMove) {
  EXPECT_EQ(
      text_of(findings(arm("<axis xyz=\"0 1 0\"/>", inertial("0 0 1", 1, "0.1", "0.1", "0")))), "");
  EXPECT_EQ(text_of(findings(arm("<axis xyz=\"0 1 0\"/>", inertial("0 0 1", 1, "0", "0", "0")))),
            "warning point-mass r.urdf:3: link 'b' has mass but no inertia; give its inertia, "
            "unless a point mass is intended\n");
}

std::string singular(int line, const std::string& joint, const std::string& link) {
  return "error singular-mass r.urdf:" + std::to_string(line) + ": joint '" + joint +
         "' has no inertia behind it; forward dynamics is singular; give link '" + link +
         "' or its descendants mass and inertia, or the joint a rotor inertia\n";
}

TEST(Check, FindsJointsThatMoveNoMass) {
  EXPECT_EQ(text_of(findings(arm(z, ""))), singular(4, "j", "b"));
  EXPECT_EQ(text_of(findings(arm(z, "", "prismatic"))), singular(4, "j", "b"));
  EXPECT_EQ(text_of(findings(arm(z, "", "floating"))), singular(4, "j", "b"));
  EXPECT_EQ(text_of(findings(arm(z, "", "spherical"))), singular(4, "j", "b"));
  // A thin rod about itself, at any position.
  const std::string rod = inertial("0 0 1", 1, "0.1", "0.1", "0");
  EXPECT_EQ(text_of(findings(arm(z, rod))), singular(4, "j", "b"));
  EXPECT_EQ(text_of(findings(arm(z + "<origin xyz=\"3 4 5\" rpy=\"1 2 3\"/>", rod))),
            singular(4, "j", "b"));
  EXPECT_EQ(text_of(findings(arm(z, rod, "prismatic"))), "");
  // A point mass on the axis.
  const auto point = text_of(findings(arm(z, inertial("0 0 1", 1, "0", "0", "0"))));
  EXPECT_NE(point.find(singular(4, "j", "b")), point.npos) << point;
  // A rotor, or mass fixed further out, is enough.
  EXPECT_EQ(text_of(findings(arm(z + "<drake:rotor_inertia value=\"1e-5\"/>", ""))),
            "warning massless-link r.urdf:3: link 'b' moves but has no mass; give it a mass and an "
            "inertia, unless it only connects two joints\n");
  EXPECT_EQ(text_of(findings(arm(z, "") + link("c") + joint("f", "b", "c", "", "fixed"))), "");
}

TEST(Check, TheLastJointOfAMasslessEndIsTheOneNamed) {
  const auto text = text_of(findings(link("a") + link("b") + link("c", "") +
                                     joint("j", "a", "b", z) + joint("k", "b", "c", z)));
  EXPECT_EQ(text, singular(6, "k", "c"));
}

TEST(Check, AMasslessLinkBetweenCrossedAxesIsOnlyAWarning) {
  const auto between = [](const std::string& second) {
    return link("a") + link("b", "") +
           link("c", inertial("0.3 0.2 0.1", 1, "0.01", "0.01", "0.01")) + joint("j", "a", "b", z) +
           joint("k", "b", "c", second);
  };
  const std::string massless =
      "warning massless-link r.urdf:3: link 'b' moves but has no mass; give it a mass and an "
      "inertia, unless it only connects two joints\n";
  EXPECT_EQ(text_of(findings(between("<axis xyz=\"1 0 0\"/>"))), massless);
  EXPECT_EQ(text_of(findings(between(z))),
            massless +
                "error singular-mass r.urdf:6: robot 'r': a motion of joints 'j', 'k' has no "
                "inertia; forward dynamics is singular; give their links mass and inertia, or the "
                "joints a rotor inertia\n");
  // The same with the second joint following the first: one coordinate, which moves mass.
  EXPECT_EQ(text_of(findings(between(z + "<mimic joint=\"j\"/>"))), massless);
  // And turning back as far as the first turns: then it moves none.
  const auto back = text_of(findings(between(z + "<mimic joint=\"j\" multiplier=\"-1\"/>")));
  EXPECT_NE(back.find(singular(5, "j", "b")), back.npos) << back;
}

TEST(Check, AGimbalThatLocksAtZeroIsAWarning) {
  const auto text = text_of(findings(
      link("a") + link("b", "") + link("c", "") +
      link("d", inertial("0.3 0.2 0.1", 1, "0.01", "0.01", "0.01")) + joint("roll", "a", "b", z) +
      joint("pitch", "b", "c", "<axis xyz=\"0 1 0\"/>") + joint("roll2", "c", "d", z)));
  EXPECT_NE(
      text.find("warning singular-at-zero r.urdf:8: robot 'r': a motion of joints 'roll', 'roll2' "
                "has no inertia in the zero position; forward dynamics is singular there"),
      text.npos)
      << text;
  EXPECT_EQ(text.find("error"), text.npos) << text;
}

TEST(Check, AFingerOnATorsoIsNotNothing) {
  const auto text =
      text_of(findings(link("a") + link("torso", inertial("1 0 0", 1000, "100", "100", "100")) +
                       link("finger", inertial("0.001 0 0", 0.0001, "1e-10", "1e-10", "1e-10")) +
                       joint("waist", "a", "torso", z) +
                       joint("finger", "torso", "finger", z + "<origin xyz=\"2 0 1\"/>")));
  EXPECT_EQ(text, "");
}

TEST(Check, ListsFindingsByLineTheLoadersOwnAmongThem) {
  const auto all = findings("<link name=\"a\"><visul/></link>\n<link name=\"b\">" +
                            inertial("0 0 0", -1, "1", "1", "1") + "</link>\n" +
                            joint("j", "a", "b", "<axis xyz=\"0 0 0\"/>\n<orgin/>"));
  std::vector<std::string> codes;
  for (const Finding& f : all) codes.push_back(std::to_string(f.at.line) + f.code);
  EXPECT_EQ(codes, (std::vector<std::string>{"2unknown-tag", "3negative-mass", "4zero-axis",
                                             "5unknown-tag"}));
}

TEST(Check, AVeryLongChainIsCheckedJointByJoint) {
  std::string body = link("l0");
  for (int i = 1; i <= 2000; ++i)
    body += link("l" + std::to_string(i), i == 2000 ? "" : solid) +
            joint("j" + std::to_string(i), "l" + std::to_string(i - 1), "l" + std::to_string(i), z);
  EXPECT_EQ(text_of(findings(body)), singular(4002, "j2000", "l2000"));
}

TEST(Check, EveryCodeStandsOnceInTheList) {
  std::set<std::string_view> seen;
  for (const FindingCode& c : finding_codes()) {
    EXPECT_TRUE(seen.insert(c.code).second) << c.code;
    EXPECT_FALSE(c.meaning.empty());
  }
}

// The square of such an axis is nothing, or beyond range; the axis has a direction all the same.
TEST(Check, AxesOfAnyLengthAreDirections) {
  for (const char* axis : {"3e-160 0 4e-160", "3e-308 0 4e-308", "3e200 0 4e200"}) {
    const std::string found = text_of(findings(arm("\n<axis xyz=\"" + std::string(axis) + "\"/>")));
    EXPECT_EQ(found.find("warning axis-length r.urdf:5: joint 'j' has axis "), 0u) << found;
  }
  const Vec3<double> e = unit_vector({3e-308, 0, -4e-308});
  EXPECT_NEAR(e.x, 0.6, 1e-15);
  EXPECT_EQ(e.y, 0);
  EXPECT_NEAR(e.z, -0.8, 1e-15);
  EXPECT_DOUBLE_EQ(length_of({3e-160, 4e-160, 0}), 5e-160);
  EXPECT_EQ(length_of({}), 0);
}

}  // namespace
}  // namespace parid::test
