// The program while memory or the disk fails, at every single call in turn: each run ends with
// success and the right result, or with exit code 2 and a message. It never ends by a signal,
// leaves no temporary file, and leaves an output that was there as it was. failing_calls.cpp makes
// the calls fail.
//
// Ordinary runs try calls spread over the whole of a run, full ones every call.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/file/hdf5.hpp"
#include "tests/cli/program.hpp"
#include "tests/full.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

namespace fs = std::filesystem;

// What fails, and whether the calls after it do too.
struct Fault {
  const char* what;
  bool on = false;
  const char* error = "5";  // EIO; 28 is ENOSPC
};

struct Command {
  std::vector<std::string> words;  // without the output
  std::string output = "";         // name of the file it writes; empty: none
  std::string old = "as it was";   // what stands there before
  // A failed run may leave .partial and .journal, from which the same command continues.
  bool resumes = false;
  bool timed = false;     // standard output has times or the folder's name in it
  bool measured = false;  // the output has times in it: whole where it begins and ends as it should
};

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory()) names.insert(fs::relative(entry.path(), folder).string());
  return names;
}

class Injection : public testing::Test {
 protected:
  void SetUp() override {
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "calls cannot be replaced in this build";
#endif
  }

  // One run in its own folder, with the files in it afterwards.
  struct Result {
    Ran ran;
    std::string written;
    std::set<std::string> left;
    long calls = 0;
  };
  // If it failed and `again` is set, the same command follows without faults, and counts.
  Result run(const Command& c, const std::map<std::string, std::string>& faults, bool counted,
             Ran* again = nullptr) {
    Scratch folder;
    fs::create_directory(folder.path("out"));
    fs::create_directory(folder.path("home"));
    Around around;
    around.environment = {{"XDG_CACHE_HOME", folder.path("home")}, {"TMPDIR", folder.path("home")}};
    Around failing = around;
    failing.environment.insert(faults.begin(), faults.end());
    failing.environment["LD_PRELOAD"] = PARID_FAILING_CALLS;
    if (counted) failing.environment["PARID_FAIL_COUNT"] = folder.path("count");
    std::vector<std::string> words = c.words;
    for (std::string& w : words)
      if (w == "@OUT")
        w = folder.path("out/" + c.output);
      else if (w == "@FOLDER")
        w = folder.path("out");
    if (!c.output.empty() && !c.old.empty()) folder.file("out/" + c.output, c.old);
    Result r;
    r.ran = parid_program(words, failing);
    if (!c.output.empty()) r.written = content(folder.path("out/" + c.output));
    r.left = names_in(folder.path("out"));
    for (const std::string& name : names_in(folder.path("home"))) r.left.insert("home/" + name);
    if (counted) r.calls = std::stol(content(folder.path("count")));
    if (again && r.ran.code == 2 && r.written == c.old) {
      *again = parid_program(words, around);
      r.written = content(folder.path("out/" + c.output));
    }
    return r;
  }

  std::map<std::string, std::string> environment(const Fault& f, long at) {
    std::map<std::string, std::string> e{{"PARID_FAIL", f.what},
                                         {"PARID_FAIL_AT", std::to_string(at)},
                                         {"PARID_FAIL_ERROR", f.error}};
    if (f.on) e["PARID_FAIL_ON"] = "1";
    return e;
  }

  static bool whole(const Command& c, const std::string& written, const std::string& good) {
    if (!c.measured) return written == good;
    return written.size() > good.size() / 2 && written.starts_with(good.substr(0, 200)) &&
           written.ends_with(good.substr(good.size() - 30));
  }

  void fail_each(const Command& c, const Fault& f, int sample) {
    const Result good = run(c, environment(f, 0), true);
    ASSERT_EQ(good.ran.code, 0) << good.ran.err;
    ASSERT_GT(good.calls, 0);
    const long tries = std::min<long>(full_tests() ? good.calls : sample, good.calls);
    int failed = 0;
    for (long t = 0; t < tries; ++t) {
      const long at = 1 + t * good.calls / tries;
      Ran again{0, "", ""};
      const Result r = run(c, environment(f, at), false, c.resumes ? &again : nullptr);
      const std::string of = c.words[0] + ", " + f.what + " call " + std::to_string(at) +
                             (f.on ? " and after" : "") + " of " + std::to_string(good.calls) +
                             "\n" + r.ran.err;
      ASSERT_TRUE(r.ran.code == 0 || r.ran.code == 2) << "code " << r.ran.code << ": " << of;
      std::set<std::string> may = good.left;
      if (r.ran.code == 0) {
        EXPECT_TRUE(c.timed || r.ran.out == good.ran.out) << of << r.ran.out;
        EXPECT_TRUE(whole(c, r.written, good.written)) << of;
      } else {
        ++failed;
        EXPECT_GT(r.ran.err.size(), 10u) << of;
        EXPECT_TRUE(r.ran.err.ends_with('\n')) << of;
        EXPECT_TRUE(whole(c, r.written, good.written) || (!c.resumes && r.written == c.old)) << of;
        EXPECT_EQ(again.code, 0) << of << again.err;
        if (c.resumes) may.insert({c.output + ".partial", c.output + ".journal"});
      }
      for (const std::string& name : r.left)
        EXPECT_TRUE(may.contains(name)) << "left: " << name << "; " << of;
      if (HasFailure()) return;
    }
    EXPECT_GT(failed, 0) << "no fault was seen";
  }
  void fail_memory(const Command& c, int sample) {
    fail_each(c, {"allocation"}, sample);
    fail_each(c, {"allocation", true}, sample);
  }
  void fail_files(const Command& c, int sample) {
    fail_each(c, {"file"}, sample);
    fail_each(c, {"disk", true, "28"}, sample);
  }

  // A tree with a slide, not built in, with names of its own.
  std::string robot_file(Scratch& folder) {
    return folder.file("arm.urdf", R"(<robot name="own arm">
  <link name="base"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="upper"/>
    <origin xyz="0.1 0 0.3" rpy="0 0.2 0"/><axis xyz="0 0 -1"/>
    <limit lower="-2" upper="2" velocity="3" effort="90"/></joint>
  <link name="upper"><inertial><origin xyz="0 0 0.2"/><mass value="4"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="slide" type="prismatic"><parent link="upper"/><child link="rod"/>
    <origin xyz="0 0.1 0.3" rpy="1.2 0 0"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="0.5" velocity="1" effort="200"/></joint>
  <link name="rod"><inertial><origin xyz="0 0 0.1"/><mass value="1.5"/>
    <inertia ixx="0.02" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="side" type="continuous"><parent link="upper"/><child link="wing"/>
    <origin xyz="0.2 0 0"/><axis xyz="0 1 0"/></joint>
  <link name="wing"><inertial><origin xyz="0.1 0 0.05"/><mass value="1"/>
    <inertia ixx="0.02" iyy="0.03" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
</robot>
)");
  }
};

TEST_F(Injection, TorqueWithoutMemory) {
  Scratch folder;
  const std::string robot = robot_file(folder);
  fail_memory({{"torque", robot, "--threads", "2"}}, 40);
  fail_memory({{"torque", robot, "-o", "@OUT"}, "tau.csv"}, 40);
  fail_memory({{"torque", robot, "-o", "@OUT"}, "tau.npz"}, 20);
}

TEST_F(Injection, CheckWithoutMemory) {
  Scratch folder;
  fail_memory({{"check", robot_file(folder)}}, 40);
  fail_memory({{"check", "puma560", "--json"}}, 20);
}

TEST_F(Injection, FilesOfTorque) {
  Scratch folder;
  const std::string robot = robot_file(folder);
  for (const char* name : {"tau.csv", "tau.npy", "tau.npz"})
    fail_files({{"torque", robot, "-o", "@OUT"}, name}, 100);
}

TEST_F(Injection, FilesOfGenerateReportAndConvert) {
  Scratch folder;
  const std::string robot = robot_file(folder);
  Command generate{{"generate", robot, "inverse", "-o", "@FOLDER"}, "own_arm_inverse.c"};
  generate.timed = true;
  fail_files(generate, 100);
  Command report{{"report", robot, "-o", "@OUT"}, "arm.html"};
  report.timed = report.measured = true;
  fail_files(report, 25);
  fail_files({{"convert", robot, "@OUT"}, "arm.toml"}, 100);
  fail_files({{"convert", "puma560", "@OUT"}, "arm.urdf"}, 100);
}

// A log that cannot be written does not end what writes it.
TEST(StandardError, IsDroppedWhereItCannotBeWritten) {
  const std::string line = "torque puma560 --verify --json";
  const Ran good = parid_line(line);
  ASSERT_EQ(good.code, 0) << good.err;
  for (const Around& around : {Around{.error = "/dev/full"}, Around{.closed = {2}}}) {
    const Ran ran = parid_line(line, around);
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.out, good.out);
    EXPECT_EQ(parid_line("torque puma560 --verify", around).code, 0);
    EXPECT_EQ(parid_line("torque no-such-robot", around).code, 2);
    EXPECT_EQ(parid_line("torque", around).code, 2);
    EXPECT_EQ(parid_line("no-such-command", around).code, 2);
    EXPECT_EQ(parid_line("", around).code, 2);
    EXPECT_EQ(parid_line("simulate planar2 --time 0.1", around).code, 0);
  }
}

// Nor do its messages get into a file that has its number.
TEST(StandardError, IsNotTheOutputsDescriptor) {
  Scratch folder;
  const std::string out = folder.path("tau.csv"), there = folder.path("there.csv");
  ASSERT_EQ(parid_line("torque puma560 --verify -o " + out).code, 0);
  for (const std::vector<int>& closed :
       {std::vector{2}, std::vector{1, 2}, std::vector{0, 1, 2}, std::vector{0, 2}}) {
    EXPECT_EQ(parid_line("torque puma560 --verify -o " + there, {.closed = closed}).code, 0);
    EXPECT_EQ(content(there), content(out));
  }
}

TEST(StandardOutput, IsAnErrorWhereItCannotBeWritten) {
  for (const char* line :
       {"torque puma560", "torque puma560 --json", "torque puma560 --explain", "check puma560",
        "check puma560 --json", "robots", "info puma560", "--help", "torque --help", "help check",
        "--version", "completion bash", "generate planar2 inverse", "convert planar2 -",
        "compare planar2", "schedule planar2 --processors 2"}) {
    ASSERT_EQ(parid_line(line).code, 0) << line;
    for (const Around& around : {Around{.output = "/dev/full"}, Around{.closed = {1}}}) {
      const Ran ran = parid_line(line, around);
      EXPECT_EQ(ran.code, 2) << line;
      EXPECT_TRUE(contains(ran.err, "standard output: cannot write")) << line << ran.err;
    }
    EXPECT_EQ(parid_line(line, {.output = "/dev/full", .error = "/dev/full"}).code, 2) << line;
    EXPECT_EQ(parid_line(line, {.closed = {0, 1, 2}}).code, 2) << line;
  }
}

#ifdef PARID_HAS_HDF5
class InjectionIntoBatch : public Injection {
 protected:
  void SetUp() override {
    Injection::SetUp();
    if (IsSkipped()) return;
    std::map<std::string, Array> arrays;
    for (const char* name : {"q", "v", "tau"}) {
      Array x{{700, 3}, {}};
      for (std::size_t k = 0; k < 2100; ++k)
        x.data.push_back(0.4 * std::sin(1.0 + 0.1 * static_cast<double>(k) * name[0]));
      arrays[name] = x;
    }
    write_hdf5(in, arrays);
  }
  Command command(bool over) {
    Command c{{"batch", robot_file(scratch), "forward", in, "@OUT", "--threads", "2", "--block",
               "100", "--checkpoint", "0"},
              "out.h5"};
    c.resumes = c.timed = true;
    if (over)
      c.words.push_back("--overwrite");
    else
      c.old = "";
    return c;
  }
  Scratch scratch;
  const std::string in = scratch.path("in.h5");
};

// Only allocations of C++: libhdf5 recurses endlessly if it cannot allocate an error report. A case
// for each kind, so that they can run beside one another.
TEST_F(InjectionIntoBatch, WithoutMemoryOnce) { fail_each(command(false), {"new"}, 25); }
TEST_F(InjectionIntoBatch, WithoutMemoryFromThenOn) {
  fail_each(command(false), {"new", true}, 25);
}
TEST_F(InjectionIntoBatch, OverwritingWithoutMemoryOnce) { fail_each(command(true), {"new"}, 8); }
TEST_F(InjectionIntoBatch, OverwritingWithoutMemoryFromThenOn) {
  fail_each(command(true), {"new", true}, 8);
}

TEST_F(InjectionIntoBatch, Files) {
  fail_files(command(false), 30);
  fail_files(command(true), 8);
}
#endif

}  // namespace
}  // namespace parid::test
