// Links between pages lead to files that are there, and every page can be reached from the index.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

namespace fs = std::filesystem;

// Files that a page links to, as paths from the repository's root; code is not read.
std::vector<std::string> links_of(const std::string& page) {
  std::vector<std::string> links;
  std::istringstream lines(content(page));
  bool fenced = false, code = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) fenced = !fenced;
    if (fenced) continue;
    code = false;
    for (std::size_t k = 0; k + 1 < line.size(); ++k) {
      if (line[k] == '`') code = !code;
      if (code || line[k] != ']' || line[k + 1] != '(') continue;
      const std::size_t from = k + 2;
      const std::string target = line.substr(from, line.find_first_of(")# ", from) - from);
      if (!target.empty() && target.find("://") == std::string::npos)
        links.push_back((fs::path(page).parent_path() / target).lexically_normal().string());
    }
  }
  return links;
}

TEST(Documentation, LinksLeadToFiles) {
  int links = 0;
  std::vector<std::string> pages{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"};
  for (const auto& entry : fs::recursive_directory_iterator("docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path().string());
  for (const std::string& page : pages)
    for (const std::string& target : links_of(page)) {
      EXPECT_TRUE(fs::exists(target)) << page << " links to " << target;
      ++links;
    }
  EXPECT_GE(links, 100);
}

// The test example_ten_lines checks the output.
TEST(Documentation, ReadmeShowsTheShortestExample) {
  const std::string readme = content("README.md"), opening = "```cpp\n";
  const std::size_t from = readme.find(opening);
  ASSERT_NE(from, std::string::npos);
  const std::size_t begin = from + opening.size();
  const std::string block = readme.substr(begin, readme.find("```", begin) - begin);
  EXPECT_GE(std::count(block.begin(), block.end(), '\n'), 5);
  EXPECT_NE(content("examples/ten_lines.cpp").find(block), std::string::npos) << block;
}

TEST(Documentation, EveryPageIsReachedFromTheIndex) {
  std::set<std::string> reached;
  std::vector<std::string> next{"docs/README.md"};
  while (!next.empty()) {
    const std::string page = next.back();
    next.pop_back();
    if (!reached.insert(page).second || fs::path(page).extension() != ".md") continue;
    for (const std::string& target : links_of(page)) next.push_back(target);
  }
  for (const auto& entry : fs::directory_iterator("docs"))
    if (entry.path().extension() == ".md") {
      EXPECT_TRUE(reached.contains(entry.path().string())) << entry.path();
    }
}

}  // namespace
}  // namespace parid::test
