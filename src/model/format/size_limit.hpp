// Limits on the size of a robot and its file. Time and memory grow with the number of joints and
// the size of the file; these limits keep a malicious file from exhausting the machine. They are
// far above any robot that was built.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/layer.hpp"

namespace parid::model {

constexpr std::size_t most_joints = 100'000;  // fixed ones too
constexpr std::size_t largest_robot_file = std::size_t{128} << 20;
constexpr std::size_t most_parts = 6'000'000;  // tags or attributes, or keys and values, of a file
constexpr std::size_t most_attributes = 1000;  // of a tag

constexpr std::size_t longest_name = 1000;  // bytes; messages and tables repeat the name

constexpr std::size_t most_remarks = 10'000;  // of a reader, per file

// The message for too many, or ""; and the remedy.
std::string too_many(std::size_t joints, std::size_t links);
constexpr auto too_many_remedy = "remove what does not move, or split it into several robots";

// Throws Error if there are too many, before any is read.
void require_few(const std::string& file, std::size_t joints, std::size_t links);

// Throws Error if a text contains more than most_parts of the `marks`, before a parser allocates a
// hundred bytes for each. `parts` names them: "tags".
void require_few_parts(const std::string& file, const std::string& text, std::string_view marks,
                       const char* parts);

// Reads a whole file or pipe; throws Error if it is longer than largest_robot_file. In pieces,
// because the length of a pipe is unknown and /dev/zero never ends. `what`: "a URDF file".
std::string text_of_file(const std::string& path, const std::string& what);

}  // namespace parid::model
