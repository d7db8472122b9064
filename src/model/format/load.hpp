// A robot by name, path or text, as its file says it; and the list of formats.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/description.hpp"
#include "model/layer.hpp"
#include "parid/robot.hpp"

namespace parid::model {

// One row of the list of formats (load.cpp). A format without a reader is refused by name.
struct FormatInfo {
  RobotFormat format;
  const char* name;
  std::span<const char* const> suffixes;  // lower case, with their dot
  std::string_view root;                  // the root element of its XML; empty: no XML
  // `file` is for messages and for paths relative to it; it need not exist.
  Description (*parse)(const std::string& text, const std::string& file, const LoadOptions&);
};
std::span<const FormatInfo> robot_formats();

// The format of a text: what its content says, and where that is not enough what the file's suffix
// says.
RobotFormat format_of(const std::string& text, const std::string& file);

// A built-in name ("puma560", "chain:12"), a path to a robot file, or "-" for standard input.
// Throws Error where it cannot be understood; what is physically wrong is check()'s to find.
Description load_description(const std::string& name_or_path, const LoadOptions&);
Description load_description(const std::string& name_or_path, bool floating = false);

// The same of a text. `file` stands for it in messages.
Description parse_description(const std::string& text, const std::string& file, const LoadOptions&);

}  // namespace parid::model
