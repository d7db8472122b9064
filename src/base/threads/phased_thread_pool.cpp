#include "base/threads/phased_thread_pool.hpp"

#include "base/threads/pause.hpp"

namespace parid::base {

namespace {

constexpr int spins = 1000;  // about 50 µs, the cost of sleeping and waking
constexpr int eager = 100;   // without a pause: the usual wait is a fraction of a microsecond

// Waits until ready(). Workers wait for each other only within a job, so it is short, unless the
// system has given the core to another thread, which then needs this one.
template <class Ready>
void wait_awake(const Ready& ready) {
  for (int k = 0; !ready(); ++k)
    if (k > spins)
      std::this_thread::yield();
    else if (k > eager)
      pause();
}

}  // namespace

PhasedThreadPool::PhasedThreadPool(int workers) : parts_(std::make_unique<Part[]>(workers)) {
  threads_.start(workers, [this](int worker) { run_worker(worker); });
}

PhasedThreadPool::~PhasedThreadPool() { threads_.stop(); }

// Waking a worker takes some microseconds, longer than a short job, and the worker comes too late
// for it. It pays if jobs follow each other closely; a control loop with one call per millisecond
// is faster with one thread.
void PhasedThreadPool::wake() {
  if (std::chrono::steady_clock::now() - ended_ < std::chrono::microseconds(100))
    threads_.jobs.notify_all();
}

bool PhasedThreadPool::take(int part, unsigned job) {
  unsigned before = job - 1;
  return parts_[part].taken.compare_exchange_strong(before, job, std::memory_order_acq_rel);
}

void PhasedThreadPool::run(const After* phases, int count, void* work, Call call) {
  after_ = phases;
  phases_ = count;
  work_ = work;
  call_ = call;
  const unsigned job = threads_.jobs.load(std::memory_order_relaxed) + 1;
  parts_[0].taken.store(job, std::memory_order_relaxed);
  threads_.jobs.store(job, std::memory_order_release);
  if (asleep_.load(std::memory_order_relaxed) > 0) [[unlikely]]
    wake();
  take_part(0, job);
  const unsigned all = 256 * job + static_cast<unsigned>(count) + 1;
  for (int p = 1; p < workers(); ++p)
    wait_awake([&] { return parts_[p].done.load(std::memory_order_acquire) == all; });
  if (asleep_.load(std::memory_order_relaxed) > 0) [[unlikely]]
    ended_ = std::chrono::steady_clock::now();
}

void PhasedThreadPool::wait_for_others(int phase, int part, unsigned long long mine,
                                       unsigned job) const {
  if (phase == 0) return;
  const unsigned done = 256 * job + static_cast<unsigned>(phase);
  const After after = after_[phase - 1];
  const int first = after == After::later ? part + 1 : 0,
            end = after == After::earlier ? part : workers();
  for (int p = first; p < end; ++p)
    if (!(mine >> p & 1))
      wait_awake([&] {
        return static_cast<int>(parts_[p].done.load(std::memory_order_acquire) - done) >= 0;
      });
}

// The worker has taken its own part of the job.
void PhasedThreadPool::take_part(int worker, unsigned job) {
  const int count = workers(), phases = phases_;
  unsigned long long mine = 1ULL << worker;
  for (int phase = 0; phase <= phases; ++phase) {
    auto carry_out = [&](int p) {
      wait_for_others(phase, p, mine, job);
      call_(work_, phase, p);
      parts_[p].done.store(256 * job + static_cast<unsigned>(phase) + 1, std::memory_order_release);
    };
    for (int p = 0; p < count; ++p)
      if (mine >> p & 1) carry_out(p);
    for (int p = 0; phase == 0 && p < count; ++p)
      if (!(mine >> p & 1) && take(p, job)) {
        mine |= 1ULL << p;
        carry_out(p);
      }
  }
}

void PhasedThreadPool::run_worker(int worker) {
  for (unsigned seen = 0;;) {
    for (int k = 0; k < spins && threads_.jobs.load(std::memory_order_acquire) == seen; ++k)
      if (k > eager) pause();
    if (threads_.jobs.load(std::memory_order_acquire) == seen) {
      asleep_.fetch_add(1, std::memory_order_relaxed);
      threads_.jobs.wait(seen, std::memory_order_acquire);
      asleep_.fetch_sub(1, std::memory_order_relaxed);
    }
    seen = threads_.jobs.load(std::memory_order_acquire);
    if (threads_.over.load(std::memory_order_relaxed)) return;
    if (take(worker, seen)) take_part(worker, seen);
  }
}

std::unique_ptr<PhasedThreadPool> make_phased_pool(int workers) {
  return workers > 1 ? std::make_unique<PhasedThreadPool>(workers) : nullptr;
}

}  // namespace parid::base
