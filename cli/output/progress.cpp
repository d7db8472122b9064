#include "cli/output/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/output/human_time.hpp"
#include "cli/output/notes.hpp"

namespace parid::cli {

using namespace std::chrono_literals;

Progress::Progress(std::string what)
    : what_(std::move(what)),
      start_(std::chrono::steady_clock::now()),
      drawn_(start_),
      on_terminal_(isatty(STDERR_FILENO) != 0 && !quiet()) {}

Progress::~Progress() {
  if (visible_) write_notes("\r\033[K");
}

void Progress::at(double share, const std::string& beside) {
  const auto now = std::chrono::steady_clock::now();
  if (!on_terminal_ || now - start_ < 1s || now - drawn_ < 100ms) return;
  drawn_ = now, visible_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const int width = 30, full = static_cast<int>(width * std::clamp(share, 0.0, 1.0));
  say("\r{} [{:=<{}}{: <{}}] {:3.0f} %, {} left{}{}\033[K", what_, "", full, "", width - full,
      100 * share, human_time(share > 0 ? std::ceil(seconds * (1 - share) / share) : 0),
      beside.empty() ? "" : ", ", beside);
  std::fflush(stderr);
}

}  // namespace parid::cli
