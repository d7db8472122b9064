// An evaluation allocates no memory, and neither does the first one after construction or
// preparation: every allocation of the process and all its threads is counted by functions that
// replace the allocator's.

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <optional>

#include "lookup/torque_table.hpp"
#include "parid/dynamics.hpp"
#include "parid/engine.hpp"
#include "parid/inverse_dynamics.hpp"
#include "parid/kinematics.hpp"
#include "parid/parid.h"
#include "runtime/engine/generic_rows.hpp"
#include "runtime/engine/strided_types.hpp"
#include "tests/full.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace {
std::atomic<long> allocations{0};
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Sanitizers replace the allocator themselves.

// Every other way leads here: operator new of all kinds and std::vector call malloc or
// aligned_alloc.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t n) noexcept { return ++allocations, __libc_malloc(n); }
void* calloc(std::size_t n, std::size_t size) noexcept {
  return ++allocations, __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t n) noexcept { return ++allocations, __libc_realloc(p, n); }
void* memalign(std::size_t line, std::size_t n) noexcept {
  return ++allocations, __libc_memalign(line, n);
}
void* aligned_alloc(std::size_t line, std::size_t n) noexcept {
  return ++allocations, __libc_memalign(line, n);
}
int posix_memalign(void** p, std::size_t line, std::size_t n) noexcept {
  ++allocations;
  *p = __libc_memalign(line, n);
  return *p ? 0 : ENOMEM;
}
}
#endif

namespace parid::test {
namespace {

// Allocations of one call.
template <class Call>
long allocated(Call&& call) {
  const long before = allocations;
  call();
  return allocations - before;
}

// Random rows of positions, velocities and accelerations.
struct States {
  std::vector<double> q, v, a;
  States(const Robot& robot, std::size_t rows, unsigned seed) {
    Rng rng(seed);
    for (std::size_t r = 0; r < rows; ++r) {
      const RandomState s = random_state(rng, robot.description());
      q.insert(q.end(), s.q.begin(), s.q.end());
      v.insert(v.end(), s.v.begin(), s.v.end());
      a.insert(a.end(), s.a.begin(), s.a.end());
    }
  }
};

// One quantity over rows: arrays that it takes and gives, row after row or column after column.
template <class Real>
struct Asked {
  std::vector<std::vector<Real>> from, to;
  std::vector<StridedIn<Real>> in;
  std::vector<StridedOut<Real>> out;

  Asked(const Engine& engine, Quantity what, std::size_t rows, bool columns, double farther = 0) {
    const States s(engine.robot(), rows, 7);
    const std::vector<double>* given[] = {&s.q, &s.v, &s.a};
    const std::vector<std::size_t> takes = engine.input_widths(what),
                                   gives = engine.output_widths(what);
    for (std::size_t k = 0; k < takes.size(); ++k) {
      const std::vector<double>& values = *given[std::min<std::size_t>(k, 2)];
      from.emplace_back(values.begin(), values.end());
      from.back().resize(rows * takes[k], Real(0.1));  // inertial parameters are more numbers
      if (k == 0) from[k][0] += static_cast<Real>(farther);
    }
    for (const std::size_t n : gives) to.emplace_back(rows * n);
    const std::size_t column = columns ? rows : 1;
    for (std::size_t k = 0; k < takes.size(); ++k)
      in.push_back({from[k].data(), columns ? 1 : takes[k], column});
    for (std::size_t k = 0; k < gives.size(); ++k)
      out.push_back({to[k].data(), columns ? 1 : gives[k], column});
  }
  long evaluated(Engine& engine, Quantity what, std::size_t rows, std::string_view link = {}) {
    const std::span<const StridedIn<Real>> i(in);
    const std::span<const StridedOut<Real>> o(out);
    return allocated([&] { engine.evaluate(what, rows, i, o, {}, link); });
  }
};

class Allocation : public testing::Test {
 protected:
  void SetUp() override {
    const long before = allocations;
    std::vector<double> some(1000);
    asm volatile("" : : "r"(some.data()) : "memory");  // or the compiler does without
    if (allocations == before) GTEST_SKIP() << "allocations cannot be counted in this build";
  }
  std::vector<Robot> robots() const {
    Rng rng(1);
    Description led = random_chain(rng, 6);
    led.joints[4].mimic = Mimic{"joint2", 2, 0.1};
    Description coupled = random_chain(rng, 6);
    coupled.joints[2].mimic = Mimic{"joint1", 1, 0.1, {0.3, -0.2}};
    coupled.joints[5].mimic = Mimic{"joint2", 1, 0, {}, FourBar{1, 0.4, 0.9, 0.8, 0.5}};
    return {
        Robot::load("puma560"), Robot::load("humanoid"), Robot(led), Robot(coupled),
        Robot(random_tree(
            rng, 20, {.prismatic = 0.3, .planar = 0.2, .spherical = 0.2, .floating_base = true}))};
  }
  // None of them built in, and small: for programs that are compiled.
  std::vector<Robot> small_robots() const {
    Rng rng(6);
    Description led = random_chain(rng, 4, {.prismatic = 0.5});
    led.joints[3].mimic = Mimic{"joint1", -0.5, 0.2};
    led.joints[1].rotor_inertia = 0.2;
    led.joints[1].elastic = Elasticity{300, 1};
    return {Robot(led), Robot(random_tree(rng, 4, {.prismatic = 0.3, .spherical = 0.5})),
            Robot(random_tree(rng, 3, {.prismatic = 0.3, .floating_base = true}))};
  }
};

TEST_F(Allocation, IsCountedHere) {
  struct alignas(64) Line {
    char bytes[64];
  };
  const long before = allocations;
  auto* const line = new Line;
  asm volatile("" : : "r"(line) : "memory");
  EXPECT_EQ(allocations - before, 1);
  delete line;
}

// Everything that a workspace promises after construction, from the first call on.
TEST_F(Allocation, TheFirstSampleNeedsNone) {
  for (const Robot& robot : robots()) {
    Rng rng(2);
    const RandomState s = random_state(rng, robot.description());
    const std::vector<float> qf(s.q.begin(), s.q.end()), vf(s.v.begin(), s.v.end()),
        af(s.a.begin(), s.a.end());
    std::vector<double> tau(robot.nv()), rigid(tau), bearing(tau), drive(tau);
    std::vector<float> tau_float(robot.nv());
    const FrictionTorques parts{rigid, bearing, drive, tau};
    for (const bool pushed : {false, true}) {
      const std::string of = robot.name() + (pushed ? ", with a wrench" : "");
      auto fresh = [&] {
        Workspace w(robot);
        if (pushed) w.set_wrench(robot.tip(), {1, 2, 3}, {4, 5, 6});
        return w;
      };
      auto first = [&](const char* what, auto&& call) {
        Workspace w = fresh();
        EXPECT_EQ(allocated([&] { call(w); }), 0) << of << ", " << what;
      };
      first("double", [&](Workspace& w) { inverse_dynamics(robot, w, s.q, s.v, s.a, tau); });
      first("float", [&](Workspace& w) { inverse_dynamics(robot, w, qf, vf, af, tau_float); });
      first("friction",
            [&](Workspace& w) { inverse_dynamics_with_friction(robot, w, s.q, s.v, s.a, tau); });
      first("friction, float",
            [&](Workspace& w) { inverse_dynamics_with_friction(robot, w, qf, vf, af, tau_float); });
      first("friction in parts",
            [&](Workspace& w) { inverse_dynamics_with_friction(robot, w, s.q, s.v, s.a, parts); });
      first("bias", [&](Workspace& w) { bias(robot, w, s.q, s.v, tau); });
      first("gravity", [&](Workspace& w) { gravity(robot, w, s.q, tau); });
      Workspace w = fresh();
      EXPECT_EQ(allocated([&] {
                  for (int k = 0; k < 100; ++k) {
                    inverse_dynamics(robot, w, s.q, s.v, s.a, tau);
                    inverse_dynamics(robot, w, qf, vf, af, tau_float);
                  }
                }),
                0)
          << of;
    }
  }
}

// The other quantities, from the first call after prepare() on.
TEST_F(Allocation, PreparedQuantitiesNeedNone) {
  for (const Robot& robot : robots()) {
    Rng rng(8);
    const RandomState s = random_state(rng, robot.description());
    const auto n = static_cast<std::size_t>(robot.nv());
    std::vector<double> x(n), y(n), z(n), M(n * n), N(M), L(M), w(n, 0.3),
        Y(n * regressor_names(robot).size());
    for (const bool pushed : {false, true}) {
      auto first = [&](const char* what, Quantity which, auto&& call) {
        Workspace p(robot);
        prepare(p, {which});
        if (pushed) p.set_wrench(robot.tip(), {1, 2, 3}, {4, 5, 6});
        EXPECT_EQ(allocated([&] { call(p); }), 0) << robot.name() << ", " << what << ' ' << pushed;
      };
      first("forward dynamics", Quantity::forward_dynamics,
            [&](Workspace& p) { forward_dynamics(robot, p, s.q, s.v, s.a, x); });
      first("mass matrix", Quantity::mass_matrix,
            [&](Workspace& p) { mass_matrix(robot, p, s.q, M); });
      first("Coriolis matrix", Quantity::coriolis_matrix,
            [&](Workspace& p) { coriolis_matrix(robot, p, s.q, s.v, M); });
      first("inverse gradient", Quantity::inverse_gradient,
            [&](Workspace& p) { inverse_gradient(robot, p, s.q, s.v, s.a, M, N, L); });
      first("forward gradient", Quantity::forward_gradient,
            [&](Workspace& p) { forward_gradient(robot, p, s.q, s.v, s.a, M, N, L); });
      first("inverse vector product", Quantity::inverse_vector_product,
            [&](Workspace& p) { inverse_vector_product(robot, p, s.q, s.v, s.a, w, x, y, z); });
      first("forward vector product", Quantity::forward_vector_product,
            [&](Workspace& p) { forward_vector_product(robot, p, s.q, s.v, s.a, w, x, y, z); });
      first("energy", Quantity::energy, [&](Workspace& p) { parid::energy(robot, p, s.q, s.v); });
      first("regressor", Quantity::regressor,
            [&](Workspace& p) { parid::regressor(robot, p, s.q, s.v, s.a, Y); });
    }
    std::vector<double> q(s.q);
    EXPECT_EQ(allocated([&] {
                integrate(robot, s.q, s.v, q);
                difference(robot, s.q, q, x);
              }),
              0);
  }
}

TEST_F(Allocation, OneSampleOfALongChainNeedsNone) {
  const Robot robot = Robot::load("chain:400");
  Rng rng(5);
  const RandomState s = random_state(rng, robot.description());
  std::vector<double> tau(robot.nv());
  for (int threads : {1, 2}) {
    Workspace workspace(robot, {.threads = threads});
    EXPECT_EQ(allocated([&] {
                for (int k = 0; k < 200; ++k)
                  inverse_dynamics(robot, workspace, s.q, s.v, s.a, tau);
              }),
              0)
        << threads;
  }
}

TEST_F(Allocation, ACompiledSampleNeedsNone) {
  for (const Robot& robot : small_robots()) {
    Workspace workspace(robot);
    if (!workspace.compile()) GTEST_SKIP() << workspace.note();
    const States s(robot, 1, 9);
    std::vector<double> far = s.q, tau(robot.nv());
    far.back() += 1e6;  // of which the generic kernel computes sines
    EXPECT_EQ(allocated([&] { inverse_dynamics(robot, workspace, s.q, s.v, s.a, tau); }), 0);
    EXPECT_EQ(allocated([&] { inverse_dynamics(robot, workspace, far, s.v, s.a, tau); }), 0);
  }
}

TEST_F(Allocation, KinematicsNeedsNone) {
  for (const Robot& robot : robots()) {
    Rng rng(4);
    const RandomState s = random_state(rng, robot.description());
    const int link = robot.find_link(robot.tip());
    std::vector<double> J(6 * robot.nv());
    Kinematics k(robot);
    const long before = allocations;
    k.set(s.q, s.v, s.a);
    k.pose(link);
    k.velocity(link);
    k.acceleration(link);
    for (Axes axes : {Axes::root, Axes::link}) {
      k.jacobian(link, J, {}, axes);
      k.jacobian_rate(link, J, {}, axes);
    }
    EXPECT_EQ(allocations - before, 0) << robot.name();
  }
}

TEST_F(Allocation, BatchesNeedNone) {
  const std::size_t most = 3000;
  for (const Robot& robot : robots()) {
    const States s(robot, most, 3);
    const std::vector<float> qf(s.q.begin(), s.q.end()), vf(s.v.begin(), s.v.end()),
        af(s.a.begin(), s.a.end());
    std::vector<double> tau(most * robot.nv()), parts(3 * tau.size());
    std::vector<float> tau_float(most * robot.nv());
    for (int threads : {1, 2, 5}) {
      Engine engine(robot, {.threads = threads, .kernel = KernelKind::generic});
      auto evaluate = [&](std::size_t rows) {
        const std::size_t nq = rows * robot.nq(), nv = rows * robot.nv();
        const std::span<const double> q(s.q.data(), nq), v(s.v.data(), nv), a(s.a.data(), nv);
        const std::span total(tau.data(), nv);
        engine.inverse_dynamics(rows, q, v, a, total);
        engine.inverse_dynamics(rows, {qf.data(), nq}, {vf.data(), nv}, {af.data(), nv},
                                std::span<float>(tau_float.data(), nv));
        engine.inverse_dynamics_with_friction(rows, q, v, a, total);
        engine.inverse_dynamics_with_friction(
            rows, q, v, a,
            FrictionTorques{
                {parts.data(), nv}, {parts.data() + nv, nv}, {parts.data() + 2 * nv, nv}, total});
      };
      const long before = allocations;
      for (std::size_t rows : {most, std::size_t{1}, std::size_t{40}, std::size_t{500}, most})
        for (int k = 0; k < 4; ++k) evaluate(rows);
      EXPECT_EQ(allocations - before, 0) << robot.name() << ", " << threads << " threads";
    }
  }
}

// Every quantity, kernel, number type and layout, on one thread and on two, from the first
// evaluation on.
class FirstBatch : public Allocation {
 protected:
  static constexpr std::size_t rows = 300;  // enough for two threads to share

  template <class Real>
  void count(Engine& engine, Quantity what, const std::string& of, bool columns) {
    const std::string here =
        of + ", " + std::to_string(8 * sizeof(Real)) + " bits" + (columns ? ", columns" : "");
    Asked<Real> some(engine, what, rows, columns);
    EXPECT_EQ(some.evaluated(engine, what, rows), 0) << here;
    Asked<Real> far(engine, what, rows, columns, 1e6);  // the generic kernel takes such angles
    EXPECT_EQ(far.evaluated(engine, what, rows), 0) << here << ", large angles";
    engine.set_base_motion({0, 0, 0.1}, {0, 0, 0}, {0, 0, 1});
    EXPECT_EQ(some.evaluated(engine, what, rows), 0) << here << ", the base moves";
    engine.set_base_motion({}, {}, {});
  }
  // A program is traced once for all layouts; generic kernels are made anew for each.
  void count_all(const Robot& robot, Quantity what, KernelKind kind) {
    for (int threads : {1, 2}) {
      const std::string of = robot.name() + ", " + parid::name(what) + ", " + name(kind) + ", " +
                             std::to_string(threads) + " threads";
      std::optional<Engine> engine;
      for (int layout = 0; layout < 4; ++layout) {
        if (!engine || kind == KernelKind::generic) {
          engine.emplace(robot,
                         EngineOptions{.threads = threads, .kernel = kind, .quantities = {}});
          if (!engine->prepare(what, kind)) {
            skipped_.push_back(of + ": " + engine->note());
            break;
          }
        }
        if (layout / 2 == 0)
          count<double>(*engine, what, of, layout % 2 == 0);
        else
          count<float>(*engine, what, of, layout % 2 == 0);
      }
    }
  }
  std::vector<std::string> skipped_;
};

TEST_F(FirstBatch, GenericNeedsNone) {
  for (const Robot& robot : robots())
    for (const Quantity what : batched_quantities()) count_all(robot, what, KernelKind::generic);
  EXPECT_TRUE(skipped_.empty()) << skipped_[0];
}

// In an ordinary run every quantity on one of the robots, in a full one on each.
TEST_F(FirstBatch, InterpretedNeedsNone) {
  const std::vector<Quantity> all = batched_quantities();
  const std::vector<Robot> robots = small_robots();
  for (std::size_t r = 0; r < robots.size(); ++r)
    for (std::size_t k = 0; k < all.size(); ++k)
      if (full_tests() || k % robots.size() == r)
        count_all(robots[r], all[k], KernelKind::interpreted);
  EXPECT_TRUE(skipped_.empty()) << skipped_[0];
}

#if defined(__x86_64__)
TEST_F(FirstBatch, MachineCodeNeedsNone) {
  const std::vector<Quantity> all = batched_quantities();
  const std::vector<Robot> robots = small_robots();
  for (std::size_t r = 0; r < robots.size(); ++r)
    for (std::size_t k = 0; k < all.size(); ++k)
      if (full_tests() || k % robots.size() == r) count_all(robots[r], all[k], KernelKind::machine);
  EXPECT_TRUE(skipped_.empty()) << skipped_[0];
}
#endif

TEST_F(FirstBatch, CompiledNeedsNone) {
  const auto all = full_tests() ? batched_quantities()
                                : std::vector<Quantity>{Quantity::inverse_dynamics,
                                                        Quantity::energy, Quantity::regressor};
  std::size_t tried = 0;
  for (const Robot& robot : small_robots()) {
    if (!full_tests() && tried > 0) break;  // each is compiled twice: for double and for float
    for (Quantity what : all) {
      count_all(robot, what, KernelKind::compiled);
      tried += 2;
    }
  }
  if (skipped_.size() == tried) GTEST_SKIP() << skipped_[0];
  EXPECT_TRUE(skipped_.empty()) << skipped_[0];
}

// The names of a quantity are not copied, long ones either, nor is a link's long name.
TEST_F(FirstBatch, NamesNeedNone) {
  Rng rng(11);
  Description d = random_chain(rng, 4);
  const std::string link = "a link whose name is longer than a short string";
  for (auto& j : d.joints)
    if (j.child == d.links.back().name) j.child = link;
  d.links.back().name = link;
  const Robot robot(d);
  Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic, .quantities = {}});
  for (const Quantity what : {Quantity::kinematics, Quantity::jacobian})
    engine.prepare(what, KernelKind::generic, link);
  engine.prepare(Quantity::inverse_gradient, KernelKind::generic);
  const std::size_t n = static_cast<std::size_t>(robot.nv());
  const States s(robot, 3, 12);
  std::vector<double> R(27), p(9), J(18 * n), dq(3 * n * n), dv(dq), da(dq);
  const char* const name = link.c_str();
  const StridedInput in[] = {{s.q.data(), n}, {s.v.data(), n}, {s.a.data(), n}};
  const StridedOutput out[] = {{dq.data(), n * n}, {dv.data(), n * n}, {da.data(), n * n}};
  EXPECT_EQ(allocated([&] {
              engine.kinematics(3, s.q, name, R, p);
              engine.jacobian(3, s.q, name, J);
              engine.inverse_gradient(3, s.q, s.v, s.a, dq, dv, da);
              engine.evaluate(Quantity::inverse_gradient, 3, in, out);
            }),
            0);
}

TEST_F(Allocation, TablesAreReadWithoutAny) {
  const Robot robot = Robot::load("puma560-positioning");
  const auto n = static_cast<std::size_t>(robot.nv());
  const std::vector<double> q(n, 0.3), v(n, 0.1), a(n, 0.2);
  std::vector<double> tau(n);
  for (const TableKind kind : {TableKind::configuration, TableKind::state, TableKind::cmac}) {
    const TorqueTable table = TorqueTable::build(
        robot,
        {.kind = kind, .points = {3}, .tilings = 8, .cells = 1024, .lessons = 100, .threads = 1});
    TableReader reader(table);
    EXPECT_EQ(allocated([&] { reader.torque(q, v, a, tau); }), 0) << static_cast<int>(kind);
  }
}

// What parid.h calls real-time safe.
class COfAllocation : public Allocation {
 protected:
  parid_robot* loaded(const char* name) {
    parid_robot* r = parid_load(name);
    EXPECT_NE(r, nullptr) << parid_last_error();
    return r;
  }
};

TEST_F(COfAllocation, NeedsNoneOncePrepared) {
  for (const char* name : {"puma560", "humanoid", "puma560-positioning", "chain:30"}) {
    parid_robot* r = loaded(name);
    const auto nq = static_cast<std::size_t>(parid_nq(r)),
               nv = static_cast<std::size_t>(parid_nv(r));
    std::vector<double> q(nq), v(nv, 0.1), a(nv, 0.2), x(nv), M(nv * nv), N(M), L(M), J(6 * nv);
    parid_neutral(r, q.data());
    std::vector<float> qf(q.begin(), q.end()), vf(nv), af(nv), xf(nv);
    double R[9], p[3], kinetic = 0, potential = 0, limits[4];
    const double zero[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    int wrong = 0;
    // [RT]
    EXPECT_EQ(allocated([&] {
                wrong |= parid_inverse_dynamics(r, q.data(), v.data(), a.data(), x.data());
                wrong |=
                    parid_inverse_dynamics_float(r, qf.data(), vf.data(), af.data(), xf.data());
                wrong |= parid_integrate(r, q.data(), v.data(), q.data());
                wrong |= parid_difference(r, q.data(), q.data(), x.data());
                wrong |= parid_limits(r, 0, limits);
                parid_last_error();
                parid_last_code();
                parid_version();
                parid_abi_version();
                parid_nq(r);
                parid_nv(r);
                parid_link_count(r);
                parid_tip(r);
                parid_name(r);
                parid_position_name(r, 0);
                parid_velocity_name(r, 0);
                parid_link_name(r, 0);
              }),
              0)
        << name;
    // [RT prepared]
    ASSERT_EQ(parid_prepare(r), PARID_OK) << parid_last_error();
    const long before = allocations;
    for (int k = 0; k < 10; ++k) {
      wrong |= parid_inverse_dynamics(r, q.data(), v.data(), a.data(), x.data());
      wrong |= parid_inverse_dynamics_float(r, qf.data(), vf.data(), af.data(), xf.data());
      wrong |= parid_inverse_dynamics_with_friction(r, q.data(), v.data(), a.data(), x.data());
      wrong |= parid_forward_dynamics(r, q.data(), v.data(), a.data(), x.data());
      wrong |= parid_mass_matrix(r, q.data(), M.data());
      wrong |= parid_bias(r, q.data(), v.data(), x.data());
      wrong |= parid_gravity(r, q.data(), x.data());
      wrong |= parid_coriolis_matrix(r, q.data(), v.data(), M.data());
      wrong |=
          parid_inverse_gradient(r, q.data(), v.data(), a.data(), M.data(), N.data(), L.data());
      wrong |=
          parid_forward_gradient(r, q.data(), v.data(), a.data(), M.data(), N.data(), L.data());
      wrong |= parid_kinematics(r, q.data(), parid_tip(r), R, p);
      wrong |= parid_jacobian(r, q.data(), parid_tip(r), J.data());
      wrong |= parid_energy(r, q.data(), v.data(), &kinetic, &potential);
      wrong |= parid_integrate(r, q.data(), v.data(), q.data());
      wrong |= parid_difference(r, q.data(), q.data(), x.data());
      wrong |= parid_set_base_motion(r, zero, zero, k % 2 ? up : zero);
      wrong |= parid_inverse_dynamics(r, nullptr, v.data(), a.data(), x.data()) + 2;  // said, too
    }
    EXPECT_EQ(allocations - before, 0) << name;
    EXPECT_EQ(wrong, 0) << parid_last_error();
    parid_free(r);
  }
}

TEST_F(COfAllocation, EngineNeedsNoneFromItsFirstRows) {
  constexpr std::size_t rows = 600;
  parid_robot* r = loaded("puma560-positioning");
  const char* links[] = {nullptr, parid_link_name(r, 1)};
  for (const Quantity what : batched_quantities())
    for (int kernel : {PARID_GENERIC, PARID_INTERPRETED})
      for (int threads : {1, 2})
        for (const char* link : links) {
          if (link && !info(what).needs_link) continue;
          parid_engine* e = parid_engine_new(r, threads);
          ASSERT_EQ(parid_engine_prepare(e, parid::name(what), kernel, link), kernel);
          std::vector<std::vector<double>> from, to;
          std::vector<std::vector<float>> from_float, to_float;
          std::vector<const double*> in;
          std::vector<double*> out;
          std::vector<const float*> in_float;
          std::vector<float*> out_float;
          std::vector<parid_input> strided_in;
          std::vector<parid_output> strided_out;
          for (int k = 0; const std::size_t n = parid_engine_takes(e, parid::name(what), k); ++k) {
            from.emplace_back(rows * n, 0.3);
            from_float.emplace_back(rows * n, 0.3f);
          }
          for (int k = 0; const std::size_t n = parid_engine_gives(e, parid::name(what), k); ++k) {
            to.emplace_back(rows * n);
            to_float.emplace_back(rows * n);
          }
          for (auto& x : from) {
            in.push_back(x.data());
            strided_in.push_back({x.data(), 1, rows});
          }
          for (auto& x : to) {
            out.push_back(x.data());
            strided_out.push_back({x.data(), 1, rows});
          }
          for (auto& x : from_float) in_float.push_back(x.data());
          for (auto& x : to_float) out_float.push_back(x.data());
          int wrong = 0;
          for (const char* asked : {link, static_cast<const char*>(nullptr)})
            EXPECT_EQ(allocated([&] {
                        wrong |= parid_engine_rows(e, parid::name(what), asked, rows, in.data(),
                                                   out.data());
                        wrong |= parid_engine_rows_float(e, parid::name(what), asked, rows,
                                                         in_float.data(), out_float.data());
                        wrong |= parid_engine_strided(e, parid::name(what), asked, rows,
                                                      strided_in.data(), strided_out.data());
                      }),
                      0)
                << parid::name(what) << ", kernel " << kernel << ", " << threads << " threads";
          EXPECT_EQ(wrong, PARID_OK) << parid_last_error();
          parid_engine_free(e);
        }
  parid_free(r);
}

}  // namespace
}  // namespace parid::test
