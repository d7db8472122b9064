// The pages on formulations are complete, and their figures are those of the program:
//
//   <!-- generated: parid compare chain:6 --markdown --> … <!-- end -->

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "lookup/methods.hpp"
#include "schedule/scheduler.hpp"
#include "tests/cli/program.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

const std::string opening = "<!-- generated: parid ", closing = " -->", end = "<!-- end -->";

struct Block {
  std::string place, command, text;  // "docs/json.md:12"
};

std::vector<Block> blocks_of(const std::string& file) {
  std::vector<Block> blocks;
  std::istringstream page(content(file));
  bool inside = false, fenced = false;
  int number = 0;
  for (std::string line; std::getline(page, line);) {
    ++number;
    if (line.starts_with("```")) fenced = !fenced;
    if (!inside && !fenced && line.starts_with(opening)) {
      EXPECT_TRUE(line.ends_with(closing))
          << file << ":" << number << ": a marker ends with '" << closing << "'";
      const std::string command =
          line.substr(opening.size(), line.size() - opening.size() - closing.size());
      blocks.push_back({file + ":" + std::to_string(number), command, ""});
      inside = true;
    } else if (inside && line == end) {
      inside = false;
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  EXPECT_FALSE(inside) << file << ": a generated block without '" << end << "'";
  return blocks;
}

// Markdown requires an empty line between a marker and a table; nothing else may surround the text.
std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of('\n'), last = text.find_last_not_of('\n');
  return first == std::string::npos ? "" : text.substr(first, last + 1 - first);
}

TEST(Documentation, GeneratedBlocksAreWhatTheProgramPrints) {
  std::vector<std::string> pages;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path().string());
  std::sort(pages.begin(), pages.end());
  std::map<std::string, std::string> printed;  // several pages may show the same
  int blocks = 0;
  for (const std::string& page : pages)
    for (const Block& block : blocks_of(page)) {
      ++blocks;
      if (!printed.contains(block.command)) {
        const Ran ran = parid_line(block.command);
        EXPECT_EQ(ran.code, 0) << block.place << ": parid " << block.command << "\n" << ran.err;
        printed[block.command] = trimmed(ran.out);
      }
      EXPECT_EQ(trimmed(block.text), printed[block.command])
          << block.place << ": no longer what `parid " << block.command
          << "` prints; `./run docs` brings it up to date";
    }
  EXPECT_GE(blocks, 10);
}

TEST(Documentation, EveryFormulationHasAPageInTheIndex) {
  const std::string index = content("docs/formulations/README.md");
  for (const MethodEntry& m : methods()) {
    const std::string id = m.id;
    EXPECT_TRUE(std::filesystem::exists("docs/formulations/" + id + ".md")) << id;
    EXPECT_TRUE(contains(index, "[" + id + "](" + id + ".md)")) << id;
  }
}

TEST(Documentation, EverySchedulerHasARow) {
  const std::string page = content("docs/scheduling.md");
  for (const Scheduler& s : schedulers())
    EXPECT_TRUE(contains(page, "| `" + std::string(s.id) + "` |")) << s.id;
}

}  // namespace
}  // namespace parid::test
