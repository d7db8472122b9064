// The threads of a pool: they start together, wait for jobs, and stop together.

#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "base/layer.hpp"

namespace parid::base {

class WorkerThreads {
 public:
  // Worker k of 1, …, workers − 1 calls run(k) in a thread of its own; worker 0 is the caller.
  // Where the system cannot create all threads, those that exist are stopped, and the error is
  // rethrown.
  template <class Run>
  void start(int workers, const Run& run) {
    threads_.reserve(workers - 1);
    try {
      for (int k = 1; k < workers; ++k) threads_.emplace_back([run, k] { run(k); });
    } catch (...) {
      stop();
      throw;
    }
  }

  // Wakes all workers with one more job and `over` set, and waits until they have returned.
  void stop() {
    over.store(true, std::memory_order_relaxed);
    jobs.fetch_add(1, std::memory_order_release);
    jobs.notify_all();
    for (std::thread& t : threads_) t.join();
  }

  int workers() const { return static_cast<int>(threads_.size()) + 1; }

  alignas(64) std::atomic<unsigned> jobs{0};  // so far; sleepers wait for a change
  std::atomic<bool> over{false};              // workers return

 private:
  std::vector<std::thread> threads_;
};

}  // namespace parid::base
