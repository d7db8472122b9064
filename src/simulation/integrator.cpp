#include "simulation/integrator.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text/spelling.hpp"
#include "parid/error.hpp"

namespace parid::simulation {
namespace {

constexpr IntegratorEntry list[] = {
    {"dopri5", 5, true, "Dormand-Prince, fifth order, adaptive steps (`tolerance`)",
     make_dormand_prince},
    {"rk4", 4, false, "Runge-Kutta, fourth order, fixed steps (`step`)", make_runge_kutta},
    {"symplectic", 2, false,
     "variational midpoint rule, second order, fixed steps (`step`): no energy drift",
     make_symplectic},
};

}  // namespace

std::span<const IntegratorEntry> integrators() { return list; }

const IntegratorEntry& integrator(const std::string& id) {
  std::vector<std::string> names;
  for (const IntegratorEntry& entry : list) {
    if (entry.id == id) return entry;
    names.push_back(entry.id);
  }
  throw Error(fmt::format("unknown integrator '{}'; {}choose from {}", id, did_you_mean(id, names),
                          fmt::join(names, ", ")));
}

}  // namespace parid::simulation
