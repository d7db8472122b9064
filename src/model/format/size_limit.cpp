#include "model/format/size_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "parid/error.hpp"

namespace parid::model {

std::string too_many(std::size_t joints, std::size_t links) {
  if (joints <= most_joints && links <= most_joints + 1) return "";
  return fmt::format("the robot has {} joints and {} links; the limit is {} joints", joints, links,
                     most_joints);
}

void require_few(const std::string& file, std::size_t joints, std::size_t links) {
  if (const std::string wrong = too_many(joints, links); !wrong.empty())
    throw Error({file, 0}, wrong, too_many_remedy);
}

void require_few_parts(const std::string& file, const std::string& text, std::string_view marks,
                       const char* parts) {
  std::size_t count = 0;
  for (const char mark : marks)
    count += static_cast<std::size_t>(std::count(text.begin(), text.end(), mark));
  if (count > most_parts)
    throw Error(
        {file, 0},
        fmt::format("the file contains about {} {}; the limit is {}", count, parts, most_parts),
        fmt::format("no robot within the limit of {} joints needs more", most_joints));
}

std::string text_of_file(const std::string& path, const std::string& what) {
  const Place at{path, 0};
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw Error(at, fmt::format("cannot open the file ({})", std::strerror(errno)),
                fmt::format("give the path of {} that can be read", what));
  std::string text;
  std::vector<char> piece(1 << 16);
  while (in) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > largest_robot_file)
      throw Error(
          at, fmt::format("the file is larger than {} MB", largest_robot_file >> 20),
          fmt::format("{} for a robot with {} joints, the limit, is smaller", what, most_joints));
  }
  if (in.bad())
    throw Error(at, "cannot read the file to its end", "check the disk, or copy it again");
  return text;
}

}  // namespace parid::model
