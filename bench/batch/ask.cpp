// From file to file: the time of parid batch compared with the times of its parts.
//
//   engine alone   the same rows in memory, block after block
//   files alone    the same bytes read and written by plain calls, reading and writing at once, and
//                  flushed to the disk
//
// A batch that overlaps both takes as long as the slower of the two. Files are created in $TMPDIR
// (or /tmp) and are cached; `bench/batch/measure` measures with the disk itself.

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <thread>

#include "bench/benchmark.hpp"
#include "bench/layer.hpp"
#include "cluster/batch.hpp"
#include "runtime/engine/generic_rows.hpp"

namespace parid::bench {
namespace {

constexpr std::size_t megabytes = 256;  // of rows in and out

struct Folder {
  std::string path = (std::filesystem::temp_directory_path() / "parid-bench-XXXXXX").string();
  Folder() {
    if (!mkdtemp(path.data())) throw Error({path, 0}, "cannot be made", "set TMPDIR");
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

// Reads the bytes of one file in large pieces and writes as many to another.
void plain_files(const std::string& in, const std::string& out, std::size_t written) {
  constexpr std::size_t piece = 4 << 20;
  std::jthread reader([&] {
    std::vector<char> bytes(piece);
    const int file = open(in.c_str(), O_RDONLY | O_CLOEXEC);
    posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL);
    while (read(file, bytes.data(), piece) > 0) {
    }
    close(file);
  });
  const std::vector<char> bytes(piece, 1);
  const int file = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  for (std::size_t at = 0; at < written; at += piece)
    if (write(file, bytes.data(), std::min(piece, written - at)) < 0) break;
  fdatasync(file);
  close(file);
}

void ask(const Robot& robot, Quantity what, KernelKind kind, const Options& o, Report& report) {
  const Folder folder;
  const Shape shape = shape_of(robot, what);
  std::size_t in_numbers = 0, out_numbers = 0;
  for (const std::size_t n : shape.in) in_numbers += n;
  for (const std::size_t n : shape.out) out_numbers += n;
  const std::size_t rows = (megabytes << 20) / (o.quick ? 8 : 1) / (8 * (in_numbers + out_numbers));
  const std::string in = folder.path + "/in.h5", out = folder.path + "/out.h5",
                    plain = folder.path + "/plain";

  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  std::map<std::string, Array> arrays;
  for (std::size_t k = 0; k < shape.in.size(); ++k) {
    Array& a = arrays[shape.in_names[k]];
    a.shape = {rows, shape.in[k]};
    a.data.resize(rows * shape.in[k]);
    for (double& x : a.data) x = number(random);
  }
  write_hdf5(in, arrays);

  Engine engine(robot, {.kernel = kind, .quantities = {what}});
  const std::size_t block = 8192;
  std::vector<std::vector<double>> results;
  for (const std::size_t n : shape.out) results.emplace_back(block * n);
  auto compute = [&] {
    std::vector<StridedInput> from(shape.in.size());
    std::vector<StridedOutput> to(shape.out.size());
    for (std::size_t r = 0; r < rows; r += block) {
      for (std::size_t k = 0; k < from.size(); ++k)
        from[k] = {&arrays[shape.in_names[k]].data[r * shape.in[k]], shape.in[k]};
      for (std::size_t k = 0; k < to.size(); ++k) to[k] = {results[k].data(), shape.out[k]};
      engine.evaluate(what, std::min(block, rows - r), from, to);
    }
  };
  BatchOptions options;
  options.quantity = what;
  options.input = in;
  options.output = out;
  options.overwrite = true;
  options.kernel = kind;
  // Measures only the stream: kernels and files are prepared once, for any number of rows.
  using Clock = std::chrono::steady_clock;
  auto timed = [](auto&& work) {
    const auto start = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  struct Part {
    const char* name;
    int threads;
    std::function<double()> seconds;
    std::vector<double> all;
  };
  Part parts[] = {
      {"parid batch", engine.threads(), [&] { return run_batch(robot, options).seconds; }, {}},
      {"engine alone", engine.threads(), [&] { return timed(compute); }, {}},
      {"files alone",
       2,
       [&] { return timed([&] { plain_files(in, plain, 8 * rows * out_numbers); }); },
       {}}};
  for (int round = 0; round < std::min(o.rounds(), 10); ++round)
    for (Part& part : parts) part.all.push_back(part.seconds());
  const std::string question =
      fmt::format("{}, {} kernel, file to file", parid::name(what), name(kind));
  if (report.tables) fmt::print("\n{}, {}, {} rows\n", robot.name(), question, rows);
  for (Part& part : parts) {
    std::sort(part.all.begin(), part.all.end());
    const double ns = 1e9 / static_cast<double>(rows), least = ns * part.all.front(),
                 median = ns * part.all[part.all.size() / 2];
    if (report.tables)
      fmt::print("  {:<26} {} threads {:>10.1f} ns a row, median {:.1f}\n", part.name, part.threads,
                 least, median);
    report.results.push_back({{"robot", robot.name()},
                              {"what", question},
                              {"batch", rows},
                              {"threads", part.threads},
                              {"contestant", part.name},
                              {"ns", least},
                              {"median_ns", median},
                              {"baseline", nullptr},
                              {"speedup", nullptr}});
  }
}

}  // namespace

void ask_batch(const Options& o, Report& report) {
  try {
    hdf5();
  } catch (const Error& e) {
    if (report.tables) fmt::print("\nbatch: left out: {}\n", e.what());
    return;
  }
  for (const std::string& name : o.robots_or({"puma560", "quadruped"})) {
    const Robot robot = Robot::load(name);
    ask(robot, Quantity::inverse_dynamics, KernelKind::compiled, o, report);
    ask(robot, Quantity::forward_dynamics, KernelKind::generic, o, report);
  }
}

}  // namespace parid::bench
