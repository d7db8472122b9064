// Inverse kinematics: fraction of reachable poses solved, and solutions per second, compared with
// KDL's LMA. Poses are those of random postures within limits; searches start from the middle of
// the limits, or ("any") from a start of their choice. LMA has no limits, so its solutions within
// them are counted separately.

#include <fmt/format.h>

#include <cmath>

#include "base/threads/thread_pool.hpp"
#include "bench/benchmark.hpp"
#include "model/format/load.hpp"
#include "parid/inverse_dynamics.hpp"
#include "parid/inverse_kinematics.hpp"
#include "tests/random_robot.hpp"
#ifdef PARID_HAVE_KDL
#include "bench/ik/lma.hpp"
#include "bench/layer.hpp"
#endif

namespace parid::bench {
namespace {

// LMA weights rotations a hundred times less than positions, and its angles are accurate to about
// 1e-8 rad: it is judged at 1e-6, for which its tolerance must be 1e-8.
constexpr double tolerance = 1e-9, lma_tolerance = 1e-6;

struct Task {
  std::vector<LinkPose> poses;
  std::vector<double> seed, q;
  std::vector<IkReport> reports;
};

struct Solver {
  std::string name;
  int batch, threads;
  double tolerance;
  std::shared_ptr<Task> task;
  std::function<void(Task&)> run;
};

Task task(const Robot& robot, std::size_t count) {
  Task t;
  Rng rng(1);
  Kinematics k(robot);
  const int link = robot.find_link(robot.tip());
  for (std::size_t n = 0; n < count; ++n) {
    k.set(random_state(rng, robot.description()).q);
    t.poses.push_back(k.pose(link));
  }
  for (const Robot::Limit& l : robot.limits())
    t.seed.push_back(std::isfinite(l.lower + l.upper) ? 0.5 * (l.lower + l.upper) : 0);
  t.q.resize(count * t.seed.size());
  t.reports.resize(count);
  return t;
}

bool within_limits(const Robot& robot, const double* q) {
  for (int k = 0; k < robot.nv(); ++k)
    if (q[k] < robot.limits()[k].lower || q[k] > robot.limits()[k].upper) return false;
  return true;
}

// Solved and verified: the solver's own claim does not count.
struct Share {
  double solved = 0, within = 0;
};
Share share(const Robot& robot, const Task& t, double tolerance) {
  Kinematics k(robot);
  const int link = robot.find_link(robot.tip());
  const std::size_t nq = t.seed.size();
  Share s;
  for (std::size_t r = 0; r < t.poses.size(); ++r) {
    const std::span<const double> q(&t.q[r * nq], nq);
    k.set(q);
    const LinkPose at = k.pose(link);
    double off = 0;
    for (int i = 0; i < 3; ++i)
      off = std::max(off, std::abs(at.position[i] - t.poses[r].position[i]));
    for (int i = 0; i < 9; ++i)
      off = std::max(off, std::abs(at.rotation[i] - t.poses[r].rotation[i]));
    if (!(off < 2 * tolerance)) continue;
    s.solved += 1;
    s.within += within_limits(robot, q.data());
  }
  const auto n = static_cast<double>(t.poses.size());
  return {s.solved / n, s.within / n};
}

std::vector<Solver> solvers(const Robot& robot) {
  std::vector<Solver> all;
  auto add = [&](const std::string& name, std::size_t poses, int batch, int threads, auto run) {
    const double to = name == "KDL LMA" ? lma_tolerance : tolerance;
    all.push_back({name, batch, threads, to, std::make_shared<Task>(task(robot, poses)), run});
  };
#ifdef PARID_HAVE_KDL
  auto lma = std::make_shared<Lma>(robot.description(), 0.01 * lma_tolerance);
  add("KDL LMA", 1000, 1, 1, [lma](Task& t) {
    const std::size_t nq = t.seed.size();
    for (std::size_t r = 0; r < t.poses.size(); ++r) {
      double pose[12];
      std::copy_n(t.poses[r].rotation.data(), 9, pose);
      std::copy_n(t.poses[r].position.data(), 3, pose + 9);
      lma->solve(pose, t.seed.data(), &t.q[r * nq]);
    }
  });
#endif
  auto one_by_one = [&](const std::string& name, bool closed, bool seeded) {
    auto ik = std::make_shared<InverseKinematics>(robot, IkOptions{.position_tolerance = tolerance,
                                                                   .angle_tolerance = tolerance,
                                                                   .closed_form = closed});
    add(name, 10000, 1, 1, [ik, seeded](Task& t) {
      const std::size_t nq = t.seed.size();
      for (std::size_t r = 0; r < t.poses.size(); ++r) {
        const IkSolution s = seeded ? ik->solve(t.poses[r], t.seed) : ik->solve(t.poses[r]);
        std::copy(s.q.begin(), s.q.end(), &t.q[r * nq]);
      }
    });
  };
  if (InverseKinematics(robot).solver() != "numeric") one_by_one("parid closed form", true, true);
  one_by_one("parid from the seed", false, true);
  one_by_one("parid any seed", false, false);
  for (int threads : {1, 0}) {
    auto ik = std::make_shared<InverseKinematics>(robot, IkOptions{.position_tolerance = tolerance,
                                                                   .angle_tolerance = tolerance,
                                                                   .closed_form = false,
                                                                   .threads = threads});
    add("parid", 10000, 10000, threads, [ik](Task& t) { ik->solve(t.poses, {}, t.q, t.reports); });
  }
  return all;
}

}  // namespace

void ask_ik(const Options& o, Report& report) {
  for (const std::string& name : o.robots_or({"panda", "ur5", "puma560"})) {
    const Robot robot = Robot::load(name);
    const std::vector<Solver> all = solvers(robot);
    std::vector<Contestant> contestants;
    for (const Solver& e : all)
      contestants.push_back(
          {e.name, static_cast<long>(e.task->poses.size()), [&e] { e.run(*e.task); }});
    const std::vector<Timing> timings = race(contestants, 5);
    if (report.tables)
      fmt::print("\n{:<22} {:>6} {:>8} {:>8} {:>10} {:>10} {:>12} {:>13}\n", name + ", ik", "batch",
                 "threads", "to", "solved", "in limits", "solutions/s",
                 timings[0].name == "KDL LMA" ? "× KDL LMA" : "");
    double base = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Share s = share(robot, *all[k].task, all[k].tolerance);
      const double rate = s.solved * 1e9 / timings[k].min_ns;
      if (all[k].name == "KDL LMA") base = rate;
      const int threads = all[k].threads ? all[k].threads : available_cores();
      if (report.tables)
        fmt::print("  {:<20} {:>6} {:>8} {:>8.0e} {:>9.2f}% {:>9.2f}% {:>12.0f} {:>13.1f}\n",
                   timings[k].name, all[k].batch, threads, all[k].tolerance, 100 * s.solved,
                   100 * s.within, rate, base > 0 ? rate / base : 0);
      report.results.push_back(
          {{"robot", name},
           {"what", "ik"},
           {"contestant", timings[k].name},
           {"batch", all[k].batch},
           {"threads", threads},
           {"tolerance", all[k].tolerance},
           {"solved", s.solved},
           {"within_limits", s.within},
           {"ns", timings[k].min_ns},
           {"median_ns", timings[k].median_ns},
           {"solutions_per_second", rate},
           {"baseline", base > 0 ? nlohmann::json("KDL LMA") : nlohmann::json(nullptr)},
           {"speedup", base > 0 ? nlohmann::json(rate / base) : nlohmann::json(nullptr)}});
    }
  }
}

}  // namespace parid::bench
