// A Python robot in C++: the robot, its external loads, and its evaluators: for one sample a
// workspace for each calling thread, for many an Engine that no other thread is using.
//
// Everything except engine() is called with Python's lock held, so the rest needs no other locks.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "layer.hpp"
#include "parid/engine.hpp"
#include "parid/kinematics.hpp"

namespace parid::python {

// In the user's frames; the same for all rows.
struct Around {
  struct Push {
    std::string link;
    std::array<double, 3> force, moment;
  };
  std::array<double, 3> angular_velocity{}, angular_acceleration{}, linear_acceleration{};
  std::vector<Push> pushes;
  unsigned version = 0;  // counts changes

  bool nothing() const {
    const std::array<double, 3> zero{};
    return pushes.empty() && angular_velocity == zero && angular_acceleration == zero &&
           linear_acceleration == zero;
  }
};

// Data of one thread. Rarely used parts are constructed at their first use.
struct Rooms {
  explicit Rooms(const Robot& r) : robot(r), workspace(r) {}

  Robot robot;
  Workspace workspace;
  unsigned version = 0;
  std::set<std::pair<Quantity, KernelKind>> tried_to_compile;

  Kinematics& kinematics();
  Engine& engine();  // generic, of one thread: for single samples of float

 private:
  friend class RobotContext;
  std::unique_ptr<Kinematics> kinematics_;
  std::unique_ptr<Engine> engine_;
};

class RobotContext {
 public:
  explicit RobotContext(const Robot& r);
  RobotContext(const RobotContext&) = delete;
  RobotContext& operator=(const RobotContext&) = delete;
  ~RobotContext();

  const Robot robot;
  const std::size_t nq, nv;
  int tip() const { return tip_; }  // the link, by index

  // Of the calling thread.
  Rooms& rooms() {
    if (last.serial == serial_ && last.rooms->version == around_.version) return *last.rooms;
    return find_rooms();
  }

  // An engine that no other thread uses during the lease, prepared for the quantity. Called without
  // Python's lock: it may trace and compile.
  struct Slot;
  class Lease {
   public:
    explicit Lease(Slot& s) : slot_(&s) {}
    Lease(Lease&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}
    ~Lease();
    Engine& operator*() const;
    Engine* operator->() const { return &**this; }

   private:
    Slot* slot_;
  };
  Lease engine(int threads, std::optional<Quantity>, const std::string& link, std::size_t rows,
               const Around&, const RowArguments& = {});

  // From now on kernels of this kind compute these quantities, given by their short names. Returns
  // the actual kind for each.
  std::map<std::string, std::string> prepare(KernelKind, const std::vector<std::string>& which,
                                             int threads);
  void refresh() { ++around_.version; }  // threads then update their data
  std::string note();                    // why a kernel is not of the requested kind

  const Around& around() const { return around_; }
  void set_base_motion(const std::array<double, 3>& w, const std::array<double, 3>& wd,
                       const std::array<double, 3>& vd);
  void add_wrench(const std::string& link, const std::array<double, 3>& force,
                  const std::array<double, 3>& moment, bool alone);  // alone: replaces all others
  void clear_wrenches();

 private:
  struct Last {
    std::uint64_t serial = 0;
    Rooms* rooms = nullptr;
  };
  static thread_local Last last;

  Rooms& find_rooms();
  void drop_unused_slots();  // under mutex_
  KernelKind kind_for(std::optional<Quantity>, std::size_t rows, const Around&) const;

  const int tip_;
  const std::uint64_t serial_;  // unique among all contexts, including destroyed ones
  Around around_;
  std::map<std::thread::id, std::unique_ptr<Rooms>> by_thread_;

  std::mutex mutex_;  // protects the members below
  std::vector<std::unique_ptr<Slot>> slots_;
  std::map<Quantity, KernelKind> asked_;  // others: chosen by the number of rows
  std::string note_;
  std::map<Quantity, KernelKind> compile_one_;  // also for single samples
};

}  // namespace parid::python
