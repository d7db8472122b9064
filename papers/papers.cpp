#include "papers/papers.hpp"
#include "papers/layer.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace parid::papers {

const std::vector<Paper>& all_papers() {
  static const std::vector<Paper> all{
      {"hollerbach",
       "Hollerbach (1980): A recursive Lagrangian formulation of manipulator dynamics and a "
       "comparative study of dynamics formulation complexity",
       {hollerbach, hollerbach_text, hollerbach_equations, hollerbach_matrices},
       hollerbach_errata},
      {"lathrop",
       "Lathrop (1985): Parallelism in manipulator dynamics",
       {lathrop, lathrop_context, lathrop_forms, lathrop_equations, lathrop_lagrangian,
        lathrop_figures},
       lathrop_errata},
      {"lee-chang",
       "Lee and Chang (1987): Computational structures for robotic computations",
       {lee_chang, lee_chang_kinematics, lee_chang_dynamics, lee_chang_evaluation, lee_chang_bounds,
        lee_chang_equations},
       lee_chang_errata},
      {"dhanaraj",
       "Dhanaraj (1990): Parallel processing of manipulator dynamics incorporating frictional "
       "effects",
       {dhanaraj_introduction, dhanaraj_counts, dhanaraj_equations, dhanaraj_tables,
        dhanaraj_friction, dhanaraj_tasks, dhanaraj_schedules, dhanaraj_programs},
       dhanaraj_errata},
      {"hamilton",
       "Hamilton, Walker and Bennett (1996): Parallel robot control using speculative computation",
       {hamilton, hamilton_loops, hamilton_stability, hamilton_equations},
       hamilton_errata},
  };
  return all;
}

namespace {

// Groups claims by place, places in the order of their first claim.
std::vector<Claim> together(const std::vector<Claim>& claims) {
  std::vector<std::pair<std::string, std::string>> places;
  auto place = [&](const Claim& c) {
    return std::find(places.begin(), places.end(), std::pair(c.paper, c.where)) - places.begin();
  };
  for (const Claim& c : claims)
    if (place(c) == static_cast<std::ptrdiff_t>(places.size()))
      places.emplace_back(c.paper, c.where);
  std::vector<Claim> sorted = claims;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Claim& a, const Claim& b) { return place(a) < place(b); });
  return sorted;
}

}  // namespace

std::vector<Claim> reproduce(std::span<const Paper> asked, int threads,
                             const std::function<void(double share)>& progress) {
  std::vector<std::pair<Claims, Chapter>> parts;
  for (const Paper& s : asked)
    for (const Chapter chapter : s.chapters) parts.emplace_back(Claims(s.id), chapter);
  // Not a ThreadPool: the other chapters continue if one throws.
  std::atomic<std::size_t> next{0};
  std::exception_ptr failed;
  std::mutex telling;
  std::size_t done = 0;
  auto work = [&] {
    for (std::size_t k; (k = next++) < parts.size();) {
      try {
        parts[k].second(parts[k].first);
      } catch (...) {
        const std::lock_guard lock(telling);
        failed = std::current_exception();
      }
      const std::lock_guard lock(telling);
      if (progress) progress(static_cast<double>(++done) / static_cast<double>(parts.size()));
    }
  };
  {
    std::vector<std::jthread> others;  // joined at the end of this block
    for (int t = 1; t < std::min<int>(threads, static_cast<int>(parts.size())); ++t)
      others.emplace_back(work);
    work();
  }
  if (failed) std::rethrow_exception(failed);
  std::vector<Claim> all;
  for (const auto& [record, chapter] : parts)
    all.insert(all.end(), record.claims().begin(), record.claims().end());
  return together(all);
}

std::vector<Erratum> errata(std::span<const Paper> asked) {
  std::vector<Erratum> all;
  for (const Paper& s : asked) {
    Errata of(s.id);
    if (s.errata) s.errata(of);
    all.insert(all.end(), of.all().begin(), of.all().end());
  }
  return all;
}

}  // namespace parid::papers
