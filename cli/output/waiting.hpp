// Shows on a terminal that work without a known length goes on.

#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace parid::cli {

// "generating, 12 s" from the second second on, until destroyed; nothing in a pipe or with --quiet.
// For work whose finished share is not known; otherwise use Progress (terminal.hpp).
class Waiting {
 public:
  explicit Waiting(std::string what);
  ~Waiting();  // wipes the line
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  void show();
  std::string what_;
  bool done_ = false, visible_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::thread thread_;
};

}  // namespace parid::cli
