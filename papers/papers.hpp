// The list of papers.

#pragma once

#include <functional>
#include <span>
#include <vector>

#include "papers/claim.hpp"
#include "papers/errata.hpp"
#include "papers/layer.hpp"

namespace parid::papers {

using Chapter = void (*)(Claims&);

struct Paper {
  const char* id;     // argument of `parid reproduce`
  const char* title;  // author, year, name
  std::vector<Chapter> chapters;
  void (*errata)(Errata&) = nullptr;
};
const std::vector<Paper>& all_papers();

// The claims of these papers, in their order. Chapters are distributed over threads; `progress` is
// called with the finished fraction, by one thread at a time.
std::vector<Claim> reproduce(std::span<const Paper>, int threads,
                             const std::function<void(double share)>& progress = {});

std::vector<Erratum> errata(std::span<const Paper>);

// ---- chapters
void dhanaraj_counts(Claims&);
void dhanaraj_equations(Claims&);
void dhanaraj_friction(Claims&);
void dhanaraj_introduction(Claims&);
void dhanaraj_programs(Claims&);
void dhanaraj_schedules(Claims&);
void dhanaraj_tables(Claims&);
void dhanaraj_tasks(Claims&);
void hollerbach(Claims&);
void hollerbach_matrices(Claims&);
void hollerbach_text(Claims&);
void hollerbach_equations(Claims&);
void lathrop(Claims&);
void lathrop_context(Claims&);
void lathrop_forms(Claims&);
void lathrop_equations(Claims&);
void lathrop_lagrangian(Claims&);
void lathrop_figures(Claims&);
void lee_chang(Claims&);
void lee_chang_bounds(Claims&);
void lee_chang_kinematics(Claims&);
void lee_chang_dynamics(Claims&);
void lee_chang_evaluation(Claims&);
void lee_chang_equations(Claims&);
void hamilton(Claims&);
void hamilton_loops(Claims&);
void hamilton_stability(Claims&);
void hamilton_equations(Claims&);

// ---- errata
void dhanaraj_errata(Errata&);
void hollerbach_errata(Errata&);
void lathrop_errata(Errata&);
void lee_chang_errata(Errata&);
void lee_chang_kinematics_errata(Errata&);
void hamilton_errata(Errata&);

}  // namespace parid::papers
