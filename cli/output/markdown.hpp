// A Markdown table on standard output.

#pragma once

#include <string>
#include <vector>

#include "cli/layer.hpp"

namespace parid::cli {

class MarkdownTable {
 public:
  // Columns from `numbers` on are aligned to the right.
  explicit MarkdownTable(const std::vector<std::string>& head,
                         std::size_t numbers = ~std::size_t{0});
  void add(const std::vector<std::string>& cells);
  void print() const;

 private:
  std::string text_;
};

}  // namespace parid::cli
