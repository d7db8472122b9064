// A crew as the executor of a scan (parid/math/scan.hpp).

#pragma once

#include "parid/run/crew.hpp"

namespace parid {

struct CrewExecutor {
  Crew* crew;

  template <class Work>
  void operator()(int count, const Work& work) const {
    crew->share(static_cast<std::size_t>(count),
                [&](int, std::size_t k) { work(static_cast<int>(k)); });
  }
};

}  // namespace parid
