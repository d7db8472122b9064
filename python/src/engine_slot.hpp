// An engine of a Door, taken by one call at a time.

#pragma once

#include <unistd.h>

#include <atomic>

#include "door.hpp"

namespace parid::python {

struct Door::Slot {
  Slot(const Robot& r, int t, KernelKind k)
      : engine(r, {.threads = t, .kernel = k, .questions = {}}), threads(t), kind(k) {}

  Engine engine;
  int threads;
  KernelKind kind;
  std::set<std::string> prepared;  // "jacobian link7"
  unsigned version = 0;
  std::atomic<bool> busy{true};
  const pid_t process = getpid();  // a child of fork() has the memory, and not the threads
};

}  // namespace parid::python
