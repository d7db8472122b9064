#include "base/file/atomic_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file/csv.hpp"
#include "base/file/npz.hpp"
#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

namespace fs = std::filesystem;

void write_file(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

TEST(AtomicFile, AppearsAtCommitAndNotBefore) {
  Scratch scratch;
  const std::string path = scratch.file("out", "old");
  {
    AtomicFile file(path);
    file.write("new ");
    file.write(std::string(1 << 20, 'x'));
    file.write(" end");
    EXPECT_EQ(content(path), "old");
    EXPECT_EQ(scratch.names().size(), 2u);  // beside it, so that it can take its place at once
    file.commit();
  }
  EXPECT_EQ(content(path), "new " + std::string(1 << 20, 'x') + " end");
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"out"});
}

TEST(AtomicFile, OpenFilesByTheirNumberAreGoneOnWith) {
  Scratch scratch;
  const std::string path = scratch.file("out", "old");
  for (const char* folder : {"/dev/fd/", "/proc/self/fd/"}) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_TRUNC);
    ASSERT_EQ(::write(descriptor, "before ", 7), 7);
    write_file(folder + std::to_string(descriptor), "and after");
    EXPECT_EQ(content(path), "before and after") << folder;
    ::close(descriptor);
  }
}

TEST(AtomicFile, WithoutCommitNothingHappened) {
  Scratch scratch;
  const std::string path = scratch.file("out", "old");
  {
    AtomicFile file(path);
    file.write(std::string(1 << 20, 'x'));
    AtomicFile other(scratch.path("other"));
  }
  EXPECT_EQ(content(path), "old");
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"out"});
}

TEST(AtomicFile, ModeComesFromTheUmaskOrTheOldFile) {
  Scratch scratch;
  const auto mode = [](const std::string& path) {
    struct stat about = {};
    stat(path.c_str(), &about);
    return about.st_mode & 07777;
  };
  const mode_t before = umask(027);
  write_file(scratch.path("fresh"), "x");
  EXPECT_EQ(mode(scratch.path("fresh")), 0640u);
  const std::string old = scratch.file("old", "x");
  chmod(old.c_str(), 0604);
  write_file(old, "y");
  EXPECT_EQ(mode(old), 0604u);
  umask(before);
}

TEST(AtomicFile, WritesThroughSymbolicLinks) {
  Scratch scratch;
  const std::string real = scratch.file("real", "old"), link = scratch.path("link");
  fs::create_symlink("real", scratch.path("middle"));
  fs::create_symlink(scratch.path("middle"), link);
  write_file(link, "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(content(real), "new");

  fs::create_symlink("later", scratch.path("dangling"));
  write_file(scratch.path("dangling"), "first");
  EXPECT_TRUE(fs::is_symlink(scratch.path("dangling")));
  EXPECT_EQ(content(scratch.path("later")), "first");

  const std::string circle = scratch.path("circle");
  fs::create_symlink("circle", circle);
  EXPECT_EQ(complaint([&] { AtomicFile file(circle); }),
            circle + ": its symbolic links form a cycle; remove the links");
}

TEST(AtomicFile, RelativePathsAreMeantFromWhereTheyWereGiven) {
  Scratch scratch;
  const fs::path before = fs::current_path();
  fs::current_path(scratch.path(""));
  {
    AtomicFile kept("kept"), dropped("dropped");
    fs::current_path(before);
    kept.write("x");
    kept.commit();
  }
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"kept"});
}

TEST(AtomicFile, SaysWhyItCannotBeWritten) {
  Scratch scratch;
  const std::string folder = scratch.path(""), lost = scratch.path("no/where"),
                    slash = scratch.path("new/");
  const std::string directory = ": this is a directory; give a file name";
  const std::string missing =
      ": there is no such directory; create it first, for example with mkdir -p";
  EXPECT_EQ(complaint([&] { AtomicFile file(folder); }), folder + directory);
  EXPECT_EQ(complaint([&] { AtomicFile file(slash); }), slash + directory);
  EXPECT_EQ(complaint([&] { AtomicFile file(lost); }), lost + missing);
  const std::string under = scratch.file("file", "") + "/x";
  EXPECT_EQ(complaint([&] { AtomicFile file(under); }), under + missing);
  EXPECT_EQ(complaint([] { AtomicFile file(""); }),
            "the name of the output file is empty; give a path");
}

TEST(AtomicFile, SaysThatPermissionIsMissing) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  Scratch scratch;
  const std::string locked = scratch.file("locked", "old");
  chmod(locked.c_str(), 0444);
  const std::string folder = scratch.path("folder"), inside = folder + "/out";
  fs::create_directory(folder);
  chmod(folder.c_str(), 0555);
  const std::string denied =
      ": no permission to write: Permission denied; make the file and its directory writable, or "
      "choose another path";
  EXPECT_EQ(complaint([&] { AtomicFile file(locked); }), locked + denied);
  EXPECT_EQ(complaint([&] { AtomicFile file(inside); }), inside + denied);
  EXPECT_EQ(content(locked), "old");
  chmod(folder.c_str(), 0755);
}

TEST(AtomicFile, AFullDiskIsReportedByEveryWriter) {
  const std::string full =
      "/dev/full: cannot write the whole file: No space left on device; free some space, or choose "
      "another path";
  EXPECT_EQ(complaint([] { write_file("/dev/full", "x"); }), full);
  EXPECT_EQ(complaint([] { write_csv("/dev/full", {"t"}, std::vector<double>{1}); }), full);
  EXPECT_EQ(complaint([] { write_npy("/dev/full", {{1}, {1}}); }), full);
  EXPECT_EQ(complaint([] { write_npz("/dev/full", {{"t", {{1}, {1}}}}); }), full);
}

TEST(AtomicFile, AFullDiskLeavesTheOldFile) {
  Scratch scratch;
  const std::string path = scratch.file("out", "old");
  rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small = {1 << 16, before.rlim_max};
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = complaint([&] { write_file(path, std::string(1 << 20, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(
      message,
      path +
          ": cannot write the whole file: File too large; free some space, or choose another path");
  EXPECT_EQ(content(path), "old");
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"out"});
}

TEST(AtomicFile, PipesAndDevicesAreWrittenDirectly) {
  write_file("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));

  Scratch scratch;
  const std::string fifo = scratch.path("fifo");
  mkfifo(fifo.c_str(), 0600);
  const int reader = open(fifo.c_str(), O_RDONLY | O_NONBLOCK);
  write_file(fifo, "through");
  char got[16] = {};
  EXPECT_EQ(read(reader, got, sizeof got), 7);
  close(reader);
  EXPECT_TRUE(fs::is_fifo(fifo));
}

// Earlier output stays in front, also if standard output is a file.
TEST(AtomicFile, StandardOutputIsContinued) {
  Scratch scratch;
  const std::string path = scratch.path("out");
  fflush(stdout);
  const int before = dup(STDOUT_FILENO);
  const int file = open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  dup2(file, STDOUT_FILENO);
  close(file);
  for (const char* name : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    write_file(name, std::string(name) + "\n");
  }
  dup2(before, STDOUT_FILENO);
  close(before);
  EXPECT_EQ(content(path), "-\n/dev/stdout\n/dev/fd/1\n/proc/self/fd/1\n");
}

TEST(AtomicFile, AnInterruptedProcessLeavesNoLitter) {
  for (int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    Scratch scratch;
    const std::string path = scratch.file("out", "old");
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
      remove_unfinished_files_on_signals();
      AtomicFile file(path);
      file.write(std::string(1 << 20, 'x'));
      if (write(ready[1], "!", 1) == 1) pause();
      _exit(0);
    }
    char byte;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    EXPECT_EQ(scratch.names().size(), 2u);
    kill(child, signal_number);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal_number);
    EXPECT_EQ(content(path), "old");
    EXPECT_EQ(scratch.names(), std::vector<std::string>{"out"});
    close(ready[0]);
    close(ready[1]);
  }
}

TEST(AtomicFile, AForkedChildLeavesItsParentsFileAlone) {
  Scratch scratch;
  const std::string path = scratch.path("out");
  AtomicFile file(path);
  const pid_t child = fork();
  if (child == 0) {
    remove_unfinished_files();
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  file.commit();
  EXPECT_TRUE(fs::exists(path));
}

TEST(AtomicFile, MoreFilesThanAreRememberedStillWork) {
  Scratch scratch;
  std::vector<std::unique_ptr<AtomicFile>> files;
  for (int i = 0; i < 40; ++i) {
    files.push_back(std::make_unique<AtomicFile>(scratch.path(std::to_string(i))));
  }
  for (const auto& file : files) file->commit();
  EXPECT_EQ(scratch.names().size(), 40u);
}

}  // namespace
}  // namespace parid::test
