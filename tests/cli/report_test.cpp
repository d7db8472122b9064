// parid report: its files and messages. The page itself is tested in a browser: tests/web.

#include <gtest/gtest.h>

#include "tests/cli/program.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

using nlohmann::json;

json data_of(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t from = page.find(open) + open.size();
  return json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(Report, WritesOnePageAndSaysWhere) {
  Scratch scratch;
  const std::string page = scratch.path("a.html");
  const Ran ran = parid_program({"report", "planar2", "-o", page});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("wrote " + page), std::string::npos) << ran.out;
  const json data = data_of(content(page));
  EXPECT_EQ(data["robot"]["name"], "planar2");
  EXPECT_EQ(data["motion"]["rows"], 201);
  EXPECT_FALSE(data["formulations"]["inverse"].empty());
  for (const char* absent : {"schedule", "pipeline", "control", "stability", "friction"})
    EXPECT_FALSE(data.contains(absent)) << absent;
}

TEST(Report, SectionsAreThoseAskedFor) {
  Scratch scratch;
  const std::string page = scratch.path("a.html");
  const Ran ran = parid_program({"report", "puma560", "--motion", "dhanaraj", "--schedule", "4",
                                 "--control", "hamilton,binder_herzog", "--pipeline",
                                 "--no-formulations", "--json", "-o", page});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const json said = json::parse(ran.out), data = data_of(content(page));
  EXPECT_EQ(said["bytes"], content(page).size());
  EXPECT_LE(said["bytes"], 3'000'000);
  EXPECT_EQ(said["sections"], (json{"model", "robot", "visuals", "motion", "live", "schedule",
                                    "pipeline", "control"}));
  EXPECT_EQ(data["schedule"]["asked"], 4);
  EXPECT_EQ(data["schedule"]["runs"].size(), 8u);
  EXPECT_EQ(data["pipeline"]["ik"]["modules"], 25);
  EXPECT_EQ(data["control"]["runs"].size(), 3u);  // the exact law beside them
}

TEST(Report, WithAllLeavesOutWhatARobotCannotHave) {
  Scratch scratch;
  const Ran ran = parid_program({"report", "quadruped", "--all", "--no-formulations", "--poses",
                                 "1", "-o", scratch.path("a.html"), "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string notes = json::parse(ran.out)["notes"].dump();
  EXPECT_NE(notes.find("--control is omitted"), std::string::npos) << notes;
}

TEST(Report, MistakesAreNamed) {
  Scratch scratch;
  const std::string page = scratch.path("a.html");
  auto wrong = [&](std::vector<std::string> words, const std::string& says) {
    words.insert(words.end(), {"-o", page});
    const Ran ran = parid_program(words);
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(page)) << says;
  };
  wrong({"report", "puma56"}, "puma560");
  wrong({"report", "puma560", "--schedule", "0"}, "--schedule");
  wrong({"report", "puma560", "--control", "hamiltn"}, "did you mean 'hamilton'?");
  wrong({"report", "quadruped", "--control", "hamilton"}, "--control: ");
  wrong({"report", "puma560", "--control-rate", "0", "--control", "exact"}, "--control-rate");
  EXPECT_EQ(parid_program({"report", "puma560", "-o", ""}).code, 2);
}

TEST(Report, NamesOfFilesComeFromRobotsButStayHere) {
  Scratch scratch;
  const std::string urdf =
      scratch.file("a.urdf", R"(<robot name="../up/&lt;x&gt;"><link name="base"/>
    <link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="j" type="continuous"><parent link="base"/><child link="l"/><axis xyz="0 1 0"/></joint></robot>)");
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::path(urdf).parent_path());
  const Ran ran = parid_program({"report", "a.urdf", "--no-formulations", "--json"});
  std::filesystem::current_path(here);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string file = json::parse(ran.out)["file"];
  EXPECT_EQ(file.find('/'), std::string::npos) << file;
  EXPECT_TRUE(std::filesystem::exists(scratch.path(file))) << file;
}

}  // namespace
}  // namespace parid::test
