// Every option of every command either changes the result of a run or is refused:
// tests/cli/options.txt.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

#include "tests/cli/program.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

namespace fs = std::filesystem;

// What all commands have alike.
const std::set<std::string> common = {"-h", "--help", "-q", "--quiet", "--version"};

struct Line {
  int number = 0;
  std::string base, option, expected;  // expected: "changes", "refused", "adds", …
  std::string text;                    // after the colon
  std::string command() const { return base.substr(0, base.find(' ')); }
};

struct Table {
  std::vector<std::string> made,
      files;  // lines with ! and =, in order, each before the lines after it
  std::vector<Line> lines;
};

std::string trimmed(const std::string& s) {
  const std::size_t first = s.find_first_not_of(' '), last = s.find_last_not_of(' ');
  return first == std::string::npos ? "" : s.substr(first, last + 1 - first);
}

Table table() {
  Table t;
  std::ifstream file("tests/cli/options.txt");
  std::string text;
  for (int number = 1; std::getline(file, text); ++number) {
    if (text.empty() || text[0] == '#') continue;
    if (text[0] == '!') {
      t.made.push_back(trimmed(text.substr(1)));
      continue;
    }
    if (text[0] == '=') {
      t.files.push_back(trimmed(text.substr(1)));
      continue;
    }
    const std::size_t a = text.find(";;"), b = text.find(";;", a + 2);
    if (b == std::string::npos) {
      ADD_FAILURE() << "tests/cli/options.txt:" << number << ": three parts are needed";
      continue;
    }
    Line line{number, trimmed(text.substr(0, a)), trimmed(text.substr(a + 2, b - a - 2)),
              trimmed(text.substr(b + 2)), ""};
    if (const std::size_t colon = line.expected.find(':'); colon != std::string::npos) {
      line.text = trimmed(line.expected.substr(colon + 1));
      line.expected = line.expected.substr(0, colon);
    }
    t.lines.push_back(line);
  }
  return t;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

struct Given {
  int code = 0;
  std::string out, err;
  std::map<std::string, std::string> files;
  bool operator==(const Given&) const = default;
};

// Runs lines, each with an empty directory for its files.
class Runs {
 public:
  Runs() {
    fs::create_directories(in());
    fs::create_directories(out());
  }
  Given run(const std::string& line) {
    fs::remove_all(out());
    fs::create_directories(out());
    const Ran ran = parid_line(replaced(replaced(line, "{in}", in()), "{out}", out()));
    Given g{ran.code, ran.out, ran.err, {}};
    for (const auto& entry : fs::recursive_directory_iterator(out()))
      if (entry.is_regular_file())
        g.files[fs::relative(entry.path(), out()).string()] = content(entry.path().string());
    return g;
  }
  void prepare(const Table& t) {
    for (const std::string& file : t.files) {
      const std::size_t space = file.find(' ');
      std::ofstream(in() + "/" + file.substr(0, space))
          << replaced(file.substr(space + 1), "\\n", "\n");
    }
    for (const std::string& line : t.made) {
      const Given g = run(line);
      if (contains(g.err, "libparid-hdf5.so")) {
        hdf5 = false;
        continue;
      }
      ASSERT_LE(g.code, 1) << line << ": " << g.err;
    }
  }
  // Without the option; the same each time.
  const Given& base(const std::string& line) {
    const auto at = bases_.find(line);
    if (at != bases_.end()) return at->second;
    Given g = run(line);
    EXPECT_EQ(g, run(line)) << line << ": the output differs from run to run; say 'adds: TEXT'";
    return bases_[line] = std::move(g);
  }

  bool hdf5 = true;  // whether the module is built

 private:
  std::string in() const { return scratch_.path("in"); }
  std::string out() const { return scratch_.path("out"); }
  Scratch scratch_;
  std::map<std::string, Given> bases_;
};

void PrintTo(const Given& g, std::ostream* to) {
  *to << "exit code " << g.code << ", " << g.out.substr(0, 300) << g.err.substr(0, 300);
}

std::string all_of(const Given& g) {
  std::string text = g.out + g.err;
  for (const auto& [name, content] : g.files) text += name + content;
  return text;
}

// "-o, --output FILE …" of --help.
std::set<std::string> options_of(const std::string& command) {
  std::set<std::string> all;
  std::istringstream lines(parid_line(command + " --help").out);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("Options:")) inside = true;
    if (!line.empty() && line[0] != ' ' && !line.starts_with("Options:")) inside = false;
    if (!inside || !line.starts_with("  -")) continue;
    std::istringstream words(line);
    std::string last;
    for (std::string word; words >> word && word[0] == '-';) {
      const bool more = word.back() == ',';
      if (more) word.pop_back();
      last = word;
      if (!more) break;
    }
    if (!common.contains(last)) all.insert(last);  // the long name, where there is one
  }
  return all;
}

std::vector<std::string> commands() {
  std::vector<std::string> all;
  std::istringstream lines(parid_line("--help").out);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("Commands:"))
      inside = true;
    else if (!line.empty() && line[0] != ' ')
      inside = false;
    else if (inside && line.size() > 3 && line.starts_with("  ") && line[2] != ' ')
      all.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return all;
}

TEST(CliOptions, EachHasALine) {
  const Table t = table();
  const std::vector<std::string> known = commands();
  ASSERT_GT(known.size(), 15u);
  std::map<std::string, std::set<std::string>> lines;
  for (const Line& line : t.lines) {
    std::string option = line.option.substr(0, line.option.find(' '));
    if (option == "-o") option = "--output";
    if (option == "-p") option = "--processors";
    lines[line.command()].insert(option);
  }
  for (const std::string& command : known) {
    const std::set<std::string> options = options_of(command);
    EXPECT_FALSE(lines[command].empty()) << command;
    for (const std::string& option : options)
      EXPECT_TRUE(lines[command].contains(option))
          << "parid " << command << " " << option
          << " has no line in tests/cli/options.txt: add what it changes, or how it is refused";
    for (const std::string& option : lines[command])
      EXPECT_TRUE(options.contains(option) || option[0] != '-')
          << "parid " << command << " has no " << option;
  }
}

TEST(CliOptions, EachChangesTheOutputOrIsRefused) {
  const Table t = table();
  Runs runs;
  runs.prepare(t);
  const bool has_bench = fs::exists(fs::path(PARID_PROGRAM).parent_path() / "parid-bench");
  if (!has_bench) std::cout << "parid-bench is not built: its options are skipped\n";
  const bool has_device = parid_line("devices").code == 0;
  if (!has_device) std::cout << "there is no OpenCL device: the options for it are skipped\n";
  for (const Line& line : t.lines) {
    const std::string whole = line.base + " " + line.option;
    if (!has_device && line.expected == "changes" &&
        (line.command() == "devices" || line.option.starts_with("--device")))
      continue;
    if (!runs.hdf5 && contains(whole, ".h5")) continue;
    if (!has_bench && line.command() == "bench") continue;
    SCOPED_TRACE("tests/cli/options.txt:" + std::to_string(line.number) + ": parid " + whole);
    const Given with = runs.run(whole);
    if (line.expected == "refused") {
      EXPECT_EQ(with.code, 2) << with.err;
      EXPECT_TRUE(contains(with.err, line.text)) << with.err;
      EXPECT_TRUE(with.files.empty());
      continue;
    }
    if (line.expected != "fails") {
      EXPECT_LE(with.code, 1) << with.err;
    }
    if (line.expected == "changes") {
      EXPECT_NE(with, runs.base(line.base)) << "the option is ignored";
    } else if (line.expected == "same") {
      EXPECT_TRUE(line.option.starts_with("--threads")) << "an option must do something";
      EXPECT_EQ(with, runs.base(line.base));
    } else if (line.expected == "how") {
      const std::string option = line.option.substr(0, line.option.find(' '));
      EXPECT_TRUE(line.command() == "batch" &&
                  (option == "--restart" || option == "--block" || option == "--checkpoint"))
          << "an option must do something";
      EXPECT_EQ(with.files, runs.run(line.base).files);
    } else if (line.expected == "changes files" || line.expected == "same files") {
      EXPECT_EQ(with.files == runs.run(line.base).files, line.expected == "same files");
    } else if (line.expected == "adds") {
      EXPECT_TRUE(contains(all_of(with), line.text)) << all_of(with).substr(0, 500);
      EXPECT_FALSE(contains(all_of(runs.run(line.base)), line.text)) << "it is there without too";
    } else if (line.expected == "removes") {
      EXPECT_FALSE(contains(all_of(with), line.text)) << all_of(with).substr(0, 500);
      EXPECT_TRUE(contains(all_of(runs.run(line.base)), line.text)) << "it is not there without";
    } else if (line.expected == "fails") {
      EXPECT_EQ(std::to_string(with.code), line.text);
      EXPECT_NE(std::to_string(runs.run(line.base).code), line.text);
    } else {
      ADD_FAILURE() << "'" << line.expected << "' is nothing that can be expected";
    }
  }
}

}  // namespace
}  // namespace parid::test
