// A few threads that do one short job in phases, each thread its own part of every phase.
//
// For jobs of microseconds. A Crew (crew.hpp) shares out parts to whoever is free, which suits
// batches; here a part's data is in the cache of the thread that had it in the phase before, and
// phases follow each other within a microsecond, so members keep their parts and wait for each
// other awake. Nobody waits for a sleeper: a part that its member has not begun by the end of the
// first phase is taken over by whoever gets there first. Why not one crew for both:
// docs/decisions/threads.md.

#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

#include "base/layer.hpp"

namespace parid::base {

class PhasedThreadPool {
 public:
  explicit PhasedThreadPool(int workers);  // the caller of run() is one of them; at most 64
  ~PhasedThreadPool();
  PhasedThreadPool(const PhasedThreadPool&) = delete;
  PhasedThreadPool& operator=(const PhasedThreadPool&) = delete;

  int workers() const { return static_cast<int>(threads_.size()) + 1; }

  // What a part of a phase waits for, of the phase before: all its parts, or those of smaller
  // numbers, or of greater ones. It sees what they wrote.
  enum class After { all, earlier, later };

  // work(phase, part) for every part 0, …, members − 1 of phase 0, then of each of `phases`. `work`
  // must not throw.
  template <class Work, std::size_t N>
  void run(const After (&phases)[N], Work&& work) {
    run(phases, static_cast<int>(N), &work, [](void* w, int phase, int part) {
      (*static_cast<std::remove_reference_t<Work>*>(w))(phase, part);
    });
  }

 private:
  using Call = void (*)(void* work, int phase, int part);
  struct alignas(128) Part {         // two lines: they are fetched in pairs
    std::atomic<unsigned> taken{0};  // in which job it was last taken
    std::atomic<unsigned> done{0};   // 256 · job + phases done of it
  };
  void run(const After* phases, int count, void* work, Call);
  void wait_for_others(int phase, int part, unsigned long long mine, unsigned job) const;
  bool take(int part, unsigned job);
  void take_part(int worker, unsigned job);
  void run_worker(int worker);
  void stop();
  void wake();

  // The job; stays as it is while anyone has a part of it.
  int phases_ = 0;  // after the first
  const After* after_ = nullptr;
  void* work_ = nullptr;
  Call call_ = nullptr;

  std::unique_ptr<Part[]> parts_;
  alignas(64) std::atomic<unsigned> job_{0};
  alignas(64) std::atomic<int> asleep_{0};
  std::atomic<bool> over_{false};
  std::chrono::steady_clock::time_point ended_{};  // the last job that found somebody asleep
  std::vector<std::thread> threads_;
};

std::unique_ptr<PhasedThreadPool> make_phased_pool(int workers);  // none for one

}  // namespace parid::base
