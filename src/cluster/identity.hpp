// Identities of robots and input files, for journals and outputs that outlive a process.

#pragma once

#include <string>

#include "cluster/layer.hpp"
#include "parid/robot.hpp"

namespace parid::cluster {

// 16 hexadecimal digits of all data on which a robot's dynamics depend; independent of the file's
// location.
std::string content_hash(const Robot&);

// Size, time of the last change, and a sample of the bytes: files larger than memory are not read
// twice.
std::string file_identity(const std::string& path);

}  // namespace parid::cluster
