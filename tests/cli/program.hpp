// The program, run as people run it, and what came of it.

#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"

namespace parid::test {

struct Ran {
  int code = -1;  // exit code; 128 + n where signal n ended it
  std::string out, err;
};

struct Around {
  std::string input = "";  // on standard input
  std::map<std::string, std::string> environment = {};
  std::string output = "";       // a file for standard output, such as /dev/full
  std::string folder = "";       // where it is run
  std::string error = "";        // a file for standard error
  std::vector<int> closed = {};  // descriptors
};

inline Ran parid_program(std::vector<std::string> words, const Around& around = {}) {
  Scratch scratch;
  const std::string in = scratch.file("in", around.input), out = scratch.path("out"),
                    err = scratch.path("err");
  words.insert(words.begin(), PARID_PROGRAM);
  const pid_t child = fork();
  if (child == 0) {
    auto redirect = [](const std::string& path, int flags, int to) {
      dup2(open(path.c_str(), flags, 0600), to);
    };
    redirect(in, O_RDONLY, 0);
    redirect(around.output.empty() ? out : around.output, O_WRONLY | O_CREAT, 1);
    redirect(around.error.empty() ? err : around.error, O_WRONLY | O_CREAT, 2);
    if (!around.folder.empty() && chdir(around.folder.c_str()) != 0) _exit(126);
    for (const int descriptor : around.closed) close(descriptor);
    for (const auto& [name, value] : around.environment) setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(PARID_PROGRAM, arguments.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content(out),
          content(err)};
}

// "torque planar2 --json" as a shell would split it; no quotes.
inline Ran parid_line(const std::string& line, const Around& around = {}) {
  std::istringstream words(line);
  std::vector<std::string> all;
  for (std::string word; words >> word;) all.push_back(word);
  return parid_program(all, around);
}

inline nlohmann::json json_of(const std::string& line) {
  const Ran ran = parid_line(line);
  if (ran.code > 1) throw std::runtime_error(line + ": " + ran.err);
  return nlohmann::json::parse(ran.out);
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace parid::test
