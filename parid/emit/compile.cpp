#include "parid/emit/compile.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "parid/io/unfinished.hpp"

namespace parid {
namespace {

namespace fs = std::filesystem;

constexpr const char* flags[] = {"-std=gnu11",         "-O2", "-march=native", "-fno-math-errno",
                                 "-ffp-contract=fast", "-w",  "-shared",       "-fPIC"};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Two hashes of 64 bits: names of files, not secrets.
std::string digest(const std::string& text) {
  std::uint64_t a = 0xcbf29ce484222325u, b = 0x84222325cbf29ce4u;
  for (const unsigned char c : text) {
    a = (a ^ c) * 0x100000001b3u;
    b = (b ^ (c + (b >> 57))) * 0x9e3779b97f4a7c15u;
  }
  return fmt::format("{:016x}{:016x}", a, b);
}

// A directory that belongs to this user and to nobody else, made where it is missing; "" and why.
std::string cache_folder(std::string& note) {
  std::string folder = environment("PARID_CACHE");
  if (folder.empty()) {
    const std::string base = environment("XDG_CACHE_HOME"), home = environment("HOME");
    if (!base.empty())
      folder = base + "/parid";
    else if (!home.empty())
      folder = home + "/.cache/parid";
    else
      return note = "there is no place for compiled code: neither XDG_CACHE_HOME nor HOME is set",
             "";
  }
  std::error_code trouble;
  fs::create_directories(fs::path(folder).parent_path(), trouble);
  ::mkdir(folder.c_str(), 0700);  // where it stands already, what follows decides
  struct stat s {};
  if (::lstat(folder.c_str(), &s) != 0 || !S_ISDIR(s.st_mode))
    return note = fmt::format("'{}' cannot be made a directory for compiled code", folder), "";
  if (s.st_uid != ::geteuid() || (s.st_mode & 0022) != 0)
    return note = fmt::format(
               "'{}' could be written by others, and compiled code is not taken from there; "
               "chmod 700 it, or set PARID_CACHE",
               folder),
           "";
  return folder;
}

std::string output_of(const std::vector<std::string>& words, int& status) {
  std::vector<char*> arguments;
  for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
  arguments.push_back(nullptr);
  int ends[2];
  // Kept from children that other threads start meanwhile: one of those would hold the pipe open.
  if (::pipe2(ends, O_CLOEXEC) != 0) return status = -1, std::strerror(errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string text;
  if (failed == 0) {
    char some[4096];
    for (ssize_t n; (n = ::read(ends[0], some, sizeof some)) > 0 || (n < 0 && errno == EINTR);)
      if (n > 0) text.append(some, static_cast<std::size_t>(n));
    int how = 0;
    while (::waitpid(child, &how, 0) < 0 && errno == EINTR) {
    }
    status = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
  } else {
    status = -1;
    text = std::strerror(failed);
  }
  ::close(ends[0]);
  return text;
}

// Lines of the first CPU's that begin so. Its flags say what -march=native may use; who made it and its
// family, what the compiler tunes for, which decides where products are fused into sums.
std::string cpu(std::initializer_list<const char*> words) {
  std::ifstream in("/proc/cpuinfo");
  std::string text;
  for (std::string line; std::getline(in, line) && !line.empty();)
    for (const char* word : words)
      if (line.starts_with(word)) text += line + "\n";
  return text;
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return std::move(bytes).str();
}

// The last line of an entry, behind what the compiler wrote, where the loader does not look: how long that
// is and what it hashes to. A loader believes what a file's head says of its end, and a process that calls
// into a page which a power cut or a full disk took away dies of it.
std::string seal(const std::string& object) {
  return fmt::format("\nparid: {:016x} bytes, {}\n", object.size(), digest(object));
}

bool is_whole(std::string entry) {
  const std::size_t length = seal("").size();
  if (entry.size() < length) return false;
  const std::string last = entry.substr(entry.size() - length);
  entry.resize(entry.size() - length);
  return last == seal(entry);
}

// Also brings it to the disk: a name may get there before the bytes that it stands for.
bool sealed(const std::string& path) {
  const std::string last = seal(bytes_of(path));
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) return false;
  const bool written = ::write(file, last.data(), last.size()) == std::ssize(last);
  const bool safe = written && ::fsync(file) == 0;
  return ::close(file) == 0 && safe;
}

// The library at `path` if it is whole, loads and says it is the one.
void* loaded(const std::string& path, const std::string& key) {
  struct stat s {};
  if (::stat(path.c_str(), &s) != 0 || !S_ISREG(s.st_mode) || s.st_uid != ::geteuid() ||
      (s.st_mode & 0022) != 0 || !is_whole(bytes_of(path)))
    return nullptr;
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return nullptr;
  const auto* found = static_cast<const char*>(::dlsym(handle, "parid_key"));
  if (found && key == found) return handle;
  ::dlclose(handle);
  return nullptr;
}

// A file of this process alone that goes when it is done with, or when Ctrl-C ends the process.
struct Temporary {
  explicit Temporary(std::string p) : path(std::move(p)), unfinished(path) {}
  ~Temporary() { ::unlink(path.c_str()); }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  const std::string path;
  const Unfinished unfinished;
};

}  // namespace

CompiledLibrary::~CompiledLibrary() {
  if (handle_) ::dlclose(handle_);
}

void* CompiledLibrary::function(const std::string& name) const {
  void* f = ::dlsym(handle_, name.c_str());
  if (!f) throw std::runtime_error("compiled code has no function '" + name + "'");
  return f;
}

std::unique_ptr<CompiledLibrary> compile(const std::string& source, std::string& note) {
  note.clear();
  const std::string folder = cache_folder(note);
  if (folder.empty()) return nullptr;
  std::string compiler = environment("PARID_CC");
  if (compiler.empty()) compiler = "cc";
  int status = 0;
  const std::string version = output_of({compiler, "--version"}, status);
  if (status != 0) {
    note = fmt::format("there is no compiler: '{}' cannot be run; install one, or set PARID_CC",
                       compiler);
    return nullptr;
  }
  std::string made_of = source + version + cpu({"vendor_id", "cpu family", "flags", "Features"});
  for (const char* f : flags) made_of += f;
  const std::string key = digest(made_of + cpu({"model name"})), path = folder + "/" + key + ".so";

  std::unique_ptr<CompiledLibrary> library(new CompiledLibrary);
  library->path_ = path;
  library->made_by_ = digest(made_of);
  if ((library->handle_ = loaded(path, key))) {
    library->from_cache_ = true;
    return library;
  }
  const std::string own =
      fmt::format("{}/{}.{}.{}", folder, key, ::getpid(), static_cast<const void*>(&library));
  const Temporary text(own + ".c"), object(own + ".so");
  {
    std::ofstream out(text.path, std::ios::binary);
    out << source << "\nconst char parid_key[] = \"" << key << "\";\n";
    out.close();
    if (!out) return note = fmt::format("'{}' cannot be written", text.path), nullptr;
  }
  std::vector<std::string> words{compiler};
  words.insert(words.end(), std::begin(flags), std::end(flags));
  words.insert(words.end(), {"-o", object.path, text.path, "-lm"});
  const std::string said = output_of(words, status);
  if (status != 0) {
    note = fmt::format("{} refuses the generated code: {}", compiler, said.substr(0, 300));
    return nullptr;
  }
  ::chmod(object.path.c_str(), 0700);
  if (!sealed(object.path) || ::rename(object.path.c_str(), path.c_str()) != 0)
    return note = fmt::format("'{}' cannot be written", path), nullptr;
  if (!(library->handle_ = loaded(path, key)))
    return note = fmt::format("'{}' was compiled but does not load", path), nullptr;
  return library;
}

}  // namespace parid
