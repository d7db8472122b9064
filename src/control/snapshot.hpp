// Numbers that one thread publishes every period and other threads read. The writer never waits for
// a reader.
//
// The last few periods are kept, each with a count that is odd while it is written (a seqlock; the
// fences are those of Boehm: Can seqlocks get along with programming language memory models?, MSPC
// 2012). A reader that is overtaken by the writer reads again.

#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "control/layer.hpp"

namespace parid::control {

template <int N>
class Snapshot {
 public:
  using Numbers = std::array<double, N>;
  static constexpr int kept = 8;  // periods

  // Called by one thread, with stamps that grow by one from 0.
  void publish(long stamp, const Numbers& x) {
    Slot& slot = slots_[static_cast<std::size_t>(stamp % kept)];
    const std::uint64_t count = slot.count.load(std::memory_order_relaxed);
    slot.count.store(count + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    slot.stamp.store(stamp, std::memory_order_relaxed);
    for (int k = 0; k < N; ++k) slot.x[k].store(x[k], std::memory_order_relaxed);
    slot.count.store(count + 2, std::memory_order_release);
    latest_.store(stamp, std::memory_order_release);
  }

  long latest() const { return latest_.load(std::memory_order_acquire); }  // -1: nothing yet

  // Returns false if that stamp is not stored: not yet published, or already overwritten.
  bool read(long stamp, Numbers& x) const {
    const Slot& slot = slots_[static_cast<std::size_t>(stamp % kept)];
    for (;;) {
      const std::uint64_t before = slot.count.load(std::memory_order_acquire);
      if (before == 0) return false;
      const long found = slot.stamp.load(std::memory_order_relaxed);
      for (int k = 0; k < N; ++k) x[k] = slot.x[k].load(std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_acquire);
      if (before % 2 == 0 && slot.count.load(std::memory_order_relaxed) == before)
        return found == stamp;
      if (latest() >= stamp + kept) return false;
    }
  }

 private:
  struct alignas(64) Slot {
    std::atomic<std::uint64_t> count{0};
    std::atomic<long> stamp{-1};
    std::array<std::atomic<double>, N> x{};
  };
  std::array<Slot, kept> slots_;
  alignas(64) std::atomic<long> latest_{-1};
};

}  // namespace parid::control
