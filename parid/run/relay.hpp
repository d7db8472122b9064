// A few threads that do one short job in phases, each thread its own part of every phase.
//
// For jobs of microseconds. A Crew (crew.hpp) shares out parts to whoever is free, which suits batches;
// here a part's data is in the cache of the thread that had it in the phase before, and phases follow
// each other within a microsecond, so members keep their parts and wait for each other awake. Nobody
// waits for a sleeper: a part that its member has not begun by the end of the first phase is taken over
// by whoever gets there first. Why not one crew for both: docs/decisions/threads.md.

#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

namespace parid {

class Relay {
 public:
  explicit Relay(int members);  // the caller of run() is one of them; at most 64
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  int members() const { return static_cast<int>(threads_.size()) + 1; }

  // work(phase, part) for every part 0, …, members − 1 of phase 0, then of phase 1, and so on. A phase
  // begins when the one before is over, and sees what it wrote. `work` must not throw.
  template <class Work>
  void run(int phases, Work&& work) {
    run(phases, &work, [](void* w, int phase, int part) {
      (*static_cast<std::remove_reference_t<Work>*>(w))(phase, part);
    });
  }

 private:
  using Call = void (*)(void* work, int phase, int part);
  struct alignas(64) Part {
    std::atomic<unsigned> taken{0};  // in which job it was last taken
    std::atomic<unsigned> done{0};   // 256 · job + phases done of it
  };
  void run(int phases, void* work, Call);
  bool take(int part, unsigned job);
  void take_part(int member, unsigned job);
  void live(int member);
  void dismiss();
  void wake();

  // The job; stays as it is while anyone has a part of it.
  int phases_ = 0;
  void* work_ = nullptr;
  Call call_ = nullptr;

  std::unique_ptr<Part[]> parts_;
  alignas(64) std::atomic<unsigned> job_{0};
  alignas(64) std::atomic<int> asleep_{0};
  std::atomic<bool> over_{false};
  std::chrono::steady_clock::time_point found_asleep_{};
  std::vector<std::thread> threads_;
};

std::unique_ptr<Relay> make_relay(int members);  // none for one

}  // namespace parid
