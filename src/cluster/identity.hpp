// What tells one robot and one input file from another, for journals and outputs that outlive a
// process.

#pragma once

#include <string>

#include "cluster/layer.hpp"
#include "parid/robot.hpp"

namespace parid::cluster {

// 16 hexadecimal digits of everything that a robot's dynamics depend on, wherever its file lies.
std::string content_hash(const Robot&);

// Size, time of the last change, and a look at some of the bytes: files larger than memory are not
// read twice.
std::string file_identity(const std::string& path);

}  // namespace parid::cluster
