#include "design/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>

#include "base/threads/thread_pool.hpp"
#include "design/artefact.hpp"
#include "design/step_program.hpp"
#include "design/step_timing.hpp"
#include "parid/robot.hpp"
#include "schedule/executor.hpp"

namespace parid::design {
namespace {

// The best of many short rounds, because other programs may use the core.
template <class Work>
double seconds_per_call(const Work& work) {
  using Clock = std::chrono::steady_clock;
  constexpr int calls = 200;
  double best = INFINITY;
  const auto begin = Clock::now();
  while (Clock::now() - begin < std::chrono::milliseconds(150)) {
    const auto start = Clock::now();
    for (int k = 0; k < calls; ++k) work();
    const std::chrono::duration<double> taken = Clock::now() - start;
    best = std::min(best, taken.count() / calls);
  }
  return best;
}

struct Measured {
  Counts count;
  double seconds = 0;
};

Measured measured_step(const char* name) {
  const Robot robot = Robot::load(name);
  const std::vector<double> one(static_cast<std::size_t>(robot.nv()), 1.0);
  const StepProgram program = exact_step(robot, {one, one});
  Target any;
  const auto artefact = compiled_artefact(program, step_timing(program, any), WordType::float64);
  StepReadings in(robot.nv());
  std::vector<double> tau(one.size());
  for (std::size_t k = 0; k < one.size(); ++k) in.q()[k] = 0.1 + 0.2 * static_cast<double>(k);
  artefact->begin(in);
  return {program.count(), seconds_per_call([&] { artefact->run(in, tau); })};
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "a processor without a name";
}

}  // namespace

Target measured_target(const std::string& title) {
  // Two programs, with and without many sums for each sine, tell the times of both.
  const Measured large = measured_step("panda"), small = measured_step("scara");
  const auto operations = [](const Measured& m) {
    return static_cast<double>(m.count.additions + m.count.multiplications);
  };
  const double sines = 12;  // operations that a sine with its cosine counts as
  const auto weight = [&](const Measured& m) {
    return operations(m) + sines * static_cast<double>(m.count.sin_cos);
  };
  const double each =
      std::max(1e-12, (large.seconds - small.seconds) / (weight(large) - weight(small)));
  Target t;
  t.id = "measured";
  t.title = title;
  t.time = {each, each, 4 * each, 4 * each, sines * each};
  t.overhead = std::max(0.0, small.seconds - weight(small) * each);
  t.message_start = schedule::round_trip_nanoseconds() / 2 * 1e-9;
  t.most_processors = base::available_cores();
  t.processors_per_device = base::available_cores();
  const std::string where = fmt::format("measured on {} by `parid design --measure`", cpu_name());
  t.source = {{"word", "the generated programs use double"},
              {"seconds", where + ": computed-torque steps of panda and scara; a sine with its "
                                  "cosine is taken as 12 operations, a quotient or root as 4"},
              {"overhead", where + ": the rest of the smaller program; sensors and drives are not "
                                   "part of it"},
              {"message", where + ": half a round trip between two cores"},
              {"processors", "cores that this process may use"},
              {"processors_per_device", "the same"}};
  return t;
}

}  // namespace parid::design
