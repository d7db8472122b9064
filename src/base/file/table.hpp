// Named columns of numbers, with the line of each row, so that a later message about a row can name
// its place in the file.

#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/layer.hpp"
#include "parid/error.hpp"

namespace parid::base {

struct Table {
  // Rows from `row` on are on consecutive lines from `line` on, up to the next run. Comments and
  // empty lines start a new run, so a plain file has one.
  struct Run {
    std::size_t row;
    int line;
  };

  std::string file;  // as shown in messages
  int header_line = 0;
  std::vector<std::string> columns;  // names, all different
  std::size_t rows = 0;
  std::vector<double> data;  // rows × columns, row-major, all finite
  std::vector<Run> runs;

  double at(std::size_t row, std::size_t column) const {
    return data[row * columns.size() + column];
  }

  std::optional<std::size_t> find(std::string_view name) const {
    const auto found = std::find(columns.begin(), columns.end(), name);
    if (found == columns.end()) return std::nullopt;
    return static_cast<std::size_t>(found - columns.begin());
  }

  int line_of(std::size_t row) const {
    const auto after = std::upper_bound(runs.begin(), runs.end(), row,
                                        [](std::size_t r, const Run& run) { return r < run.row; });
    if (after == runs.begin()) return 0;
    return std::prev(after)->line + static_cast<int>(row - std::prev(after)->row);
  }

  Place place_of(std::size_t row) const { return {file, line_of(row)}; }
};

}  // namespace parid::base
