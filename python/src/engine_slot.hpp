// An engine of a RobotContext, used by one call at a time.

#pragma once

#include <unistd.h>

#include <atomic>

#include "layer.hpp"
#include "robot_context.hpp"

namespace parid::python {

struct RobotContext::Slot {
  Slot(const Robot& r, int t, KernelKind k)
      : engine(r, {.threads = t, .kernel = k, .quantities = {}}), threads(t), kind(k) {}

  Engine engine;
  int threads;
  KernelKind kind;
  std::set<std::pair<Quantity, std::string>> prepared;  // with a link
  unsigned version = 0;
  std::atomic<bool> busy{true};
  const pid_t process = getpid();  // a child of fork() has the memory, and not the threads
};

}  // namespace parid::python
