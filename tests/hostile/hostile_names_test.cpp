// Two hundred hostile names through everything that writes another language or starts another
// program. None is interpreted, and the output still parses, compiles or reads back unchanged.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <algorithm>
#include <climits>
#include <filesystem>
#include <set>

#include "base/text/characters.hpp"
#include "codegen/emit/targets.hpp"
#include "tests/base/scratch.hpp"
#include "tests/cli/program.hpp"
#include "tests/full.hpp"
#include "tests/hostile/hostile_names.hpp"
#include "tests/layer.hpp"
#include "tests/shell.hpp"

namespace parid::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// In quotes, for TOML.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text)
    if (is_control(c))
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      out += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return out + "\"";
}

// Robot, links and joints have eight names of the list, from the k-th on.
struct HostileRobot {
  std::string name;
  std::vector<std::string> links, joints;

  explicit HostileRobot(std::size_t k) {
    const std::vector<std::string> all = hostile_names();
    const auto next = [&]() -> const std::string& { return all[k++ % all.size()]; };
    name = next();
    for (int j = 0; j < 3; ++j) joints.push_back(next());
    for (int l = 0; l < 4; ++l) links.push_back(next());
  }
  std::string toml() const {
    const std::string body = "mass = 1\ncom = [0.2, 0, 0]\ninertia = [0.01, 0.1, 0.1]\n";
    std::string s = "name = " + quoted(name) + "\nsource = " + quoted(name) +
                    "\nconvention = \"frames\"\nbase = " + quoted(links[0]) + "\n[base_link]\n" +
                    body;
    const char* const axes[] = {"[0, 0, 1]", "[0, 1, 0]", "[0, 1, 0]"};
    for (std::size_t j = 0; j < joints.size(); ++j)
      s += "[[joint]]\nname = " + quoted(joints[j]) +
           "\ntype = \"revolute\"\nparent = " + quoted(links[j]) +
           "\nlink = " + quoted(links[j + 1]) + "\nxyz = [0.4, 0, 0]\naxis = " + axes[j] + "\n" +
           body + "lower = -2\nupper = 2\nvelocity = 3\neffort = 100\n";
    return s;
  }
  bool in_urdf() const {  // whose readers take some for calls of xacro, and blanks for no name
    std::vector<std::string> all = links;
    all.insert(all.end(), joints.begin(), joints.end());
    all.push_back(name);
    return std::none_of(all.begin(), all.end(), [](const std::string& n) {
      return contains(n, "${") || contains(n, "$(") || n == " ";
    });
  }
};

std::string shown_name(const std::string& name) {
  std::string s;
  for (const char c : name) s += is_control(c) ? ' ' : c;
  return s;
}

// All text of an SVG, and that it is XML and has no script.
class Svg : public tinyxml2::XMLVisitor {
 public:
  explicit Svg(const std::string& text) {
    // Names are compared as they are, with all their blanks.
    tinyxml2::XMLDocument document(true, tinyxml2::PRESERVE_WHITESPACE);
    EXPECT_EQ(document.Parse(text.data(), text.size()), tinyxml2::XML_SUCCESS)
        << document.ErrorStr();
    document.Accept(this);
  }
  bool VisitEnter(const tinyxml2::XMLElement& e, const tinyxml2::XMLAttribute*) override {
    EXPECT_STRNE(e.Name(), "script");
    EXPECT_STRNE(e.Name(), "img");
    return true;
  }
  bool Visit(const tinyxml2::XMLText& t) override {
    texts.insert(t.Value());
    return true;
  }
  bool has(const std::string& part) const {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string& t) { return contains(t, part); });
  }
  std::set<std::string> texts;
};

constexpr int all_names_once = 40;  // robots of eight names each

// A folder to run in, a robot in it, and who looks after that no file "owned" appears.
class HostileNames : public testing::Test {
 protected:
  ~HostileNames() override { expect_nothing_was_run(); }

  template <class Body>
  void each_robot(int sample, const Body& body, int most = INT_MAX) {
    const int all = static_cast<int>(hostile_names().size());
    const int robots = cases(sample, std::min(all, most));
    for (int r = 0; r < robots; ++r) {
      // A sample is spread over the list, with the back quotes that gnuplot would run first.
      const HostileRobot robot(static_cast<std::size_t>(r * all / robots));
      SCOPED_TRACE("robot " + robot.name);
      scratch_.file("robot.toml", robot.toml());
      body(robot);
      expect_nothing_was_run();
      if (HasFatalFailure()) return;
    }
  }
  Ran run(std::vector<std::string> words) {
    const Ran ran = parid_program(
        std::move(words), {.environment = {{"PARID_CACHE", path("cache")}}, .folder = path("")});
    EXPECT_TRUE(is_utf8(ran.out) && is_utf8(ran.err));
    for (const std::string* text : {&ran.out, &ran.err})
      for (std::string_view rest = *text; !rest.empty(); rest.remove_prefix(1))
        EXPECT_TRUE(rest[0] == '\n' || rest[0] == '\r' || control_length(rest) == 0)
            << ran.out << ran.err;
    return ran;
  }
  Ran run_well(const std::vector<std::string>& words) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 0) << fmt::format("{}", fmt::join(words, " ")) << ": " << ran.err;
    return ran;
  }
  void expect_nothing_was_run() {
    EXPECT_FALSE(fs::exists(path("owned")));
    EXPECT_FALSE(fs::exists(path("../owned")));
  }
  std::string path(const std::string& name) const { return scratch_.path(name); }
  std::string written(const std::string& name) const {
    EXPECT_TRUE(fs::exists(path(name))) << name;
    return content(path(name));
  }
  std::string in_folder(const std::string& command) const {
    return said("cd '" + path("") + "' && " + command);
  }
  Scratch scratch_;
};

TEST_F(HostileNames, AreTwoHundred) {
  const std::vector<std::string> all = hostile_names();
  EXPECT_GE(all.size(), 200u);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
}

// Checks the canary: a shell executes what the names contain.
TEST_F(HostileNames, WouldBeSeen) {
  in_folder("sh -c 'echo \"" + hostile_names()[0] + "\"'");
  EXPECT_TRUE(fs::exists(path("owned")));
  fs::remove(path("owned"));
}

TEST_F(HostileNames, LineEndsAndSteeringAreRefused) {
  const std::vector<std::string> all = refused_names();
  const auto step = static_cast<std::size_t>(cases(5, 1));
  for (std::size_t k = 0; k < all.size(); k += step) {
    const std::string& name = all[k];
    HostileRobot robot(0);
    robot.name = name;
    scratch_.file("robot.toml", robot.toml());
    Ran ran = run({"info", "robot.toml"});
    EXPECT_EQ(ran.code, 2) << ran.out;
    EXPECT_TRUE(contains(ran.err, "control character, 0x")) << ran.err;
    robot.name = "arm";
    robot.joints[1] = name;
    scratch_.file("robot.toml", robot.toml());
    EXPECT_EQ(run({"torque", "robot.toml", "--plot", "plot.svg"}).code, 2);
    robot.joints[1] = "joint";
    robot.links[2] = name;
    scratch_.file("robot.toml", robot.toml());
    EXPECT_EQ(run({"generate", "robot.toml", "inverse"}).code, 2);
  }
}

// gnuplot: every command that draws.
TEST_F(HostileNames, Plots) {
  if (!there("gnuplot")) GTEST_SKIP() << "gnuplot is not installed";
  each_robot(3, [&](const HostileRobot& robot) {
    const std::pair<std::vector<std::string>, bool> lines[] = {
        // whether the joints are in it
        {{"torque", "robot.toml", "--rate", "5"}, true},
        {{"motion", "robot.toml", "--rate", "5"}, true},
        {{"simulate", "robot.toml", "--time", "0.05"}, true},
        {{"control", "robot.toml", "--time", "0.05"}, true},
        {{"stability", "robot.toml", "--count", "3"}, false},
        {{"schedule", "robot.toml", "--processors", "1-2"}, false},
    };
    for (auto [words, joints] : lines) {
      SCOPED_TRACE(words[0]);
      words.insert(words.end(), {"--plot", "plot.svg"});
      run_well(words);
      const Svg svg(written("plot.svg"));
      EXPECT_TRUE(svg.has(shown_name(robot.name).substr(0, 40)));
      for (const std::string& j : robot.joints)
        EXPECT_TRUE(!joints || svg.has(shown_name(j).substr(0, 40))) << j;
      fs::remove(path("plot.svg"));
    }
    run_well({"torque", "robot.toml", "--rate", "5", "--plot", "plot.png"});
    EXPECT_TRUE(written("plot.png").starts_with("\x89PNG"));
    run_well({"torque", "robot.toml", "--rate", "5", "--plot", "plot.pdf", "--style", "mono"});
    EXPECT_TRUE(written("plot.pdf").starts_with("%PDF"));
  });
}

// Every language, by those who read it.
TEST_F(HostileNames, GeneratedPrograms) {
  each_robot(3, [&](const HostileRobot& robot) {
    for (const Target& target : targets()) {
      fs::remove_all(path("out"));
      const std::string language = target.id;
      SCOPED_TRACE(language);
      const Ran ran = run({"generate", "robot.toml", "mass", "--lang", language, "-o", "out"});
      if (ran.code != 0) {  // a name that no file can have
        EXPECT_GT(robot.name.size(), 190u);
        EXPECT_TRUE(contains(ran.err, "File name too long")) << ran.err;
        continue;
      }
      for (const auto& entry : fs::directory_iterator(path("out"))) {
        const std::string file = entry.path().filename().string(),
                          ending = entry.path().extension().string();
        EXPECT_EQ(file.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789_."),
                  std::string::npos)
            << file;
        if (ending == ".c")
          in_folder("cc -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only -Iout out/" + file);
        if (ending == ".cpp")
          in_folder("c++ -std=c++14 -Wall -Wextra -Werror -fsyntax-only -Iout out/" + file);
        if (ending == ".hpp")
          in_folder("c++ -std=c++20 -Wall -Wextra -Werror -fsyntax-only -x c++ out/" + file);
        if (ending == ".js" && there("node")) {
          fs::copy_file(entry.path(), path("program.mjs"), fs::copy_options::overwrite_existing);
          in_folder("node program.mjs");
        }
        if (ending == ".dot" && there("dot")) in_folder("dot -Tcanon out/" + file);
        if (ending == ".tex")
          for (std::istringstream lines(content(entry.path().string())); lines.good();) {
            std::string line;
            std::getline(lines, line);
            if (line.starts_with("\\begin{align*}")) break;
            EXPECT_TRUE(line.starts_with("%")) << line;
          }
      }
    }
    if (robot.name.size() > 190) return;
    fs::remove_all(path("out"));
    run_well({"generate", "robot.toml", "jacobian", "--link", robot.links[2], "--tests", "2", "-o",
              "out"});
    in_folder(
        "cc -std=c99 -pedantic -Wall -Wextra -Werror -Iout out/*.c -o program -lm && "
        "./program");
  });
}

TEST_F(HostileNames, Hardware) {
  each_robot(
      2,
      [&](const HostileRobot& robot) {
        if (robot.name.size() > 190) return;
        fs::remove_all(path("out"));
        run_well({"pipeline", "robot.toml", "gravity", "-o", "out"});
        for (const auto& entry : fs::directory_iterator(path("out"))) {
          const std::string file = entry.path().filename().string();
          if (entry.path().extension() == ".svg") Svg svg(content(entry.path().string()));
          if (entry.path().extension() != ".v" || file.find("bench") != file.npos) continue;
          if (there("yosys")) in_folder("yosys -q -p 'read_verilog out/" + file + "'");
        }
      },
      all_names_once);
}

TEST_F(HostileNames, Pages) {
  scratch_.file("plain.toml", [] {
    HostileRobot robot(0);
    robot.name = "arm";
    robot.joints = {"a", "b", "c"};
    robot.links = {"0", "1", "2", "3"};
    return robot.toml();
  }());
  const auto times = [](const std::string& text, const std::string& part) {
    int n = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; ++at) ++n;
    return n;
  };
  run_well({"report", "plain.toml", "--no-formulations", "-o", "plain.html"});
  const std::string plain = written("plain.html");
  each_robot(3, [&](const HostileRobot& robot) {
    // As a second run, its names are labels of the comparison too.
    run_well({"report", "plain.toml", "--compare", "robot.toml", "--no-formulations", "-o",
              "both.html"});
    run_well({"report", "robot.toml", "--no-formulations", "-o", "page.html"});
    const std::string page = written("page.html"), both = written("both.html");
    for (const char* tag : {"<script", "</script", "<!--", "<img", "</title", "<style"}) {
      EXPECT_EQ(times(page, tag), times(plain, tag)) << tag;
      EXPECT_EQ(times(both, tag), times(plain, tag)) << tag;
    }
    const std::string mark = "type=\"application/json\"";
    const std::size_t from = page.find('>', page.find(mark)) + 1, to = page.find("</script", from);
    ASSERT_NE(page.find(mark), page.npos);
    const json data = json::parse(page.substr(from, to - from));
    EXPECT_TRUE(contains(data.dump(), json(robot.name).dump()));
    for (const std::string& j : robot.joints) EXPECT_TRUE(contains(data.dump(), json(j).dump()));
  });
}

// Robot files, tables and schedules come back as they were.
TEST_F(HostileNames, FilesComeBack) {
  each_robot(3, [&](const HostileRobot& robot) {
    const auto facts = [&](const char* file) {
      json all = json::parse(run_well({"info", file, "--json"}).out);
      all.erase("file");
      return all.dump();
    };
    for (const char* ending : {"toml", "urdf"}) {
      const Ran ran = run({"convert", "robot.toml", std::string("other.") + ending});
      if (!robot.in_urdf() && std::string(ending) == "urdf") {
        EXPECT_EQ(ran.code, 2);
        EXPECT_TRUE(contains(ran.err, "cannot write the name")) << ran.err;
        continue;
      }
      EXPECT_EQ(ran.code, 0) << ran.err;
      const std::string there = facts((std::string("other.") + ending).c_str());
      for (const std::string& j : robot.joints)
        EXPECT_TRUE(contains(there, json(j).dump())) << there;
      for (const std::string& l : robot.links)
        EXPECT_TRUE(contains(there, json(l).dump())) << there;
      EXPECT_TRUE(contains(there, json(robot.name).dump())) << there;
    }
    for (const char* file : {"motion.csv", "motion.npz"}) {
      run_well({"motion", "robot.toml", "--rate", "5", "-o", file});
      const json torques = json::parse(run_well({"torque", "robot.toml", file, "--json"}).out);
      EXPECT_TRUE(contains(torques.dump(), json("tau:" + robot.joints[0]).dump()));
    }
    run_well({"torque", "robot.toml", "--rate", "5", "-o", "torques.csv"});
    run_well({"simulate", "robot.toml", "--torque", "torques.csv", "--time", "0.05"});
    run_well({"schedule", "robot.toml", "-p", "2", "--gantt", "gantt.svg", "-o", "tasks.stg"});
    EXPECT_TRUE(Svg(written("gantt.svg")).has(robot.name.substr(0, 40)));
    run_well({"schedule", "tasks.stg", "-p", "2", "--gantt", "gantt.svg"});
    Svg again(written("gantt.svg"));
  });
}

TEST_F(HostileNames, TextAndJson) {
  each_robot(
      1,
      [&](const HostileRobot& robot) {
        const std::vector<std::string> lines[] = {
            {"info"},
            {"check"},
            {"compare", "--samples", "3"},
            {"torque", "--rate", "5"},
            {"torque", "--row", "2", "--rate", "5", "--explain"},
            {"generate", "--counts"},
            {"table", "--points", "3"},
            {"stability", "--count", "3"},
            {"control", "--time", "0.05"},
            {"simulate", "--time", "0.05"},
            {"motion", "--rate", "5"},
            {"ik", "--pose", "0.9,0,0", "--link", robot.links[3]},
            {"schedule", "-p", "2"},
            {"identify", "--suggest", "--seconds", "1", "-o", "suggested.csv"},
            {"pipeline", "gravity"},
        };
        for (std::vector<std::string> words : lines)
          for (const bool as_json : {false, true}) {
            words.insert(words.begin() + 1, "robot.toml");
            if (as_json) words.push_back("--json");
            SCOPED_TRACE(fmt::format("{}", fmt::join(words, " ")));
            const Ran ran = run(words);
            EXPECT_LE(ran.code, 1) << ran.err;
            EXPECT_TRUE(!as_json || json::accept(ran.out)) << ran.out;
            words.erase(words.begin() + 1);
          }
      },
      all_names_once);
}

// Kernels of the robot's own, by the compiler.
TEST_F(HostileNames, CompiledKernels) {
  if (!there("cc")) GTEST_SKIP() << "no compiler";
  each_robot(
      1,
      [&](const HostileRobot& robot) {
        run_well({"schedule", "robot.toml", "gravity", "-p", "2", "--run", "--evaluations", "10"});
        EXPECT_FALSE(robot.name.empty());
      },
      5);
}

// Files that the user names: inputs and outputs.
TEST_F(HostileNames, OfFiles) {
  std::vector<std::string> names = hostile_names();
  for (const std::string& name : refused_names()) names.push_back(name);
  std::erase_if(names, [](const std::string& n) {
    return n.size() > 200 || n.find('/') != n.npos || n == "." || n == "..";
  });
  const bool gnuplot = there("gnuplot");
  const std::size_t count = static_cast<std::size_t>(cases(8, static_cast<int>(names.size())));
  const std::string toml = [] {
    HostileRobot robot(0);
    robot.name = "arm";
    return robot.toml();
  }();
  for (std::size_t k = 0; k < count; ++k) {
    const std::string& name = names[k * names.size() / count];
    SCOPED_TRACE(name);
    const std::string file = path(name + ".robot.toml");
    scratch_.file(name + ".robot.toml", toml);
    run_well({"info", file});
    run_well({"check", file, "--json"});
    if (gnuplot) {
      run_well({"torque", file, "--rate", "5", "--plot", path(name + ".svg"), "-o",
                path(name + ".npz")});
      Svg svg(content(path(name + ".svg")));
    }
    run_well({"motion", file, "--rate", "5", "-o", path(name + ".csv")});
    run_well({"torque", file, path(name + ".csv")});
    run_well({"generate", file, "gravity", "-o", path(name + ".out")});
    for (const auto& entry : fs::directory_iterator(path(name + ".out")))
      if (entry.path().extension() == ".c") {
        fs::copy_file(entry.path(), path("plain.c"), fs::copy_options::overwrite_existing);
        fs::copy_file(fs::path(entry.path()).replace_extension(".h"),
                      path(entry.path().stem().string() + ".h"),
                      fs::copy_options::overwrite_existing);
        in_folder("cc -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only plain.c");
      }
    run_well({"report", file, "--no-formulations", "-o", path(name + ".html")});
    const Ran missing = run({"info", path(name + ".missing.toml")});
    EXPECT_EQ(missing.code, 2);
    expect_nothing_was_run();
  }
}

}  // namespace
}  // namespace parid::test
