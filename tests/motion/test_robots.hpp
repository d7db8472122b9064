// Small robots with every kind of joint, for tests of motions and their messages.

#pragma once

#include <string>

#include "parid/robot.hpp"
#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"

namespace parid::test {

inline const std::string body_text =
    "mass = 2\ncom = [0.1, 0.02, 0]\ninertia = [0.02, 0.03, 0.04]\n";

// A free trunk, a ball joint, a plane and a finger that another finger and a thumb follow.
inline const std::string everything_toml =
    "name = 'everything'\n"
    "[[joint]]\nname = 'free'\ntype = 'floating'\nlink = 'trunk'\n" +
    body_text + "[[joint]]\nname = 'ball'\ntype = 'spherical'\nlink = 'head'\nxyz = [0, 0, 0.4]\n" +
    body_text +
    "[[joint]]\nname = 'plane'\ntype = 'planar'\nparent = 'trunk'\nlink = 'tray'\naxis = [0, 1, "
    "0]\nxyz = [0.2, 0, 0]\n" +
    body_text +
    "[[joint]]\nname = 'finger'\nparent = 'tray'\nlink = 'tip1'\naxis = [0, 0, 1]\nxyz = [0.1, 0, "
    "0]\n"
    "lower = -1\nupper = 1\nvelocity = 2\neffort = 50\nmotor_inertia = 1e-4\ngear_ratio = 30\n" +
    body_text +
    "[[joint]]\nname = 'thumb'\nparent = 'tray'\nlink = 'tip2'\naxis = [0, 0, 1]\nxyz = [-0.1, 0, "
    "0]\n"
    "lower = -0.5\nupper = 0.7\nvelocity = 0.5\nmotor_inertia = 2e-4\ngear_ratio = 20\nmimic = "
    "{joint = 'finger', multiplier = -2, offset = 0.1}\n" +
    body_text;

inline Robot robot_of(const std::string& toml) {
  Scratch scratch;
  return Robot::load(scratch.file("robot.toml", toml));
}
inline Robot everything() { return robot_of(everything_toml); }

// One joint of a type; "axis = …" and limits in `more`.
inline Robot single(const std::string& type, const std::string& more = "") {
  return robot_of("name = 'single'\n[[joint]]\nname = 'j'\ntype = '" + type + "'\n" + more + "\n" +
                  body_text);
}

}  // namespace parid::test
