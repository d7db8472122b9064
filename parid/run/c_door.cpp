#include "parid/parid.h"

#include <exception>
#include <optional>
#include <string>

#include "parid/parid.hpp"

struct parid_robot {
  parid::Robot robot;
  parid::Workspace workspace;
  std::optional<parid::Engine> engine;  // made when first asked for: it starts threads
};

namespace {

thread_local std::string last_error;

template <class Action>
int guarded(Action&& action) {
  try {
    action();
    return 0;
  } catch (const std::exception& e) {
    last_error = e.what();
    return -1;
  }
}

}  // namespace

extern "C" {

parid_robot* parid_load(const char* name_or_path) {
  parid_robot* made = nullptr;
  guarded([&] {
    const parid::Robot robot = parid::Robot::load(name_or_path);
    made = new parid_robot{robot, parid::Workspace(robot), std::nullopt};
  });
  return made;
}
void parid_free(parid_robot* r) { delete r; }
int parid_nq(const parid_robot* r) { return r->robot.nq(); }
int parid_nv(const parid_robot* r) { return r->robot.nv(); }

int parid_inverse_dynamics(parid_robot* r, const double* q, const double* v, const double* a,
                           double* tau) {
  const auto nq = static_cast<std::size_t>(r->robot.nq()),
             nv = static_cast<std::size_t>(r->robot.nv());
  return guarded([&] {
    parid::inverse_dynamics(r->robot, r->workspace, {q, nq}, {v, nv}, {a, nv}, {tau, nv});
  });
}
int parid_inverse_dynamics_rows(parid_robot* r, size_t rows, const double* q, const double* v,
                                const double* a, double* tau) {
  const std::size_t nq = rows * r->robot.nq(), nv = rows * r->robot.nv();
  return guarded([&] {
    if (!r->engine) r->engine.emplace(r->robot);
    r->engine->inverse_dynamics(rows, {q, nq}, {v, nv}, {a, nv}, {tau, nv});
  });
}

const char* parid_last_error(void) { return last_error.c_str(); }
}
