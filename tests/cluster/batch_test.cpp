// Batches on disk: the engine's answers, byte for byte, however the run went.

#include "cluster/batch.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <functional>
#include <random>

#include "model/joint/quaternions.hpp"
#include "parid/dynamics.hpp"
#include "runtime/engine/generic_rows.hpp"
#include "tests/cli/program.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

constexpr std::size_t rows = 700;

std::vector<double> by_chance(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> number(-1.5, 1.5);
  std::vector<double> x(count);
  for (double& k : x) k = number(random);
  return x;
}

std::map<std::string, Array> states(const Robot& robot, std::size_t n = rows) {
  const auto nq = static_cast<std::size_t>(robot.nq()), nv = static_cast<std::size_t>(robot.nv());
  const std::size_t np = regressor_parameters(robot).size();
  return {{"q", {{n, nq}, by_chance(n * nq, 1)}},
          {"v", {{n, nv}, by_chance(n * nv, 2)}},
          {"a", {{n, nv}, by_chance(n * nv, 3)}},
          {"tau", {{n, nv}, by_chance(n * nv, 4)}},
          {"dparameters", {{n, np}, by_chance(n * np, 9)}},
          {"dgravity", {{n, 3}, by_chance(3 * n, 10)}},
          {"w", {{n, nv}, by_chance(n * nv, 5)}},
          {"dq", {{n, nv}, by_chance(n * nv, 6)}},
          {"dv", {{n, nv}, by_chance(n * nv, 7)}},
          {"da", {{n, nv}, by_chance(n * nv, 8)}},
          {"dtau", {{n, nv}, by_chance(n * nv, 9)}},
          {"jerk", {{n, nv}, by_chance(n * nv, 11)}},
          {"snap", {{n, nv}, by_chance(n * nv, 12)}},
          {"theta", {{n, nv}, by_chance(n * nv, 13)}},
          {"theta_v", {{n, nv}, by_chance(n * nv, 14)}}};
}

// Runs in a process of its own, which may die. 0 done, 2 an Error (its text in err), 128 + signal.
struct Fate {
  int code;
  std::string err;
};
Fate in_a_process(const Scratch& scratch, const std::function<void()>& work) {
  const std::string err = scratch.path("err");
  const pid_t child = fork();
  if (child == 0) {
    const std::string text = complaint(work);
    std::ofstream(err) << text;
    _exit(text.empty() ? 0 : 2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content(err)};
}

class Batches : public testing::Test {
 protected:
  Batches() { write_hdf5(scratch.path("in.h5"), states(robot)); }

  BatchOptions options(Quantity what = Quantity::inverse_dynamics) const {
    BatchOptions o;
    o.quantity = what;
    o.input = scratch.path("in.h5");
    o.output = scratch.path("out.h5");
    o.kernel = KernelKind::generic;
    o.threads = 1;
    o.block_rows = 64;
    o.checkpoint = 0;
    o.version = "test";
    return o;
  }
  std::string made(const BatchOptions& o) const {
    run_batch(robot, o);
    std::string bytes = content(o.output);
    std::filesystem::remove(o.output);
    return bytes;
  }
  // The offset of the first row of `tau` in the output file.
  std::size_t first_row(const BatchOptions& o) const {
    run_batch(robot, o);
    const std::size_t at = *hdf5().open(o.output, false, nullptr)->find("tau")->offset;
    std::filesystem::remove(o.output);
    return at;
  }
  std::string refused(const BatchOptions& o) const {
    return complaint([&] { run_batch(robot, o); });
  }
  // Killed when half of it is done.
  void leave_unfinished(BatchOptions o) const {
    o.restart = true;
    o.progress = [](std::uint64_t done, std::uint64_t, std::uint64_t) {
      if (done > rows / 2) {
        usleep(20'000);
        kill(getpid(), SIGKILL);
      }
    };
    const Fate fate = in_a_process(scratch, [&] { run_batch(robot, o); });
    ASSERT_EQ(fate.code, 128 + SIGKILL) << fate.err;
  }
  bool nothing_left() const {
    for (const char* name : {"out.h5", "out.h5.partial", "out.h5.journal"})
      if (std::filesystem::exists(scratch.path(name))) return false;
    return true;
  }

  Scratch scratch;
  Robot robot = Robot::load("puma560");
};

TEST_F(Batches, AnswerEveryQuestionAsTheEngineDoes) {
  const auto arrays = states(robot);
  for (const Quantity what : batched_quantities()) {
    BatchOptions o = options(what);
    o.verify = 5;
    o.overwrite = true;
    const BatchResult r = run_batch(robot, o);
    EXPECT_EQ(r.rows, rows);
    EXPECT_EQ(r.rows_not_finite, 0u);
    EXPECT_EQ(r.verified->rows, 5u);
    EXPECT_TRUE(r.verified->good()) << parid::name(what) << " " << r.verified->max_relative_error;
    EXPECT_FALSE(std::filesystem::exists(o.output + ".partial"));
    EXPECT_FALSE(std::filesystem::exists(o.output + ".journal"));

    Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic, .quantities = {what}});
    const Shape shape = shape_of(robot, what);
    std::vector<StridedInput> in;
    std::vector<StridedOutput> out;
    std::vector<std::vector<double>> expected;
    for (std::size_t k = 0; k < shape.in.size(); ++k)
      in.push_back({arrays.at(shape.in_names[k]).data.data(), shape.in[k]});
    for (const std::size_t n : shape.out) expected.emplace_back(n * rows);
    for (std::size_t k = 0; k < shape.out.size(); ++k)
      out.push_back({expected[k].data(), shape.out[k]});
    engine.evaluate(what, rows, in, out);
    const auto file = hdf5().open(o.output, false, nullptr);
    for (std::size_t k = 0; k < shape.out.size(); ++k) {
      std::vector<double> got(expected[k].size());
      file->read(shape.out_names[k], 0, rows, got.data());
      EXPECT_EQ(bits(got), bits(expected[k])) << parid::name(what) << " " << shape.out_names[k];
    }
  }
}

TEST_F(Batches, InSinglePrecisionAreTheEnginesToo) {
  BatchOptions o = options();
  o.single = true;
  o.verify = 20;
  const BatchResult r = run_batch(robot, o);
  EXPECT_TRUE(r.verified->good());
  EXPECT_GT(r.verified->max_relative_error, 1e-9);
  const auto file = hdf5().open(o.output, false, nullptr);
  EXPECT_EQ(file->find("tau")->kind, Hdf5Kind::float32);
  std::vector<float> in[3], expected(6 * rows), got(6 * rows);
  const auto arrays = states(robot);
  for (int k = 0; k < 3; ++k) {
    const std::vector<double>& x = arrays.at(std::string(1, "qva"[k])).data;
    in[k].assign(x.begin(), x.end());
  }
  Engine(robot, {.threads = 1, .kernel = KernelKind::generic})
      .inverse_dynamics(rows, in[0], in[1], in[2], expected);
  file->read("tau", 0, rows, got.data());
  EXPECT_EQ(got, expected);
}

TEST_F(Batches, HaveTheSameBytesWhateverTheBlocksAndThreads) {
  BatchOptions o = options();
  const std::string bytes = made(o);
  EXPECT_GT(bytes.size(), 6 * 8 * rows);
  o.block_rows = 0;
  o.threads = 2;
  o.checkpoint = 1;
  EXPECT_EQ(made(o), bytes);
  o.block_rows = 333;  // no multiple of the lanes
  EXPECT_EQ(made(o), bytes);
}

TEST_F(Batches, GoOnAfterAKill) {
  const BatchOptions o = options();
  const std::string bytes = made(o);
  std::mt19937 random(5);
  std::uint64_t resumed = 0;
  for (int k = 0; k < 6; ++k) {
    const std::uint64_t at = random() % rows;
    for (int kills = 0; kills < 2; ++kills) {  // the second while it goes on
      const Fate fate = in_a_process(scratch, [&] {
        BatchOptions doomed = o;
        doomed.progress = [at](std::uint64_t done, std::uint64_t, std::uint64_t) {
          if (done >= at) {
            usleep(20'000);
            kill(getpid(), SIGKILL);
          }
        };
        run_batch(robot, doomed);
      });
      if (fate.code == 0) break;  // less was left than `at`
      ASSERT_EQ(fate.code, 128 + SIGKILL) << fate.err;
      EXPECT_FALSE(std::filesystem::exists(o.output));
    }
    if (!std::filesystem::exists(o.output)) resumed += run_batch(robot, o).resumed_rows;
    EXPECT_EQ(content(o.output), bytes);
    std::filesystem::remove(o.output);
    EXPECT_TRUE(nothing_left());
  }
  EXPECT_GT(resumed, 0u);
}

TEST_F(Batches, KeepWhatIsFinishedWhenTheDiskIsFull) {
  const BatchOptions o = options();
  const std::string bytes = made(o);
  const Fate on_the_way = in_a_process(scratch, [&] {
    signal(SIGXFSZ, SIG_IGN);
    BatchOptions doomed = o;
    doomed.progress = [](std::uint64_t done, std::uint64_t, std::uint64_t) {
      if (done < rows / 2) return;
      usleep(50'000);
      const rlimit small{8192, 8192};
      setrlimit(RLIMIT_FSIZE, &small);
    };
    run_batch(robot, doomed);
  });
  EXPECT_EQ(on_the_way.code, 2);
  EXPECT_TRUE(contains(on_the_way.err, "out.h5.partial: cannot write: ")) << on_the_way.err;
  EXPECT_TRUE(contains(on_the_way.err, "finished rows are kept")) << on_the_way.err;
  EXPECT_FALSE(std::filesystem::exists(o.output));
  const BatchResult r = run_batch(robot, o);
  EXPECT_GT(r.resumed_rows, 0u);
  EXPECT_LT(r.resumed_rows, rows);
  EXPECT_EQ(content(o.output), bytes);
  std::filesystem::remove(o.output);

  const Fate at_once = in_a_process(scratch, [&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit small{8192, 8192};
    setrlimit(RLIMIT_FSIZE, &small);
    run_batch(robot, o);
  });
  EXPECT_EQ(at_once.code, 2);
  EXPECT_TRUE(contains(at_once.err, "out.h5")) << at_once.err;
  EXPECT_TRUE(contains(at_once.err, "space")) << at_once.err;
  EXPECT_TRUE(nothing_left());
}

TEST_F(Batches, WriteThroughNoLinks) {
  namespace fs = std::filesystem;
  BatchOptions o = options();
  const std::string bytes = made(o), partial = o.output + ".partial",
                    journal = o.output + ".journal", aside = scratch.path("aside");
  leave_unfinished(o);
  fs::rename(partial, aside);
  const std::string there = content(aside);
  fs::create_symlink(aside, partial);
  EXPECT_EQ(
      refused(o),
      partial +
          ": this is a link or not a regular file; use `restart` to remove it and start again");
  o.restart = true;
  run_batch(robot, o);
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(o.output)));
  EXPECT_EQ(content(o.output), bytes);
  EXPECT_EQ(content(aside), there);
  fs::remove(o.output);

  fs::create_symlink("nowhere", journal);
  EXPECT_EQ(
      refused(o),
      journal + ": the journal's path is a symbolic link; remove it, or choose another output");
  fs::remove(journal);
  EXPECT_TRUE(nothing_left());
}

TEST_F(Batches, CountRowsThatAreNotFinite) {
  auto arrays = states(robot);
  const std::string in = scratch.path("in.h5");
  const auto file = hdf5().open(in, true, nullptr);
  const std::vector<double> bad{NAN, 0, 0, 0, 0, INFINITY};
  for (const std::uint64_t row : {3, 64, 65, 699}) file->write("a", row, 1, bad.data());
  file->close();
  BatchOptions o = options();
  o.verify = rows;
  const BatchResult r = run_batch(robot, o);
  EXPECT_EQ(r.rows_not_finite, 4u);
  EXPECT_TRUE(r.verified->good());  // nothing else would be right
  EXPECT_EQ(r.verified->rows, rows - 4);
  EXPECT_EQ(r.verified->not_finite, 4u);
}

// The first row is damaged on the disk while the run has not ended; no checksum is looked at again
// then. Only a quaternion's direction counts; those of another length than 1 are counted.
TEST_F(Batches, QuaternionsOfAnyLengthAreRotations) {
  const Robot dog = Robot::load("quadruped");
  const std::size_t n = 130, nq = 19;
  auto arrays = states(dog, n);
  std::vector<double>& q = arrays["q"].data;
  for (std::size_t r = 0; r < n; ++r) normalise_quaternion(&q[r * nq + 3]);
  write_hdf5(scratch.path("in.h5"), arrays);
  const BatchOptions o = options();
  EXPECT_EQ(run_batch(dog, o).rows_not_unit, 0u);
  const std::vector<double> unit = Hdf5Arrays(o.output).read("tau").data;
  std::filesystem::remove(o.output);
  for (const std::size_t r : {0u, 63u, 64u, 129u})
    for (std::size_t k = 3; k < 7; ++k) q[r * nq + k] *= 1.05;
  for (std::size_t k = 3; k < 7; ++k) q[nq + k] *= 1 + 5e-7;  // rounding
  write_hdf5(scratch.path("in.h5"), arrays);
  EXPECT_EQ(run_batch(dog, o).rows_not_unit, 4u);
  const std::vector<double> other = Hdf5Arrays(o.output).read("tau").data;
  double size = 0;
  for (const double x : unit) size = std::max(size, std::abs(x));
  for (std::size_t k = 0; k < unit.size(); ++k) ASSERT_NEAR(other[k], unit[k], 1e-12 * size) << k;
}

TEST_F(Batches, ARowThatWasDamagedIsFoundByVerify) {
  BatchOptions o = options();
  const auto at = static_cast<off_t>(first_row(o));
  o.verify = rows;
  o.progress = [&](std::uint64_t done, std::uint64_t, std::uint64_t) {
    if (done != rows) return;
    usleep(50'000);  // until it is written
    const std::string partial = o.output + ".partial";
    double tau = 0;
    const int file = open(partial.c_str(), O_RDWR);
    ASSERT_EQ(pread(file, &tau, sizeof tau, at), static_cast<ssize_t>(sizeof tau));
    tau += 1e-6;
    ASSERT_EQ(pwrite(file, &tau, sizeof tau, at), static_cast<ssize_t>(sizeof tau));
    close(file);
  };
  const BatchResult r = run_batch(robot, o);
  EXPECT_FALSE(r.verified->good());
  EXPECT_EQ(r.verified->worst_row, 0u);
  EXPECT_FALSE(std::filesystem::exists(o.output));
  EXPECT_TRUE(std::filesystem::exists(o.output + ".partial"));
  o.progress = {};  // started again, it finds the block that is not what was written
  const BatchResult again = run_batch(robot, o);
  EXPECT_TRUE(again.verified->good());
  EXPECT_EQ(again.resumed_rows, rows - 64);
}

TEST_F(Batches, RefuseInputThatCannotBeRight) {
  BatchOptions o = options();
  auto expect = [&](const std::string& part) {
    const std::string text = refused(o);
    EXPECT_TRUE(contains(text, part)) << text;
    EXPECT_TRUE(nothing_left()) << part;
  };
  o.input = scratch.path("none.h5");
  expect("none.h5: there is no such file");
  o.input = scratch.file("text.h5", "q,v,a\n");
  expect("text.h5: cannot open as an HDF5 file");
  o.input = scratch.file("cut.h5", content(scratch.path("in.h5")).substr(0, 50'000));
  expect("cut.h5: cannot open as an HDF5 file: truncated file");
  auto arrays = states(robot);
  arrays.erase("v");
  o.input = scratch.path("no_v.h5");
  write_hdf5(o.input, arrays);
  expect(
      "no_v.h5: there is no dataset 'v'; 'inverse' of robot 'puma560' needs the datasets q (N, 6), "
      "v (N, 6), a (N, 6); found a, da, dgravity, dparameters, dq, dtau, dv, jerk, q, snap, tau, "
      "theta, theta_v, w");
  arrays["v"] = {{rows, 5}, by_chance(5 * rows, 1)};
  write_hdf5(o.input, arrays);
  expect("dataset 'v' is (700, 5)");
  arrays["v"] = {{rows - 1, 6}, by_chance(6 * (rows - 1), 1)};
  write_hdf5(o.input, arrays);
  expect("dataset 'v' has 699 rows");
  o = options(Quantity::rollout);
  expect("choose from inverse");
  o = options();
  o.output = scratch.path("none/out.h5");
  expect("cannot create the file");
  o.output = o.input;
  expect("the output file is the input file");
}

// For any damage to the journal's records or to finished rows the output is right: blocks that do
// not match are computed again.
TEST_F(Batches, ComputeAgainWhatDoesNotMatchItsChecksum) {
  const BatchOptions o = options();
  const std::string bytes = made(o), journal = scratch.path("out.h5.journal"),
                    partial = scratch.path("out.h5.partial");
  const std::size_t records = (rows + 63) / 64 * 24, data = first_row(o);
  std::string said;
  auto resumed = [&] {
    BatchOptions talking = o;
    said.clear();
    talking.note = [&](const std::string& text) { said += text; };
    const std::uint64_t kept = run_batch(robot, talking).resumed_rows;
    EXPECT_EQ(content(o.output), bytes);
    std::filesystem::remove(o.output);
    EXPECT_TRUE(nothing_left());
    return kept;
  };
  leave_unfinished(o);
  EXPECT_GT(resumed(), 0u);
  EXPECT_EQ(said, "");

  leave_unfinished(o);  // every record says "done"
  std::string text = content(journal);
  for (std::size_t at = text.size() - records; at < text.size(); ++at) text[at] = 1;
  scratch.file("out.h5.journal", text);
  EXPECT_EQ(resumed(), 0u);

  leave_unfinished(o);  // a finished row has become zero
  std::string rows_there = content(partial);
  for (std::size_t at = data; at < data + 48; ++at) rows_there[at] = 0;
  scratch.file("out.h5.partial", rows_there);
  resumed();
  EXPECT_TRUE(contains(said, "1 finished block of 64 rows did not match the checksums")) << said;

  leave_unfinished(o);  // another size of blocks in the header
  text = content(journal);
  text.replace(text.find("block 64"), 8, "block 32");
  scratch.file("out.h5.journal", text);
  EXPECT_TRUE(contains(refused(o), "damaged")) << refused(o);
  BatchOptions again = o;
  again.restart = true;
  EXPECT_EQ(made(again), bytes);
}

TEST_F(Batches, NoticeThatTheInputWasChangedMeanwhile) {
  BatchOptions o = options();
  bool changed = false;
  o.progress = [&](std::uint64_t done, std::uint64_t, std::uint64_t) {
    if (changed || done < rows / 2) return;
    changed = true;
    auto arrays = states(robot);
    arrays["q"].data.back() += 1;
    write_hdf5(o.input, arrays);
  };
  EXPECT_TRUE(contains(refused(o), "the input changed during the batch"));
  EXPECT_TRUE(changed);
  EXPECT_FALSE(std::filesystem::exists(o.output));
  o.progress = {};
  EXPECT_TRUE(contains(refused(o), "its input has changed"));
}

TEST_F(Batches, DoNotMixTwoRuns) {
  const BatchOptions o = options();
  leave_unfinished(o);
  BatchOptions other = options(Quantity::bias);
  EXPECT_TRUE(contains(refused(other), "its quantity differs")) << refused(other);
  other = options();
  other.single = true;
  EXPECT_TRUE(contains(refused(other), "its kind of numbers differs")) << refused(other);
  const Robot heavy = robot.with_payload(robot.tip(), 1);
  EXPECT_TRUE(contains(complaint([&] { run_batch(heavy, o); }), "its robot differs"));
  other = options();
  other.kernel = KernelKind::interpreted;
  EXPECT_TRUE(contains(refused(other), "its kernel differs"));
  auto arrays = states(robot);
  arrays["q"].data[0] += 1;
  write_hdf5(o.input, arrays);
  EXPECT_TRUE(contains(refused(o), "its input has changed; repeat the original command"))
      << refused(o);
  EXPECT_TRUE(std::filesystem::exists(o.output + ".partial"));

  leave_unfinished(o);
  scratch.file("out.h5.journal", content(o.output + ".journal").substr(0, 4100));
  EXPECT_TRUE(contains(refused(o), "it is damaged; use `restart`")) << refused(o);
  scratch.file("out.h5.journal", "nothing of the kind");
  EXPECT_TRUE(contains(refused(o), "it is damaged; use `restart`")) << refused(o);
  leave_unfinished(o);
  scratch.file("out.h5.partial", content(o.output + ".partial").substr(0, 20'000));
  EXPECT_TRUE(contains(refused(o), "it is damaged or truncated")) << refused(o);

  leave_unfinished(o);
  run_batch(robot, o);
  EXPECT_TRUE(contains(refused(o), "the file exists already; use `overwrite` to replace it"));
}

TEST_F(Batches, OneAtATimeOnOneOutput) {
  BatchOptions o = options();
  std::string text;
  o.progress = [&](std::uint64_t done, std::uint64_t, std::uint64_t) {
    if (done == 64)
      text = parid_program({"batch", "puma560", "inverse", options().input, options().output}).err;
  };
  run_batch(robot, o);
  EXPECT_TRUE(contains(text, "another `parid batch` is writing this output")) << text;
}

// Rows are marked behind a header of one page.
TEST_F(Batches, BeginAgainWhereNothingWasFinished) {
  const BatchOptions o = options();
  const std::string bytes = made(o);
  leave_unfinished(o);
  std::string journal = content(o.output + ".journal");
  std::fill(journal.begin() + 4096, journal.end(), '\0');
  scratch.file("out.h5.journal", journal);
  scratch.file("out.h5.partial", "ended while it was being made");
  const BatchResult r = run_batch(robot, o);
  EXPECT_EQ(r.resumed_rows, 0u);
  EXPECT_EQ(content(o.output), bytes);

  std::filesystem::remove(o.output);
  scratch.file("out.h5.journal", journal);  // and nothing else
  run_batch(robot, o);
  EXPECT_EQ(content(o.output), bytes);
}

// A process that outlived its run has the old file open, and does not write into the new one.
TEST_F(Batches, RestartInAFileOfTheirOwn) {
  BatchOptions o = options();
  const std::string bytes = made(o);
  leave_unfinished(o);
  std::fstream left_over(o.output + ".partial", std::ios::in | std::ios::out | std::ios::binary);
  o.restart = true;
  o.progress = [&](std::uint64_t, std::uint64_t, std::uint64_t) {
    left_over.seekp(5000);
    left_over << std::string(20'000, 'x') << std::flush;
  };
  run_batch(robot, o);
  EXPECT_TRUE(left_over.good());
  EXPECT_EQ(content(o.output), bytes);
}

TEST_F(Batches, FollowNoLinkThatStandsInForTheirFiles) {
  const BatchOptions o = options();
  const std::string bytes = made(o), mine = scratch.file("mine", "mine");
  std::filesystem::create_symlink(mine, o.output + ".partial");
  EXPECT_EQ(made(o), bytes);
  EXPECT_EQ(content(mine), "mine");
}

TEST_F(Batches, ReplaceOnlyFiles) {
  BatchOptions o = options();
  o.overwrite = true;
  o.output = scratch.path("pipe");
  ASSERT_EQ(mkfifo(o.output.c_str(), 0600), 0);
  EXPECT_TRUE(contains(refused(o), "this is a device or a pipe; give a file name"));
  EXPECT_TRUE(std::filesystem::is_fifo(o.output));
  EXPECT_TRUE(
      contains(complaint([&] { write_hdf5(o.output, states(robot)); }), "cannot write HDF5 to"));
  EXPECT_TRUE(
      contains(complaint([&] { write_hdf5(scratch.path(""), states(robot)); }), "directory"));

  const std::string input = content(o.input);
  for (const char* ending : {".partial", ".journal"}) {
    o = options();
    std::filesystem::rename(o.input, o.output + ending);
    o.input = o.output + ending;
    EXPECT_TRUE(contains(refused(o), "is the input file; give another name")) << refused(o);
    std::filesystem::rename(o.input, options().input);
    EXPECT_EQ(content(options().input), input);
  }

  std::filesystem::create_symlink("there.h5", scratch.path("link.h5"));
  write_hdf5(scratch.path("link.h5"), states(robot));
  EXPECT_TRUE(std::filesystem::is_symlink(scratch.path("link.h5")));
  EXPECT_EQ(content(scratch.path("there.h5")), input);
}

TEST_F(Batches, TakeNoLargerBlocksThanThereAreRows) {
  BatchOptions o = options();
  const std::string bytes = made(o);
  // as many numbers as make their count, six per row, overflow to zero
  for (const std::uint64_t block : {std::uint64_t{1} << 40, (std::uint64_t{1} << 63) / 3 + 1}) {
    o.block_rows = block;
    EXPECT_EQ(made(o), bytes) << block;
  }
}

TEST_F(Batches, SayWhenNoThreadCanBeStarted) {
  const Fate fate = in_a_process(scratch, [&] {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, std::size_t{1} << 46);  // more than any machine has
    pthread_setattr_default_np(&attributes);
    run_batch(robot, options());
  });
  EXPECT_EQ(fate.code, 2);
  EXPECT_TRUE(contains(fate.err, "no thread can be started")) << fate.err;
  EXPECT_EQ(run_batch(robot, options()).rows, rows);  // goes on, or begins
}

// Another compiler may put sums and products together in another way.
TEST_F(Batches, GoOnOnlyWithTheSameCompiler) {
  const std::string other = scratch.file(
      "compiler", "#!/bin/sh\n[ \"$1\" = --version ] && echo another one\nexec cc \"$@\"\n");
  chmod(other.c_str(), 0700);
  setenv("PARID_CACHE", scratch.path("cache").c_str(), 1);
  BatchOptions o = options();
  o.kernel = KernelKind::compiled;
  leave_unfinished(o);
  setenv("PARID_CC", other.c_str(), 1);
  EXPECT_TRUE(contains(refused(o), "its compiler differs")) << refused(o);
  unsetenv("PARID_CC");
  EXPECT_GT(run_batch(robot, o).resumed_rows, 0u);
  unsetenv("PARID_CACHE");
}

}  // namespace
}  // namespace parid::test
