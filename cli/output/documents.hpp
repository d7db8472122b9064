// Output for other programs: JSON, Markdown tables, files.

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/layer.hpp"
#include "codegen/emit/targets.hpp"

namespace parid::cli {

// ---- JSON on standard output: one object, a key per line, and a line for each row of a table, so
// that people can read it as well.

using Json = nlohmann::ordered_json;

void print(const Json& object);

// The number, or null: JSON has no infinities.
Json finite(double);

// ---- A Markdown table on standard output.

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

// ---- Files that a command writes, complete or not at all.

// Writes into a directory, which is created if missing. Returns the paths.
std::vector<std::string> write_files(const std::string& directory,
                                     const std::vector<EmittedFile>& files);

}  // namespace parid::cli
