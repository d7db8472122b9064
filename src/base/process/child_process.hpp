// Runs other programs with a list of arguments, without a shell.
//
// A program runs in its own process group. The whole group is killed when the program ends, when
// the time limit expires, and when this process ends, by any signal.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/layer.hpp"

namespace parid::base {

struct ChildOptions {
  std::string input = {};  // its standard input; empty: /dev/null
  // "NAME=value": added to this process's environment
  std::vector<std::string> environment = {};
  double seconds = 300;                             // the time limit
  std::size_t most_output = std::size_t{64} << 20;  // bytes kept per stream
};

struct ChildResult {
  int error = 0;             // errno if the program could not be started
  int code = -1;             // exit code; -1 if it did not exit normally
  bool timed_out = false;    // killed at the time limit
  bool interrupted = false;  // killed because the host was interrupted: set_interrupt_check()
  bool cut = false;          // it wrote more than most_output to a stream; the rest was discarded
  std::string output, errors;
};

// Runs words[0], found by PATH, and returns when it has ended. Remaining processes of its group are
// killed, so a stream that one of them holds open causes no delay.
ChildResult run_child(const std::vector<std::string>& words, const ChildOptions& = {});

// For hosts that handle SIGINT themselves, such as Python: run_child() calls this about 100
// times per second on its own thread and ends the program if it returns true. Null: no
// calls.
void set_interrupt_check(bool (*check)() noexcept);

}  // namespace parid::base
