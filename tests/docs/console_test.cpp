// Examples in the documentation print the output that the pages show. docs/README.md describes the
// blocks: commands after "$ ", then their output, "…" for parts that differ between machines.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/cli/program.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

struct Example {
  std::string place, command;  // "docs/commands.md:40"
  std::vector<std::string> says;
};

// Files are written in order, so that an example finds those above it.
struct Step {
  std::string file, text;  // a file to write, or
  Example example;         // a command to run
};

std::vector<Step> steps_of(const std::string& page) {
  std::vector<Step> steps;
  std::istringstream lines(content(page));
  std::string file;
  int number = 0;
  bool console = false, inside = false;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::string head = "<!-- file: ", tail = " -->";
    if (!inside && line.starts_with(head) && line.ends_with(tail)) {
      file = line.substr(head.size(), line.size() - head.size() - tail.size());
      const std::string from = " from ";  // a file of the repository
      if (const std::size_t at = file.find(from); at != std::string::npos) {
        steps.push_back({file.substr(0, at), content(file.substr(at + from.size())), {}});
        EXPECT_NE(steps.back().text, "") << page << ":" << number << ": " << line;
        file.clear();
      }
    } else if (line.starts_with("```")) {
      inside = !inside;
      console = inside && file.empty() && line == "```console";
      if (inside && !file.empty()) steps.push_back({file, "", {}});
      if (!inside) file.clear();
    } else if (console && line.starts_with("$ ")) {
      steps.push_back({"", "", {page + ":" + std::to_string(number), line.substr(2), {}}});
    } else if (console) {
      if (steps.empty() || steps.back().example.command.empty()) {
        ADD_FAILURE() << page << ":" << number << ": a console block begins with '$ '";
        continue;
      }
      steps.back().example.says.push_back(line);
    } else if (inside && !file.empty()) {
      steps.back().text += line + "\n";
    }
  }
  return steps;
}

// "…" matches any characters.
bool line_matches(std::string_view pattern, std::string_view line) {
  const std::string_view gap = "…";
  const std::size_t at = pattern.find(gap);
  if (at == std::string_view::npos) return pattern == line;
  if (line.substr(0, at) != pattern.substr(0, at)) return false;
  for (std::size_t k = at; k <= line.size(); ++k)
    if (line_matches(pattern.substr(at + gap.size()), line.substr(k))) return true;
  return false;
}

// A line of "…" matches any lines.
bool matches(std::span<const std::string> want, std::span<const std::string> got) {
  if (want.empty()) return got.empty();
  if (want[0] == "…") {
    for (std::size_t k = 0; k <= got.size(); ++k)
      if (matches(want.subspan(1), got.subspan(k))) return true;
    return false;
  }
  return !got.empty() && line_matches(want[0], got[0]) && matches(want.subspan(1), got.subspan(1));
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// Run by bash in an empty folder, as a reader would.
std::vector<std::string> said(const Scratch& scratch, const std::string& command) {
  const std::string script =
      scratch.file("command", "cd '" + scratch.path("here") + "'\nPATH='" + scratch.path("bin") +
                                  "':\"$PATH\"\n" + command + "\n");
  FILE* pipe = popen(("bash '" + script + "' 2>&1 </dev/null").c_str(), "r");
  std::string text;
  char part[4096];
  for (std::size_t n; (n = fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, n);
  pclose(pipe);
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void furnish(const Scratch& scratch) {
  std::filesystem::create_directory(scratch.path("here"));
  std::filesystem::create_directory(scratch.path("bin"));
  std::filesystem::create_symlink(PARID_PROGRAM, scratch.path("bin/parid"));
}

TEST(Console, MatchingIsStrict) {
  EXPECT_TRUE(line_matches("a … c", "a b c"));
  EXPECT_TRUE(line_matches("0.1,-4.0…,-1.4…", "0.1,-4.012,-1.43"));
  EXPECT_FALSE(line_matches("a … c", "a b d"));
  EXPECT_FALSE(line_matches("a", "ab"));
  const std::vector<std::string> got{"one", "two", "three"};
  const auto with = [&](std::vector<std::string> want) { return matches(want, got); };
  EXPECT_TRUE(with({"…", "three"}));
  EXPECT_TRUE(with({"one", "…", "three"}));
  EXPECT_FALSE(with({"one", "three"}));
  EXPECT_FALSE(with({"…", "two"}));
  EXPECT_FALSE(with({}));
}

TEST(Console, ExamplesPrintWhatThePagesSay) {
  std::vector<std::string> pages{"README.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator("docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path().string());
  std::sort(pages.begin(), pages.end());
  int run = 0;
  for (const std::string& page : pages) {
    const Scratch scratch;
    furnish(scratch);
    for (const Step& step : steps_of(page)) {
      if (!step.file.empty()) {
        std::ofstream(scratch.path("here/" + step.file)) << step.text;
        continue;
      }
      const Example& e = step.example;
      const std::vector<std::string> got = said(scratch, e.command);
      EXPECT_TRUE(matches(e.says, got)) << e.place << ": $ " << e.command << "\nthe page says\n"
                                        << joined(e.says) << "the program says\n"
                                        << joined(got);
      ++run;
    }
  }
  EXPECT_GE(run, 30);
}

TEST(Console, EveryCommandHasAnExample) {
  const std::string page = content("docs/commands.md");
  const Scratch scratch;
  furnish(scratch);
  for (const std::string& line : said(scratch, "parid --help"))
    if (line.starts_with("  ") && line.size() > 30 && line[2] != ' ' && line[2] != '-') {
      const std::string name = line.substr(2, line.find(' ', 2) - 2);
      if (name == "parid") continue;  // examples
      EXPECT_TRUE(contains(page, "\n## " + name + "\n")) << name;
    }
}

}  // namespace
}  // namespace parid::test
