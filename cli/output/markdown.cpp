#include "cli/output/markdown.hpp"

#include <fmt/format.h>

namespace parid::cli {

MarkdownTable::MarkdownTable(const std::vector<std::string>& head, std::size_t numbers) {
  add(head);
  for (std::size_t k = 0; k < head.size(); ++k) text_ += k >= numbers ? "|---:" : "|---";
  text_ += "|\n";
}

void MarkdownTable::add(const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) {
    text_ += "| ";
    for (char c : cell) text_ += c == '|' ? "\\|" : std::string(1, c);
    text_ += ' ';
  }
  text_ += "|\n";
}

void MarkdownTable::print() const { fmt::print("{}", text_); }

}  // namespace parid::cli
