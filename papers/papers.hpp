// The papers of the record: the one list.

#pragma once

#include <functional>
#include <span>
#include <vector>

#include "papers/claim.hpp"
#include "papers/errata.hpp"
#include "papers/layer.hpp"

namespace parid::papers {

using Chapter = void (*)(Record&);

struct Paper {
  const char* id;     // as `parid reproduce` takes it
  const char* title;  // author, year, name
  std::vector<Chapter> chapters;
  void (*errata)(Errata&) = nullptr;
};
const std::vector<Paper>& all_papers();

// The claims of these papers, in their order. Chapters are shared between threads; `progress` is
// told the share that is done, by one of them at a time.
std::vector<Claim> reproduce(std::span<const Paper>, int threads,
                             const std::function<void(double share)>& progress = {});

std::vector<Erratum> errata(std::span<const Paper>);

// ---- chapters
void dhanaraj_counts(Record&);
void dhanaraj_equations(Record&);
void dhanaraj_friction(Record&);
void dhanaraj_introduction(Record&);
void dhanaraj_programs(Record&);
void dhanaraj_schedules(Record&);
void dhanaraj_tables(Record&);
void dhanaraj_tasks(Record&);
void hollerbach(Record&);
void hollerbach_matrices(Record&);
void hollerbach_text(Record&);
void hollerbach_equations(Record&);
void lathrop(Record&);
void lathrop_context(Record&);
void lathrop_forms(Record&);
void lathrop_equations(Record&);
void lathrop_lagrangian(Record&);
void lee_chang(Record&);
void lee_chang_bounds(Record&);
void lee_chang_kinematics(Record&);
void lee_chang_dynamics(Record&);
void lee_chang_equations(Record&);
void hamilton(Record&);
void hamilton_loops(Record&);
void hamilton_stability(Record&);
void hamilton_equations(Record&);

// ---- errata
void dhanaraj_errata(Errata&);
void hollerbach_errata(Errata&);
void lathrop_errata(Errata&);
void lee_chang_errata(Errata&);
void lee_chang_kinematics_errata(Errata&);
void hamilton_errata(Errata&);

}  // namespace parid::papers
