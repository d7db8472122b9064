// Engines with specialized kernels: the same torques, the same bits at every row, and a cache that
// survives damage.

#include "codegen/compile/compile.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/process/unfinished.hpp"
#include "codegen/compile/cache.hpp"
#include "model/description.hpp"
#include "model/format/toml/toml_writer.hpp"
#include "parid/dynamics.hpp"
#include "parid/kinematics.hpp"
#include "parid/parid.hpp"
#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

// A cache of this test's own, for as long as it lives.
class Compile : public testing::Test {
 protected:
  Compile() { setenv("PARID_CACHE", cache().c_str(), 1); }
  ~Compile() override {
    unsetenv("PARID_CACHE");
    unsetenv("PARID_CC");
  }
  std::string cache() const { return scratch_.path("cache"); }
  std::string path(const char* name) const { return scratch_.path(name); }

  // Runs these lines of shell before the compiler, with its arguments: --version, or a compilation.
  void run_before_compiler(const std::string& lines) {
    const std::string script =
        scratch_.file("compiler", "#!/bin/sh\n" + lines + "\nexec cc \"$@\"\n");
    chmod(script.c_str(), 0700);
    setenv("PARID_CC", script.c_str(), 1);
  }

 private:
  Scratch scratch_;
};

struct Batch {
  std::size_t rows;
  std::vector<double> q, v, a;
};
Batch batch(const Robot& r, std::size_t rows) {
  Rng rng(5);
  Batch b{rows, {}, {}, {}};
  for (std::size_t k = 0; k < rows; ++k) {
    const RandomState s = random_state(rng, r.description());
    b.q.insert(b.q.end(), s.q.begin(), s.q.end());
    b.v.insert(b.v.end(), s.v.begin(), s.v.end());
    b.a.insert(b.a.end(), s.a.begin(), s.a.end());
  }
  return b;
}
double relative(const std::vector<double>& x, const std::vector<double>& y) {
  double off = 0, scale = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    off = std::max(off, std::abs(x[k] - y[k]));
    scale = std::max(scale, std::abs(y[k]));
  }
  return off / scale;
}

TEST_F(Compile, EnginesGiveTheSameTorques) {
  for (const char* name : {"puma560", "panda", "quadruped", "planar2"}) {
    const Robot robot = Robot::load(name);
    Engine generic(robot, {.kernel = KernelKind::generic}),
        own(robot, {.threads = 2, .single_precision = true});
    if (own.kernel() != KernelKind::compiled) GTEST_SKIP() << own.note();
    for (const std::size_t rows : {1u, 3u, 8u, 17u, 1000u}) {
      const Batch b = batch(robot, rows);
      std::vector<double> x(rows * robot.nv()), y(x.size());
      generic.inverse_dynamics(rows, b.q, b.v, b.a, y);
      own.inverse_dynamics(rows, b.q, b.v, b.a, x);
      EXPECT_LT(relative(x, y), 1e-12) << name << " " << rows;
      std::vector<float> q(b.q.begin(), b.q.end()), v(b.v.begin(), b.v.end()),
          a(b.a.begin(), b.a.end()), t(x.size());
      own.inverse_dynamics(rows, q, v, a, t);
      EXPECT_LT(relative(std::vector<double>(t.begin(), t.end()), y), 1e-4) << name << " in float";
    }
    // With a wrench the robot's own kernel cannot: the generic one answers.
    own.set_wrench(robot.tip(), {1, 2, 3}, {0, 0, 0});
    generic.set_wrench(robot.tip(), {1, 2, 3}, {0, 0, 0});
    const Batch b = batch(robot, 20);
    std::vector<double> x(20 * robot.nv()), y(x.size());
    generic.inverse_dynamics(20, b.q, b.v, b.a, y);
    own.inverse_dynamics(20, b.q, b.v, b.a, x);
    EXPECT_EQ(x, y) << name;
  }
}

TEST_F(Compile, ARowsBitsDoNotDependOnItsPlace) {
  const Robot robot = Robot::load("puma560");
  Engine one(robot, {.threads = 1}), two(robot, {.threads = 2});
  if (one.kernel() != KernelKind::compiled) GTEST_SKIP() << one.note();
  const std::size_t rows = 1003, n = robot.nv();
  const Batch b = batch(robot, rows);
  std::vector<double> x(rows * n), y(rows * n), alone(n);
  one.inverse_dynamics(rows, b.q, b.v, b.a, x);
  two.inverse_dynamics(rows, b.q, b.v, b.a, y);
  EXPECT_EQ(x, y);
  for (const std::size_t r : {0u, 7u, 500u, 1002u}) {
    auto row = [&](const std::vector<double>& z) { return std::span(z).subspan(r * n, n); };
    one.inverse_dynamics(1, row(b.q), row(b.v), row(b.a), alone);
    for (std::size_t k = 0; k < n; ++k) EXPECT_EQ(alone[k], x[r * n + k]) << r;
  }
}

const char* const answer = "int answer(void) { return 42; }\n";
int asked(const CompiledLibrary& l) { return reinterpret_cast<int (*)()>(l.function("answer"))(); }

TEST_F(Compile, CachesAndMendsItsCache) {
  std::string note;
  auto first = compile(answer, note);
  if (!first) GTEST_SKIP() << note;
  EXPECT_FALSE(first->from_cache());
  EXPECT_EQ(asked(*first), 42);
  EXPECT_THROW(first->function("nothing"), std::runtime_error);
  const std::string path = first->path();
  first.reset();
  EXPECT_TRUE(compile(answer, note)->from_cache());
  EXPECT_FALSE(compile(std::string(answer) + "\n", note)->from_cache());  // other content
  for (const char* rubbish : {"", "not a library"}) {  // half written, overwritten
    std::filesystem::remove(path);
    std::ofstream(path) << rubbish;
    chmod(path.c_str(), 0700);
    const auto again = compile(answer, note);
    ASSERT_TRUE(again) << note;
    EXPECT_FALSE(again->from_cache());
    EXPECT_EQ(asked(*again), 42);
  }
  int files = 0;
  for (const auto& f : std::filesystem::directory_iterator(cache())) files += f.is_regular_file();
  EXPECT_EQ(files, 2);  // two entries and nothing left over
}

void replace(const std::string& path, const std::string& content) {
  std::filesystem::remove(path);  // a new file: the old one may still be loaded
  std::ofstream(path, std::ios::binary) << content;
  chmod(path.c_str(), 0700);
}

// Effects of a power cut, a full disk or a failing one on an entry. The loader would accept most of
// these, and the process would crash at a missing page.
TEST_F(Compile, DamagedEntriesAreMadeAgain) {
  std::string note;
  auto first = compile(answer, note);
  if (!first) GTEST_SKIP() << note;
  const std::string path = first->path(), good = content(path);
  first.reset();
  std::vector<std::string> damaged = {good + "more", good.substr(0, good.size() - 1),
                                      good.substr(0, good.rfind("\nparid: "))};
  for (std::size_t size = 0; size < good.size(); size += 512)
    damaged.push_back(good.substr(0, size));
  for (const std::size_t at : {good.size() / 2, good.size() - 2}) {
    damaged.push_back(good);
    damaged.back()[at] ^= 1;
  }
  damaged.push_back(good.substr(0, good.size() / 2) + std::string(good.size() / 2, '\0'));
  for (const std::string& bytes : damaged) {
    replace(path, bytes);
    const auto again = compile(answer, note);
    ASSERT_TRUE(again) << note;
    EXPECT_FALSE(again->from_cache()) << bytes.size();
    EXPECT_EQ(asked(*again), 42);
  }
  EXPECT_TRUE(compile(answer, note)->from_cache());
}

TEST_F(Compile, EnginesSurviveADamagedCache) {
  const Robot robot = Robot::load("planar2");
  const Batch b = batch(robot, 20);
  std::vector<double> x(20 * robot.nv()), y(x.size());
  {
    Engine engine(robot, {.threads = 1});
    if (engine.kernel() != KernelKind::compiled) GTEST_SKIP() << engine.note();
    engine.inverse_dynamics(20, b.q, b.v, b.a, y);
  }
  for (const auto& entry : std::filesystem::directory_iterator(cache())) {
    const std::string path = entry.path().string(), good = content(path);
    replace(path, good.substr(0, good.size() / 2));
  }
  Engine engine(robot, {.threads = 1});
  EXPECT_EQ(engine.kernel(), KernelKind::compiled) << engine.note();
  engine.inverse_dynamics(20, b.q, b.v, b.a, x);
  EXPECT_EQ(x, y);
}

// Counts the calls of the compiler, of any kind.
std::string counting(const std::string& calls) { return "echo call >> '" + calls + "'"; }
std::size_t lines_of(const std::string& path) {
  const std::string text = content(path);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST_F(Compile, TheSameRobotIsLoadedWithoutACompiler) {
  const std::string calls = path("calls");
  run_before_compiler(counting(calls));
  Rng rng(3);
  const Robot robot(random_tree(rng, 4, {}));
  const Batch b = batch(robot, 20);
  std::vector<double> first(20 * robot.nv()), second(first.size());
  std::string fingerprint;
  {
    Engine engine(robot, {.threads = 1});
    if (engine.kernel() != KernelKind::compiled) GTEST_SKIP() << engine.note();
    engine.inverse_dynamics(20, b.q, b.v, b.a, first);
    fingerprint = engine.build_fingerprint(Quantity::inverse_dynamics);
  }
  const std::size_t before = lines_of(calls);
  EXPECT_GT(before, 0u);
  Engine engine(robot, {.threads = 1});
  EXPECT_EQ(engine.kernel(), KernelKind::compiled);
  EXPECT_EQ(lines_of(calls), before);  // no call at all
  engine.inverse_dynamics(20, b.q, b.v, b.a, second);
  EXPECT_EQ(first, second);
  EXPECT_EQ(engine.build_fingerprint(Quantity::inverse_dynamics), fingerprint);
  // Another quantity, precision, compiler or robot is another entry.
  EXPECT_TRUE(engine.prepare(Quantity::gravity, KernelKind::compiled));
  EXPECT_GT(lines_of(calls), before);
  run_before_compiler("# another file\n" + counting(calls));
  const std::size_t then = lines_of(calls);
  Engine again(robot, {.threads = 1});
  EXPECT_GT(lines_of(calls), then);
}

// A robot that differs in one number of one link has its own kernel.
TEST_F(Compile, NamesOfEntriesTellRobotsApart) {
  Rng rng(4);
  Description d = random_tree(rng, 3, {});
  const Robot light(d);
  for (LinkDescription& l : d.links)
    if (l.inertia) l.inertia->mass *= 1 + 1e-15;
  const Robot heavy(d);
  d.links.back().inertia->mass *= 2;
  const Robot other(d);
  const Batch b = batch(light, 8);
  for (const Robot* robot : {&light, &heavy, &other, &light, &heavy, &other}) {
    Engine engine(*robot, {.threads = 1}), generic(*robot, {.kernel = KernelKind::generic});
    if (engine.kernel() != KernelKind::compiled) GTEST_SKIP() << engine.note();
    std::vector<double> x(8 * robot->nv()), y(x.size());
    engine.inverse_dynamics(8, b.q, b.v, b.a, x);
    generic.inverse_dynamics(8, b.q, b.v, b.a, y);
    EXPECT_LT(relative(x, y), 1e-12);
  }
  std::size_t names = 0;
  for (const CacheEntry& e : cache_listing().entries) names += e.made_for.size();
  EXPECT_EQ(names, 3u);
}

// A robot in DH convention with an added frame, and the same written as TOML and read again: equal
// torques, but other link frames.
TEST_F(Compile, NamesOfEntriesTellLinkFramesApart) {
  const Robot first = Robot::load("scara").with_frame("camera", Robot::load("scara").tip(), {});
  const Robot second = Robot::from_text(to_toml(first.description()));
  const std::string link = first.link_names()[1];
  const std::vector<double> q{0.3, -0.4, 0.1, 0.2};
  ASSERT_EQ(first.nq(), static_cast<int>(q.size()));
  for (const Robot* robot : {&first, &second, &first}) {
    Workspace own(*robot);
    if (!own.compile(Quantity::jacobian, link)) GTEST_SKIP() << own.note();
    std::vector<double> x(6 * q.size()), y(x.size());
    const int at = robot->find_link(link);
    evaluate(*robot, own, Quantity::jacobian, {q}, {std::span(x)}, at);
    Kinematics k(*robot);
    k.set(q);
    k.jacobian(at, y);
    EXPECT_LT(relative(x, y), 1e-12);
  }
}

TEST_F(Compile, TheOldestEntriesAreRemovedFirst) {
  std::string note;
  auto source = [](int k) { return fmt::format("int answer(void) {{ return {}; }}\n", k); };
  const auto one = compile(source(1), note);
  if (!one) GTEST_SKIP() << note;
  const double size = static_cast<double>(std::filesystem::file_size(one->path())) / 1048576;
  setenv("PARID_CACHE_SIZE", fmt::format("{}", 3.5 * size).c_str(), 1);
  compile(source(2), note);
  compile(source(3), note);
  // The first was used last: the second is the oldest.
  auto age = [&](int k, int hours) {
    const std::string path = compile(source(k), note)->path();
    std::filesystem::last_write_time(
        path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  age(2, 3);
  age(3, 2);
  age(1, 1);
  compile(source(4), note);
  EXPECT_EQ(cache_listing().entries.size(), 3u);
  EXPECT_TRUE(compile(source(1), note)->from_cache());
  EXPECT_TRUE(compile(source(3), note)->from_cache());
  EXPECT_TRUE(compile(source(4), note)->from_cache());
  EXPECT_FALSE(compile(source(2), note)->from_cache());
  setenv("PARID_CACHE_SIZE", "0", 1);  // an entry larger than the limit still loads
  EXPECT_EQ(asked(*compile(source(5), note)), 5);
  EXPECT_EQ(cache_listing().entries.size(), 1u);
  setenv("PARID_CACHE_SIZE", "much", 1);
  EXPECT_THROW(cache_listing(), Error);
  unsetenv("PARID_CACHE_SIZE");
  EXPECT_EQ(clear_cache().entries.size(), 1u);
  EXPECT_TRUE(cache_listing().entries.empty());
  EXPECT_TRUE(std::filesystem::is_empty(cache()));
}

TEST_F(Compile, TakesNothingThatOthersCouldWrite) {
  std::string note;
  std::filesystem::create_directories(cache());
  chmod(cache().c_str(), 0777);
  EXPECT_FALSE(compile(answer, note));
  EXPECT_NE(note.find("chmod 700"), std::string::npos) << note;
}

// Entries that somebody else owns or could have written are compiled anew, not loaded.
TEST_F(Compile, TakesNoFileOfAnother) {
  std::string note;
  auto first = compile(answer, note);
  if (!first) GTEST_SKIP() << note;
  const std::string path = first->path();
  first.reset();
  chmod(path.c_str(), 0722);
  EXPECT_FALSE(compile(answer, note)->from_cache());
  if (geteuid() == 0) {
    ASSERT_EQ(chown(path.c_str(), 65534, 65534), 0);
    const auto again = compile(answer, note);
    ASSERT_TRUE(again) << note;
    EXPECT_FALSE(again->from_cache());
    EXPECT_EQ(asked(*again), 42);
  }
  // A folder that is a link may lead anywhere.
  const std::string link = cache() + "-link";
  std::filesystem::create_symlink(cache(), link);
  setenv("PARID_CACHE", link.c_str(), 1);
  EXPECT_FALSE(compile(answer, note));
}

// A process that dies while it compiles leaves nothing that others would take.
TEST_F(Compile, SurvivesThoseThatDie) {
  std::string note;
  if (!compile("int other(void) { return 1; }\n", note)) GTEST_SKIP() << note;
  for (int after : {0, 2, 5, 10, 20, 40}) {
    const std::string source = std::string(answer) + "// " + std::to_string(after) + "\n";
    const pid_t child = fork();
    if (child == 0) {
      std::string unused;
      compile(source, unused);
      _exit(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(after));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const auto library = compile(source, note);
    ASSERT_TRUE(library) << note;
    EXPECT_EQ(asked(*library), 42);
  }
}

// Ctrl-C while the compiler runs: neither the source nor partial output remains.
TEST_F(Compile, InterruptedItLeavesNothing) {
  std::string note;
  if (!compile(answer, note)) GTEST_SKIP() << note;
  std::filesystem::remove_all(cache());
  run_before_compiler(
      "[ \"$1\" = --version ] && exec cc --version\n"
      "while [ \"$1\" != -o ]; do shift; done\n"
      "echo half > \"$2\"; kill -INT $PPID; exit 1");
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGINT, SIG_DFL);
    remove_unfinished_files_on_signals();
    compile(answer, note);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
  EXPECT_TRUE(std::filesystem::is_empty(cache()));
}

// Signals of the host, such as those of profilers, do not truncate the compiler's version text.
TEST_F(Compile, SignalsDoNoHarm) {
  std::string note;
  run_before_compiler("[ -e '" + path("signals") +
                      "' ] && for k in 1 2 3 4 5 6 7 8 9; do kill -USR1 $PPID; sleep 0.01; done");
  auto first = compile(answer, note);
  if (!first) GTEST_SKIP() << note;
  std::ofstream(path("signals")) << "on";
  struct sigaction before {
  }, ours{};
  static volatile sig_atomic_t came = 0;
  ours.sa_handler = [](int) { came = came + 1; };  // and no SA_RESTART
  sigaction(SIGUSR1, &ours, &before);
  const auto again = compile(answer, note);
  sigaction(SIGUSR1, &before, nullptr);
  ASSERT_TRUE(again) << note;
  EXPECT_GT(came, 0);
  EXPECT_EQ(again->path(), first->path());
  EXPECT_TRUE(again->from_cache());
}

// The pipes from the compiler are only its standard output and error, and no other child inherits
// them.
TEST_F(Compile, ThePipeIsNotInherited) {
  std::string note;
  const std::string open = path("open");
  run_before_compiler(
      "all=$(ls -l /proc/$$/fd) out=$(readlink /proc/$$/fd/1) err=$(readlink /proc/$$/fd/2)\n"
      "echo \"$all\" > '" +
      open + "'; echo \"$out\" > '" + open + "-out'; echo \"$err\" > '" + open + "-err'");
  const auto library = compile(answer, note);
  if (!library) GTEST_SKIP() << note;
  const std::string all = content(open);
  for (const char* stream : {"-out", "-err"}) {
    const std::string pipe = content(open + stream);
    ASSERT_TRUE(pipe.starts_with("pipe:")) << pipe;
    int times = 0;
    for (std::size_t at = 0; (at = all.find(pipe, at)) != all.npos; ++at) ++times;
    EXPECT_EQ(times, 1) << all;
  }
}

TEST_F(Compile, ManyAtOnce) {
  std::string unused;
  if (!compile("int other(void) { return 1; }\n", unused)) GTEST_SKIP() << unused;
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&] {
      std::string note;
      const auto library = compile(answer, note);
      if (library && asked(*library) == 42) ++right;
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(right, 4);
}

TEST_F(Compile, EnginesSayByWhatTheyWereMade) {
  Description d = Robot::load("planar2").description();
  auto build_fingerprint = [&](KernelKind kind, bool single = false) {
    Engine engine(Robot(d), {.threads = 1, .kernel = kind, .single_precision = true});
    return engine.kernel() == kind ? engine.build_fingerprint(Quantity::inverse_dynamics, single)
                                   : engine.note();
  };
  EXPECT_EQ(build_fingerprint(KernelKind::generic), "");
  EXPECT_EQ(build_fingerprint(KernelKind::interpreted), "");
  EXPECT_EQ(build_fingerprint(KernelKind::interpreted, true), "");
  const std::string first = build_fingerprint(KernelKind::compiled);
  if (first.find(' ') != first.npos) GTEST_SKIP() << first;
  EXPECT_EQ(first.size(), 32u);
  EXPECT_EQ(first.find_first_not_of("0123456789abcdef"), first.npos) << first;
  EXPECT_EQ(build_fingerprint(KernelKind::compiled), first);  // now from the cache
  EXPECT_NE(build_fingerprint(KernelKind::compiled, true), first);
  d.source = "somewhere else";
  d.name = "other";  // words that no torque depends on
  EXPECT_EQ(build_fingerprint(KernelKind::compiled), first);
  // Another version of the compiler, which may fuse other products.
  run_before_compiler("[ \"$1\" = --version ] && echo another");
  const std::string other = build_fingerprint(KernelKind::compiled);
  EXPECT_EQ(other.size(), 32u);
  EXPECT_NE(other, first);
  d.links.back().inertia->mass *= 2;
  EXPECT_NE(build_fingerprint(KernelKind::compiled), other);
  EXPECT_EQ(Engine(Robot(d), {.threads = 1}).build_fingerprint(Quantity::inverse_dynamics, true),
            "");
  EXPECT_EQ(Engine(Robot(d), {.threads = 1}).build_fingerprint(Quantity::mass_matrix), "");
}

TEST_F(Compile, WithoutACompilerItSaysSo) {
  setenv("PARID_CC", "/nonexistent/cc", 1);
  Engine engine(Robot::load("planar2"), {.threads = 1});
  EXPECT_NE(engine.kernel(), KernelKind::compiled);
  EXPECT_NE(engine.note().find("no compiler"), std::string::npos) << engine.note();
}

}  // namespace
}  // namespace parid::test
