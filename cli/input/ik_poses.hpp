// Poses on the command line and in files.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/layer.hpp"
#include "parid/kinematics.hpp"

namespace parid::cli {

struct IkPoses {
  std::vector<LinkPose> pose;
  bool oriented = false;  // else positions alone
  std::vector<double> t;  // empty: none given
  std::string file;
  std::vector<int> lines;

  std::string place(std::size_t row) const;  // for messages
};

IkPoses one_pose(const std::string& pose, const std::optional<std::string>& rpy);
IkPoses read_poses(const std::string& path);

}  // namespace parid::cli
