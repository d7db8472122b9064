#include "codegen/compile/compile.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <vector>

#include "base/process/child_process.hpp"
#include "codegen/compile/build_folder.hpp"
#include "codegen/compile/shared_object.hpp"

namespace parid::codegen {
namespace {

namespace fs = std::filesystem;

constexpr const char* flags[] = {"-std=gnu11",         "-O2", "-march=native", "-fno-math-errno",
                                 "-ffp-contract=fast", "-w",  "-shared",       "-fPIC"};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Two hashes of 64 bits: for file names, not for security.
std::string digest(const std::string& text) {
  std::uint64_t a = 0xcbf29ce484222325u, b = 0x84222325cbf29ce4u;
  for (const unsigned char c : text) {
    a = (a ^ c) * 0x100000001b3u;
    b = (b ^ (c + (b >> 57))) * 0x9e3779b97f4a7c15u;
  }
  return fmt::format("{:016x}{:016x}", a, b);
}

// A directory that only this user can access, created if missing; "" with the reason.
std::string cache_folder(std::string& note) {
  std::string folder = environment("PARID_CACHE");
  if (folder.empty()) {
    const std::string base = environment("XDG_CACHE_HOME"), home = environment("HOME");
    if (!base.empty())
      folder = base + "/parid";
    else if (!home.empty())
      folder = home + "/.cache/parid";
    else
      return note = "no directory for compiled code: neither XDG_CACHE_HOME nor HOME is set", "";
  }
  std::error_code trouble;
  fs::create_directories(fs::path(folder).parent_path(), trouble);
  ::mkdir(folder.c_str(), 0700);  // if it exists, the checks below decide
  struct stat s {};
  if (::lstat(folder.c_str(), &s) != 0 || !S_ISDIR(s.st_mode))
    return note = fmt::format("cannot create the directory '{}' for compiled code", folder), "";
  if (s.st_uid != ::geteuid() || (s.st_mode & 0022) != 0)
    return note = fmt::format(
               "other users can write to '{}', so compiled code in it is not trusted; run chmod "
               "700 on it, or set PARID_CACHE",
               folder),
           "";
  return folder;
}

// $PARID_CC_TIMEOUT: time limit of the compiler in seconds; none if it is not a number.
std::optional<double> time_limit() {
  const std::string text = environment("PARID_CC_TIMEOUT");
  if (text.empty()) return 300;
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc{} || end != text.data() + text.size() || !(seconds > 0) || seconds > 1e6)
    return {};
  return seconds;
}

// The lines of the first CPU with these prefixes. Its flags decide what -march=native may use;
// vendor and family decide the tuning, and with it which products are fused into sums.
std::string cpu(std::initializer_list<const char*> words) {
  std::ifstream in("/proc/cpuinfo");
  std::string text;
  for (std::string line; std::getline(in, line) && !line.empty();)
    for (const char* word : words)
      if (line.starts_with(word)) text += line + "\n";
  return text;
}

// The last line of an entry, after the compiler's output, where the loader does not read: its
// length and hash. The loader trusts the header, and a process crashes if it calls into a page that
// a power cut or a full disk has removed.
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

// The library at `path` if it loads and contains the key.
void* with_key(const std::string& path, const std::string& key) {
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return nullptr;
  const auto* found = static_cast<const char*>(::dlsym(handle, "parid_key"));
  if (found && key == found) return handle;
  ::dlclose(handle);
  return nullptr;
}

// The entry at `path` if only this user can have written it, and it is complete, loads and has the
// right key.
void* loaded(const std::string& path, const std::string& key) {
  std::string unused;
  struct stat s {};
  if (::lstat(path.c_str(), &s) != 0 || (s.st_mode & 0022) != 0) return nullptr;
  std::optional<std::string> entry = own_file(path, unused);
  return entry && is_whole(std::move(*entry)) ? with_key(path, key) : nullptr;
}

// A compiler, its options, and the message for its failure.
struct Compiler {
  std::string program;
  double seconds;

  ChildResult run(std::vector<std::string> words, const std::string& folder) const {
    words.insert(words.begin(), program);
    // Runs in its own directory, so that leftovers of a killed compiler are removed with it.
    return run_child(words, {.environment = {"TMPDIR=" + folder},
                             .seconds = seconds,
                             .most_output = std::size_t{1} << 16});
  }
  std::string trouble(const ChildResult& ran) const {
    if (ran.interrupted) return fmt::format("'{}' was interrupted", program);
    if (ran.timed_out)
      return fmt::format("'{}' was stopped after {:g} s; set PARID_CC_TIMEOUT for another limit",
                         program, seconds);
    return "";
  }
};

// Compiles the source and checks the object; nothing, with the reason, on failure.
std::optional<std::string> compiled(const Compiler& compiler, const std::string& source,
                                    const BuildFolder& folder, std::string& note) {
  if (!folder.write("kernel.c", source))
    return note = fmt::format("cannot write '{}'", folder.path("kernel.c")), std::nullopt;
  const std::string object = folder.path("kernel.so");
  std::vector<std::string> words(std::begin(flags), std::end(flags));
  words.insert(words.end(), {"-o", object, folder.path("kernel.c"), "-lm"});
  const ChildResult ran = compiler.run(words, folder.path());
  note = compiler.trouble(ran);
  if (!note.empty()) return {};
  if (ran.error != 0 || ran.code != 0) {
    const std::string said =
        ran.error != 0 ? std::strerror(ran.error) : (ran.output + ran.errors).substr(0, 300);
    note = fmt::format("{} rejects the generated code: {}", compiler.program, said);
    return {};
  }
  std::string flaw;
  std::optional<std::string> bytes = own_file(object, flaw);
  if (bytes) flaw = flaw_of_object(*bytes);
  if (flaw.empty()) return bytes;
  note = fmt::format("cannot use the output of '{}': {}", compiler.program,
                     bytes ? flaw : "the output is " + flaw);
  return {};
}

}  // namespace

CompiledLibrary::~CompiledLibrary() {
  if (handle_) ::dlclose(handle_);
}

void* CompiledLibrary::function(const std::string& name) const {
  void* f = ::dlsym(handle_, name.c_str());
  if (!f) throw std::runtime_error("the compiled code has no function '" + name + "'");
  return f;
}

std::unique_ptr<CompiledLibrary> compile(const std::string& source, std::string& note) {
  note.clear();
  const std::string cache = cache_folder(note);
  if (cache.empty()) return nullptr;
  const std::optional<double> seconds = time_limit();
  if (!seconds)
    return note =
               fmt::format("PARID_CC_TIMEOUT: invalid time limit '{}'; give seconds, such as 300",
                           environment("PARID_CC_TIMEOUT")),
           nullptr;
  const std::string chosen = environment("PARID_CC");
  const Compiler compiler{chosen.empty() ? "cc" : chosen, *seconds};
  const ChildResult version = compiler.run({"--version"}, cache);
  note = compiler.trouble(version);
  if (!note.empty()) return nullptr;
  if (version.error != 0 || version.code != 0) {
    note =
        fmt::format("no compiler: cannot run '{}'; install one, or set PARID_CC", compiler.program);
    return nullptr;
  }
  std::string made_of = source + version.output + version.errors +
                        cpu({"vendor_id", "cpu family", "flags", "Features"});
  for (const char* f : flags) made_of += f;
  const std::string key = digest(made_of + cpu({"model name"})), path = cache + "/" + key + ".so";

  std::unique_ptr<CompiledLibrary> library(new CompiledLibrary);
  library->path_ = path;
  library->build_fingerprint_ = digest(made_of);
  if ((library->handle_ = loaded(path, key))) {
    library->from_cache_ = true;
    return library;
  }
  sweep(cache);
  const std::optional<BuildFolder> folder = BuildFolder::make(cache);
  if (!folder)
    return note = fmt::format("cannot create a directory in '{}': {}", cache, std::strerror(errno)),
           nullptr;
  const std::optional<std::string> object =
      compiled(compiler, source + "\nconst char parid_key[] = \"" + key + "\";\n", *folder, note);
  if (!object) return nullptr;
  // The compiler's output is copied: an entry is a file that this process created.
  const std::string entry = folder->path("entry.so");
  if (!folder->write("entry.so", *object + seal(*object)))
    return note = fmt::format("cannot write '{}'", entry), nullptr;
  if (!(library->handle_ = with_key(entry, key)))
    return note = fmt::format("cannot use the output of '{}': loading it failed", compiler.program),
           nullptr;
  if (::rename(entry.c_str(), path.c_str()) != 0)
    return note = fmt::format("cannot write '{}'", path), nullptr;
  return library;
}

}  // namespace parid::codegen
