#include "base/process/unfinished.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>

namespace parid::base {
namespace {

// A signal handler may run at any instruction and must not allocate or lock, hence plain arrays.
struct Slot {
  std::atomic<bool> taken = false;
  std::atomic<bool> armed = false;  // path is complete
  pid_t owner = 0;                  // a forked child must not remove its parent's file
  char path[PATH_MAX] = {};
};

Slot slots[16];
static_assert(std::atomic<bool>::is_always_lock_free);

struct GroupSlot {
  std::atomic<pid_t> group = 0;  // 0: free
  std::atomic<pid_t> owner = 0;  // a forked child must not end its parent's programs
};
GroupSlot groups[16];
static_assert(std::atomic<pid_t>::is_always_lock_free);

// Removes the files in a directory, then the directory. readdir() allocates, which a handler must
// not.
void remove_directory(const char* path) noexcept {
  const int directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (directory < 0) return;
  alignas(dirent64) char entries[4096];
  for (long n; (n = syscall(SYS_getdents64, directory, entries, sizeof entries)) > 0;)
    for (long at = 0; at < n;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      unlinkat(directory, entry->d_name, 0);  // fails for "." and ".."
      at += entry->d_reclen;
    }
  close(directory);
  rmdir(path);
}

void clean_up_and_die(int signal) {
  remove_unfinished_files();
  raise(signal);  // SA_RESETHAND has restored the default action
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

UnfinishedGroup::UnfinishedGroup(pid_t group) {
  for (int i = 0; GroupSlot & slot : groups) {
    pid_t free = 0;
    if (slot.group.compare_exchange_strong(free, group)) {
      slot.owner = getpid();
      slot_ = i;
      return;
    }
    ++i;
  }
}

UnfinishedGroup::~UnfinishedGroup() {
  if (slot_ < 0) return;
  groups[slot_].owner = 0;
  groups[slot_].group = 0;
}

void remove_unfinished_files() noexcept {
  const int before = errno;
  for (GroupSlot& slot : groups) {
    const pid_t group = slot.group;
    if (group > 0 && slot.owner == getpid()) kill(-group, SIGKILL);
  }
  for (Slot& slot : slots) {
    if (!slot.armed || slot.owner != getpid()) continue;
    if (unlink(slot.path) != 0 && errno == EISDIR) remove_directory(slot.path);
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

}  // namespace parid::base
