// Threads that share one job at a time and sleep between jobs.
//
// All memory and threads are allocated in the constructor; a job allocates nothing. Why not TBB:
// docs/decisions/threads.md.

#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <type_traits>

#include "base/layer.hpp"
#include "base/threads/worker_threads.hpp"

namespace parid::base {

// The cores that this process may use, possibly fewer than the machine has.
int available_cores();

// The number of threads; 0: available_cores(). Throws Error if negative or above
// most_threads.
constexpr int most_threads = 4096;
int thread_count(int asked);

class ThreadPool {
 public:
  explicit ThreadPool(int workers);  // the caller of share() is one of them
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int workers() const { return threads_.workers(); }

  // Calls work(worker, part) for every part 0, …, parts-1, on any free worker, and returns when all
  // are done. Workers count from 0; no two threads have the same number. If `work` throws, parts
  // that have not started are skipped, and the first exception is rethrown here.
  template <class Work>
  void share(std::size_t parts, Work&& work) {
    share(parts, &work, [](void* w, int worker, std::size_t part) {
      (*static_cast<std::remove_reference_t<Work>*>(w))(worker, part);
    });
  }

 private:
  using Call = void (*)(void* work, int worker, std::size_t part);
  void share(std::size_t parts, void* work, Call);
  void take_parts(int worker);
  void run_worker(int worker);
  void keep_failure() noexcept;

  // The job. Written only while `context_` is closed and no worker is inside.
  std::size_t parts_ = 0;
  void* work_ = nullptr;
  Call call_ = nullptr;

  alignas(64) std::atomic<std::size_t> next_{0};  // the first part not yet taken
  // 1 while open, plus 2 for each worker inside
  alignas(64) std::atomic<unsigned> context_{0};
  alignas(64) std::atomic<bool> failed_{false};
  std::exception_ptr failure_;  // written by the thread that set failed_
  WorkerThreads threads_;
};

}  // namespace parid::base
