// parid report: its files and messages. The page itself is tested in a browser: tests/web.

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <map>

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
  EXPECT_EQ(said["sections"], (json{"model", "robot", "visuals", "motion", "limits", "live",
                                    "schedule", "pipeline", "control"}));
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

// The page's verdict is that of `parid limits` in every figure.
TEST(Report, TheVerdictIsThatOfLimits) {
  Scratch scratch;
  const std::string page = scratch.path("a.html");
  for (const std::string load : {"20", "1"}) {
    const Ran ran = parid_program(
        {"report", "ur5", "--payload", load, "--no-formulations", "--json", "-o", page});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json limits = data_of(content(page))["limits"],
               wanted =
                   json::parse(parid_program({"limits", "ur5", "--payload", load, "--json"}).out);
    EXPECT_EQ(json::parse(ran.out)["holds"], wanted["holds"]);
    for (const char* key : {"holds", "limits_broken", "limits_missing", "peak_power"})
      EXPECT_EQ(limits[key], wanted[key]) << key;
    ASSERT_EQ(limits["joints"].size(), wanted["joints"].size());
    for (std::size_t k = 0; k < wanted["joints"].size(); ++k)
      for (const auto& [key, value] : wanted["joints"][k].items())
        EXPECT_EQ(limits["joints"][k][key], value) << k << ' ' << key;
  }
}

TEST(Report, AssumptionsAreListed) {
  Scratch scratch;
  const std::string page = scratch.path("a.html");
  auto assumed = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "report");
    words.insert(words.end(), {"--no-formulations", "-o", page});
    const Ran ran = parid_program(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    std::map<std::string, std::string> all;
    const json data = data_of(content(page));
    for (const json& a : data["model"]["assumptions"]) all[a[0]] = a[1];
    return all;
  };
  auto a = assumed({"puma560", "--friction"});
  EXPECT_EQ(a["friction"], "bearings and drives, as in the robot file");
  EXPECT_EQ(a["payload"], "none added to the robot file");
  EXPECT_EQ(a["base"], "fixed");
  EXPECT_EQ(a["gravity"], "(0, 0, -9.81) m/s²");
  EXPECT_EQ(a["motion"].substr(0, 9), "default, ");
  a = assumed({"puma560", "--payload", "2,0,0,0.1", "--no-rotors", "--gravity", "0,0,-1.62",
               "--motion", "in-turn"});
  EXPECT_EQ(a["friction"], "in the robot file, but not counted");
  EXPECT_EQ(a["payload"], "2 kg on link 'link6', centre of mass (0, 0, 0.1) m");
  EXPECT_EQ(a["gravity"], "(0, 0, -1.62) m/s²");
  EXPECT_EQ(a["rotors"], "left out");
  EXPECT_EQ(a["motion"].substr(0, 9), "in-turn, ");
  a = assumed({"quadruped"});
  EXPECT_EQ(a["base"], "floating: the base has no motor");
  EXPECT_EQ(a["friction"], "none in the robot file");
}

// Peaks that lie between the samples of the page count too.
TEST(Report, TheVerdictCountsSamplesThatThePageLeavesOut) {
  Scratch scratch;
  std::string rows = "t,q1,q2,v1,v2,a1,a2\n";
  const int many = 600'000;
  rows.reserve(std::size_t{40} * many);
  for (int k = 0; k < many; ++k)
    rows += std::to_string(k) + (k == 300'001 ? "e-3,0,0,0,0,0,1000\n" : "e-3,0,0,0,0,0,0\n");
  const std::string csv = scratch.file("long.csv", rows), page = scratch.path("a.html");
  const Ran ran =
      parid_program({"report", "planar2", csv, "--no-formulations", "--json", "-o", page});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json data = data_of(content(page));
  EXPECT_GT(data["motion"]["stride"], 1);
  EXPECT_LT(data["motion"]["rows"], many);
  EXPECT_EQ(data["limits"]["joints"][1]["sample"], 300'001);
  EXPECT_NEAR(data["limits"]["joints"][1]["t"].get<double>(), 300.001, 1e-9);
}

TEST(Report, ComparesTwoRuns) {
  Scratch scratch;
  const std::string page = scratch.path("a.html");
  auto compared = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "report");
    words.insert(words.end(), {"--no-formulations", "-o", page});
    const Ran ran = parid_program(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return data_of(content(page))["compare"];
  };
  json c = compared({"ur5", "--payload", "5", "--compare-payload", "none"});
  EXPECT_EQ(c["labels"], (json{"payload of 5 kg on link 'wrist_3_link'", "no payload"}));
  EXPECT_EQ(c["limits"]["joints"][1]["peak"],
            json::parse(parid_program({"limits", "ur5", "--json"}).out)["joints"][1]["peak"]);
  EXPECT_EQ(c["pairs"], (json{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}}));
  c = compared({"puma560", "--compare", "ur5"});
  EXPECT_EQ(c["labels"], (json{"puma560", "ur5"}));
  EXPECT_EQ(c["pairs"].size(), 6u);
  c = compared({"planar2", "--compare", "planar3"});  // joint1 and joint2 are in both
  EXPECT_EQ(c["pairs"], (json{{0, 0}, {1, 1}}));
  EXPECT_EQ(c["alone"], (json{json::array(), {"joint3"}}));
  c = compared({"ur5", "--compare-motion", "in-turn"});
  EXPECT_EQ(c["labels"], (json{"default", "in-turn"}));
  EXPECT_EQ(c["motion"]["name"], "in-turn");
}

TEST(Report, RefusesWhatCannotBeCompared) {
  Scratch scratch;
  const std::string page = scratch.path("a.html"),
                    untimed =
                        scratch.file("q.csv", "q1,q2,v1,v2,a1,a2\n0,0,0,0,0,0\n0,1,0,0,0,0\n");
  auto refused = [&](std::vector<std::string> words, const std::string& says) {
    words.insert(words.begin(), "report");
    words.insert(words.end(), {"--no-formulations", "-o", page});
    const Ran ran = parid_program(words);
    EXPECT_EQ(ran.code, 2) << says;
    EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(page)) << says;
  };
  refused({"ur5", "--compare", "ur5"}, "--compare: both runs are the same");
  refused({"ur5", "--compare-payload", "none"}, "--compare-payload: both runs are the same");
  refused({"ur5", "--motion", "in-turn", "--compare-motion", "in-turn"}, "--compare-motion: both");
  refused({"ur5", "--compare", "panda"}, "--compare: ur5 has 6 degrees of freedom and panda has 7");
  refused({"ur5", "--compare", "pandda"}, "panda");
  refused({"ur5", "--compare-payload", "heavy"}, "--compare-payload");
  refused({"planar2", "--compare-motion", "nosuch"}, "nosuch");
  refused({"planar2", "--compare-motion", untimed}, "column of time");
}

TEST(Report, AServerNeedsFilesAndAFreePort) {
  const Ran input = parid_program({"report", "-", "--serve"});
  EXPECT_EQ(input.code, 2);
  EXPECT_NE(input.err.find("--serve: standard input"), std::string::npos) << input.err;
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  ASSERT_EQ(bind(listener, reinterpret_cast<const sockaddr*>(&at), size), 0);
  ASSERT_EQ(listen(listener, 1), 0);
  ASSERT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&at), &size), 0);
  const std::string port = std::to_string(ntohs(at.sin_port));
  const Ran busy = parid_program({"report", "planar2", "--serve", "--port", port});
  close(listener);
  EXPECT_EQ(busy.code, 2);
  EXPECT_NE(busy.err.find("--port: port " + port + " is in use"), std::string::npos) << busy.err;
}

// The program on a terminal, while it runs.
class OnTerminal {
 public:
  explicit OnTerminal(std::vector<std::string> words) {
    winsize size{.ws_row = 24, .ws_col = 120, .ws_xpixel = 0, .ws_ypixel = 0};
    child_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (child_ != 0) return;
    setenv("TERM", "dumb", 1);
    words.insert(words.begin(), PARID_PROGRAM);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(PARID_PROGRAM, arguments.data());
    _exit(127);
  }
  ~OnTerminal() { close(terminal_); }
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;
  // Reads until `part` was written; false: the program ended before.
  bool writes(const std::string& part) {
    char bytes[4096];
    while (text.find(part) == text.npos) {
      const ssize_t n = read(terminal_, bytes, sizeof bytes);
      if (n <= 0) return false;
      text.append(bytes, static_cast<std::size_t>(n));
    }
    return true;
  }
  int interrupted() {
    kill(child_, SIGINT);
    char bytes[4096];
    while (read(terminal_, bytes, sizeof bytes) > 0) {
    }
    int status = 0;
    waitpid(child_, &status, 0);
    return status;
  }
  std::string text;

 private:
  int terminal_ = -1;
  pid_t child_ = -1;
};

TEST(Report, ShowsItsProgressAndLeavesNoFileIfInterrupted) {
  Scratch scratch;
  const std::string folder = scratch.path("pages");
  std::filesystem::create_directory(folder);
  OnTerminal run({"report", "panda", "--all", "--poses", "2000", "-o", folder + "/a.html"});
  ASSERT_TRUE(run.writes(" left")) << run.text;
  EXPECT_NE(run.text.find(" %, "), std::string::npos) << run.text;
  const int status = run.interrupted();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(Report, ServesThePageUntilInterrupted) {
  Scratch scratch;
  const std::string arm = scratch.file("arm.toml", content("robots/planar2.toml"));
  OnTerminal run({"report", arm, "--no-formulations", "--serve", "--port", "0"});
  ASSERT_TRUE(run.writes("; Ctrl-C ends")) << run.text;
  const std::string mark = "http://127.0.0.1:";
  const int port = std::stoi(run.text.substr(run.text.find(mark) + mark.size()));
  auto get = [&](const std::string& path) {
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    EXPECT_EQ(connect(s, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
    const std::string request =
        "GET " + path + " HTTP/1.1\r\nHost: localhost:" + std::to_string(port) + "\r\n\r\n";
    EXPECT_EQ(send(s, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
    std::string all;
    char bytes[65536];
    for (ssize_t n; (n = recv(s, bytes, sizeof bytes, 0)) > 0;)
      all.append(bytes, static_cast<std::size_t>(n));
    close(s);
    return all;
  };
  // A request for changes is held until there is one.
  auto next = [&](int version) {
    std::string answer;
    for (int k = 0;
         k < 20 && answer.find("\"version\":" + std::to_string(version) + ",") == answer.npos; ++k)
      answer = get("/changes?since=" + std::to_string(version - 1));
    return answer;
  };
  EXPECT_NE(next(1).find("\"error\":null"), std::string::npos);
  EXPECT_EQ(data_of(get("/"))["robot"]["name"], "planar2");
  scratch.file("arm.toml", "name = <b>\n");
  EXPECT_NE(next(2).find("arm.toml:1: "), std::string::npos);
  EXPECT_EQ(data_of(get("/"))["robot"]["name"], "planar2");
  std::string good = content("robots/planar2.toml");
  good.replace(good.find("\"planar2\""), 9, "\"another\"");
  scratch.file("arm.toml", good);
  EXPECT_NE(next(3).find("\"error\":null"), std::string::npos);
  EXPECT_EQ(data_of(get("/"))["robot"]["name"], "another");
  const int status = run.interrupted();
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
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
