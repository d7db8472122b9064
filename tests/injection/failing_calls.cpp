// A library for LD_PRELOAD in which one call fails as the system's calls do, or every call from one
// on: allocations, or what reads and writes files. Programs that the process starts are left alone.
//
//   PARID_FAIL=allocation | new | file | disk   which calls: allocations; those of C++ alone, for
//                                               programs that use
//                                         libraries of C which do not survive the former; all calls
//                                         on files; those that write
//   PARID_FAIL_AT=N                       the first that fails, from 1
//   PARID_FAIL_ON=1                       and all that follow
//   PARID_FAIL_ERROR=28                   errno of calls on files
//   PARID_FAIL_COUNT=PATH                 where the number of calls is written at exit; nothing
//                                         fails

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

enum class What { nothing, allocation, cpp, file, disk };

struct Plan {
  What what = What::nothing;
  long at = 0;
  bool on = false;
  int error = EIO;
};

// Read when it is first needed: the C++ library allocates before any constructor here runs.
const Plan& plan() {
  static std::atomic<int> state = 0;  // 1 while it is read, 2 after
  static Plan p;
  int none = 0;
  if (state.load() == 2) return p;
  if (!state.compare_exchange_strong(none, 1)) {
    static const Plan nothing;
    return nothing;  // getenv() asked for something
  }
  const char* what = std::getenv("PARID_FAIL");
  if (what)
    p.what = std::strcmp(what, "allocation") == 0 ? What::allocation
             : std::strcmp(what, "new") == 0      ? What::cpp
             : std::strcmp(what, "file") == 0     ? What::file
                                                  : What::disk;
  if (const char* at = std::getenv("PARID_FAIL_AT")) p.at = std::atol(at);
  if (const char* error = std::getenv("PARID_FAIL_ERROR")) p.error = std::atoi(error);
  p.on = std::getenv("PARID_FAIL_ON") != nullptr;
  state.store(2);
  return p;
}

std::atomic<long> calls{0};
std::atomic<bool> over{false};

bool fails(const Plan& p) {
  const long k = ++calls;
  return !over && p.at > 0 && (k == p.at || (p.on && k > p.at));
}
bool allocation_fails() {
  const Plan& p = plan();
  return p.what == What::allocation && fails(p);
}
// As the C++ library's: a handler may free memory, or throw.
void* allocated(std::size_t n, std::size_t line) {
  const Plan& p = plan();
  for (;;) {
    if (p.what != What::cpp || !fails(p))
      if (void* memory = line > 0 ? ::memalign(line, n) : std::malloc(n)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
  }
}
bool file_fails(bool writes) {
  const Plan& p = plan();
  if (p.what != What::file && !(p.what == What::disk && writes)) return false;
  if (!fails(p)) return false;
  errno = p.error;
  return true;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

[[gnu::constructor]] void leave_children_alone() { ::unsetenv("LD_PRELOAD"); }

[[gnu::destructor]] void write_count() {
  over = true;
  const char* path = std::getenv("PARID_FAIL_COUNT");
  if (!path) return;
  char text[32];
  const int n = std::snprintf(text, sizeof text, "%ld\n", calls.load());
  const int to = ::open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (to < 0 || ::write(to, text, static_cast<std::size_t>(n)) != n) ::_exit(99);
}

}  // namespace

void* operator new(std::size_t n) { return allocated(n, 0); }
void* operator new(std::size_t n, std::align_val_t line) {
  return allocated(n, static_cast<std::size_t>(line));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t n) noexcept {
  if (allocation_fails()) return errno = ENOMEM, nullptr;
  return __libc_malloc(n);
}
void* calloc(std::size_t n, std::size_t size) noexcept {
  if (allocation_fails()) return errno = ENOMEM, nullptr;
  return __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t n) noexcept {
  if (allocation_fails()) return errno = ENOMEM, nullptr;
  return __libc_realloc(p, n);
}
void* memalign(std::size_t line, std::size_t n) noexcept {
  if (allocation_fails()) return errno = ENOMEM, nullptr;
  return __libc_memalign(line, n);
}
void* aligned_alloc(std::size_t line, std::size_t n) noexcept { return memalign(line, n); }
int posix_memalign(void** p, std::size_t line, std::size_t n) noexcept {
  if (allocation_fails()) return ENOMEM;
  *p = __libc_memalign(line, n);
  return *p ? 0 : ENOMEM;
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (file_fails((flags & O_CREAT) != 0)) return -1;
  static const auto real = next<int (*)(const char*, int, ...)>("open");
  return real(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open(path, flags | O_LARGEFILE, mode);
}
std::FILE* fopen(const char* path, const char* mode) {
  if (file_fails(std::strpbrk(mode, "wa+") != nullptr)) return nullptr;
  static const auto real = next<std::FILE* (*)(const char*, const char*)>("fopen");
  return real(path, mode);
}
std::FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }
ssize_t read(int from, void* to, std::size_t n) {
  if (file_fails(false)) return -1;
  static const auto real = next<ssize_t (*)(int, void*, std::size_t)>("read");
  return real(from, to, n);
}
ssize_t pread(int from, void* to, std::size_t n, off_t at) {
  if (file_fails(false)) return -1;
  static const auto real = next<ssize_t (*)(int, void*, std::size_t, off_t)>("pread");
  return real(from, to, n, at);
}
ssize_t pread64(int from, void* to, std::size_t n, off64_t at) { return pread(from, to, n, at); }
ssize_t write(int to, const void* from, std::size_t n) {
  if (to != STDERR_FILENO && file_fails(true)) return -1;
  static const auto real = next<ssize_t (*)(int, const void*, std::size_t)>("write");
  return real(to, from, n);
}
ssize_t writev(int to, const struct iovec* from, int n) {
  if (to != STDERR_FILENO && file_fails(true)) return -1;
  static const auto real = next<ssize_t (*)(int, const struct iovec*, int)>("writev");
  return real(to, from, n);
}
ssize_t pwrite(int to, const void* from, std::size_t n, off_t at) {
  if (file_fails(true)) return -1;
  static const auto real = next<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite");
  return real(to, from, n, at);
}
ssize_t pwrite64(int to, const void* from, std::size_t n, off64_t at) {
  return pwrite(to, from, n, at);
}
int fsync(int file) {
  if (file_fails(true)) return -1;
  static const auto real = next<int (*)(int)>("fsync");
  return real(file);
}
int fdatasync(int file) {
  if (file_fails(true)) return -1;
  static const auto real = next<int (*)(int)>("fdatasync");
  return real(file);
}
int ftruncate(int file, off_t size) noexcept {
  if (file_fails(true)) return -1;
  static const auto real = next<int (*)(int, off_t)>("ftruncate");
  return real(file, size);
}
int ftruncate64(int file, off64_t size) noexcept { return ftruncate(file, size); }
int rename(const char* from, const char* to) noexcept {
  if (file_fails(true)) return -1;
  static const auto real = next<int (*)(const char*, const char*)>("rename");
  return real(from, to);
}
int link(const char* from, const char* to) noexcept {
  if (file_fails(true)) return -1;
  static const auto real = next<int (*)(const char*, const char*)>("link");
  return real(from, to);
}
int close(int file) {
  const bool fail = file_fails(false);
  static const auto real = next<int (*)(int)>("close");
  const int why = errno, result = real(file);  // the descriptor is gone in either case, as on Linux
  return fail ? (errno = why, -1) : result;
}

}  // extern "C"
