// Elapsed time and time limit of a search.

#pragma once

#include <chrono>

#include "schedule/layer.hpp"
#include "schedule/scheduler.hpp"

namespace parid::schedule {

class Clock {
 public:
  explicit Clock(const SearchLimits& l) : limits_(l), start_(std::chrono::steady_clock::now()) {}
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  bool over() const {
    const double s = seconds();
    if (limits_.progress) limits_.progress(std::min(1.0, s / limits_.seconds));
    return s >= limits_.seconds;
  }

 private:
  const SearchLimits& limits_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace parid::schedule
