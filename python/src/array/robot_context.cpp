#include "robot_context.hpp"

#include <unistd.h>

#include <atomic>

#include "base/threads/thread_pool.hpp"
#include "parid/dynamics.hpp"
#include "runtime/external_loads.hpp"
#include "runtime/kernel/specialized_program.hpp"

namespace parid::python {
namespace {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> count{0};
  return ++count;
}

ExternalLoads external_loads(const Robot& robot, const Around& around) {
  ExternalLoads s;
  s.set_base_motion(robot, around.angular_velocity, around.angular_acceleration,
                    around.linear_acceleration);
  for (const Around::Push& p : around.pushes) s.add_wrench(robot, p.link, p.force, p.moment);
  return s;
}

bool same(const RowArguments& a, const RowArguments& b) {
  return a.parameters == b.parameters && a.gravity == b.gravity && a.base_motion == b.base_motion &&
         a.wrenches == b.wrenches;
}

}  // namespace

// An engine of a RobotContext, used by one call at a time.
struct RobotContext::Slot {
  Slot(const Robot& r, int t, KernelKind k, const RowArguments& rows)
      : engine(r, {.threads = t, .kernel = k, .quantities = {}, .per_row = rows}),
        threads(t),
        kind(k),
        per_row(rows) {}

  Engine engine;
  int threads;
  KernelKind kind;
  RowArguments per_row;
  std::set<std::pair<Quantity, std::string>> prepared;  // with a link
  unsigned version = 0;
  std::atomic<bool> busy{true};
  const pid_t process = getpid();  // a child of fork() has the memory but not the threads
};

Kinematics& Rooms::kinematics() {
  if (!kinematics_) kinematics_ = std::make_unique<Kinematics>(robot);
  return *kinematics_;
}
Engine& Rooms::engine() {
  if (!engine_) {
    engine_ = std::make_unique<Engine>(
        robot, EngineOptions{.threads = 1, .kernel = KernelKind::generic, .quantities = {}});
    version = ~0U;  // so that the external loads are set
  }
  return *engine_;
}

RobotContext::Lease::~Lease() {
  if (slot_) slot_->busy = false;
}
Engine& RobotContext::Lease::operator*() const { return slot_->engine; }

thread_local RobotContext::Last RobotContext::last;

RobotContext::RobotContext(const Robot& r)
    : robot(r),
      nq(static_cast<std::size_t>(r.nq())),
      nv(static_cast<std::size_t>(r.nv())),
      tip_(r.find_link(r.tip())),
      serial_(next_serial()) {}

// Engines of a parent process cannot be destroyed here: the threads that they would join are not in
// this process.
RobotContext::~RobotContext() {
  for (std::unique_ptr<Slot>& s : slots_)
    if (s->process != getpid()) (void)s.release();
}

Rooms& RobotContext::find_rooms() {
  std::unique_ptr<Rooms>& rooms = by_thread_[std::this_thread::get_id()];
  if (!rooms) rooms = std::make_unique<Rooms>(robot);
  std::map<Quantity, KernelKind> compiled;
  {
    const std::lock_guard lock(mutex_);
    compiled = compile_one_;
  }
  for (const auto& [which, kind] : compiled)
    if (rooms->tried_to_compile.insert({which, kind}).second)
      kind == KernelKind::compiled ? rooms->workspace.compile(which)
                                   : rooms->workspace.compile(which, kind);
  if (rooms->version != around_.version) {
    const ExternalLoads now = external_loads(robot, around_);
    rooms->workspace.set_base_motion(around_.angular_velocity, around_.angular_acceleration,
                                     around_.linear_acceleration);
    rooms->workspace.clear_wrenches();
    for (const Around::Push& p : around_.pushes)
      rooms->workspace.set_wrench(p.link, p.force, p.moment);
    if (rooms->engine_) rooms->engine_->set_external_loads(now);
    rooms->version = around_.version;
  }
  last = {serial_, rooms.get()};
  return *rooms;
}

KernelKind RobotContext::kind_for(std::optional<Quantity> which, std::size_t rows,
                                  const Around& around) const {
  if (!which) return KernelKind::generic;
  if (const auto it = asked_.find(*which); it != asked_.end()) return it->second;
  return which == Quantity::inverse_dynamics && around.nothing() ? default_kernel(rows)
                                                                 : KernelKind::generic;
}

RobotContext::Lease RobotContext::engine(int threads, std::optional<Quantity> which,
                                         const std::string& link, std::size_t rows,
                                         const Around& around, const RowArguments& per_row) {
  threads = thread_count(threads);
  Slot* slot = nullptr;
  KernelKind kind;
  {
    const std::lock_guard lock(mutex_);
    kind = kind_for(which, rows, around);
    for (const auto& s : slots_)
      if (s->threads == threads && s->kind == kind && same(s->per_row, per_row) &&
          s->process == getpid() && !s->busy.exchange(true)) {
        slot = s.get();
        break;
      }
  }
  if (!slot) {
    auto made = std::make_unique<Slot>(robot, threads, kind, per_row);
    slot = made.get();
    const std::lock_guard lock(mutex_);
    if (!per_row.empty()) drop_unused_slots();
    slots_.push_back(std::move(made));
  }
  Lease lease(*slot);
  if (kind != KernelKind::generic) {
    if (!slot->prepared.contains({*which, link})) {
      slot->engine.prepare(*which, kind, link);
      slot->prepared.emplace(*which, link);
    }
    const std::lock_guard lock(mutex_);
    note_ = slot->engine.note();
  }
  if (slot->version != around.version) {
    slot->engine.set_external_loads(external_loads(robot, around));
    slot->version = around.version;
  }
  return lease;
}

// Every set of arguments by row has engines of its own, with threads: those used first go first.
void RobotContext::drop_unused_slots() {
  constexpr std::size_t most = 8;
  std::size_t varied = 0;
  for (const auto& s : slots_) varied += !s->per_row.empty() && s->process == getpid();
  for (auto s = slots_.begin(); s != slots_.end() && varied >= most;)
    if (!(*s)->per_row.empty() && (*s)->process == getpid() && !(*s)->busy.exchange(true)) {
      s = slots_.erase(s);
      --varied;
    } else {
      ++s;
    }
}

std::map<std::string, std::string> RobotContext::prepare(KernelKind kind,
                                                         const std::vector<std::string>& which,
                                                         int threads) {
  std::map<std::string, std::string> got;
  for (const std::string& short_name : which) {
    const Quantity one = batched_quantity(short_name);
    robot.require_defined(one);
    {
      const std::lock_guard lock(mutex_);
      asked_[one] = kind;
      note_.clear();
    }
    const Lease lease = engine(threads, one, "", 1, Around{});
    {
      const std::lock_guard lock(mutex_);
      // Poses and Jacobians of one sample share the sweep of a Kinematics object.
      const bool for_one = kind != KernelKind::generic && kind != KernelKind::interpreted;
      if (for_one && !info(one).needs_link)
        compile_one_[one] = kind;
      else
        compile_one_.erase(one);
    }
    got[short_name] = name(lease->kernel(one));
  }
  return got;
}

std::string RobotContext::note() {
  const std::lock_guard lock(mutex_);
  return note_;
}

void RobotContext::set_base_motion(const std::array<double, 3>& w, const std::array<double, 3>& wd,
                                   const std::array<double, 3>& vd) {
  ExternalLoads().set_base_motion(robot, w, wd, vd);  // or an Error
  around_.angular_velocity = w;
  around_.angular_acceleration = wd;
  around_.linear_acceleration = vd;
  ++around_.version;
}
void RobotContext::add_wrench(const std::string& link, const std::array<double, 3>& force,
                              const std::array<double, 3>& moment, bool alone) {
  ExternalLoads().add_wrench(robot, link, force, moment);  // throws Error, and nothing is changed
  if (alone) around_.pushes.clear();
  around_.pushes.push_back({link, force, moment});
  ++around_.version;
}
void RobotContext::clear_wrenches() {
  around_.pushes.clear();
  ++around_.version;
}

}  // namespace parid::python
