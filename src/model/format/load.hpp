// Loads the description of a robot by name, path or text; and the list of formats.

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

// The format of a text by its content or, if that is not sufficient, by the file's suffix.
RobotFormat format_of(const std::string& text, const std::string& file);

// A built-in name ("puma560", "chain:12"), a path to a robot file, or "-" for standard input.
// Throws Error if it cannot be read; check() reports physical errors.
Description load_description(const std::string& name_or_path, const LoadOptions&);
Description load_description(const std::string& name_or_path, bool floating = false);

// The same for a text. `file` is its name in messages.
Description parse_description(const std::string& text, const std::string& file, const LoadOptions&);

}  // namespace parid::model
