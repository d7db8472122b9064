// Compilers that hang, lie or do harm: scripts in the place of cc.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/process/unfinished.hpp"
#include "codegen/compile/compile.hpp"
#include "codegen/compile/shared_object.hpp"
#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

namespace fs = std::filesystem;

const char* const source = "int answer(void) { return 42; }\n";
int answer_of(const CompiledLibrary& l) {
  return reinterpret_cast<int (*)()>(l.function("answer"))();
}

bool lives(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(in, text);
  const std::size_t name = text.rfind(") ");
  return name != text.npos && text[name + 2] != 'Z' && text[name + 2] != 'X';
}

template <class Condition>
bool comes_true(const Condition& condition) {
  for (int k = 0; k < 3000 && !condition(); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return condition();
}

class FakeCompiler : public testing::Test {
 protected:
  FakeCompiler() { setenv("PARID_CACHE", cache().c_str(), 1); }
  ~FakeCompiler() override {
    unsetenv("PARID_CACHE");
    unsetenv("PARID_CC");
    unsetenv("PARID_CC_TIMEOUT");
    for (const pid_t p : processes()) kill(p, SIGKILL);
  }
  std::string cache() const { return scratch_.path("cache"); }
  std::string path(const std::string& name) const { return scratch_.path(name); }

  // Lines of shell in the place of a compilation; $out is where the object belongs.
  void in_place_of_compiler(const std::string& lines, const std::string& at_version = "") {
    const std::string script =
        scratch_.file("compiler", "#!/bin/sh\nif [ \"$1\" = --version ]; then " + at_version +
                                      "\necho fake; exit 0; fi\nout= before=\n"
                                      "for w in \"$@\"; do [ \"$before\" = -o ] && out=$w; "
                                      "before=$w; done\n" +
                                      lines + "\n");
    chmod(script.c_str(), 0700);
    setenv("PARID_CC", script.c_str(), 1);
  }
  // Lines that note the numbers of processes: of the script, and of the last that it started.
  std::string notes_itself() const { return "echo $$ >> '" + path("processes") + "'\n"; }
  std::string notes_child() const { return "echo $! >> '" + path("processes") + "'\n"; }
  std::vector<pid_t> processes() const {
    std::ifstream in(path("processes"));
    std::vector<pid_t> all;
    for (pid_t p = 0; in >> p;) all.push_back(p);
    return all;
  }
  bool all_ended(std::size_t count) const {
    const std::vector<pid_t> all = processes();
    return all.size() == count && std::none_of(all.begin(), all.end(), lives);
  }
  std::size_t entries() const {
    std::size_t n = 0;
    std::error_code none;
    for (fs::directory_iterator at(cache(), none), end; !none && at != end; ++at) ++n;
    return n;
  }
  void expect_works() {
    unsetenv("PARID_CC");
    unsetenv("PARID_CC_TIMEOUT");
    std::string note;
    const auto library = compile(source, note);
    ASSERT_TRUE(library) << note;
    EXPECT_EQ(answer_of(*library), 42);
    EXPECT_EQ(entries(), 1u);  // and no left-over
  }

  // The object that the real compiler makes.
  std::string real_object() {
    const std::string c = scratch_.file("real.c", source), so = path("real.so");
    EXPECT_EQ(std::system(("cc -shared -fPIC -o '" + so + "' '" + c + "'").c_str()), 0);
    return so;
  }
  Scratch scratch_;
};

// The object's path is not a new file of the compiler: neither it nor its target is changed.
TEST_F(FakeCompiler, LinksAreNotFollowed) {
  const std::string victim = real_object(), before = content(victim);
  chmod(victim.c_str(), 0640);
  const std::pair<std::string, const char*> kinds[] = {
      {"ln -s '" + victim + "' \"$out\"", "a symbolic link"},
      {"ln -s /dev/null \"$out\"", "a symbolic link"},
      {"ln -s '" + path("nowhere") + "' \"$out\"", "a symbolic link"},
      {"ln '" + victim + "' \"$out\"", "a file with several hard links"},
      {"mkdir \"$out\"", "not a regular file"},
      {"mkfifo \"$out\"", "not a regular file"},
      {"exit 0", "No such file"},
  };
  for (const auto& [line, reason] : kinds) {
    in_place_of_compiler(line);
    std::string note;
    EXPECT_FALSE(compile(source, note)) << line;
    EXPECT_NE(note.find(reason), note.npos) << line << ": " << note;
    EXPECT_EQ(content(victim), before) << line;
    struct stat s {};
    ASSERT_EQ(stat(victim.c_str(), &s), 0);
    EXPECT_EQ(s.st_mode & 07777, 0640u) << line;
    EXPECT_FALSE(fs::exists(path("nowhere"))) << line;
    EXPECT_EQ(entries(), 0u) << line;
  }
  // A link in the place of an entry is replaced, not written through.
  std::string note;
  unsetenv("PARID_CC");
  auto library = compile(source, note);
  ASSERT_TRUE(library) << note;
  const std::string entry = library->path();
  library.reset();
  fs::remove(entry);
  fs::create_symlink(victim, entry);
  library = compile(source, note);
  ASSERT_TRUE(library) << note;
  EXPECT_FALSE(library->from_cache());
  EXPECT_FALSE(fs::is_symlink(entry));
  EXPECT_EQ(content(victim), before);
}

// A compiler that reports success with an incomplete file.
TEST_F(FakeCompiler, WhatIsCutShortIsNotTaken) {
  const std::string real = real_object();
  const auto size = static_cast<std::size_t>(fs::file_size(real));
  std::vector<std::size_t> sizes = {0, 1, 3, 4, 63, 64, 65, 500, size / 2, size - 1};
  for (std::size_t n = 1024; n < size; n += 1024) sizes.push_back(n);
  for (const std::size_t n : sizes) {
    const std::string part = content(real).substr(0, n);
    EXPECT_NE(flaw_of_object(part), "") << n;
  }
  EXPECT_EQ(flaw_of_object(content(real)), "");
  const std::string lines[] = {
      ": > \"$out\"",
      "cc \"$@\" && truncate -s 1000 \"$out\"",
      "cc \"$@\" && truncate -s -1 \"$out\"",
      "echo 'int answer;' > \"$out\"",
      "cc \"$@\" -c -o \"$out\" -x c /dev/null 2>/dev/null; cc -c -o \"$out\" -x c /dev/null",
      // A complete file with another key.
      "cp '" + real + "' \"$out\"",
  };
  for (const std::string& line : lines) {
    in_place_of_compiler(line + "\nexit 0");
    std::string note;
    EXPECT_FALSE(compile(source, note)) << line;
    EXPECT_NE(note.find("cannot use the output"), note.npos) << line << ": " << note;
    EXPECT_EQ(entries(), 0u) << line;
  }
  expect_works();
}

TEST_F(FakeCompiler, OneThatHangsIsEnded) {
  setenv("PARID_CC_TIMEOUT", "0.3", 1);
  const std::string hang =
      notes_itself() + "trap '' TERM INT HUP\nsleep 600 &\n" + notes_child() + "wait; sleep 600\n";
  std::string note;
  in_place_of_compiler(hang);
  EXPECT_FALSE(compile(source, note));
  EXPECT_NE(note.find("was stopped after 0.3 s; set PARID_CC_TIMEOUT"), note.npos) << note;
  EXPECT_TRUE(comes_true([&] { return all_ended(2); }));
  EXPECT_EQ(entries(), 0u);
  fs::remove(path("processes"));
  in_place_of_compiler("exit 1", hang);  // already where its version is asked for
  EXPECT_FALSE(compile(source, note));
  EXPECT_NE(note.find("was stopped after 0.3 s; set PARID_CC_TIMEOUT"), note.npos) << note;
  EXPECT_TRUE(comes_true([&] { return all_ended(2); }));
  expect_works();
}

// One that leaves a process behind which holds its streams open.
TEST_F(FakeCompiler, ItsChildrenDelayNothing) {
  in_place_of_compiler("sleep 600 &\n" + notes_child() + "exec cc \"$@\"",
                       "sleep 600 &\n" + notes_child());
  std::string note;
  const auto library = compile(source, note);
  ASSERT_TRUE(library) << note;
  EXPECT_EQ(answer_of(*library), 42);
  EXPECT_TRUE(comes_true([&] { return all_ended(2); }));
}

TEST_F(FakeCompiler, FloodsAreCut) {
  in_place_of_compiler("yes refused | head -c 30000000 >&2; yes | head -c 30000000; exit 1");
  std::string note;
  EXPECT_FALSE(compile(source, note));
  EXPECT_NE(note.find("rejects the generated code"), note.npos) << note;
  EXPECT_LT(note.size(), 1000u);
}

TEST_F(FakeCompiler, AnImpossibleTimeLimitIsRefused) {
  for (const char* limit : {"soon", "0", "-1", "nan", "inf", "300s", "1e9", " 5"}) {
    setenv("PARID_CC_TIMEOUT", limit, 1);
    std::string note;
    EXPECT_FALSE(compile(source, note)) << limit;
    EXPECT_EQ(note, "PARID_CC_TIMEOUT: invalid time limit '" + std::string(limit) +
                        "'; give seconds, such as 300");
  }
}

// The process ends by a signal while the compiler runs: the compiler and its children end too.
TEST_F(FakeCompiler, EndsWithTheProcess) {
  in_place_of_compiler("trap '' TERM INT HUP\necho half > \"$out\"\n" + notes_itself() +
                       "sleep 600 &\n" + notes_child() + "wait; sleep 600\n");
  for (const int signal_number : {SIGTERM, SIGINT, SIGHUP, SIGKILL}) {
    fs::remove(path("processes"));
    const pid_t child = fork();
    if (child == 0) {
      for (const int s : {SIGTERM, SIGINT, SIGHUP}) signal(s, SIG_DFL);
      remove_unfinished_files_on_signals();
      std::string note;
      compile(source, note);
      _exit(0);
    }
    EXPECT_TRUE(comes_true([&] { return processes().size() == 2; }));
    kill(child, signal_number);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal_number) << status;
    EXPECT_TRUE(comes_true([&] { return all_ended(2); })) << signal_number;
    // The files of a killed process remain; the next process removes them.
    EXPECT_EQ(entries(), signal_number == SIGKILL ? 1u : 0u) << signal_number;
  }
  expect_works();
}

TEST_F(FakeCompiler, LeftOversAreRemoved) {
  const std::string dead = cache() + "/building-dead00", used = cache() + "/building-used00",
                    old = cache() + "/0123456789abcdef0123456789abcdef.4711.0x7ffd12345678.so",
                    fresh = cache() + "/0123456789abcdef0123456789abcdef.4712.0x7ffd12345678.c",
                    other = cache() + "/notes.txt",
                    entry = cache() + "/0123456789abcdef0123456789abcdef.so";
  fs::create_directories(dead + "/deep");
  fs::create_directories(used);
  chmod(cache().c_str(), 0700);
  for (const std::string& file :
       {dead + "/deep/kernel.s", used + "/kernel.c", old, fresh, other, entry})
    std::ofstream(file) << "left over";
  for (const std::string& file : {old, other, entry})
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(48));
  const int lock = open(used.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(flock(lock, LOCK_EX), 0);  // as its process would
  std::string note;
  ASSERT_TRUE(compile(source, note)) << note;
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_FALSE(fs::exists(old));
  for (const std::string& kept : {used, fresh, other, entry}) EXPECT_TRUE(fs::exists(kept)) << kept;
  close(lock);
  ASSERT_TRUE(compile(std::string(source) + "\n", note)) << note;
  EXPECT_FALSE(fs::exists(used));
}

}  // namespace
}  // namespace parid::test
