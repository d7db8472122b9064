// Large pages for tables: a page fault for each 2 MiB instead of each 4 KiB.

#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/layer.hpp"

namespace parid::base {

// Reserves memory for `count` numbers and asks the system for large pages, before they are written.
// Small tables and systems without large pages: only reserves.
inline void reserve_in_large_pages(std::vector<double>& numbers, std::size_t count) {
  numbers.reserve(count);
#if defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = 4096, large = std::uintptr_t{2} << 20;
  const auto begin = (reinterpret_cast<std::uintptr_t>(numbers.data()) + page - 1) / page * page,
             end = (reinterpret_cast<std::uintptr_t>(numbers.data()) + count * sizeof(double)) /
                   page * page;
  if (end > begin && end - begin >= 2 * large)
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

inline void resize_in_large_pages(std::vector<double>& numbers, std::size_t count) {
  reserve_in_large_pages(numbers, count);
  numbers.resize(count);
}

}  // namespace parid::base
