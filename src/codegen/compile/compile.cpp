#include "codegen/compile/compile.hpp"

#include <dlfcn.h>
#include <fcntl.h>
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
#include "codegen/compile/cache.hpp"
#include "codegen/compile/shared_object.hpp"
#include "parid/error.hpp"

namespace parid::codegen {
namespace {

namespace fs = std::filesystem;

constexpr const char* usual_flags[] = {
    "-std=gnu11",         "-O2", "-march=native", "-fno-math-errno",
    "-ffp-contract=fast", "-w",  "-shared",       "-fPIC"};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
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
  if (!entry || !is_whole(std::move(*entry))) return nullptr;
  ::utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);  // entries not used go first
  return with_key(path, key);
}

// The compiler's file: another one after an upgrade. Empty if it is not found.
std::string compiler_file(const std::string& program) {
  std::vector<std::string> places{program};
  if (program.find('/') == program.npos) {
    places.clear();
    std::string path = environment("PATH");
    for (std::size_t at = 0; at <= path.size();) {
      const std::size_t end = std::min(path.find(':', at), path.size());
      places.push_back(path.substr(at, end - at) + "/" + program);
      at = end + 1;
    }
  }
  for (const std::string& place : places) {
    struct stat s {};
    if (::access(place.c_str(), X_OK) != 0 || ::stat(place.c_str(), &s) != 0) continue;
    if (!S_ISREG(s.st_mode)) continue;
    return fmt::format("{} {} {} {} {}.{:09}", place, s.st_dev, s.st_ino, s.st_size,
                       s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
  }
  return "";
}

std::string chosen_compiler() {
  const std::string chosen = environment("PARID_CC");
  return chosen.empty() ? "cc" : chosen;
}

std::string cpu_text() {
  return cpu({"vendor_id", "cpu family", "model name", "flags", "Features"});
}

// Everything that determines the entry but the program itself: `what` stands for the program.
std::string identity_of(const std::string& what) {
  const std::string compiler = compiler_file(chosen_compiler());
  if (compiler.empty() || build_identifier().empty()) return "";
  std::string text = fmt::format("{}\n{}\n{}", build_identifier(), compiler, cpu_text());
  for (const char* f : usual_flags) text += std::string(f) + " ";
  return text + "\n" + what;
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
                                    std::vector<std::string> words, const BuildFolder& folder,
                                    std::string& note) {
  if (!folder.write("kernel.c", source))
    return note = fmt::format("cannot write '{}'", folder.path("kernel.c")), std::nullopt;
  const std::string object = folder.path("kernel.so");
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

std::unique_ptr<CompiledLibrary> compile(const std::string& source, std::string& note,
                                         const std::vector<std::string>& more) {
  note.clear();
  const std::string cache = cache_folder(note);
  if (cache.empty()) return nullptr;
  const std::optional<double> seconds = time_limit();
  if (!seconds)
    return note =
               fmt::format("PARID_CC_TIMEOUT: invalid time limit '{}'; give seconds, such as 300",
                           environment("PARID_CC_TIMEOUT")),
           nullptr;
  try {
    cache_limit();
  } catch (const Error& e) {
    note = e.what();
    return nullptr;
  }
  const Compiler compiler{chosen_compiler(), *seconds};
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
  std::vector<std::string> flags(std::begin(usual_flags), std::end(usual_flags));
  flags.insert(flags.end(), more.begin(), more.end());
  for (const std::string& f : flags) made_of += f;
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
  const std::optional<std::string> object = compiled(
      compiler, source + "\nconst char parid_key[] = \"" + key + "\";\n", flags, *folder, note);
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
  trim_cache(cache, key);
  return library;
}

std::unique_ptr<CompiledLibrary> compiled_before(const std::string& what) {
  std::string note;
  const std::string cache = cache_folder(note);
  const std::string identity = cache.empty() ? "" : identity_of(what);
  if (identity.empty()) return nullptr;
  const std::optional<NamedEntry> entry = named_entry(cache, identity);
  if (!entry) return nullptr;
  std::unique_ptr<CompiledLibrary> library(new CompiledLibrary);
  library->path_ = cache + "/" + entry->key + ".so";
  library->build_fingerprint_ = entry->build_fingerprint;
  library->from_cache_ = true;
  library->handle_ = loaded(library->path_, entry->key);
  return library->handle_ ? std::move(library) : nullptr;
}

void remember(const CompiledLibrary& library, const std::string& what, const std::string& about) {
  std::string note;
  const std::string cache = cache_folder(note);
  const std::string identity = cache.empty() ? "" : identity_of(what);
  if (identity.empty()) return;
  name_entry(cache, {fs::path(library.path()).stem().string(), library.build_fingerprint()}, about,
             identity);
}

}  // namespace parid::codegen
