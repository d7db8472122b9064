#include "engine_slot.hpp"

#include "parid/run/answers.hpp"
#include "parid/run/crew.hpp"
#include "parid/run/surroundings.hpp"

namespace parid::python {
namespace {

// A kernel of the robot's own takes a second to make, once; as for `parid torque`.
constexpr std::size_t compiled_from = 200'000;

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> count{0};
  return ++count;
}

Surroundings surroundings(const Robot& robot, const Around& around) {
  Surroundings s;
  s.set_base_motion(robot, around.angular_velocity, around.angular_acceleration,
                    around.linear_acceleration);
  for (const Around::Push& p : around.pushes) s.add_wrench(robot, p.link, p.force, p.moment);
  return s;
}

}  // namespace

Kinematics& Rooms::kinematics() {
  if (!kinematics_) kinematics_ = std::make_unique<Kinematics>(robot);
  return *kinematics_;
}
Engine& Rooms::engine() {
  if (!engine_) {
    engine_ = std::make_unique<Engine>(
        robot, EngineOptions{.threads = 1, .kernel = KernelKind::generic, .questions = {}});
    version = ~0U;  // to be told of the surroundings
  }
  return *engine_;
}

Door::Lease::~Lease() {
  if (slot_) slot_->busy = false;
}
Engine& Door::Lease::operator*() const { return slot_->engine; }

thread_local Door::Last Door::last;

Door::Door(const Robot& r)
    : robot(r),
      nq(static_cast<std::size_t>(r.nq())),
      nv(static_cast<std::size_t>(r.nv())),
      tip_(r.find_link(r.tip())),
      serial_(next_serial()) {}

// Engines of a parent process cannot be ended here: the threads that they would wait for are not ours.
Door::~Door() {
  for (std::unique_ptr<Slot>& s : slots_)
    if (s->process != getpid()) (void)s.release();
}

std::size_t Door::regressor_columns() {
  if (regressor_columns_ == 0) regressor_columns_ = regressor_names(robot).size();
  return regressor_columns_;
}

Rooms& Door::find_rooms() {
  std::unique_ptr<Rooms>& rooms = by_thread_[std::this_thread::get_id()];
  if (!rooms) rooms = std::make_unique<Rooms>(robot);
  if (compile_one_ && !rooms->tried_to_compile) {
    rooms->tried_to_compile = true;
    rooms->workspace.compile();
  }
  if (rooms->version != around_.version) {
    const Surroundings now = surroundings(robot, around_);
    rooms->workspace.set_base_motion(around_.angular_velocity, around_.angular_acceleration,
                                     around_.linear_acceleration);
    rooms->workspace.clear_wrenches();
    for (const Around::Push& p : around_.pushes)
      rooms->workspace.set_wrench(p.link, p.force, p.moment);
    if (rooms->engine_) rooms->engine_->set_surroundings(now);
    rooms->version = around_.version;
  }
  last = {serial_, rooms.get()};
  return *rooms;
}

KernelKind Door::kind_for(const std::string& word, std::size_t rows, const Around& around) const {
  if (const auto it = asked_.find(word); it != asked_.end()) return it->second;
  return word == "inverse" && rows >= compiled_from && around.nothing() ? KernelKind::compiled
                                                                        : KernelKind::generic;
}

Door::Lease Door::engine(int threads, const std::string& word, const std::string& link,
                         std::size_t rows, const Around& around) {
  threads = thread_count(threads);
  Slot* slot = nullptr;
  KernelKind kind;
  {
    const std::lock_guard lock(mutex_);
    kind = kind_for(word, rows, around);
    for (const auto& s : slots_)
      if (s->threads == threads && s->kind == kind && s->process == getpid() &&
          !s->busy.exchange(true)) {
        slot = s.get();
        break;
      }
  }
  if (!slot) {
    auto made = std::make_unique<Slot>(robot, threads, kind);
    slot = made.get();
    const std::lock_guard lock(mutex_);
    slots_.push_back(std::move(made));
  }
  Lease lease(*slot);
  if (kind != KernelKind::generic) {
    if (slot->prepared.insert(word + " " + link).second) slot->engine.prepare(word, kind, link);
    const std::lock_guard lock(mutex_);
    note_ = slot->engine.note();
  }
  if (slot->version != around.version) {
    slot->engine.set_surroundings(surroundings(robot, around));
    slot->version = around.version;
  }
  return lease;
}

std::map<std::string, std::string> Door::prepare(KernelKind kind,
                                                 const std::vector<std::string>& words,
                                                 int threads) {
  std::map<std::string, std::string> got;
  for (const std::string& word : words) {
    {
      const std::lock_guard lock(mutex_);
      asked_[word] = kind;
      if (word == "inverse") compile_one_ = kind == KernelKind::compiled;
      note_.clear();
    }
    const Lease lease = engine(threads, word, "", 1, Around{});
    got[word] = name(lease->kernel(word));
  }
  return got;
}

std::string Door::note() {
  const std::lock_guard lock(mutex_);
  return note_;
}

void Door::set_base_motion(const std::array<double, 3>& w, const std::array<double, 3>& wd,
                           const std::array<double, 3>& vd) {
  Surroundings().set_base_motion(robot, w, wd, vd);  // or an Error
  around_.angular_velocity = w, around_.angular_acceleration = wd, around_.linear_acceleration = vd;
  ++around_.version;
}
void Door::add_wrench(const std::string& link, const std::array<double, 3>& force,
                      const std::array<double, 3>& moment, bool alone) {
  Surroundings().add_wrench(robot, link, force, moment);  // or an Error, and nothing is changed
  if (alone) around_.pushes.clear();
  around_.pushes.push_back({link, force, moment});
  ++around_.version;
}
void Door::clear_wrenches() {
  around_.pushes.clear();
  ++around_.version;
}

}  // namespace parid::python
