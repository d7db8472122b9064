// n uniform rods of 1 m and 1 kg that swing in a vertical plane; at q = 0 they lie along x, and a
// positive angle lifts them.

#pragma once

#include <string>

#include "model/description.hpp"
#include "tests/layer.hpp"

namespace parid::test {

inline Description pendulum_chain(int n) {
  Description d;
  d.name = "pendulum" + std::to_string(n);
  d.links.push_back({"ground", std::nullopt});
  for (int i = 1; i <= n; ++i) {
    LinkDescription link;
    link.name = "rod" + std::to_string(i);
    link.inertia = Inertia{1, {0.5, 0, 0}, {1e-4, 1. / 12, 1. / 12}};
    JointDescription j;
    j.name = "joint" + std::to_string(i);
    j.type = JointType::continuous;
    j.parent = d.links.back().name;
    j.child = link.name;
    j.axis = {0, -1, 0};
    if (i > 1) j.origin.p = {1, 0, 0};
    d.links.push_back(link);
    d.joints.push_back(j);
  }
  return d;
}

}  // namespace parid::test
