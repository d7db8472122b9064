// Finds files that a robot file names by package: package://NAME/path, model://NAME/path and
// xacro's $(find NAME).
//
// A package is searched for, in this order,
//   1. in the directories that the caller gives by name (LoadOptions::packages),
//   2. at, above and beside the robot file: three levels up,
//   3. in the environment: ROS_PACKAGE_PATH, AMENT_PREFIX_PATH (PREFIX/share/NAME),
//      GZ_SIM_RESOURCE_PATH, GAZEBO_MODEL_PATH.
// A URI never leaves its package: a path with "..", and a symbolic link that leads outside, are
// errors.

#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/layer.hpp"

namespace parid::model {

// The parts of package://NAME/path or model://NAME/path.
struct PackageUri {
  std::string package, path;
};
std::optional<PackageUri> package_uri(std::string_view uri);  // none: the text is not such a URI

class PackagePath {
 public:
  // The directories by name, and the environment of this process.
  explicit PackagePath(std::map<std::string, std::string> named = {});

  // The directory of a package. `file` is the robot file that names it; it may be empty.
  std::optional<std::filesystem::path> directory(const std::string& package,
                                                 const std::string& file) const;

  // Every directory that may hold the package, in the order above.
  std::vector<std::filesystem::path> candidates(const std::string& package,
                                                const std::string& file) const;

  // The existing file that a URI names, as an absolute path without symbolic links. Throws Error
  // with the searched directories if there is none or it is outside its package.
  std::string resolve(const PackageUri& uri, const std::string& file) const;

 private:
  std::map<std::string, std::string> named_;
  std::vector<std::filesystem::path> roots_, prefixes_;  // from the environment
};

// Whether `path` is `directory` or is in it. Both absolute, without symbolic links.
bool lies_in(const std::filesystem::path& directory, const std::filesystem::path& path);

}  // namespace parid::model
