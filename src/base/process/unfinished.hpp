// Temporary files and programs that must not outlive the process, even if a signal ends
// it.

#pragma once

#include <sys/types.h>

#include <string>

#include "base/layer.hpp"

namespace parid::base {

// Registers one path while it lives: a file, or a directory with files in it. At most
// 16 are registered at once; a further path is not removed when a signal ends the
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

// Registers one process group while it lives. It is killed when the paths are removed.
class UnfinishedGroup {
 public:
  explicit UnfinishedGroup(pid_t group);
  ~UnfinishedGroup();
  UnfinishedGroup(const UnfinishedGroup&) = delete;
  UnfinishedGroup& operator=(const UnfinishedGroup&) = delete;

 private:
  int slot_ = -1;
};

// Safe to call from a signal handler. Kills the process groups first.
void remove_unfinished_files() noexcept;

// SIGINT, SIGTERM, SIGHUP and SIGPIPE remove unfinished files and then end the process as usual.
// Signals that already have a handler, or are ignored, are left alone. Called by main(); the
// library does not install handlers in its host.
void remove_unfinished_files_on_signals();

}  // namespace parid::base
