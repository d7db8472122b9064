// Who is looking: colours and the width of lines, on a terminal alone.

#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "cli/layer.hpp"

namespace parid::cli {

// Is the stream a terminal that shows colours, and does the user want them? https://no-color.org
bool colours(std::FILE*);

// Columns of the terminal; `otherwise` in a pipe or a file.
int width_of(std::FILE*, int otherwise);

enum class Paint { bold, faint, red, yellow, cyan };

// The text in that paint where the stream shows colours; else as it is.
std::string painted(std::FILE*, Paint, std::string_view text);

// The first line of a table on standard output.
inline std::string heading(std::string_view text) { return painted(stdout, Paint::bold, text); }

}  // namespace parid::cli
