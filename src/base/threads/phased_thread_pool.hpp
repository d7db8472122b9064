// A few threads that run one short job in phases; each thread has its own part of every phase.
//
// For jobs of microseconds. A ThreadPool (thread_pool.hpp) gives parts to any free worker, which
// suits batches. Here the data of a part is in the cache of the thread that ran it in the previous
// phase, and phases follow each other within a microsecond, so workers keep their parts and wait
// without sleeping. No worker waits for a sleeping one: a part that its worker has not started by
// the end of the first phase is taken over by the first free worker. Why:
// docs/decisions/threads.md.

#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <type_traits>

#include "base/layer.hpp"
#include "base/threads/worker_threads.hpp"

namespace parid::base {

class PhasedThreadPool {
 public:
  explicit PhasedThreadPool(int workers);  // the caller of run() is one of them; at most 64
  ~PhasedThreadPool();
  PhasedThreadPool(const PhasedThreadPool&) = delete;
  PhasedThreadPool& operator=(const PhasedThreadPool&) = delete;

  int workers() const { return threads_.workers(); }

  // The parts of the previous phase that a part waits for: all, those with smaller numbers, or
  // those with greater ones. It sees what they wrote.
  enum class After { all, earlier, later };

  // Calls work(phase, part) for every part 0, …, workers − 1 of phase 0, then of each of `phases`.
  // `work` must not throw.
  template <class Work, std::size_t N>
  void run(const After (&phases)[N], Work&& work) {
    run(phases, static_cast<int>(N), &work, [](void* w, int phase, int part) {
      (*static_cast<std::remove_reference_t<Work>*>(w))(phase, part);
    });
  }

 private:
  using Call = void (*)(void* work, int phase, int part);
  struct alignas(128) Part {         // two cache lines: they are fetched in pairs
    std::atomic<unsigned> taken{0};  // the job in which it was last taken
    std::atomic<unsigned> done{0};   // 256 · job + phases done of it
  };
  void run(const After* phases, int count, void* work, Call);
  void wait_for_others(int phase, int part, unsigned long long mine, unsigned job) const;
  bool take(int part, unsigned job);
  void take_part(int worker, unsigned job);
  void run_worker(int worker);
  void wake();

  // The job; unchanged while a worker has a part of it.
  int phases_ = 0;  // after the first
  const After* after_ = nullptr;
  void* work_ = nullptr;
  Call call_ = nullptr;

  std::unique_ptr<Part[]> parts_;
  alignas(64) std::atomic<int> asleep_{0};
  std::chrono::steady_clock::time_point ended_{};  // of the last job that found a sleeper
  WorkerThreads threads_;
};

std::unique_ptr<PhasedThreadPool> make_phased_pool(int workers);  // null for one worker

}  // namespace parid::base
