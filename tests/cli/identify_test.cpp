// parid identify and parid convert, as people run them.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/file/csv.hpp"
#include "base/file/npz.hpp"
#include "model/format/load.hpp"
#include "model/format/toml/toml_writer.hpp"
#include "tests/cli/program.hpp"
#include "tests/identification/measured_log.hpp"
#include "tests/identification/simulated_log.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

// As a CSV file would hold it; t in steps of 0.01.
void write_log(const std::string& path, const Robot& robot, const SampledTrajectory& log) {
  std::vector<std::string> columns{"t"};
  for (const std::string& n : robot.position_names()) columns.push_back("q:" + n);
  for (const char* part : {"v:", "a:", "tau:"})
    for (const std::string& n : robot.velocity_names()) columns.push_back(part + n);
  const std::size_t nq = robot.nq(), nv = robot.nv();
  std::vector<double> data;
  for (std::size_t r = 0; r < log.rows; ++r) {
    data.push_back(0.01 * static_cast<double>(r));
    data.insert(data.end(), &log.q[r * nq], &log.q[r * nq] + nq);
    for (const auto part : {&SampledTrajectory::v, &SampledTrajectory::a, &SampledTrajectory::tau})
      data.insert(data.end(), &(log.*part)[r * nv], &(log.*part)[r * nv] + nv);
  }
  write_csv(path, columns, data);
}

struct Bench {
  Scratch scratch;
  Robot truth = Robot::load("scara");
  std::string robot, log, other;

  Bench() {
    Rng rng(1);
    Truth t;
    t.noise.assign(4, 0.02);
    t.viscous.assign(4, 0.7);
    t.coulomb.assign(4, 1.2);
    robot = scratch.file("guess.toml", to_toml(guessed(truth.description(), rng)));
    log = scratch.path("log.csv");
    other = scratch.path("other.csv");
    write_log(log, truth, simulated_log(rng, truth, 400, t));
    write_log(other, truth, simulated_log(rng, truth, 100, t));
  }
};

TEST(CliIdentify, WritesARobotThatChecksAndRuns) {
  const Bench b;
  const std::string out = b.scratch.path("found.toml");
  const Ran ran = parid_program({"identify", b.robot, b.log, "--validate", b.other, "-o", out});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_TRUE(contains(ran.out, "400 samples, 1600 equations"));
  EXPECT_TRUE(contains(ran.out, "Validation on other logs"));
  const Ran check = parid_program({"check", out});
  EXPECT_EQ(check.code, 0) << check.out;
  EXPECT_EQ(parid_program({"torque", out}).code, 0);
  const std::string text = content(out);
  EXPECT_TRUE(contains(text, "identified by `parid identify` from log.csv")) << text;
  EXPECT_TRUE(contains(text, "± "));
  for (const JointDescription& j : load_description(out).joints) {
    EXPECT_NEAR(j.damping, 0.7, 0.02) << j.name;
    EXPECT_NEAR(j.friction, 1.2, 0.03) << j.name;
  }
  // Again from there: nothing left to find.
  const Ran again = parid_program({"identify", out, b.log, "--json"});
  const auto json = nlohmann::json::parse(again.out);
  EXPECT_NEAR(json["relative_residual"], json["relative_residual_given"], 1e-4);
}

// Where gravity turns joints back, so that drives are driven too: else losses look as more
// friction.
TEST(CliIdentify, LossesOfDrivesAreKeysOfTheFile) {
  Scratch scratch;
  Rng rng(2);
  const Robot arm = Robot::load("planar3");
  Truth t;
  t.efficiency.assign(3, 0.8);
  t.viscous.assign(3, 0.7);
  t.coulomb.assign(3, 1.2);
  const std::string guess = scratch.file("guess.toml", to_toml(guessed(arm.description(), rng))),
                    log = scratch.path("log.csv"), out = scratch.path("found.toml");
  write_log(log, arm, simulated_log(rng, arm, 400, t));
  const Ran ran = parid_program({"identify", guess, log, "--drives", "-o", out});
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const JointDescription& j : load_description(out).joints) {
    ASSERT_TRUE(j.drive) << j.name;
    EXPECT_NEAR(efficiency(*j.drive, 1), 0.8, 1e-6) << j.name;
  }
  EXPECT_TRUE(contains(parid_program({"info", out}).out, "drive η 0.8\n"));
  // From there on the drives are known, and nothing remains to be identified.
  const Ran again = parid_program({"identify", out, log, "--json"});
  const auto json = nlohmann::json::parse(again.out);
  EXPECT_LT(json["relative_residual_given"], 1e-6);
  EXPECT_TRUE(contains(json["notes"][0], "drives of ")) << json["notes"];
}

TEST(CliIdentify, JsonSaysTheSame) {
  const Bench b;
  const Ran ran = parid_program({"identify", b.robot, b.log, "--validate", b.other, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["schema"], "parid.identify/1");
  EXPECT_EQ(json["samples"], 400);
  EXPECT_LT(json["condition"], 300);
  EXPECT_LT(json["validation_relative_residual"], 0.01);
  EXPECT_GT(json["relative_residual_given"], 0.1);
  EXPECT_EQ(json["torques"].size(), 4u);
  EXPECT_NEAR(json["torques"][1]["noise"], 0.02, 0.003);
  bool combined = false;
  for (const auto& p : json["parameters"]) {
    EXPECT_TRUE(p["found"]);
    EXPECT_GT(p["standard_error"], 0);
    combined |= contains(p["meaning"], " + ");
  }
  EXPECT_TRUE(combined);
}

TEST(CliIdentify, TakesNumpyAndDerivesWhatIsMissing) {
  Scratch scratch;
  // Along the suggested motion, with positions and torques only.
  const std::string motion = scratch.path("motion.csv");
  const Ran suggested = parid_program({"identify", "planar2", "--suggest", "-o", motion});
  ASSERT_EQ(suggested.code, 0) << suggested.err;
  EXPECT_TRUE(contains(suggested.err, "condition number"));
  EXPECT_TRUE(contains(suggested.err, "Collisions are not checked"));
  const Ran torques = parid_program({"torque", "planar2", motion, "-o", scratch.path("tau.csv")});
  ASSERT_EQ(torques.code, 0);
  EXPECT_EQ(torques.err, "");  // no limit broken
  const Table m = read_csv(motion), tau = read_csv(scratch.path("tau.csv"));
  Array q{{m.rows, 2}, {}}, t{{m.rows}, {}}, u{{m.rows, 2}, {}};
  for (std::size_t r = 0; r < m.rows; ++r) {
    t.data.push_back(m.at(r, 0));
    for (std::size_t k = 0; k < 2; ++k) {
      q.data.push_back(m.at(r, 1 + k));
      u.data.push_back(tau.at(r, 1 + k));
    }
  }
  write_npz(scratch.path("log.npz"), {{"q", q}, {"t", t}, {"tau", u}});
  const Ran without = parid_program({"identify", "planar2", scratch.path("log.npz")});
  EXPECT_EQ(without.code, 2);
  EXPECT_TRUE(contains(without.err, "--derive")) << without.err;
  const Ran ran =
      parid_program({"identify", "planar2", scratch.path("log.npz"), "--derive", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_LT(json["relative_residual"], 1e-4);
  for (const auto& p : json["parameters"]) EXPECT_NEAR(p["value"], p["given"], 1e-2) << p["name"];
}

// Positions and torques of noisy encoders, as most drives log them.
struct NoisyBench {
  Scratch scratch;
  Robot truth = Robot::load("ur5");
  std::string robot, log, out;

  explicit NoisyBench(double coulomb = 1) {
    Rng rng(31);
    robot = scratch.file("guess.toml", to_toml(guessed(truth.description(), rng)));
    log = scratch.path("log.csv");
    out = scratch.path("found.toml");
    ExcitationOptions o;
    o.trials = 30;
    Measurement how;
    how.coulomb = coulomb;
    const SampledTrajectory m = measured_log(rng, truth, excitation_motion(truth, o).motion, how);
    write(log, m);
  }
  void write(const std::string& path, const SampledTrajectory& m) const {
    std::vector<std::string> columns{"t"};
    for (const char* part : {"q:", "tau:"})
      for (const std::string& n : truth.velocity_names()) columns.push_back(part + n);
    std::vector<double> data;
    for (std::size_t r = 0; r < m.rows; ++r) {
      data.push_back(m.t[r]);
      data.insert(data.end(), &m.q[6 * r], &m.q[6 * r] + 6);
      data.insert(data.end(), &m.tau[6 * r], &m.tau[6 * r] + 6);
    }
    write_csv(path, columns, data);
  }
};

TEST(CliIdentify, FiltersNoisyEncoders) {
  const NoisyBench b;
  const Ran ran = parid_program({"identify", b.robot, b.log, "--derive", "-o", b.out});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "log.csv: butterworth filter, cut-off ")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "(from the spectrum) at 100 samples/s; noise of positions"));
  EXPECT_TRUE(contains(content(b.out), "# Filter: butterworth, cut-off")) << content(b.out);
  EXPECT_EQ(parid_program({"check", b.out}).code, 0);
  for (const char* kind : {"butterworth", "savitzky-golay"}) {
    const Ran json =
        parid_program({"identify", b.robot, b.log, "--filter", kind, "--cutoff", "4", "--json"});
    ASSERT_EQ(json.code, 0) << json.err;
    const auto found = nlohmann::json::parse(json.out);
    EXPECT_EQ(found["verdict"], "good");
    EXPECT_EQ(found["filters"][0]["kind"], kind);
    EXPECT_EQ(found["filters"][0]["cutoff"], 4);
    EXPECT_EQ(found["filters"][0]["chosen"], false);
    EXPECT_NEAR(found["filters"][0]["position_noise"][0], 1e-4, 3e-5);
    EXPECT_LT(found["relative_residual"], 0.01);
    EXPECT_GT(found["relative_noise"], 0.0005);
    EXPECT_GT(found["torques"][0]["expected_rms"], 0);
  }
}

// What used to end with exit code 0 and a useless robot.
TEST(CliIdentify, RefusesAPoorFit) {
  const NoisyBench b;
  const Ran ran =
      parid_program({"identify", b.robot, b.log, "--derive", "--filter", "none", "-o", b.out});
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(contains(ran.err, "error: the fit is poor: the residual is")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "--filter butterworth")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "was not written")) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(b.out));
  EXPECT_EQ(parid_program({"identify", b.robot, b.log, "--derive", "--filter", "none", "--quiet"})
                .err.substr(0, 5),
            "error");
  const Ran kept = parid_program({"identify", b.robot, b.log, "--derive", "--filter", "none",
                                  "--max-residual", "0.9", "-o", b.out});
  EXPECT_EQ(kept.code, 0) << kept.err;
  EXPECT_TRUE(std::filesystem::exists(b.out));
}

TEST(CliIdentify, WarnsIfTheModelLacksAnEffect) {
  const NoisyBench b(8);
  std::vector<std::string> words{"identify", b.robot, b.log, "--derive", "--friction", "viscous"};
  const Ran warned = parid_program(words);
  EXPECT_EQ(warned.code, 0) << warned.err;
  EXPECT_TRUE(contains(warned.err, "warning: the fit is worse than the noise")) << warned.err;
  EXPECT_TRUE(contains(warned.err, "--friction auto")) << warned.err;
  words.insert(words.end(), {"--max-noise-ratio", "3", "-o", b.out});
  const Ran refused = parid_program(words);
  EXPECT_EQ(refused.code, 1);
  EXPECT_FALSE(std::filesystem::exists(b.out));
  const Ran chosen =
      parid_program({"identify", b.robot, b.log, "--derive", "--friction", "auto", "--json"});
  ASSERT_EQ(chosen.code, 0) << chosen.err;
  const auto json = nlohmann::json::parse(chosen.out);
  EXPECT_EQ(json["friction"], "coulomb") << json["friction_scores"].dump(1);
  EXPECT_EQ(json["friction_scores"].size(), 6);
  EXPECT_EQ(json["verdict"], "good");
}

TEST(CliIdentify, NamesTheGapInALog) {
  const NoisyBench b;
  std::string text = content(b.log);
  std::size_t at = 0;
  for (int k = 0; k < 100; ++k) at = text.find('\n', at) + 1;
  text.erase(at, text.find('\n', at) + 1 - at);
  const Ran ran = parid_program({"identify", b.robot, b.scratch.file("gap.csv", text), "--derive"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(contains(ran.err, "gap.csv:101: the step from t = 0.98 to 1 is 0.02 s")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "a sample is missing; split the log there")) << ran.err;
}

TEST(CliIdentify, MendsAnImpossibleUrdf) {
  Scratch scratch;
  const char* const arm = R"(<robot name="arm"><link name="base"/>
  <link name="rod"><inertial><origin xyz="0 0 {}"/><mass value="{}"/>
    <inertia ixx="0.02" iyy="0.02" izz="{}" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/>
    <axis xyz="0 1 0"/></joint></robot>)";
  auto filled = [&](std::vector<std::string> values) {
    std::string text = arm;
    for (const std::string& v : values) text.replace(text.find("{}"), 2, v);
    return text;
  };
  const std::string wrong = scratch.file("wrong.urdf", filled({"0.1", "1", "0.1"}));
  const Robot truth = Robot::load(scratch.file("true.urdf", filled({"0.3", "2", "0.001"})));
  Rng rng(2);
  const std::string log = scratch.path("log.csv"), out = scratch.path("mended.toml");
  write_log(log, truth, simulated_log(rng, truth, 50));
  EXPECT_EQ(parid_program({"check", wrong}).code, 1);
  const Ran ran = parid_program({"identify", wrong, log, "-o", out});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.err, "wrong.urdf:2")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "a physically impossible inertia"));
  EXPECT_EQ(parid_program({"check", out}).code, 0);
  const Description mended = load_description(out);
  const Inertia& rod = *mended.links[1].inertia;
  EXPECT_NEAR(rod.mass * rod.com.z, 0.6, 1e-5);
}

TEST(CliIdentify, SaysWhatIsWrongAndWhere) {
  const Bench b;
  const std::string text = content(b.log);
  auto complaint_of = [&](const std::string& log, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"identify", b.robot};
    if (!log.empty()) words.push_back(log);
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = parid_program(words);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    return ran.err;
  };
  EXPECT_TRUE(contains(complaint_of(""), "identify: no log"));

  const std::string header = text.substr(0, text.find('\n'));
  const std::string without =
      text.substr(0, header.find(",tau:")) + "\n" + "0,0,0,0,0,0,0,0,0,0,0,0,0\n";
  const std::string missing = complaint_of(b.scratch.file("missing.csv", without));
  EXPECT_TRUE(contains(missing, "missing.csv:1")) << missing;
  EXPECT_TRUE(contains(missing, "tau:")) << missing;
  EXPECT_TRUE(contains(missing, "measured")) << missing;

  std::string bad = text;
  const std::size_t third = bad.find('\n', bad.find('\n') + 1) + 1;
  bad.replace(third, bad.find(',', third) - third, "nan");
  const std::string nan = complaint_of(b.scratch.file("nan.csv", bad));
  EXPECT_TRUE(contains(nan, "nan.csv:3")) << nan;
  EXPECT_TRUE(contains(nan, "finite")) << nan;

  std::size_t end = 0;
  for (int k = 0; k < 4; ++k) end = text.find('\n', end) + 1;
  const std::string few = complaint_of(b.scratch.file("few.csv", text.substr(0, end)));
  EXPECT_TRUE(contains(few, "3 samples")) << few;
  EXPECT_TRUE(contains(few, "longer logs")) << few;

  EXPECT_TRUE(contains(complaint_of(b.log, {"-o", b.scratch.path("robot.csv")}), ".toml"));
  EXPECT_TRUE(contains(complaint_of(b.log, {"--suggest"}), "no logs are needed"));
}

TEST(CliConvert, UrdfToTomlAndBack) {
  Scratch scratch;
  for (const char* name : {"panda", "puma560", "quadruped"}) {
    const std::string out = scratch.path(std::string(name) + ".toml");
    const Ran ran = parid_program({"convert", name, out});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(parid_program({"check", out}).code, 0);
    const Ran a = parid_program({"torque", name}), b = parid_program({"torque", out});
    const Table x = read_csv(scratch.file("a.csv", a.out)),
                y = read_csv(scratch.file("b.csv", b.out));
    ASSERT_EQ(x.data.size(), y.data.size());
    for (std::size_t k = 0; k < x.data.size(); ++k) EXPECT_NEAR(x.data[k], y.data[k], 1e-10);
  }
  const Ran json = parid_program({"convert", "ur5", scratch.path("ur5.toml"), "--json"});
  EXPECT_EQ(nlohmann::json::parse(json.out)["joints"], 6);
  const Ran ending = parid_program({"convert", "ur5", scratch.path("ur5.txt")});
  EXPECT_EQ(ending.code, 2);
  EXPECT_TRUE(contains(ending.err, "end it in .toml, .urdf, .xml or .mjcf"));
}

TEST(CliConvert, ToUrdfWithWhatItCannotSayBesideIt) {
  Scratch scratch;
  const std::string urdf = scratch.path("arm.urdf"), toml = scratch.path("arm.toml");
  for (int again = 0; again < 2; ++again) {  // what it wrote itself it may write again
    const Ran ran = parid_program({"convert", "puma560-positioning", urdf, "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(contains(ran.err, "note: gravity, bearings and drives")) << ran.err;
    const auto json = nlohmann::json::parse(ran.out);
    EXPECT_EQ(json["beside"], toml);
    EXPECT_EQ(json["notes"].size(), 1u);
  }
  const Ran a = parid_line("torque puma560-positioning --friction"),
            b = parid_program({"torque", toml, "--friction"});
  const Table x = read_csv(scratch.file("a.csv", a.out)),
              y = read_csv(scratch.file("b.csv", b.out));
  ASSERT_EQ(x.data.size(), y.data.size());
  for (std::size_t k = 0; k < x.data.size(); ++k) EXPECT_NEAR(x.data[k], y.data[k], 1e-10);

  const Ran plain = parid_program({"convert", "panda", scratch.path("panda.urdf"), "--json"});
  EXPECT_TRUE(nlohmann::json::parse(plain.out)["beside"].is_null());
  EXPECT_FALSE(std::filesystem::exists(scratch.path("panda.toml")));
}

TEST(CliConvert, NeverOverTheRobotItReads) {
  Scratch scratch;
  const std::string arm = scratch.path("arm.toml"), urdf = scratch.path("arm.urdf");
  ASSERT_EQ(parid_program({"convert", "puma560-positioning", arm}).code, 0);
  const std::string before = content(arm);
  const Ran ran = parid_program({"convert", arm, urdf});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(contains(ran.err, "arm.toml: the file exists already")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "choose another name for the URDF file")) << ran.err;
  EXPECT_EQ(content(arm), before);
  EXPECT_FALSE(std::filesystem::exists(urdf));
}

}  // namespace
}  // namespace parid::test
