// A payload on the command line: "2", "gripper:5,0,0,0.1".

#pragma once

#include <string>

#include "parid/model/robot.hpp"

namespace parid::cli {

inline constexpr const char* payload_help =
    "[LINK:]mass[,x,y,z[,Ixx,Iyy,Izz,Ixy,Ixz,Iyz]] on a link, by default the tip, in its frame";

// The robot with it; throws Error where the text is not a payload.
Robot with_payload(const Robot&, const std::string& text);

}  // namespace parid::cli
