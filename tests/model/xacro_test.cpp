#include "model/format/xacro/xacro.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "model/format/load.hpp"
#include "model/format/size_limit.hpp"
#include "model/format/urdf/urdf.hpp"
#include "model/lint/check.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

namespace fs = std::filesystem;

std::string robot(const std::string& body) {
  return "<robot name=\"r\" xmlns:xacro=\"http://wiki.ros.org/xacro\">\n" + body + "\n</robot>\n";
}

// The expansion of the body: the lines between <robot> and </robot>, without indentation.
std::string expanded(const std::string& body, const LoadOptions& options = {},
                     const std::string& file = "r.xacro") {
  const std::string text = expanded_xacro(robot(body), file, options);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    if (!line.starts_with("<?xml") && !line.starts_with("<robot") && line != "</robot>")
      out += line;
    at = end + 1;
  }
  return out;
}
std::string message_of(const std::string& body, const LoadOptions& options = {},
                       const std::string& file = "r.xacro") {
  try {
    expanded(body, options, file);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}
std::string value_of(const std::string& expression) {
  const std::string out = expanded("<a v=\"${" + expression + "}\"/>");
  return out.substr(6, out.size() - 9);
}
void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), text.npos) << text;
}

// A folder for the files of one test.
class XacroFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder =
        fs::path(testing::TempDir()) /
        (std::string("xacro_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }
  std::string write(const std::string& name, const std::string& text) const {
    const fs::path path = folder / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  std::string main() const { return (folder / "main.xacro").string(); }

  fs::path folder;
};

// The right-hand sides are what Python 3.11 prints.
TEST(Xacro, ExpressionsFollowPython) {
  const std::pair<const char*, const char*> cases[] = {
      {"1 + 2 * 3", "7"},
      {"(1 + 2) * 3", "9"},
      {"7 / 2", "3.5"},
      {"6 / 2", "3.0"},
      {"-7 // 2", "-4"},
      {"-7 % 3", "2"},
      {"7.5 // 2", "3.0"},
      {"-7.5 % 2", "0.5"},
      {"2 ** 10", "1024"},
      {"2 ** -1", "0.5"},
      {"-2 ** 2", "-4"},
      {"2 ** 3 ** 2", "512"},
      {"0.1 + 0.2", "0.30000000000000004"},
      {"1e16", "1e+16"},
      {"123456789012345.0", "123456789012345.0"},
      {"0.0001", "0.0001"},
      {"0.00001", "1e-05"},
      {"1.5e-7 * 2", "3e-07"},
      {"pi", "3.141592653589793"},
      {"radians(180)", "3.141592653589793"},
      {"degrees(pi / 2)", "90.0"},
      {"sin(pi / 6)", "0.49999999999999994"},
      {"math.sqrt(2)", "1.4142135623730951"},
      {"hypot(3, 4)", "5.0"},
      {"floor(-2.5)", "-3"},
      {"int(-2.9)", "-2"},
      {"int('12') + 1", "13"},
      {"float('1e3')", "1000.0"},
      {"str(1.0) + 'm'", "1.0m"},
      {"round(2.5)", "2"},
      {"round(3.5)", "4"},
      {"round(2.675, 2)", "2.67"},
      {"abs(-3)", "3"},
      {"min(3, 1.5, 2)", "1.5"},
      {"max([1, 4, 2])", "4"},
      {"len('häuser')", "6"},
      {"sum([1, 2, 3.5])", "6.5"},
      {"1 &lt; 2 &lt; 3", "True"},
      {"1 == 1.0 and 'a' != 'b'", "True"},
      {"not 0 or 5", "True"},
      {"0 or 5", "5"},
      {"'x' if 3 > 2 else 'y'", "x"},
      {"[1, 'a', 2.0]", "[1, 'a', 2.0]"},
      {"[1, 2, 3][-1]", "3"},
      {"'abcdef'[1:4]", "bcd"},
      {"'abcdef'[::-2]", "fdb"},
      {"'a' in ['a', 'b']", "True"},
      {"'b' not in 'abc'", "False"},
      {"dict(a=1, b=2)['b']", "2"},
      {"dict(a=1).get('z', 7)", "7"},
      {"[x * x for x in range(4) if x != 2]", "[0, 1, 9]"},
      {"'-'.join([str(k) for k in [1, 2]])", "1-2"},
      {"'a,b'.split(',')", "['a', 'b']"},
      {"'Left'.lower() + 'X'", "leftX"},
      {"None is None", "True"},
      {"True + True", "2"},
      {"3 * 'ab'", "ababab"},
      {"5 &amp; 3", "1"},
      {"1 &lt;&lt; 4", "16"},
      {"0x1F", "31"},
  };
  for (const auto& [expression, right] : cases)
    EXPECT_EQ(value_of(expression), right) << expression;
}

TEST(Xacro, MistakesInExpressionsHaveAPlace) {
  const std::pair<const char*, const char*> cases[] = {
      {"1 +", "it ends too early"},
      {"1 / 0", "a division by zero"},
      {"undefined_name", "name 'undefined_name' is not defined"},
      {"'a' + 1", "'+' of str ('a') and int (1)"},
      {"[1, 2][5]", "index 5"},
      {"dict(a=1)['b']", "no key 'b'"},
      {"2 ** 100", "more than 64 bits"},
      {"sqrt(-1)", "domain"},
      {"__import__('os')", "name '__import__' is not defined"},
      {"''.__class__", "not allowed"},
      {"open('/etc/passwd')", "name 'open' is not defined"},
      {"eval('1')", "name 'eval' is not defined"},
      {"lambda: 1", "unexpected 'lambda'"},
      {"'x' * 10000000", "more than 1000000"},
      {"[0] * 10000000", "more than 1000000"},
      {"range(10000000)", "more than 100000"},
  };
  for (const auto& [expression, part] : cases) {
    const std::string message = message_of(fmt::format("\n<a v=\"${{{}}}\"/>", expression));
    EXPECT_TRUE(message.starts_with("r.xacro:3: ")) << message;
    expect_has(message, part);
  }
}

TEST(Xacro, TextKeepsWhatIsNoExpression) {
  EXPECT_EQ(expanded("<a v=\"$${x} $$(y) 5$ a$b\"/>"), "<a v=\"${x} $(y) 5$ a$b\"/>");
  EXPECT_EQ(expanded("<a>${1 + 1} m</a>"), "<a>2 m</a>");
  EXPECT_EQ(expanded("<a v=\"&lt;${'&amp;'}\"/>"), "<a v=\"&lt;&amp;\"/>");
  expect_has(message_of("<a v=\"${1\"/>"), "'${1' is not closed");
}

TEST(Xacro, PropertiesAreLazyAndScoped) {
  EXPECT_EQ(expanded("<xacro:property name=\"b\" value=\"${a * 2}\"/>"
                     "<xacro:property name=\"a\" value=\"3\"/><x v=\"${b}\"/>"),
            "<x v=\"6\"/>");
  EXPECT_EQ(expanded("<xacro:property name=\"a\" value=\"1\"/>"
                     "<xacro:property name=\"b\" value=\"${a}\" lazy_eval=\"false\"/>"
                     "<xacro:property name=\"a\" value=\"2\"/><x v=\"${a} ${b}\"/>"),
            "<x v=\"2 1\"/>");
  EXPECT_EQ(expanded("<xacro:property name=\"a\" value=\"1\"/>"
                     "<xacro:property name=\"a\" default=\"2\"/>"
                     "<xacro:property name=\"c\" default=\"3\"/><x v=\"${a} ${c}\"/>"),
            "<x v=\"1 3\"/>");
  expect_has(message_of("<xacro:property name=\"a\" value=\"1\"/>"
                        "<xacro:property name=\"a\" remove=\"true\"/><x v=\"${a}\"/>"),
             "name 'a' is not defined");
  const std::string macro =
      "<xacro:macro name=\"m\" params=\"\">"
      "<xacro:property name=\"l\" value=\"inner\"/>"
      "<xacro:property name=\"p\" value=\"${l}\" scope=\"parent\"/>"
      "<xacro:property name=\"g\" value=\"${l}\" scope=\"global\"/></xacro:macro>";
  EXPECT_EQ(expanded(macro + "<xacro:property name=\"l\" value=\"outer\"/><xacro:m/>"
                             "<x v=\"${l} ${p} ${g}\"/>"),
            "<x v=\"outer inner inner\"/>");
  expect_has(message_of("<xacro:property name=\"a\" value=\"${b}\"/>"
                        "<xacro:property name=\"b\" value=\"${a}\"/><x v=\"${a}\"/>"),
             "is defined in terms of itself");
  EXPECT_EQ(expanded("<xacro:property name=\"t\" value=\"true\"/>"
                     "<xacro:property name=\"q\" value=\"'1'\"/><x v=\"${t} ${q + '2'}\"/>"),
            "<x v=\"True 12\"/>");
  expect_has(message_of("<xacro:property name=\"leg_length\" value=\"1\"/>"
                        "<x v=\"${leg_lenght}\"/>"),
             "did you mean 'leg_length'?");
}

TEST(Xacro, MacrosTakeParametersAndBlocks) {
  const std::string macro =
      "<xacro:macro name=\"m\" params=\"a b:=2 c:='x y' d:=^ e:=^|9 *origin **rest\">"
      "<l v=\"${a} ${b} ${c} ${d} ${e}\"><xacro:insert_block name=\"origin\"/>"
      "<xacro:insert_block name=\"rest\"/></l></xacro:macro>";
  EXPECT_EQ(
      expanded(macro + "<xacro:property name=\"d\" value=\"7\"/>"
                       "<xacro:m a=\"${1 + 1}\"><o xyz=\"${d}\"/><many><p/><q/></many></xacro:m>"),
      "<l v=\"2 2 x y 7 9\"><o xyz=\"7\"/><p/><q/></l>");
  expect_has(message_of(macro + "<xacro:m a=\"1\"><o/></xacro:m>"), "is called without '**rest'");
  expect_has(message_of(macro + "<xacro:m a=\"1\" z=\"1\"/>"), "has no parameter 'z'");
  expect_has(message_of(macro + "<xacro:m a=\"1\"><o/><p/><q/></xacro:m>"),
             "has no parameter for a further block <q>");
  expect_has(message_of("<xacro:macro name=\"upper_leg\" params=\"\"/><xacro:uper_leg/>"),
             "did you mean 'upper_leg'?");
  EXPECT_EQ(expanded("<xacro:macro name=\"k\" params=\"n\"><xacro:if value=\"${n > 0}\">"
                     "<i v=\"${n}\"/><xacro:k n=\"${n - 1}\"/></xacro:if></xacro:macro>"
                     "<xacro:k n=\"3\"/>"),
            "<i v=\"3\"/><i v=\"2\"/><i v=\"1\"/>");
  EXPECT_EQ(expanded("<xacro:macro name=\"one\" params=\"x\"><y v=\"${x}\"/></xacro:macro>"
                     "<xacro:call macro=\"${'o' + 'ne'}\" x=\"4\"/>"),
            "<y v=\"4\"/>");
}

TEST(Xacro, ConditionsElementsAndAttributes) {
  EXPECT_EQ(expanded("<xacro:if value=\"true\"><a/></xacro:if>"
                     "<xacro:unless value=\"${1 == 1}\"><b/></xacro:unless>"
                     "<xacro:if value=\"0\"><c/></xacro:if>"),
            "<a/>");
  expect_has(message_of("<xacro:if value=\"maybe\"/>"), "is not a truth value");
  EXPECT_EQ(expanded("<xacro:element xacro:name=\"${'li' + 'nk'}\" name=\"n\">"
                     "<xacro:attribute name=\"k\" value=\"${1 + 1}\"/></xacro:element>"),
            "<link name=\"n\" k=\"2\"/>");
}

TEST(Xacro, ArgumentsHaveDefaultsAndMustBeKnown) {
  const std::string body = "<xacro:arg name=\"size\" default=\"2\"/><a v=\"$(arg size)\"/>";
  EXPECT_EQ(expanded(body), "<a v=\"2\"/>");
  EXPECT_EQ(expanded(body, {.arguments = {{"size", "5"}}}), "<a v=\"5\"/>");
  expect_has(message_of(body, {.arguments = {{"sice", "5"}}}), "the file has no argument 'sice'");
  expect_has(message_of("<a v=\"$(arg none)\"/>"), "argument 'none' has no value");
  EXPECT_EQ(expanded("<xacro:arg name=\"n\" default=\"3\"/><a v=\"${$(arg n) * 2}\"/>"),
            "<a v=\"6\"/>");
}

TEST(Xacro, EnvironmentIsReadWhereListed) {
  ::setenv("PARID_XACRO_TEST", "blue", 1);
  LoadOptions listed;
  listed.environment = {"PARID_XACRO_TEST"};
  EXPECT_EQ(expanded("<a v=\"$(env PARID_XACRO_TEST)\"/>", listed), "<a v=\"blue\"/>");
  EXPECT_EQ(expanded("<a v=\"$(optenv PARID_XACRO_TEST red)\"/>"), "<a v=\"red\"/>");
  expect_has(message_of("<a v=\"$(env PARID_XACRO_TEST)\"/>"), "may not be read");
  const Description d = parse_xacro(robot("<link name=\"$(optenv PARID_XACRO_TEST red)\"/>"),
                                    "r.xacro", LoadOptions{});
  ASSERT_EQ(d.links.size(), 1u);
  EXPECT_EQ(d.links[0].name, "red");
  ASSERT_EQ(d.remarks.size(), 1u);
  EXPECT_EQ(d.remarks[0].code, "unlisted-variable");
}

TEST_F(XacroFiles, IncludesFindFilesAndPackages) {
  write("pkg/package.xml", "<package><name>my_robot</name></package>");
  const std::string file = write("pkg/urdf/main.xacro", "");
  write("pkg/urdf/parts/leg.xacro",
        "<robot xmlns:xacro=\"x\"><xacro:property name=\"length\" value=\"3\"/>"
        "<xacro:macro name=\"leg\" params=\"n\"><leg n=\"${n}\" l=\"${length}\"/></xacro:macro>"
        "</robot>");
  EXPECT_EQ(expanded("<xacro:include filename=\"parts/leg.xacro\"/><xacro:leg n=\"1\"/>", {}, file),
            "<leg n=\"1\" l=\"3\"/>");
  EXPECT_EQ(expanded("<xacro:include filename=\"$(find my_robot)/urdf/parts/leg.xacro\" ns=\"q\"/>"
                     "<xacro:q.leg n=\"2\"/><a v=\"${q.length}\"/>",
                     {}, file),
            "<leg n=\"2\" l=\"3\"/><a v=\"3\"/>");
  EXPECT_EQ(expanded("<xacro:include filename=\"parts/*.xacro\"/><xacro:leg n=\"1\"/>", {}, file),
            "<leg n=\"1\" l=\"3\"/>");
  EXPECT_EQ(expanded("<xacro:include filename=\"none.xacro\" optional=\"true\"/><a/>", {}, file),
            "<a/>");
  expect_has(message_of("<xacro:include filename=\"none.xacro\"/>", {}, file), "there is no file");
  expect_has(message_of("<a v=\"$(find nowhere_to_be_found)\"/>", {}, file),
             "package 'nowhere_to_be_found' is not found");
  const std::string other = write("elsewhere/x.xacro", "<robot><b/></robot>");
  expect_has(message_of("<xacro:include filename=\"" + other + "\"/>", {}, file),
             "outside the robot file's folder and its packages");
  expect_has(message_of("<xacro:include filename=\"../../elsewhere/x.xacro\"/>", {}, file),
             "outside the robot file's folder and its packages");
  LoadOptions named;
  named.packages["else"] = (folder / "elsewhere").string();
  EXPECT_EQ(expanded("<xacro:include filename=\"$(find else)/x.xacro\"/>", named, file), "<b/>");
}

// The values are what PyYAML's safe loader gives.
TEST_F(XacroFiles, YamlHasPythonsTypes) {
  write("v.yaml",
        "a: {x: 1, y: 2.50, z: 1e-3}\n"
        "list: [1, two, 3.0, yes, ~]\n"
        "text: 'quoted 1'\n"
        "octal: 010\n"
        "angle: !degrees 90\n"
        "length: !millimeters 2*5\n"
        "base: &b {m: 1, n: 2}\n"
        "more: {<<: *b, n: 3}\n");
  write("bad.yaml", "a: [1,\nb: 2\n");
  const std::string load = "<xacro:property name=\"v\" value=\"${xacro.load_yaml('v.yaml')}\"/>";
  const auto value = [&](const std::string& e) {
    const std::string out = expanded(load + "<a v=\"${" + e + "}\"/>", {}, main());
    return out.substr(6, out.size() - 9);
  };
  EXPECT_EQ(value("v['a']['x'] + v.a.y"), "3.5");
  EXPECT_EQ(value("v.a.z"), "1e-3");
  EXPECT_EQ(value("float(v.a.z)"), "0.001");
  EXPECT_EQ(value("v.list"), "[1, 'two', 3.0, True, None]");
  EXPECT_EQ(value("v.text"), "quoted 1");
  EXPECT_EQ(value("v.octal"), "8");
  EXPECT_EQ(value("v.angle"), "1.5707963267948966");
  EXPECT_EQ(value("v['length']"), "0.01");
  EXPECT_EQ(value("v.more"), "{'n': 3, 'm': 1}");
  expect_has(message_of(load + "<a v=\"${v.b}\"/>", {}, main()), "no key 'b'");
  const std::string bad = message_of("<a v=\"${xacro.load_yaml('bad.yaml')}\"/>", {}, main());
  expect_has(bad, "bad.yaml:3: this is not YAML");
}

TEST_F(XacroFiles, ErrorsNameTheCallChain) {
  write("leg.xacro",
        "<robot xmlns:xacro=\"x\">\n<xacro:macro name=\"leg\" params=\"n\">\n"
        "<link name=\"l${n / 0}\"/>\n</xacro:macro></robot>");
  const std::string message = message_of(
      "<xacro:include filename=\"leg.xacro\"/>\n"
      "<xacro:macro name=\"side\" params=\"n\">\n<xacro:leg n=\"${n}\"/></xacro:macro>\n"
      "<xacro:side n=\"1\"/>",
      {}, main());
  EXPECT_EQ(message,
            fmt::format("{0}/leg.xacro:3: ${{n / 0}}: a division by zero (in macro 'leg' called at "
                        "{0}/main.xacro:4, macro 'side' called at {0}/main.xacro:5); correct the "
                        "expression",
                        folder.string()));
}

// Findings of the URDF reader and of check() have places in the xacro files.
TEST_F(XacroFiles, FindingsNameTheSources) {
  write("leg.xacro",
        "<robot xmlns:xacro=\"x\">\n<xacro:macro name=\"leg\" params=\"n m axis\">\n"
        "<link name=\"l${n}\">\n<inertial>\n<mass value=\"${m}\"/>"
        "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>\n"
        "<joint name=\"j${n}\" type=\"revolute\">\n<parent link=\"base\"/><child link=\"l${n}\"/>\n"
        "<axis xyz=\"${axis}\"/></joint>\n</xacro:macro></robot>");
  const std::string head = "<xacro:include filename=\"leg.xacro\"/>\n<link name=\"base\"/>\n";
  const Description d = parse_xacro(robot(head + "<xacro:leg n=\"1\" m=\"-1\" axis=\"0 0 1\"/>"),
                                    main(), LoadOptions{});
  bool found = false;
  for (const Finding& f : check(d)) {
    if (f.code != "negative-mass") continue;
    found = true;
    EXPECT_EQ(f.at.file, (folder / "leg.xacro").string());
    EXPECT_EQ(f.at.line, 4);
  }
  EXPECT_TRUE(found);
  // A second line of a message has its file too, or none if it is the same.
  const Description twice = parse_xacro(
      robot(head + "<xacro:leg n=\"1\" m=\"1\" axis=\"0 0 1\"/><xacro:leg n=\"1\" m=\"1\" "
                   "axis=\"0 0 1\"/>\n<link name=\"l1\"/>"),
      main(), LoadOptions{});
  std::vector<std::string> messages;
  for (const Finding& f : check(twice))
    if (f.code == "duplicate-link") messages.push_back(f.message);
  EXPECT_EQ(messages, (std::vector<std::string>{"link 'l1' is already defined on line 3",
                                                "link 'l1' is already defined on " +
                                                    (folder / "leg.xacro").string() + ":3"}));
  EXPECT_EQ(d.at(d.links[0].line).text(), main() + ":3");
  EXPECT_EQ(d.file, main());
  try {
    parse_xacro(robot(head + "<xacro:leg n=\"1\" m=\"1\" axis=\"0 0\"/>"), main(), LoadOptions{});
    FAIL();
  } catch (const Error& e) {
    const std::string message = e.what();
    EXPECT_TRUE(message.starts_with((folder / "leg.xacro").string() + ":8: joint 'j1'")) << message;
    expect_has(message, "(in macro 'leg' called at " + main() + ":4");
  }
}

TEST(Xacro, LimitsStopHostileFiles) {
  const std::string endless =
      "<xacro:macro name=\"m\" params=\"\"><xacro:m/></xacro:macro><xacro:m/>";
  expect_has(message_of(endless), "nested more than");
  const std::string doubling =
      "<xacro:macro name=\"m\" params=\"n\"><xacro:if value=\"${n > 0}\"><a/><xacro:m n=\"${n - "
      "1}\"/><xacro:m n=\"${n - 1}\"/></xacro:if></xacro:macro><xacro:m n=\"100\"/>";
  expect_has(message_of(doubling), "takes more than");
  std::string text = "<xacro:property name=\"p0\" value=\"abcdefghij\"/>";
  for (int k = 1; k < 40; ++k)
    text += fmt::format("<xacro:property name=\"p{}\" value=\"${{p{} + p{}}}\"/>", k, k - 1, k - 1);
  expect_has(message_of(text + "<a v=\"${p39}\"/>"), "more than 1000000 characters");
  text = "<xacro:property name=\"p0\" value=\"1\"/>";
  for (int k = 1; k < 400; ++k)
    text += fmt::format("<xacro:property name=\"p{}\" value=\"${{p{} + 1}}\"/>", k, k - 1);
  expect_has(message_of(text + "<a v=\"${p399}\"/>"), "properties read one another");
  expect_has(message_of("<a v=\"${" + std::string(5000, '(') + "}\"/>"), "nested more than");
  expect_has(message_of("<a v=\"${[[x for x in range(9000)] for y in range(90000)]}\"/>"),
             "more than");
}

TEST_F(XacroFiles, LoadsByPathAndRefusesArgumentsElsewhere) {
  const std::string file = write(
      "arm.urdf.XACRO",
      robot(
          "<xacro:arg name=\"m\" default=\"1\"/><link name=\"a\"/><link name=\"b\"><inertial><mass "
          "value=\"$(arg m)\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>"
          "<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/>"
          "<axis xyz=\"0 0 1\"/></joint>"));
  const Robot r = Robot::load(file, {.arguments = {{"m", "2.5"}}});
  EXPECT_EQ(r.description().links[1].inertia->mass, 2.5);
  EXPECT_EQ(Robot::load(file, {.floating = true}).nv(), 7);
  EXPECT_THROW(Robot::load("puma560", {.arguments = {{"m", "2"}}}), Error);
  const Robot text = Robot::from_text(expanded_xacro(text_of_file(file, "a file"), file, {}));
  EXPECT_EQ(text.nv(), 1);
}

// Every Universal Robots model of the zoo expands and has six joints.
TEST(Xacro, UniversalRobotsExpand) {
  const char* data = std::getenv("PARID_EXTRA_DATA");
  if (!data || !fs::exists(fs::path(data) / "zoo/xacro"))
    GTEST_SKIP() << "PARID_EXTRA_DATA does not name a folder with zoo/xacro";
  const fs::path zoo = fs::path(data) / "zoo/xacro";
  const fs::path one = zoo / "ros-industrial+universal_robot",
                 two = zoo / "UniversalRobots+Universal_Robots_ROS2_Description";
  int loaded = 0;
  for (const char* type :
       {"ur3", "ur3e", "ur5", "ur5e", "ur10", "ur10e", "ur16e", "ur20", "ur30"}) {
    LoadOptions o;
    o.packages["ur_description"] = (one / "ur_description").string();
    const Robot first =
        Robot::load((one / "ur_description/urdf" / (std::string(type) + ".xacro")).string(), o);
    EXPECT_EQ(first.nv(), 6) << type;
    o.packages["ur_description"] = two.string();
    o.arguments = {{"ur_type", type}, {"name", type}};
    const Robot second = Robot::load((two / "urdf/ur.urdf.xacro").string(), o);
    EXPECT_EQ(second.nv(), 6) << type;
    EXPECT_EQ(second.name(), type);
    loaded += 2;
  }
  EXPECT_EQ(loaded, 18);
}

}  // namespace
}  // namespace parid::test
