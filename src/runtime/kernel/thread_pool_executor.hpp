// A thread pool as the executor of a scan (math/scan.hpp).

#pragma once

#include "base/threads/thread_pool.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

struct ThreadPoolExecutor {
  ThreadPool* pool;

  template <class Work>
  void operator()(int count, const Work& work) const {
    pool->share(static_cast<std::size_t>(count),
                [&](int, std::size_t k) { work(static_cast<int>(k)); });
  }
};

}  // namespace parid::runtime
