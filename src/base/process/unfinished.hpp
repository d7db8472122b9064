// Temporary files and programs that must not outlive the process. An interrupted program leaves no
// litter.

#pragma once

#include <sys/types.h>

#include <string>

#include "base/layer.hpp"

namespace parid::base {

// Remembers one path while it lives: a file, or a directory with files in it. Only so many are
// remembered at once (16); past that, a path is simply not cleaned up when a signal ends the
// process.
class Unfinished {
 public:
  explicit Unfinished(const std::string& path);
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

 private:
  int slot_ = -1;
};

// Remembers one process group while it lives. It is killed where the paths are removed.
class UnfinishedGroup {
 public:
  explicit UnfinishedGroup(pid_t group);
  ~UnfinishedGroup();
  UnfinishedGroup(const UnfinishedGroup&) = delete;
  UnfinishedGroup& operator=(const UnfinishedGroup&) = delete;

 private:
  int slot_ = -1;
};

// Safe to call from a signal handler. Groups of processes are killed first.
void remove_unfinished_files() noexcept;

// SIGINT, SIGTERM, SIGHUP and SIGPIPE remove what is unfinished and then end the process as they
// always do. Signals that already have a handler, or are ignored, are left alone. For main() to
// call; a library does not take over its host's signals.
void remove_unfinished_files_on_signals();

}  // namespace parid::base
