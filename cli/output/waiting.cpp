#include "cli/output/waiting.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "cli/output/terminal.hpp"

namespace parid::cli {

Waiting::Waiting(std::string what) : what_(std::move(what)) {
  if (isatty(STDERR_FILENO) != 0 && !quiet()) thread_ = std::thread([this] { show(); });
}

Waiting::~Waiting() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  ended_.notify_one();
  thread_.join();
  if (visible_) write_notes("\r\033[K");
}

void Waiting::show() {
  std::unique_lock lock(mutex_);
  const auto start = std::chrono::steady_clock::now();
  while (!ended_.wait_for(lock, std::chrono::seconds(1), [this] { return done_; })) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    write_notes(fmt::format("\r{}, {:.0f} s\033[K", what_, passed.count()));
    visible_ = true;
  }
}

}  // namespace parid::cli
