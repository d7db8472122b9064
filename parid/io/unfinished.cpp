#include "parid/io/unfinished.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>

namespace parid {
namespace {

// A handler may run between any two instructions and must not allocate or lock, hence plain arrays.
struct Slot {
  std::atomic<bool> taken = false;
  std::atomic<bool> armed = false;  // path is complete
  pid_t owner = 0;                  // a forked child must not remove its parent's file
  char path[PATH_MAX] = {};
};

Slot slots[16];
static_assert(std::atomic<bool>::is_always_lock_free);

void clean_up_and_die(int signal) {
  remove_unfinished_files();
  raise(signal);  // SA_RESETHAND has put the default action back
}

}  // namespace

Unfinished::Unfinished(const std::string& path) {
  if (path.size() >= sizeof(Slot::path)) return;
  for (int i = 0; Slot & slot : slots) {
    if (!slot.taken.exchange(true)) {
      slot_ = i;
      slot.owner = getpid();
      std::memcpy(slot.path, path.c_str(), path.size() + 1);
      slot.armed = true;
      return;
    }
    ++i;
  }
}

Unfinished::~Unfinished() {
  if (slot_ < 0) return;
  slots[slot_].armed = false;
  slots[slot_].taken = false;
}

void remove_unfinished_files() noexcept {
  const int before = errno;
  for (Slot& slot : slots) {
    if (slot.armed && slot.owner == getpid()) unlink(slot.path);
  }
  errno = before;
}

void remove_unfinished_files_on_signals() {
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction now = {};
    if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction ours = {};
    ours.sa_handler = clean_up_and_die;
    ours.sa_flags = SA_RESETHAND | SA_NODEFER;
    sigaction(signal, &ours, nullptr);
  }
}

}  // namespace parid
