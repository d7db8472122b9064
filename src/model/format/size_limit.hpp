// How large a robot, and the file that describes it, may be. What is done with a robot takes time
// and memory in proportion to its joints and to its file; these limits keep a file that means harm
// from taking the machine. They lie far above any robot that was built.

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

constexpr std::size_t longest_name = 1000;  // bytes; messages and tables repeat it

constexpr std::size_t most_remarks = 10'000;  // of a loader on a file

// What is wrong with so many, or nothing; and what to do about it.
std::string too_many(std::size_t joints, std::size_t links);
constexpr auto too_many_remedy = "remove what does not move, or split it into several robots";

// An Error where there are too many, before any is read.
void require_few(const std::string& file, std::size_t joints, std::size_t links);

// An Error where more than most_parts of the `marks` stand in a text, before a parser spends a
// hundred bytes on each. `parts` is what they mark: "tags".
void require_few_parts(const std::string& file, const std::string& text, std::string_view marks,
                       const char* parts);

// The whole of a file or of a pipe; an Error where it is longer than largest_robot_file. In pieces,
// because a pipe does not say how long it is and /dev/zero never ends. `what`: "a URDF file".
std::string text_of_file(const std::string& path, const std::string& what);

}  // namespace parid::model
