// The Verilog of a core in a process of its own, which reads samples and writes torques.

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <optional>

#include "base/file/atomic_file.hpp"
#include "base/process/child_process.hpp"
#include "base/process/unfinished.hpp"
#include "hardware/controller/core_tracking.hpp"
#include "parid/error.hpp"

extern char** environ;

namespace parid::hardware {
namespace {

std::string lanes_hex(std::span<const Raw> words, int lane) {
  std::string hex;
  for (std::size_t k = words.size(); k-- > 0;)
    for (int digit = 2 * lane - 1; digit >= 0; --digit)
      hex += "0123456789abcdef"[static_cast<std::size_t>(words[k] >> (4 * digit)) & 15];
  return hex;
}

Raw signed_word(std::string_view digits, int word) {
  RawBits x = 0;
  for (const char c : digits)
    x = x << 4 | static_cast<RawBits>(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
  return static_cast<Raw>(x << (128 - word)) >> (128 - word);
}

}  // namespace

struct VerilatedCore::Process {
  pid_t child = -1;
  FILE* to = nullptr;
  FILE* from = nullptr;
  std::optional<UnfinishedGroup> group;

  ~Process() {
    if (to) std::fclose(to);  // its standard input ends, and so does it
    if (from) std::fclose(from);
    if (child > 0) {
      ::kill(-child, SIGKILL);
      int status = 0;
      while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
    }
  }

  void start(const std::string& program) {
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0) throw Error("no pipe to the simulation");
    if (::pipe2(out, O_CLOEXEC) != 0) {
      ::close(in[0]);
      ::close(in[1]);
      throw Error("no pipe from the simulation");
    }
    to = ::fdopen(in[1], "w");
    from = ::fdopen(out[0], "r");
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&files, in[0], 0);
    posix_spawn_file_actions_adddup2(&files, out[1], 1);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    std::string path = program;
    char* words[] = {path.data(), nullptr};
    const int error = ::posix_spawn(&child, path.c_str(), &files, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    ::close(in[0]);
    ::close(out[1]);
    if (error != 0) {
      child = -1;
      throw Error(fmt::format("{}: the simulation does not start", program));
    }
    group.emplace(child);
  }
};

bool VerilatedCore::installed() {
  const ChildResult r = run_child({"verilator", "--version"}, {.seconds = 20});
  return r.error == 0 && r.code == 0;
}

VerilatedCore::VerilatedCore(const ControllerCore& core, const std::string& folder)
    : core_(core), process_(std::make_unique<Process>()) {
  if (!installed())
    throw Error("verilator is not installed, or not in PATH; install it (Debian: verilator)");
  const std::string text = folder + "/" + core.name + ".v",
                    loop = folder + "/" + core.name + "_loop.v";
  for (const auto& [path, content] :
       {std::pair{text, verilog_core(core)}, {loop, verilog_core_loop(core)}}) {
    AtomicFile file(path);
    file.write(content);
    file.complete();
    file.commit();
  }
  const ChildResult r =
      run_child({"verilator", "--binary", "--timing", "-Wno-fatal", "-Wno-lint", "-Wno-style",
                 "-MAKEFLAGS", "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1", "--Mdir",
                 folder + "/obj_" + core.name, "--top-module", core.name + "_loop", text, loop},
                {.seconds = 900});
  if (r.error != 0 || r.code != 0)
    throw Error(fmt::format("verilator fails on {}: {}", text,
                            r.errors.substr(0, 2000) + r.output.substr(0, 500)));
  process_->start(folder + "/obj_" + core.name + "/V" + core.name + "_loop");
}

VerilatedCore::~VerilatedCore() = default;

CoreResult VerilatedCore::step(std::span<const Raw> setpoint, std::span<const Raw> measured) {
  const int lane = core_lane(core_);
  fmt::print(process_->to, "{} {}\n", lanes_hex(setpoint, lane), lanes_hex(measured, lane));
  std::fflush(process_->to);
  char line[8192];
  if (!std::fgets(line, sizeof line, process_->from))
    throw Error("the simulation of the Verilog ended early");
  std::string text(line);
  const std::size_t digits = 2 * static_cast<std::size_t>(lane) * core_.n();
  unsigned status = 0;
  if (text.size() < digits + 3 ||
      std::sscanf(text.c_str() + digits, " %x %d %d", &status, &clocks_, &feedback_clocks_) != 3)
    throw Error(fmt::format("the simulation of the Verilog wrote '{}'", text.substr(0, 80)));
  CoreResult r;
  r.status = status;
  for (std::size_t j = 0; j < core_.n(); ++j) {
    const auto each = 2 * static_cast<std::size_t>(lane);
    r.torque.push_back(signed_word(std::string_view(text).substr(digits - (j + 1) * each, each),
                                   core_.program.word));
  }
  return r;
}

}  // namespace parid::hardware
