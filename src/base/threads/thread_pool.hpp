// A crew of threads that share one job at a time, and sleep between jobs.
//
// All memory and all threads are taken when the crew is made; a job takes none. Why not TBB's:
// docs/decisions/threads.md.

#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <type_traits>
#include <vector>

#include "base/layer.hpp"

namespace parid::base {

// The cores this process may run on, which may be fewer than the machine has.
int available_cores();

// As many threads as asked for; 0: available_cores(). Throws Error for less than 0 or more than
// most_threads.
constexpr int most_threads = 4096;
int thread_count(int asked);

class ThreadPool {
 public:
  explicit ThreadPool(int workers);  // the caller of share() is one of them
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int workers() const { return static_cast<int>(threads_.size()) + 1; }

  // work(member, part) for every part 0, …, parts-1, each by whichever member is free, and returns
  // when all are done. Members count from 0; no two threads are the same member. Where `work`
  // throws, parts that nobody has begun are left out, and the first exception is thrown again here.
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
  void stop();
  void keep_failure() noexcept;

  // The job. Written while `context_` is shut and nobody is in.
  std::size_t parts_ = 0;
  void* work_ = nullptr;
  Call call_ = nullptr;

  alignas(64) std::atomic<std::size_t> next_{0};  // the first part that nobody has taken
  alignas(64) std::atomic<unsigned> context_{
      0};  // 1 while it is open, plus 2 for each member who is in
  alignas(64) std::atomic<unsigned> jobs_{0};  // so far: what sleepers wait for
  std::atomic<bool> over_{false}, failed_{false};
  std::exception_ptr failure_;  // written by the one who set failed_
  std::vector<std::thread> threads_;
};

}  // namespace parid::base
