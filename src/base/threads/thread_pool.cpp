// A job is over for its caller when every part is done, not when every worker has woken up. A
// worker that comes late finds the job closed and sleeps again. So a batch that is too short to
// wake a worker costs the same as with one thread.

#include "base/threads/thread_pool.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <utility>

#include "base/threads/pause.hpp"
#include "parid/error.hpp"

namespace parid::base {

int available_cores() {
#if defined(__linux__)
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return CPU_COUNT(&cores);
#endif
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

int thread_count(int asked) {
  if (asked < 0 || asked > most_threads)
    throw Error(fmt::format("threads: {} is out of range; give 1 to {}, or 0 for one per core",
                            asked, most_threads));
  return asked > 0 ? asked : available_cores();
}

namespace {

constexpr unsigned open = 1, one_worker = 2;

// Waits until `x` is no longer `old`. Sleeping and waking costs about 50 µs, so the wait spins for
// about as long first, for jobs that follow at once, as in a loop over batches.
unsigned wait_for_change(const std::atomic<unsigned>& x, unsigned old) {
  for (int k = 0; k < 1000; ++k) {
    if (const unsigned now = x.load(std::memory_order_acquire); now != old) return now;
    pause();
  }
  x.wait(old, std::memory_order_acquire);
  return x.load(std::memory_order_acquire);
}

}  // namespace

ThreadPool::ThreadPool(int workers) {
  threads_.start(workers, [this](int worker) { run_worker(worker); });
}

ThreadPool::~ThreadPool() { threads_.stop(); }

void ThreadPool::share(std::size_t parts, void* work, Call call) {
  parts_ = parts;
  work_ = work;
  call_ = call;
  next_.store(0, std::memory_order_relaxed);
  context_.store(open, std::memory_order_release);
  threads_.jobs.fetch_add(1, std::memory_order_release);
  threads_.jobs.notify_all();
  take_parts(0);
  unsigned in = context_.fetch_and(~open, std::memory_order_acq_rel) & ~open;
  while (in != 0) in = wait_for_change(context_, in);
  if (failed_.load(std::memory_order_relaxed)) [[unlikely]] {
    failed_.store(false, std::memory_order_relaxed);
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
}

void ThreadPool::take_parts(int worker) {
  try {
    for (std::size_t k; (k = next_.fetch_add(1, std::memory_order_relaxed)) < parts_;)
      call_(work_, worker, k);
  } catch (...) {
    keep_failure();
  }
}

void ThreadPool::keep_failure() noexcept {
  next_.store(parts_, std::memory_order_relaxed);
  if (!failed_.exchange(true, std::memory_order_relaxed)) failure_ = std::current_exception();
}

void ThreadPool::run_worker(int worker) {
  for (unsigned seen = 0;;) {
    seen = wait_for_change(threads_.jobs, seen);
    if (threads_.over.load(std::memory_order_relaxed)) return;
    unsigned at_api = context_.load(std::memory_order_relaxed);
    while (at_api & open && !context_.compare_exchange_weak(at_api, at_api + one_worker,
                                                            std::memory_order_acquire)) {
    }
    if (!(at_api & open)) continue;
    take_parts(worker);
    if (context_.fetch_sub(one_worker, std::memory_order_release) == one_worker)
      context_.notify_one();
  }
}

}  // namespace parid::base
