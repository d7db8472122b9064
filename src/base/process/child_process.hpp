// Other programs, started with a list of arguments. No shell reads them.
//
// A program runs in a process group of its own. The whole group is killed when the program has
// ended, when the time limit is over, and when this process ends, by whatever signal.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/layer.hpp"

namespace parid::base {

struct ChildOptions {
  std::string input = {};  // its standard input; empty: /dev/null
  // "NAME=value": set for it beside what this process has
  std::vector<std::string> environment = {};
  double seconds = 300;                             // the time limit
  std::size_t most_output = std::size_t{64} << 20;  // bytes kept of each stream
};

struct ChildResult {
  int error = 0;             // errno where the program could not be started
  int code = -1;             // its exit code; -1 where it did not exit by itself
  bool timed_out = false;    // killed at the time limit
  bool interrupted = false;  // killed because the host was interrupted: set_interrupt_check()
  bool cut = false;          // it wrote more than most_output to a stream; the rest was dropped
  std::string output, errors;
};

// Runs words[0], found by PATH, and returns when it has ended. Processes that it leaves behind are
// killed; that one of them holds a stream open delays nothing.
ChildResult run_child(const std::vector<std::string>& words, const ChildOptions& = {});

// For hosts that handle SIGINT themselves, as Python does: run_child() calls this about a hundred
// times a second, on its own thread, and ends the program where it returns true. Null: nothing is
// called.
void set_interrupt_check(bool (*check)() noexcept);

}  // namespace parid::base
